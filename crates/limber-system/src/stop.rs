//! How a program learns that it is to end.

/// Ready when the process is asked to stop: by Ctrl-C, by a supervisor's polite signal, and on Windows also
/// when its console is closed or the computer shuts down. What cannot be listened to is told to the log and
/// never comes.
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

    /// The four are types of their own with the same face.
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
    tracing::warn!(%error, "the system cannot ask this program to end");
    std::future::pending::<()>().await;
}
