//! The motion service: prompts in, files out, over HTTP, for any number of clients.
//!
//! A client authenticates and submits a prompt; the job is a row in PostgreSQL. A worker, which is
//! another process on this or any other machine, takes the row, walks the pipeline and leaves
//! files under their content id in a folder or a bucket that all share; the client asks for the
//! row's state until the files are there and fetches them by signed links.
//!
//! ```text
//! http ──▶ jobs, accounts, credits, files ──▶ store ──▶ PostgreSQL
//!                     ▲                         ▲
//!                  worker ──▶ road ──▶ limber-pipeline
//! ```
//! Each variant first leaves its canonical clip, and every file is derived from that clip; so a
//! worker that is killed costs the stage it was in, and the next one goes on from the clip.
//!
//! **Goes in:** HTTP requests as the specification of the motion service has them, a [`Config`].
//! **Comes out:** jobs, files. [`serve`] and [`work`] run until told to stop, [`command`] is the
//! program `limber-motion`. **Never knows:** the desktop, the identity service, how a motion is
//! made.

mod accounts;
mod command;
mod config;
mod credits;
mod doctor;
mod drawing;
mod events;
mod fetching;
mod files;
mod filming;
mod http;
mod importing;
mod intake;
mod jobs;
mod models;
mod one_store;
mod private_folder;
mod road;
mod service;
mod shares;
mod stock;
mod store;
mod surroundings;
mod sweeping;
mod telemetry;
mod uploads;
mod worker;

use std::{future::Future, net::IpAddr};

use secrecy::SecretString;
use tokio::net::TcpListener;

pub use command::command;
pub use config::{
    Billing, Config, ConfigError, ImportLimits, ReaderProgram, S3Keys, S3Place, StorePlace,
    UploadLimits, Watching, WorkLimits,
};
pub use files::FilesError;
pub use importing::reader_main;
pub use limber_api::proxies::ProxyRange;
pub use store::StoreError;
pub use surroundings::{Chance, Clock, Surroundings};

/// Shown in jobs and by `version`.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Why the service or a worker cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder for files.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// A character that came with the program.
    #[error("the stock character {0} has no valid id; this build is broken")]
    Stock(&'static str),
    /// The network.
    #[error("the service cannot listen or answer on its address")]
    Network(#[source] std::io::Error),
    /// What other hosts are trusted by.
    #[error(
        "characters cannot be fetched from other hosts: this computer's certificates cannot be read"
    )]
    Fetching(#[source] reqwest::Error),
    /// The folder with actions that are added to those of Limber.
    #[error("MOTIONSVC_ACTIONS: {0}")]
    Actions(limber_pipeline::actions::ActionFaults),
    /// A stage did not stop when asked to.
    #[error("a job does not stop; the worker ends itself so that a fresh one can be started")]
    Wedged,
}

