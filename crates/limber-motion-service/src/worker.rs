//! A worker: takes a job, makes it, takes the next.
//!
//! One worker does one job at a time; there may be any number of workers. While the pipeline
//! computes on a thread of its own, the worker says that it lives, tells how far it is, looks
//! whether the job was cancelled or taken away, and stops a stage that takes too long.

mod attempt;
mod cpu;
mod watch;

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use secrecy::ExposeSecret;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;

use crate::{
    Config, ServiceError, StoreError, Surroundings,
    files::FileStore,
    road::Road,
    store::{
        Store,
        queue::{Next, Presence},
    },
    sweeping::remove_now_or_later,
    telemetry::AttemptMeasures,
};

/// How often lost jobs are looked for.
const RECOVERY: Duration = Duration::from_secs(2);
/// How often old jobs are removed.
const RETIREMENT: Duration = Duration::from_secs(3600);
/// How long to wait before going back to a database that went away.
const RECONNECT: Duration = Duration::from_millis(500);

/// What rings when there may be something to do.
#[derive(Debug, Default)]
struct Bells {
    /// A job can be taken.
    queue: Notify,
    /// Some job was cancelled.
    cancel: Notify,
}

struct Worker<'a> {
    config: &'a Config,
    surroundings: Surroundings,
    store: Store,
    files: FileStore,
    road: Road,
    /// Whether it has a job in hand.
    busy: AtomicBool,
    measures: AttemptMeasures,
}

/// What ends the work on one connection.
enum End {
    Stopped,
    /// The connection that shows the worker is gone.
    PresenceLost,
}

pub(crate) async fn work(
    config: &Config,
    road: Road,
    surroundings: Surroundings,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServiceError> {
    let store = Store::connect(&config.database_url, 4).await?;
    store.migrate().await?;
    let files = FileStore::at(&config.store).await?;
    limber_telemetry::observe_pool(crate::telemetry::SERVICE, &store.pool);
    let (busy, measures) = (AtomicBool::new(false), AttemptMeasures::new());
    let worker = Worker { config, surroundings, store, files, road, busy, measures };
    let stop = Arc::new(Stop::default());
    let mut shutdown = std::pin::pin!(shutdown);
    let mut running = std::pin::pin!(worker.keep_working(&stop));
    tokio::select! {
        ended = &mut running => return ended,
        () = stopping(&stop, &mut shutdown, config.drain) => {}
    }
    running.await
}

/// No more jobs once it is asked for; a while later, not even the one in hand.
async fn stopping(stop: &Stop, shutdown: impl Future<Output = ()>, drain: Duration) {
    shutdown.await;
    stop.gently.ask();
    tokio::time::sleep(drain).await;
    stop.now.ask();
}

/// What is wished of a worker that is to stop.
#[derive(Debug, Default)]
struct Stop {
    /// To take no other job.
    gently: Wish,
    /// To give the job in hand back.
    now: Wish,
}

/// A wish that can be waited for.
#[derive(Debug, Default)]
struct Wish {
    asked: AtomicBool,
    bell: Notify,
}

impl Wish {
    fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.bell.notify_waiters();
    }

    fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    async fn asked(&self) {
        let mut bell = std::pin::pin!(self.bell.notified());
        bell.as_mut().enable();
        if !self.is_asked() {
            bell.await;
        }
    }
}

