//! The database guard: waits until its parent is gone, then stops the server.
//!
//! The server is not a child process (a separate program starts it, as root in another user
//! namespace), so no pipe ties it to our lifetime. The guard has such a pipe and stops the server
//! on our behalf.

use std::time::Duration;

use anyhow::Context;
use limber_postgres::Stopper;
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{Variables, gone};
use crate::child::Settings;

const PROGRAM: &str = "PG_CTL";
const FOLDER: &str = "PG_DATA";
const PORT: &str = "PG_PORT";

/// How long to wait for a server that the parent started just before it died. The server usually
/// creates its PID file early, but a computer that just booted or is busy may take seconds; waiting
/// in vain costs nothing.
pub(super) const BIRTH: Duration = Duration::from_secs(30);
const PACE: Duration = Duration::from_millis(50);

/// Returns the guard's settings.
pub(crate) fn settings(stopper: &Stopper) -> Settings {
    let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let words = [
        (PROGRAM, path(&stopper.pg_ctl)),
        (FOLDER, path(&stopper.data)),
        (PORT, stopper.port.to_string()),
    ];
    Settings(words.map(|(name, value)| (name.to_owned(), value)).into())
}

/// Stops the server when the parent is gone, waiting at most `birth` for it to come up.
pub(super) async fn keep_watch(
    variables: &Variables,
    parent: watch::Receiver<bool>,
    birth: Duration,
) -> anyhow::Result<()> {
    let value = |name: &str| variables.get(name).with_context(|| format!("{name} is not set"));
    let stopper = Stopper {
        pg_ctl: value(PROGRAM)?.into(),
        data: value(FOLDER)?.into(),
        port: value(PORT)?.parse().context("the server's port is not a number")?,
    };
    gone(parent).await;
    let stop = async || {
        while !stopper
            .stop()
            .context("the database could not be stopped; the next start will stop it")?
        {
            sleep(PACE).await;
        }
        Ok(())
    };
    timeout(birth, stop()).await.unwrap_or(Ok(()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use limber_postgres::{Cluster, ConnectVia};
    use tempfile::TempDir;

    use super::*;

    /// A generous timeout that no computer reaches.
    const LIMIT: Duration = Duration::from_secs(60);

    #[tokio::test(flavor = "multi_thread")]
    async fn a_server_that_starts_after_its_parent_died_is_stopped() {
        let folder = TempDir::new().expect("a temporary folder can be created");
        let prepared = Cluster::prepare(folder.path(), ConnectVia::Folder, HashMap::new(), &|_| {})
            .await
            .expect("PostgreSQL is available");
        let Settings(variables) = settings(&prepared.stopper());
        let (_sender, parent) = watch::channel(true);
        let watch = async || keep_watch(&variables, parent, LIMIT).await;
        // whether the server survives until it reports readiness depends on timing
        let (_, watched) = tokio::join!(prepared.start(), watch());
        watched.expect("the server can be stopped");
        let file = folder.path().join("data/postmaster.pid");
        timeout(LIMIT, async {
            while file.exists() {
                sleep(PACE).await;
            }
        })
        .await
        .expect("the server has stopped");
    }
}
