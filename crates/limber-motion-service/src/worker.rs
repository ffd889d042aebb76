//! A worker, which processes one job after another.
//!
//! Each worker runs one job at a time; there may be any number of workers. While the pipeline
//! computes on another thread, the worker sends heartbeats, reports progress, notices if the job
//! was cancelled or taken away, and stops stages that take too long.

mod attempt;
mod pictures;
mod watch;

use std::{
    future::Future,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use limber_domain::lock;
use secrecy::ExposeSecret;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;

use crate::{
    Config, Environment, FilesError, ServiceError, StoreError,
    files::FileStore,
    pipeline::Pipeline,
    private_folder::keep_private,
    store::{
        Store,
        queue::{Next, Presence},
    },
    store_id::{self, StoreId},
    sweeping::remove_now_or_later,
    telemetry::AttemptMeasures,
};

/// Size of the connection pool. One connection listens for notifications. The job, a preview and
/// the removal of files may each hold one during slow file operations, and heartbeats must not wait
/// for them.
const CONNECTIONS: u32 = 6;
/// Interval at which lost jobs are recovered.
const RECOVERY: Duration = Duration::from_secs(2);
/// Interval at which retention periods are applied.
const RETIREMENT: Duration = Duration::from_secs(3600);
/// How long giving a job back may take. A stalled database must not keep the worker from stopping;
/// the other workers will notice that it is gone.
const GOODBYE: Duration = Duration::from_secs(4);
/// Delay before reconnecting to the database.
const RECONNECT: Duration = Duration::from_millis(500);
/// How often a starting worker tries to reach the database, [`RECONNECT`] apart: after a power cut,
/// both start at the same time. If it takes longer than a minute, the address or the password is
/// probably wrong, and the error should be seen.
const STARTUP_TRIES: u32 = 120;

/// Notifications that there may be something to do.
#[derive(Debug, Default)]
struct Notifications {
    /// A job can be claimed.
    queue: Notify,
    /// A job was cancelled.
    cancel: Notify,
    /// Previews can be rendered.
    pictures: Notify,
}

struct Worker<'a> {
    config: &'a Config,
    environment: Environment,
    store: Store,
    files: FileStore,
    /// Id of the file store, as last read.
    store_id: Mutex<StoreId>,
    pipeline: Pipeline,
    /// Whether a job is running.
    busy: AtomicBool,
    /// Whether the servers use another file store than this worker.
    other_store: AtomicBool,
    measures: AttemptMeasures,
}

/// Why work on one connection ended.
enum End {
    Stopped,
    /// The connection that proves the worker alive was lost.
    PresenceLost,
}

