//! A worker: takes a job, makes it, takes the next.
//!
//! One worker does one job at a time; there may be any number of workers. While the pipeline
//! computes on a thread of its own, the worker says that it lives, tells how far it is, looks
//! whether the job was cancelled or taken away, and stops a stage that takes too long.

mod attempt;
mod pictures;
mod watch;

use std::{
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use secrecy::ExposeSecret;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;

use crate::{
    Config, FilesError, ServiceError, StoreError, Surroundings,
    files::FileStore,
    one_store::{self, StoreMark},
    private_folder::keep_private,
    road::Road,
    store::{
        Store,
        queue::{Next, Presence},
    },
    sweeping::remove_now_or_later,
    telemetry::AttemptMeasures,
};

/// Connections to the database: one hears of news, each of a job, a picture and the removal of files may
/// hold one for as long as files take, and whatever says that the worker lives must not wait for them.
const CONNECTIONS: u32 = 6;
/// How often lost jobs are looked for.
const RECOVERY: Duration = Duration::from_secs(2);
/// How often old jobs are removed.
const RETIREMENT: Duration = Duration::from_secs(3600);
/// How long a worker that gives its job back may take for it; a database that stands still must not
/// keep it, and the others notice that it is gone.
const GOODBYE: Duration = Duration::from_secs(4);
/// How long to wait before going back to a database that went away.
const RECONNECT: Duration = Duration::from_millis(500);
/// How often a worker that starts tries to reach its database, `RECONNECT` apart: after a power cut both
/// start at the same time. If a minute is not enough, the address is probably wrong, and somebody must see it.
const STARTUP_TRIES: u32 = 120;

/// What rings when there may be something to do.
#[derive(Debug, Default)]
struct Bells {
    /// A job can be taken.
    queue: Notify,
    /// Some job was cancelled.
    cancel: Notify,
    /// Pictures can be drawn.
    pictures: Notify,
}

struct Worker<'a> {
    config: &'a Config,
    surroundings: Surroundings,
    store: Store,
    files: FileStore,
    /// Which store the files lie in, as far as it is known.
    mark: Mutex<StoreMark>,
    road: Road,
    /// Whether it has a job in hand.
    busy: AtomicBool,
    /// Whether the servers see another store than this one.
    astray: AtomicBool,
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
    let mut shutdown = std::pin::pin!(shutdown);
    let (store, files, mark) = tokio::select! {
        opened = open(config, &surroundings) => opened?,
        () = &mut shutdown => return Ok(()),
    };
    keep_private(&config.scratch).map_err(FilesError::Folder)?;
    let mark = Mutex::new(mark);
    limber_telemetry::observe_pool(crate::telemetry::SERVICE, &store.pool);
    let (busy, measures) = (AtomicBool::new(false), AttemptMeasures::new());
    let astray = AtomicBool::new(false);
    let worker = Worker { config, surroundings, store, files, mark, road, busy, astray, measures };
    let stop = Arc::new(Stop::default());
    let mut running = std::pin::pin!(worker.keep_working(&stop));
    tokio::select! {
        ended = &mut running => return ended,
        () = stopping(&stop, &mut shutdown, config.drain) => {}
    }
    tokio::time::timeout(GOODBYE, running).await.unwrap_or_else(|_| {
        tracing::warn!("what was in hand could not be given back in time; others take it over");
        Ok(())
    })
}

/// The database, brought up to date, and the files; a database that is away is waited for.
async fn open(
    config: &Config,
    surroundings: &Surroundings,
) -> Result<(Store, FileStore, StoreMark), ServiceError> {
    let files = FileStore::at(&config.store).await?;
    let mut tries = 0;
    loop {
        tries += 1;
        let opened = async {
            let store = Store::connect(&config.database_url, CONNECTIONS).await?;
            store.migrate().await?;
            let mark = one_store::mark_of(&store, &files, surroundings).await?;
            Ok((store, mark))
        };
        match opened.await {
            Ok((store, mark)) => return Ok((store, files, mark)),
            Err(ServiceError::Store(error)) if error.is_away() && tries < STARTUP_TRIES => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the database does not answer yet: {error}"
                );
                tokio::time::sleep(RECONNECT).await;
            }
            Err(error) => return Err(error),
        }
    }
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
            ended = self.draw_pictures(number, &bells, stop) => ended,
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
            let mark = self.mark();
            self.store.see_worker(number, (name, mark.as_str()), self.state(stop)).await?;
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
            // contents that nobody here needs may be needed where the other files belong
            if since_retirement >= RETIREMENT && !self.is_astray().await? {
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
        if stop.gently.is_asked() {
            "draining"
        } else if self.busy.load(Ordering::SeqCst) {
            "working"
        } else if self.astray.load(Ordering::SeqCst) {
            "astray"
        } else {
            "ready"
        }
    }

    fn mark(&self) -> StoreMark {
        self.mark.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the servers see another store of files, so that nobody would find what this worker makes. It
    /// says so when it begins and when it ends.
    async fn is_astray(&self) -> Result<bool, StoreError> {
        let mut astray = one_store::is_astray(&self.store, &self.mark()).await?;
        if astray && let Ok(Some(mark)) = self.files.mark().await {
            // it may have been marked anew since
            astray = one_store::is_astray(&self.store, &mark).await?;
            *self.mark.lock().unwrap_or_else(PoisonError::into_inner) = mark;
        }
        match (self.astray.swap(astray, Ordering::SeqCst), astray) {
            (false, true) => tracing::error!(
                store = %self.config.store,
                "this worker sees other files than the servers and takes no jobs; give both the same \
                 MOTIONSVC_STORE, then `limber-motion doctor` tells whether they agree"
            ),
            (true, false) => tracing::info!("the servers see the same files now"),
            _ => {}
        }
        Ok(astray)
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
            if self.is_astray().await? {
                tokio::select! {
                    () = tokio::time::sleep(self.config.work.poll) => {}
                    () = stop.gently.asked() => {}
                }
                continue;
            }
            let lease = self.surroundings.token(12);
            match self.store.take_job(presence.number, &self.config.worker_name, &lease).await? {
                Next::Job(job) => {
                    self.busy.store(true, Ordering::SeqCst);
                    let ended = attempt::run(self, *job, bells, stop).await;
                    self.busy.store(false, Ordering::SeqCst);
                    ended?;
                    bells.pictures.notify_one();
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
