//! The identity service as a child.

use std::{
    io,
    net::{IpAddr, SocketAddr},
};

use anyhow::Context;
use limber_api::local::SECRET_HEADER;
use limber_identity_service::{Config, config::SmtpSecurity, migrate};
use limber_serve::Admission;
use tokio::{net::TcpListener, sync::watch};

use super::{Variables, app_secret, gone};

/// What a mail's link opens, for people who read their mail in another program.
///
/// That is safe, because whoever opens it needs the link: a token that was drawn for this mail, counts once
/// and says itself whom it is for. The answer leads to the app, which believes none that it did not ask
/// for. Without a good token it leads there with a refusal, and changes nothing. `/authorize` and
/// `/callback` stay closed: the studio on this computer names no other service to sign in by.
const OPEN_TO_BROWSERS: [&str; 1] = ["/verify"];

pub(super) async fn serve(
    variables: Variables,
    parent: watch::Receiver<bool>,
    listen: impl FnOnce(SocketAddr) -> io::Result<TcpListener>,
) -> anyhow::Result<()> {
    let secret = app_secret(&variables)?;
    let mut config = Config::from_env(variables)?;
    migrate(&config).await?;
    let host: IpAddr = config.listen_host.parse().context("the host is not an address")?;
    let address = SocketAddr::from((host, config.port));
    config.admission = secret
        .map(|secret| Admission::new(address, SECRET_HEADER, secret).with_pages(&OPEN_TO_BROWSERS));
    if let Some(smtp) = &mut config.smtp {
        // to the post office of our parent, which keeps its port
        smtp.security = SmtpSecurity::OnThisComputer;
    }
    let listener = listen(address).context("there is no port to listen on")?;
    limber_identity_service::serve(config, listener, gone(parent)).await?;
    Ok(())
}