pub(crate) async fn work(
    config: &Config,
    pipeline: Pipeline,
    environment: Environment,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServiceError> {
    let mut shutdown = std::pin::pin!(shutdown);
    let (store, files, store_id) = tokio::select! {
        opened = open(config, &environment) => opened?,
        () = &mut shutdown => return Ok(()),
    };
    keep_private(&config.scratch).map_err(FilesError::Folder)?;
    let store_id = Mutex::new(store_id);
    limber_telemetry::observe_pool(crate::telemetry::SERVICE, &store.pool);
    let (busy, measures) = (AtomicBool::new(false), AttemptMeasures::new());
    let other_store = AtomicBool::new(false);
    let worker = Worker {
        config,
        environment,
        store,
        files,
        store_id,
        pipeline,
        busy,
        other_store,
        measures,
    };
    let stop = Arc::new(Stop::default());
    let mut running = std::pin::pin!(worker.keep_working(&stop));
    tokio::select! {
        ended = &mut running => return ended,
        () = stopping(&stop, &mut shutdown, config.drain) => {}
    }
    tokio::time::timeout(GOODBYE, running).await.unwrap_or_else(|_| {
        tracing::warn!(
            "the running job could not be given back in time; another worker will take it over"
        );
        Ok(())
    })
}

/// Connects to the database, waiting for it if necessary, migrates it, and opens the file store.
async fn open(
    config: &Config,
    environment: &Environment,
) -> Result<(Store, FileStore, StoreId), ServiceError> {
    let files = FileStore::at(&config.store).await?;
    let mut tries = 0;
    loop {
        tries += 1;
        let opened = async {
            let store = Store::connect(&config.database_url, CONNECTIONS).await?;
            store.migrate().await?;
            let store_id = store_id::store_id_of(&store, &files, environment).await?;
            Ok((store, store_id))
        };
        match opened.await {
            Ok((store, store_id)) => return Ok((store, files, store_id)),
            Err(ServiceError::Store(error)) if error.is_away() && tries < STARTUP_TRIES => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the database cannot be used yet: {error}"
                );
                tokio::time::sleep(RECONNECT).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Waits for the shutdown request: then no more jobs are claimed, and after `drain` the running one
/// is given back.
async fn stopping(stop: &Stop, shutdown: impl Future<Output = ()>, drain: Duration) {
    shutdown.await;
    stop.drain.request();
    tokio::time::sleep(drain).await;
    stop.now.request();
}

/// Requests to stop the worker.
#[derive(Debug, Default)]
struct Stop {
    /// Claim no further jobs.
    drain: StopRequest,
    /// Give the running job back.
    now: StopRequest,
}

/// A request that can be awaited.
#[derive(Debug, Default)]
struct StopRequest {
    requested: AtomicBool,
    notify: Notify,
}

impl StopRequest {
    fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
        self.notify.notify_waiters();
    }

    fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    async fn requested(&self) {
        let mut notify = std::pin::pin!(self.notify.notified());
        notify.as_mut().enable();
        if !self.is_requested() {
            notify.await;
        }
    }
}

impl Worker<'_> {
    /// Works until asked to stop, reconnecting whenever the database is lost.
    async fn keep_working(&self, stop: &Stop) -> Result<(), ServiceError> {
        while !stop.drain.is_requested() {
            match self.work_while_connected(stop).await {
                Ok(End::Stopped) => break,
                Ok(End::PresenceLost) => {
                    tracing::warn!("lost the database connection; reconnecting");
                }
                Err(ServiceError::Store(error)) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the database does not respond: {error}"
                    );
                    tokio::select! { () = tokio::time::sleep(RECONNECT) => {}, () = stop.drain.requested() => {} }
                }
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    async fn work_while_connected(&self, stop: &Stop) -> Result<End, ServiceError> {
        // 0 to 2^31 - 1, so that workers do not collide
        let number = (self.environment.number() & 0x7fff_ffff) as i32;
        let presence = Presence::show(self.config.database_url.expose_secret(), number).await?;
        let notifications = Notifications::default();
        tracing::info!(worker = %self.config.worker_name, "worker {} is ready", self.config.worker_name);
        let ended = tokio::select! {
            ended = self.claim_jobs(presence, &notifications, stop) => ended,
            ended = self.listen(&notifications) => ended,
            ended = self.recover(number, stop) => ended,
            ended = self.render_previews(number, &notifications, stop) => ended,
        };
        // if this fails, other workers will remove this one
        let _ = self.store.forget_worker(number).await;
        ended
    }

    /// Forwards PostgreSQL notifications.
    async fn listen(&self, notifications: &Notifications) -> Result<End, ServiceError> {
        let mut listener =
            PgListener::connect_with(&self.store.pool).await.map_err(StoreError::from)?;
        listener.listen_all(["motion_queue", "motion_cancel"]).await.map_err(StoreError::from)?;
        loop {
            let told = listener.recv().await.map_err(StoreError::from)?;
            match told.channel() {
                "motion_cancel" => notifications.cancel.notify_one(),
                _ => notifications.queue.notify_one(),
            }
        }
    }

    /// Sends heartbeats, recovers the jobs of dead workers, and applies retention periods.
    async fn recover(&self, number: i32, stop: &Stop) -> Result<End, ServiceError> {
        let mut since_retirement = RETIREMENT;
        loop {
            let name = &self.config.worker_name;
            let store_id = self.store_id();
            self.store.see_worker(number, (name, store_id.as_str()), self.state(stop)).await?;
            self.store.forget_dead_workers().await?;
            let stuck_after_ms =
                i64::try_from(self.config.stuck_after.as_millis()).unwrap_or(i64::MAX);
            let recovered =
                self.store.recover_lost(stuck_after_ms, &self.config.work.retry_delays).await?;
            if recovered > 0 {
                tracing::warn!(jobs = recovered, "recovered {recovered} job(s) of lost workers");
            }
            // contents that are unreferenced in this database may belong to another store's
            // installation
            if since_retirement >= RETIREMENT && !self.is_other_store().await? {
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
        if stop.drain.is_requested() {
            "draining"
        } else if self.busy.load(Ordering::SeqCst) {
            "working"
        } else if self.other_store.load(Ordering::SeqCst) {
            "astray"
        } else {
            "ready"
        }
    }

    fn store_id(&self) -> StoreId {
        lock(&self.store_id).clone()
    }

    /// Returns whether the servers use another file store, so that nobody would find this worker's
    /// results. Logs when this changes.
    async fn is_other_store(&self) -> Result<bool, StoreError> {
        let mut other_store = store_id::is_other_store(&self.store, &self.store_id()).await?;
        if other_store && let Ok(Some(store_id)) = self.files.store_id().await {
            // the store may have been given another id since
            other_store = store_id::is_other_store(&self.store, &store_id).await?;
            *lock(&self.store_id) = store_id;
        }
        match (self.other_store.swap(other_store, Ordering::SeqCst), other_store) {
            (false, true) => tracing::error!(
                store = %self.config.store,
                "this worker uses a different file store than the servers and takes no jobs; set \
                 the same MOTIONSVC_STORE for both and check with `limber-motion doctor`"
            ),
            (true, false) => tracing::info!("the servers use the same file store now"),
            _ => {}
        }
        Ok(other_store)
    }

    async fn claim_jobs(
        &self,
        mut presence: Presence,
        notifications: &Notifications,
        stop: &Stop,
    ) -> Result<End, ServiceError> {
        while !stop.drain.is_requested() {
            if !presence.holds().await {
                return Ok(End::PresenceLost);
            }
            if self.is_other_store().await? {
                tokio::select! {
                    () = tokio::time::sleep(self.config.work.poll) => {}
                    () = stop.drain.requested() => {}
                }
                continue;
            }
            let lease = self.environment.token(12);
            match self.store.claim_job(presence.number, &self.config.worker_name, &lease).await? {
                Next::Job(job) => {
                    self.busy.store(true, Ordering::SeqCst);
                    let ended = attempt::run(self, *job, notifications, stop).await;
                    self.busy.store(false, Ordering::SeqCst);
                    ended?;
                    notifications.pictures.notify_one();
                }
                Next::Contended => tokio::time::sleep(Duration::from_millis(5)).await,
                Next::Nothing => {
                    tokio::select! {
                        () = notifications.queue.notified() => {}
                        () = tokio::time::sleep(self.config.work.poll) => {}
                        () = stop.drain.requested() => {}
                    }
                }
            }
        }
        Ok(End::Stopped)
    }
}
