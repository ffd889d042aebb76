//! The identity service as a child process.

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
use crate::port::reserve;

/// Routes that need no app secret, for links opened from another mail program.
///
/// This is safe, because the link itself carries a one-time token drawn for that email, which names
/// its user. The response redirects to the app, which ignores redirects that it did not request.
/// Without a valid token it redirects with an error and changes nothing. `/authorize` and
/// `/callback` stay closed, because the local studio configures no external providers.
const OPEN_TO_BROWSERS: [&str; 1] = ["/verify"];

pub(super) async fn serve(
    variables: Variables,
    parent: watch::Receiver<bool>,
    listen: impl FnOnce(SocketAddr) -> io::Result<TcpListener>,
) -> anyhow::Result<()> {
    let secret = app_secret(&variables)?;
    let mut config = Config::from_env(variables)?;
    migrate(&config).await?;
    let host: IpAddr = config.listen_host.parse().context("the host is not an IP address")?;
    let address = SocketAddr::from((host, config.port));
    config.admission = secret
        .map(|secret| Admission::new(address, SECRET_HEADER, secret).with_pages(&OPEN_TO_BROWSERS));
    let _mail_port = match &mut config.smtp {
        Some(smtp) => {
            // to our parent's SMTP server, whose port nobody else can take
            smtp.security = SmtpSecurity::OnThisComputer;
            let host: IpAddr = smtp.host.parse().context("the mail server has no IP address")?;
            reserve(SocketAddr::from((host, smtp.port)))
                .context("the port of the mail server is taken")?
        }
        None => None,
    };
    let listener = listen(address).context("no port to listen on was passed")?;
    limber_identity_service::serve(config, listener, gone(parent)).await?;
    Ok(())
}
