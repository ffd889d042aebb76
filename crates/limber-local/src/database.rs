//! The database: started, watched, started again.

use std::{collections::HashMap, path::Path, time::Duration};

use limber_postgres::{Cluster, HearFetching, PostgresError, Reach};
use tokio::time::{sleep, timeout};

use crate::{Service, child::Running, service::guard};

/// How often the database is asked whether it lives.
const PACE: Duration = Duration::from_secs(2);
/// An answer that takes longer counts as none.
const PATIENCE: Duration = Duration::from_secs(5);
/// So many missing answers in a row mean that it is gone.
const MISSES: u32 = 2;

/// Names of the databases, one for each service.
pub(crate) const IDENTITY: &str = "identity";
pub(crate) const MOTION: &str = "motion";

/// A running database with the guard that stops it should this process be killed.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) cluster: Cluster,
    /// Killed when dropped: whoever drops it has seen to the server.
    _guard: Option<Running>,
}

impl Database {
    /// Starts the cluster in `folder` and makes sure that both databases are there. What the guard
    /// has to say goes to `log`; `hear` hears how far PostgreSQL is, should it have to be downloaded.
    pub(crate) async fn start(
        folder: &Path,
        log: &Path,
        hear: HearFetching<'_>,
    ) -> Result<Self, PostgresError> {
        let prepared = Cluster::prepare(folder, Reach::Folder, HashMap::new(), hear).await?;
        // this process may be killed while the server starts, which then comes up all the same
        let stopper = prepared.stopper();
        let settings = guard::settings(&stopper);
        let guard = Running::start(Service::Guard, &settings, None, log)
            .await
            .inspect_err(|error| tracing::warn!(%error, "the database has no guard"))
            .ok();
        let cluster = prepared.start().await.inspect_err(|_| {
            // it may come up later than we waited, and nobody would know of it
            if let Err(error) = stopper.stop() {
                tracing::warn!(%error, "the database that did not start could not be stopped");
            }
        })?;
        let database = Self { cluster, _guard: guard };
        for name in [IDENTITY, MOTION] {
            if let Err(error) = database.cluster.ensure_database(name).await {
                // it would go on without anybody who knows of it
                database.stop().await;
                return Err(error);
            }
        }
        Ok(database)
    }

    /// Stops the server.
    pub(crate) async fn stop(self) {
        if let Err(error) = self.cluster.stop().await {
            tracing::warn!(%error, "the database did not stop in order; it recovers at the next start");
        }
    }
}

/// Returns once the cluster no longer answers.
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
