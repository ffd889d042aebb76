//! The motion service: an HTTP API that turns prompts into animation files.
//!
//! A client authenticates and submits a prompt, which is stored as a job, a row in PostgreSQL. A
//! worker, a separate process on this or another machine, claims the row, runs the pipeline and
//! writes the resulting files, addressed by the hash of their content, to a folder or bucket that
//! all servers and workers share. The client polls the job's status (or listens to its events) and
//! downloads the files through signed links.
//!
//! ```text
//! http ──▶ jobs, accounts, credits, files ──▶ store ──▶ PostgreSQL
//!                     ▲                         ▲
//!                  worker ──▶ pipeline ──▶ limber-pipeline
//! ```
//! The first file of each variant is its canonical clip, and all other files are derived from that
//! clip. If a worker is killed, only the stage it was running is lost; the next worker resumes from
//! the clip.
//!
//! **Inputs:** HTTP requests as described in the motion service specification, and a [`Config`].
//! **Outputs:** jobs and files. [`serve`] and [`work`] run until they are asked to stop;
//! [`command`] is the `limber-motion` program. **Out of scope:** the desktop app, the identity
//! service, and how motion is generated.

mod accounts;
mod command;
mod config;
mod credits;
mod doctor;
mod environment;
mod events;
mod fetching;
mod files;
mod http;
mod importing;
mod jobs;
mod models;
mod pipeline;
mod preview;
mod private_folder;
mod service;
mod shares;
mod stock;
mod store;
mod store_id;
mod submission;
mod sweeping;
mod telemetry;
mod uploads;
mod video;
mod worker;

use std::{future::Future, net::IpAddr};

use secrecy::SecretString;
use tokio::net::TcpListener;

pub use command::command;
pub use config::{
    Billing, Config, ConfigError, ImportLimits, ReaderProgram, S3Keys, S3Place, StorePlace,
    UploadLimits, Watching, WorkLimits,
};
pub use environment::Environment;
pub use files::FilesError;
pub use importing::reader_main;
pub use limber_api::proxies::ProxyRange;
pub use store::StoreError;

/// Version reported in jobs and by `limber-motion version`.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Why the service or a worker cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file store or a local folder failed.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The id of a built-in character is invalid; holds the character's name.
    #[error("the stock character {0} has no valid id; this build is broken")]
    Stock(&'static str),
    /// The listener failed.
    #[error("the service cannot accept connections on its address")]
    Network(#[source] std::io::Error),
    /// The HTTP client for fetching characters could not be built, because the system's root
    /// certificates cannot be read.
    #[error(
        "characters cannot be fetched from other hosts: this computer's certificates cannot be read"
    )]
    Fetching(#[source] reqwest::Error),
    /// The folder of additional actions (`MOTIONSVC_ACTIONS`) has errors.
    #[error("MOTIONSVC_ACTIONS: {0}")]
    Actions(limber_pipeline::actions::ActionFaults),
    /// A stage did not stop when it was cancelled.
    #[error("a job does not stop; the worker exits so that a new one can be started")]
    Wedged,
}

/// Migrates the database, then serves requests until `shutdown` resolves. Requests in progress get
/// a few seconds to finish.
pub async fn serve(
    config: &Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServiceError> {
    serve_in(config, listener, Environment::system(), shutdown).await
}

/// Like [`serve`], with the given clock and random source.
pub async fn serve_in(
    config: &Config,
    listener: TcpListener,
    environment: Environment,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServiceError> {
    let address = listener.local_addr().map_err(ServiceError::Network)?;
    let service = service::Service::start(config, address, environment).await?;
    tracing::info!(%address, "the motion service is listening on {address}");
    let (stopping, asked) = (service.stopping.clone(), service.stopping.clone());
    let shutdown = async move {
        shutdown.await;
        // clients resume interrupted uploads after the restart
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
    let service::Service { store, files, environment, .. } = service;
    store_id::watch_store_id(store, files, environment, config.uploads.upkeep).await;
}

/// Keeps the queue metrics up to date if a metrics address is configured; otherwise does nothing.
async fn watch_queue(config: &Config, service: &service::Service) {
    match config.watch.metrics {
        Some(_) => {
            limber_telemetry::observe_pool(telemetry::SERVICE, &service.store.pool);
            telemetry::QueueWatch::new(service.store.clone()).keep_looking().await;
        }
        None => std::future::pending().await,
    }
}

/// Processes jobs, one at a time, until `shutdown` resolves; a job still running then goes back to
/// the queue. Any number of workers can run, each in its own process.
///
/// # Errors
/// See [`ServiceError`]. If the database becomes unavailable later, the worker waits for it instead
/// of failing.
pub async fn work(
    config: &Config,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServiceError> {
    let pipeline = pipeline::Pipeline::of(config)?;
    worker::work(config, pipeline, Environment::system(), shutdown).await
}

/// Like [`work`], with the given engine, clock and random source.
pub async fn work_in(
    config: &Config,
    engine: std::sync::Arc<dyn limber_pipeline::MotionEngine>,
    environment: Environment,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServiceError> {
    worker::work(config, pipeline::Pipeline::with(engine), environment, shutdown).await
}

/// Migrates the database. Safe to call from several processes at once.
pub async fn migrate(config: &Config) -> Result<(), StoreError> {
    store::Store::connect(&config.database_url, 1).await?.migrate().await
}

/// Adds credits that do not expire to an account; a negative amount removes credits. Requires a
/// migrated database.
///
/// Amounts are in tenths of a credit. Returns the account's spendable credits after the change, or
/// `None` if there is no such account.
pub async fn grant_credits(
    config: &Config,
    client: &str,
    tenths: i64,
) -> Result<Option<f64>, StoreError> {
    let store = store::Store::connect(&config.database_url, 1).await?;
    let now_ms = Environment::system().clock.now_ms();
    let account = store.grant(client, tenths, (credits::period_of(now_ms), now_ms)).await?;
    Ok(account.map(|account| credits::credits(account.wallet.spendable())))
}

/// Puts an account on a plan, given as its name, its monthly allowance in tenths of a credit, and
/// its limit of variants per job. Requires a migrated database.
///
/// Returns the account's spendable credits after the change, or `None` if there is no such account.
pub async fn set_plan(
    config: &Config,
    client: &str,
    (name, tenths, max_variants): (&str, u32, Option<u32>),
) -> Result<Option<f64>, StoreError> {
    let store = store::Store::connect(&config.database_url, 1).await?;
    let now_ms = Environment::system().clock.now_ms();
    let plan = (name, i64::from(tenths), max_variants);
    let account = store.set_plan(client, plan, (credits::period_of(now_ms), now_ms)).await?;
    Ok(account.map(|account| credits::credits(account.wallet.spendable())))
}

/// Creates an account and returns its client id and secret. The secret cannot be retrieved again.
/// Requires a migrated database.
pub async fn create_client(
    config: &Config,
    name: &str,
) -> Result<(String, SecretString), StoreError> {
    let store = store::Store::connect(&config.database_url, 1).await?;
    accounts::Accounts::new(store, Environment::system()).create(name).await
}