/// Brings the tables up to date, then answers requests until `shutdown` is ready; those being
/// answered are finished, as far as they are done in seconds.
///
/// # Errors
/// See [`ServiceError`].
pub async fn serve(
    config: &Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServiceError> {
    serve_in(config, listener, Surroundings::of_this_computer(), shutdown).await
}

/// [`serve`] with a clock and a random source of the caller's choice.
///
/// # Errors
/// See [`ServiceError`].
pub async fn serve_in(
    config: &Config,
    listener: TcpListener,
    surroundings: Surroundings,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServiceError> {
    let address = listener.local_addr().map_err(ServiceError::Network)?;
    let service = service::Service::start(config, address, surroundings).await?;
    tracing::info!(%address, "the motion service listens on {address}");
    let (stopping, asked) = (service.stopping.clone(), service.stopping.clone());
    let shutdown = async move {
        shutdown.await;
        // whoever sends a file goes on after the restart
        stopping.cancel();
        std::future::pending::<()>().await;
    };
    let is_proxy = |peer: IpAddr| config.trusted_proxies.iter().any(|range| range.contains(peer));
    let tidied = std::sync::Arc::clone(&service);
    let app = limber_serve::Admitted::new(http::app(service), config.admission.clone());
    let serving = limber_serve::serve(listener, app, config.connections(), is_proxy, asked);
    tokio::select! {
        _ = serving => {}
        () = shutdown => {}
        () = tidied.uploads.keep_tidy() => {}
        () = tidied.models.keep_tidy() => {}
        () = keep_store_noted(config, &tidied) => {}
        () = watch_queue(config, &tidied) => {}
    }
    Ok(())
}

async fn keep_store_noted(config: &Config, service: &service::Service) {
    let service::Service { store, files, surroundings, .. } = service;
    one_store::keep_noted(store, files, surroundings, config.uploads.upkeep).await;
}

/// Looks at the queue for as long as somebody may ask.
async fn watch_queue(config: &Config, service: &service::Service) {
    match config.watch.metrics {
        Some(_) => {
            limber_telemetry::observe_pool(telemetry::SERVICE, &service.store.pool);
            telemetry::QueueWatch::new(service.store.clone()).keep_looking().await;
        }
        None => std::future::pending().await,
    }
}

/// Works on jobs, one at a time, until `shutdown` is ready; a job in hand goes back to the queue.
/// Any number of workers may run, each in its own process.
///
/// # Errors
/// See [`ServiceError`]; a database that goes away later is waited for.
pub async fn work(
    config: &Config,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServiceError> {
    let road = road::Road::of(config)?;
    worker::work(config, road, Surroundings::of_this_computer(), shutdown).await
}

/// [`work`] with an engine, a clock and a random source of the caller's choice.
///
/// # Errors
/// See [`ServiceError`].
pub async fn work_in(
    config: &Config,
    engine: std::sync::Arc<dyn limber_pipeline::MotionEngine>,
    surroundings: Surroundings,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServiceError> {
    worker::work(config, road::Road::with(engine), surroundings, shutdown).await
}

/// Brings the tables up to date. Safe to call from several processes at once.
///
/// # Errors
/// See [`StoreError`].
pub async fn migrate(config: &Config) -> Result<(), StoreError> {
    store::Store::connect(&config.database_url, 1).await?.migrate().await
}

/// Gives an account credits for good, on an up-to-date database; less than nothing takes them away.
/// Answers what the account can spend then, or nothing when there is no such account.
///
/// # Errors
/// See [`StoreError`].
pub async fn grant_credits(
    config: &Config,
    client: &str,
    tenths: i64,
) -> Result<Option<f64>, StoreError> {
    let store = store::Store::connect(&config.database_url, 1).await?;
    let now_ms = Surroundings::of_this_computer().clock.now_ms();
    let account = store.grant(client, tenths, (credits::period_of(now_ms), now_ms)).await?;
    Ok(account.map(|account| credits::credits(account.wallet.spendable())))
}

/// Puts an account on a plan, on an up-to-date database: what it is called, how many tenths of a
/// credit it grants each month from now on, and how many variants a job may have. Answers what the
/// account can spend then, or nothing when there is no such account.
///
/// # Errors
/// See [`StoreError`].
pub async fn set_plan(
    config: &Config,
    client: &str,
    (name, tenths, max_variants): (&str, u32, Option<u32>),
) -> Result<Option<f64>, StoreError> {
    let store = store::Store::connect(&config.database_url, 1).await?;
    let now_ms = Surroundings::of_this_computer().clock.now_ms();
    let plan = (name, i64::from(tenths), max_variants);
    let account = store.set_plan(client, plan, (credits::period_of(now_ms), now_ms)).await?;
    Ok(account.map(|account| credits::credits(account.wallet.spendable())))
}

/// A new account on an up-to-date database: its client id, and its secret, which is told only now.
///
/// # Errors
/// See [`StoreError`].
pub async fn create_client(
    config: &Config,
    name: &str,
) -> Result<(String, SecretString), StoreError> {
    let store = store::Store::connect(&config.database_url, 1).await?;
    accounts::Accounts::new(store, Surroundings::of_this_computer()).create(name).await
}
