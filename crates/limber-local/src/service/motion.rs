//! The motion service and its worker as children.

use anyhow::Context;
use limber_motion_service::{Config, ReaderProgram};
use tokio::sync::watch;

use super::{Service, Variables, gone};
use crate::port::listener;

pub(super) async fn serve(
    variables: &Variables,
    parent: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let config = config(variables)?;
    let listener = listener(config.listen).context("there is no port to listen on")?;
    limber_motion_service::serve(&config, listener, gone(parent)).await?;
    Ok(())
}

pub(super) async fn work(
    variables: &Variables,
    parent: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    limber_motion_service::work(&config(variables)?, gone(parent)).await?;
    Ok(())
}

fn config(variables: &Variables) -> anyhow::Result<Config> {
    let mut config = Config::from_env(|name| variables.get(name).cloned())?;
    // the server reads characters with it, the worker makes films
    config.reader = ReaderProgram::of_this_program(&["service", Service::Reader.word()]);
    Ok(config)
}
