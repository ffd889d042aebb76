//! The identity service as a child.

use std::net::IpAddr;

use anyhow::Context;
use limber_identity_service::{Config, migrate};
use tokio::sync::watch;

use super::{Variables, gone};
use crate::port::listener;

pub(super) async fn serve(
    variables: Variables,
    parent: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let config = Config::from_env(variables)?;
    migrate(&config).await?;
    let host: IpAddr = config.listen_host.parse().context("the host is not an address")?;
    let listener = listener((host, config.port).into()).context("there is no port to listen on")?;
    limber_identity_service::serve(config, listener, gone(parent)).await?;
    Ok(())
}
