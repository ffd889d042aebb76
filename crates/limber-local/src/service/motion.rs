//! The motion service and its worker as children.

use anyhow::Context;
use limber_motion_service::{Config, ReaderProgram};
use tokio::{net::TcpListener, sync::watch};

use super::{Service, Variables, gone};

pub(super) async fn serve(
    variables: &Variables,
    parent: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let config = config(variables)?;
    let listener = TcpListener::bind(config.listen).await.context("the port is taken")?;
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
