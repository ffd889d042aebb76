//! The guard of the database: does nothing until its parent is gone, then stops the server.
//!
//! The server is no child of ours (it is started by a program of its own, as root in another user
//! namespace), so no life line leads to it; the guard has one, and lends it.

use anyhow::Context;
use limber_postgres::Stopper;
use tokio::sync::watch;

use super::{Variables, gone};
use crate::child::Settings;

const PROGRAM: &str = "PG_CTL";
const FOLDER: &str = "PG_DATA";
const SERVER: &str = "PG_SERVER";

/// What the guard is told.
pub(crate) fn settings(stopper: &Stopper) -> Settings {
    let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let words = [
        (PROGRAM, path(&stopper.pg_ctl)),
        (FOLDER, path(&stopper.data)),
        (SERVER, stopper.server.to_string()),
    ];
    Settings(words.map(|(name, value)| (name.to_owned(), value)).into())
}

pub(super) async fn keep_watch(
    variables: &Variables,
    parent: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let value = |name: &str| variables.get(name).with_context(|| format!("{name} is not set"));
    let stopper = Stopper {
        pg_ctl: value(PROGRAM)?.into(),
        data: value(FOLDER)?.into(),
        server: value(SERVER)?.parse().context("the server's number is none")?,
    };
    gone(parent).await;
    stopper.stop().context("the database could not be stopped; the next start does it")
}