impl Worker<'_> {
    /// Works until asked to stop; a database that goes away is waited for.
    async fn keep_working(&self, stop: &Stop) -> Result<(), ServiceError> {
        while !stop.gently.is_asked() {
            match self.work_while_connected(stop).await {
                Ok(End::Stopped) => break,
                Ok(End::PresenceLost) => {
                    tracing::warn!("the database connection broke; connecting again");
                }
                Err(ServiceError::Store(error)) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the database does not answer: {error}"
                    );
                    tokio::select! { () = tokio::time::sleep(RECONNECT) => {}, () = stop.gently.asked() => {} }
                }
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    async fn work_while_connected(&self, stop: &Stop) -> Result<End, ServiceError> {
        // 0 to 2^31 - 1, so that no two workers meet
        let number = (self.surroundings.number() & 0x7fff_ffff) as i32;
        let presence = Presence::show(self.config.database_url.expose_secret(), number).await?;
        let bells = Bells::default();
        tracing::info!(worker = %self.config.worker_name, "worker {} is ready", self.config.worker_name);
        let ended = tokio::select! {
            ended = self.take_jobs(presence, &bells, stop) => ended,
            ended = self.listen(&bells) => ended,
            ended = self.recover(number, stop) => ended,
        };
        // one that cannot say good-bye is forgotten by the others
        let _ = self.store.forget_worker(number).await;
        ended
    }

    /// Rings the bells as PostgreSQL tells.
    async fn listen(&self, bells: &Bells) -> Result<End, ServiceError> {
        let mut listener =
            PgListener::connect_with(&self.store.pool).await.map_err(StoreError::from)?;
        listener.listen_all(["motion_queue", "motion_cancel"]).await.map_err(StoreError::from)?;
        loop {
            let told = listener.recv().await.map_err(StoreError::from)?;
            match told.channel() {
                "motion_cancel" => bells.cancel.notify_one(),
                _ => bells.queue.notify_one(),
            }
        }
    }

    /// Brings back the jobs of workers that died, removes what is too old.
    async fn recover(&self, number: i32, stop: &Stop) -> Result<End, ServiceError> {
        let mut since_retirement = RETIREMENT;
        loop {
            let name = &self.config.worker_name;
            self.store.see_worker(number, name, self.state(stop)).await?;
            self.store.forget_dead_workers().await?;
            let stuck_after_ms =
                i64::try_from(self.config.stuck_after.as_millis()).unwrap_or(i64::MAX);
            let recovered =
                self.store.recover_lost(stuck_after_ms, &self.config.work.retry_delays).await?;
            if recovered > 0 {
                tracing::warn!(
                    jobs = recovered,
                    "{recovered} job(s) of lost workers were taken back"
                );
            }
            if since_retirement >= RETIREMENT {
                since_retirement = Duration::ZERO;
                self.retire().await?;
            }
            tokio::time::sleep(RECOVERY).await;
            since_retirement += RECOVERY;
        }
    }

    async fn retire(&self) -> Result<(), StoreError> {
        let gone = self.store.retire(self.config.keep_days).await?;
        remove_now_or_later(&self.store, &self.files, &gone).await
    }

    fn state(&self, stop: &Stop) -> &'static str {
        match (stop.gently.is_asked(), self.busy.load(Ordering::SeqCst)) {
            (true, _) => "draining",
            (false, true) => "working",
            (false, false) => "ready",
        }
    }

    async fn take_jobs(
        &self,
        mut presence: Presence,
        bells: &Bells,
        stop: &Stop,
    ) -> Result<End, ServiceError> {
        while !stop.gently.is_asked() {
            if !presence.holds().await {
                return Ok(End::PresenceLost);
            }
            let lease = self.surroundings.token(12);
            match self.store.take_job(presence.number, &self.config.worker_name, &lease).await? {
                Next::Job(job) => {
                    self.busy.store(true, Ordering::SeqCst);
                    let ended = attempt::run(self, *job, bells, stop).await;
                    self.busy.store(false, Ordering::SeqCst);
                    ended?;
                }
                Next::Contended => tokio::time::sleep(Duration::from_millis(5)).await,
                Next::Nothing => {
                    tokio::select! {
                        () = bells.queue.notified() => {}
                        () = tokio::time::sleep(self.config.work.poll) => {}
                        () = stop.gently.asked() => {}
                    }
                }
            }
        }
        Ok(End::Stopped)
    }
}
