//! The guard of the database: does nothing until its parent is gone, then stops the server.
//!
//! The server is no child of ours (it is started by a program of its own, as root in another user
//! namespace), so no life line leads to it; the guard has one, and lends it.

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

/// A server that its parent's last act was to start comes up so much later at most. It says early that
/// it is there, but a computer that was just switched on, or builds, may take seconds for that; who waits
/// in vain keeps nothing in use.
pub(super) const BIRTH: Duration = Duration::from_secs(30);
const PACE: Duration = Duration::from_millis(50);

/// What the guard is told.
pub(crate) fn settings(stopper: &Stopper) -> Settings {
    let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let words = [
        (PROGRAM, path(&stopper.pg_ctl)),
        (FOLDER, path(&stopper.data)),
        (PORT, stopper.port.to_string()),
    ];
    Settings(words.map(|(name, value)| (name.to_owned(), value)).into())
}

/// Waits for a server no longer than `birth` after its parent is gone.
pub(super) async fn keep_watch(
    variables: &Variables,
    parent: watch::Receiver<bool>,
    birth: Duration,
) -> anyhow::Result<()> {
    let value = |name: &str| variables.get(name).with_context(|| format!("{name} is not set"));
    let stopper = Stopper {
        pg_ctl: value(PROGRAM)?.into(),
        data: value(FOLDER)?.into(),
        port: value(PORT)?.parse().context("the server's port is none")?,
    };
    gone(parent).await;
    let stop = async || {
        while !stopper
            .stop()
            .context("the database could not be stopped; the next start does it")?
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

    use limber_postgres::{Cluster, Reach};
    use tempfile::TempDir;

    use super::*;

    /// No computer takes so long.
    const LIMIT: Duration = Duration::from_secs(60);

    #[tokio::test(flavor = "multi_thread")]
    async fn a_server_that_comes_up_after_its_parent_is_gone_is_stopped() {
        let folder = TempDir::new().expect("a folder");
        let prepared = Cluster::prepare(folder.path(), Reach::Folder, HashMap::new(), &|_| {})
            .await
            .expect("PostgreSQL");
        let Settings(variables) = settings(&prepared.stopper());
        let (_sender, parent) = watch::channel(true);
        let watch = async || keep_watch(&variables, parent, LIMIT).await;
        // whether it lives until it says that it is there, is chance
        let (_, watched) = tokio::join!(prepared.start(), watch());
        watched.expect("it could be stopped");
        let file = folder.path().join("data/postmaster.pid");
        timeout(LIMIT, async {
            while file.exists() {
                sleep(PACE).await;
            }
        })
        .await
        .expect("it is gone");
    }
}
