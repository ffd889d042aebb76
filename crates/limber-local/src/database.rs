//! The database server: started, monitored and restarted.

use std::{collections::HashMap, path::Path, time::Duration};

use limber_postgres::{Cluster, ConnectVia, OnDownloadProgress, PostgresError};
use tokio::time::{sleep, timeout};

use crate::{Service, child::Running, service::guard};

/// Interval between health checks.
const PACE: Duration = Duration::from_secs(2);
/// Timeout of a health check.
const PATIENCE: Duration = Duration::from_secs(5);
/// Number of consecutive failed checks after which the server is considered dead.
const MISSES: u32 = 2;

/// Database names, one for each service.
pub(crate) const IDENTITY: &str = "identity";
pub(crate) const MOTION: &str = "motion";

/// A running database server, with the guard that stops it if this process is killed.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) cluster: Cluster,
    /// Killed when dropped; the server must have been stopped or abandoned deliberately by then.
    _guard: Option<Running>,
}

impl Database {
    /// Starts the cluster in `folder` and creates both databases if needed. The guard's output goes
    /// to `log`; `hear` receives progress if PostgreSQL has to be downloaded.
    pub(crate) async fn start(
        folder: &Path,
        log: &Path,
        hear: OnDownloadProgress<'_>,
    ) -> Result<Self, PostgresError> {
        let prepared = Cluster::prepare(folder, ConnectVia::Folder, HashMap::new(), hear).await?;
        // start the guard first: if this process is killed meanwhile, the server still comes up
        let stopper = prepared.stopper();
        let settings = guard::settings(&stopper);
        let guard = Running::start(Service::Guard, &settings, None, log)
            .await
            .inspect_err(
                |error| tracing::warn!(%error, "the guard of the database could not be started"),
            )
            .ok();
        let cluster = prepared.start().await.inspect_err(|_| {
            // it may still come up after our timeout, and nothing would ever stop it
            if let Err(error) = stopper.stop() {
                tracing::warn!(%error, "a database that failed to start could not be stopped");
            }
        })?;
        let database = Self { cluster, _guard: guard };
        for name in [IDENTITY, MOTION] {
            if let Err(error) = database.cluster.ensure_database(name).await {
                // otherwise the server would keep running unsupervised
                database.stop().await;
                return Err(error);
            }
        }
        Ok(database)
    }

    /// Stops the server.
    pub(crate) async fn stop(self) {
        if let Err(error) = self.cluster.stop().await {
            tracing::warn!(
                %error,
                "the database did not shut down cleanly; it recovers at the next start"
            );
        }
    }
}

/// Returns once the server no longer answers.
pub(crate) async fn wait_for_death(cluster: &Cluster) {
    let mut misses = 0;
    while misses < MISSES {
        sleep(PACE).await;
        match timeout(PATIENCE, cluster.check()).await {
            Ok(Ok(())) => misses = 0,
            _ => misses += 1,
        }
    }
}
