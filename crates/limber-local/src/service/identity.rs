//! The identity service as a child.

use anyhow::Context;
use limber_identity_service::{Config, migrate};
use tokio::{net::TcpListener, sync::watch};

use super::{Variables, gone};

pub(super) async fn serve(
    variables: Variables,
    parent: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let config = Config::from_env(variables)?;
    migrate(&config).await?;
    let address = (config.listen_host.clone(), config.port);
    let listener = TcpListener::bind(address).await.context("the port is taken")?;
    limber_identity_service::serve(config, listener, gone(parent)).await?;
    Ok(())
}
