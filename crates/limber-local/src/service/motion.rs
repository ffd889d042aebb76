//! The motion service and its worker as child processes.

use std::{io, net::SocketAddr};

use anyhow::Context;
use limber_api::local::SECRET_HEADER;
use limber_motion_service::{Config, ReaderProgram};
use limber_serve::Admission;
use tokio::{net::TcpListener, sync::watch};

use super::{Service, Variables, app_secret, gone};

pub(super) async fn serve(
    variables: &Variables,
    parent: watch::Receiver<bool>,
    listen: impl FnOnce(SocketAddr) -> io::Result<TcpListener>,
) -> anyhow::Result<()> {
    let secret = app_secret(variables)?;
    let mut config = config(variables)?;
    config.admission = secret.map(|secret| Admission::new(config.listen, SECRET_HEADER, secret));
    let listener = listen(config.listen).context("no port to listen on was passed")?;
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
    // the server parses characters with it, and the worker renders videos
    config.reader = ReaderProgram::of_this_program(&["service", Service::Reader.word()]);
    Ok(config)
}
