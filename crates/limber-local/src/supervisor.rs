//! Supervises one service: restarts it when it dies or its settings change.

use std::{path::PathBuf, time::Duration};

use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::{
    Service,
    child::{Running, Settings},
    port::Port,
};

/// Delay before the first restart; it doubles with each further death.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// Uptime after which the restart delay is reset.
const GOOD_LIFE: Duration = Duration::from_secs(30);

/// A supervised service.
#[derive(Debug)]
pub(crate) struct Supervisor {
    task: JoinHandle<Option<Port>>,
    stop: watch::Sender<bool>,
}

impl Supervisor {
    /// Starts supervising a service. It is restarted whenever `settings` change; its `port`, if it
    /// has one, stays the same.
    pub(crate) fn new(
        service: Service,
        port: Option<Port>,
        settings: watch::Receiver<Settings>,
        log: PathBuf,
    ) -> Self {
        let (stop, stopped) = watch::channel(false);
        let _ = std::fs::remove_file(&log);
        Self { task: tokio::spawn(supervise(service, port, settings, log, stopped)), stop }
    }

    /// Stops the service and waits until it has exited. Returns its port, which stays reserved
    /// until dropped.
    pub(crate) async fn stop(self) -> Option<Port> {
        let _ = self.stop.send(true);
        self.task.await.ok().flatten()
    }

    /// Holds a port without a service.
    #[cfg(all(test, unix))]
    pub(crate) fn without_service(port: Port) -> Self {
        let (stop, mut stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let _ = stopped.wait_for(|stop| *stop).await;
            Some(port)
        });
        Self { task, stop }
    }
}

/// Why a run of the service ended.
enum End {
    Stopped,
    NewSettings,
    Died,
}

async fn supervise(
    service: Service,
    mut port: Option<Port>,
    mut settings: watch::Receiver<Settings>,
    log: PathBuf,
    mut stopped: watch::Receiver<bool>,
) -> Option<Port> {
    let mut pause = FIRST_PAUSE;
    loop {
        let born = now();
        let current = settings.borrow_and_update().clone();
        let end = match Running::start(service, &current, port.as_mut(), &log).await {
            Ok(running) => run_once(running, &mut settings, &mut stopped).await,
            Err(error) => {
                tracing::error!(
                    %error, service = service.word(),
                    "the service could not be started"
                );
                End::Died
            }
        };
        match end {
            End::Stopped => return port,
            End::NewSettings => continue,
            End::Died => {}
        }
        if now().duration_since(born) > GOOD_LIFE {
            pause = FIRST_PAUSE;
        }
        tracing::warn!(service = service.word(), ?pause, "the service stopped; starting it again");
        tokio::select! {
            () = sleep(pause) => {}
            _ = stopped.wait_for(|stop| *stop) => return port,
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn run_once(
    mut running: Running,
    settings: &mut watch::Receiver<Settings>,
    stopped: &mut watch::Receiver<bool>,
) -> End {
    let end = tokio::select! {
        _ = running.wait() => return End::Died,
        _ = stopped.wait_for(|stop| *stop) => End::Stopped,
        changed = settings.changed() => {
            if changed.is_ok() { End::NewSettings } else { End::Stopped }
        }
    };
    running.stop().await;
    end
}

#[expect(clippy::disallowed_methods, reason = "pauses are in real time; no result depends on them")]
fn now() -> Instant {
    Instant::now()
}
