//! Runs the service on a listener, from the first connection to a clean shutdown.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use limber_domain::environment::{Clock, SecureRandom, SystemClock, SystemRandom};
use sqlx::PgPool;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::error::ServiceError;
use crate::instance::Instance;
use crate::mail::smtp::MailServer;
use crate::{http, mail, store, upkeep};

/// Time allowed for tasks and database connections to end after the last request. An unresponsive
/// database must not prevent the program from stopping.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves requests until `shutdown` completes, then lets running requests finish within the limits
/// on connections.
///
/// The schema must be up to date: call [`migrate`] first.
///
/// # Errors
///
/// If the database cannot be reached or a setting is invalid.
pub async fn serve(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServiceError> {
    serve_with(config, listener, shutdown, Arc::new(SystemClock), Arc::new(SystemRandom)).await
}

/// Like [`serve`], with another clock and source of randomness.
///
/// # Errors
///
/// As [`serve`].
pub async fn serve_with(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
    clock: Arc<dyn Clock>,
    random: Arc<dyn SecureRandom>,
) -> Result<(), ServiceError> {
    let mail_server = config.smtp.as_ref().map(MailServer::new).transpose();
    let mail_server = mail_server.map_err(ServiceError::Mail)?;
    let pool = store::connect_to_serve(&config.database).await?;
    limber_telemetry::observe_pool(crate::NAME, &pool);
    warn_about_setup(&config, &pool).await;
    let instance = Arc::new(Instance::new(config, pool.clone(), clock, random)?);
    let stop = CancellationToken::new();
    let mailing = tokio::spawn(mail::run(Arc::clone(&instance), mail_server, stop.child_token()));
    let upkeep = tokio::spawn(upkeep::run(Arc::clone(&instance), stop.child_token()));
    serve_http(instance, listener, shutdown, stop.clone()).await;
    stop.cancel();
    let ending = async {
        // An email that is being sent may finish; one that hangs is sent again after the next
        // start.
        let _ = tokio::join!(mailing, upkeep);
        pool.close().await;
    };
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, ending).await.is_err() {
        tracing::warn!("shutting down took too long; unfinished work was cut off");
    }
    Ok(())
}

/// Warns if the schema is not current, in which case the service runs but never becomes ready, and
/// if clients behind a proxy cannot be told apart.
async fn warn_about_setup(config: &Config, pool: &PgPool) {
    if !store::is_current(pool).await.unwrap_or(false) {
        tracing::warn!(
            "the database does not have this version's schema; run `limber-identity migrate`"
        );
    }
    if config.trusted_proxies.is_empty() && config.external_url.scheme() == "https" {
        tracing::warn!(
            "all users behind the proxy count as one caller; set TRUSTED_PROXIES to the addresses \
             of the proxy"
        );
    }
}

/// Opens an instance without a listener, for commands.
pub(crate) async fn open(config: Config) -> Result<Instance, ServiceError> {
    let pool = store::connect(&config.database).await?;
    Instance::new(config, pool, Arc::new(SystemClock), Arc::new(SystemRandom))
}

async fn serve_http(
    instance: Arc<Instance>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
    stop: CancellationToken,
) {
    let (limits, stopping) = (instance.config.connections, stop.clone());
    let proxies = instance.config.trusted_proxies.clone();
    let is_proxy = move |address: IpAddr| proxies.iter().any(|range| range.contains(address));
    let asked_to_stop = tokio::spawn(async move {
        shutdown.await;
        stopping.cancel();
    });
    let admission = instance.config.admission.clone();
    let app = limber_serve::Admitted::new(http::router(instance), admission);
    limber_serve::serve(listener, app, limits, is_proxy, stop).await;
    asked_to_stop.abort();
}

/// Brings the schema up to date. Several instances may do so concurrently.
///
/// # Errors
///
/// If the database cannot be reached, or has been migrated by a newer version.
pub async fn migrate(config: &Config) -> Result<(), ServiceError> {
    let pool = store::connect(&config.database).await?;
    let outcome = store::migrate(&pool, &config.database).await;
    pool.close().await;
    outcome
}
