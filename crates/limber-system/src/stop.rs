//! Requests to stop the program.

/// Completes when the process is asked to stop: by Ctrl-C, by SIGTERM, and on Windows also when its
/// console is closed or the computer shuts down. A source that cannot be listened to is logged and
/// never completes.
pub async fn asked() {
    system::asked().await;
}

#[cfg(unix)]
mod system {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub(super) async fn asked() {
        let (interrupt, terminate) = (SignalKind::interrupt(), SignalKind::terminate());
        tokio::select! {
            () = one(signal(interrupt)) => {}
            () = one(signal(terminate)) => {}
        }
    }

    async fn one(signal: std::io::Result<Signal>) {
        match signal {
            Ok(mut signal) => drop(signal.recv().await),
            Err(error) => super::never(&error).await,
        }
    }
}

#[cfg(windows)]
mod system {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown};

    /// A macro, because the four signal types have the same methods but no common trait.
    macro_rules! one {
        ($signal:expr) => {
            async {
                match $signal {
                    Ok(mut signal) => drop(signal.recv().await),
                    Err(error) => super::never(&error).await,
                }
            }
        };
    }

    pub(super) async fn asked() {
        tokio::select! {
            () = one!(ctrl_c()) => {}
            () = one!(ctrl_break()) => {}
            () = one!(ctrl_close()) => {}
            () = one!(ctrl_shutdown()) => {}
        }
    }
}

async fn never(error: &std::io::Error) {
    tracing::warn!(%error, "the operating system cannot signal this program to stop");
    std::future::pending::<()>().await;
}
