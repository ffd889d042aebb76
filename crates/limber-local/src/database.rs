//! The database: started, watched, started again.

use std::{path::Path, time::Duration};

use limber_postgres::{Cluster, PostgresError};
use tokio::time::{sleep, timeout};

/// How often the database is asked whether it lives.
const PACE: Duration = Duration::from_secs(2);
/// An answer that takes longer counts as none.
const PATIENCE: Duration = Duration::from_secs(5);
/// So many missing answers in a row mean that it is gone.
const MISSES: u32 = 2;

/// Names of the databases, one for each service.
pub(crate) const IDENTITY: &str = "identity";
pub(crate) const MOTION: &str = "motion";

/// Starts the cluster and makes sure that both databases are there.
pub(crate) async fn start(folder: &Path) -> Result<Cluster, PostgresError> {
    let cluster = Cluster::start(folder).await?;
    cluster.ensure_database(IDENTITY).await?;
    cluster.ensure_database(MOTION).await?;
    Ok(cluster)
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
