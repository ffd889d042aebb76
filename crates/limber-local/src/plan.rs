//! Addresses and secrets chosen for one start of the studio, and the service settings derived from
//! them.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf};

use limber_postgres::Cluster;
use secrecy::ExposeSecret;

use crate::{
    Addresses,
    child::Settings,
    client::Client,
    database,
    mail::SMTP_USER,
    secrets::{Secrets, SecretsOfThisStart},
};

/// Name of the setting that tells the HTTP services the secret which the app presents.
pub(crate) const APP_SECRET: &str = "LIMBER_APP_SECRET";

/// Values chosen once per start.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) identity: SocketAddr,
    pub(crate) motion: SocketAddr,
    pub(crate) mail: SocketAddr,
    pub(crate) files: PathBuf,
    pub(crate) secrets: Secrets,
    pub(crate) of_this_start: SecretsOfThisStart,
    pub(crate) client: Client,
}

impl Plan {
    pub(crate) fn addresses(&self) -> Addresses {
        Addresses {
            identity: format!("http://{}", self.identity),
            motion: format!("http://{}", self.motion),
            client_id: self.client.id.clone(),
            client_secret: self.client.secret.clone(),
            app_secret: self.of_this_start.app.clone(),
        }
    }

    /// Returns the settings of all services; each reads those with its own prefix.
    pub(crate) fn settings(&self, cluster: &Cluster) -> Settings {
        let url = |name| cluster.url(name).expose_secret().to_owned();
        let variables = [
            (APP_SECRET, self.of_this_start.app.expose_secret().to_owned()),
            ("AUTHSVC_SITE_URL", "limber://auth/callback".to_owned()),
            ("AUTHSVC_URI_ALLOW_LIST", "limber://auth/callback".to_owned()),
            ("AUTHSVC_API_EXTERNAL_URL", format!("http://{}", self.identity)),
            ("AUTHSVC_API_HOST", self.identity.ip().to_string()),
            ("AUTHSVC_PORT", self.identity.port().to_string()),
            ("AUTHSVC_DB_DRIVER", "postgres".to_owned()),
            ("AUTHSVC_DATABASE_URL", url(database::IDENTITY)),
            ("AUTHSVC_DB_MAX_POOL_SIZE", "8".to_owned()),
            ("AUTHSVC_JWT_SECRET", self.secrets.token_signing.expose_secret().to_owned()),
            // this app is the only client
            ("AUTHSVC_RATE_LIMIT_BY_IP", "false".to_owned()),
            ("AUTHSVC_EXTERNAL_ANONYMOUS_USERS_ENABLED", "true".to_owned()),
            // anonymous users keep their clips indefinitely
            ("AUTHSVC_ANONYMOUS_USERS_RETENTION", "0".to_owned()),
            // a session revoked elsewhere ends at once, not when its access token expires
            ("AUTHSVC_SECURITY_ACCESS_TOKEN_REQUIRE_SESSION", "true".to_owned()),
            ("AUTHSVC_SMTP_HOST", self.mail.ip().to_string()),
            ("AUTHSVC_SMTP_PORT", self.mail.port().to_string()),
            ("AUTHSVC_SMTP_USER", SMTP_USER.to_owned()),
            ("AUTHSVC_SMTP_PASS", self.of_this_start.smtp_password.expose_secret().to_owned()),
            ("AUTHSVC_SMTP_ADMIN_EMAIL", "studio@limber.localhost".to_owned()),
            ("AUTHSVC_SMTP_SENDER_NAME", "Limber".to_owned()),
            ("AUTHSVC_SMTP_MAX_FREQUENCY", "1".to_owned()),
            ("MOTIONSVC_DATABASE_URL", url(database::MOTION)),
            ("MOTIONSVC_STORE", self.files.to_string_lossy().into_owned()),
            ("MOTIONSVC_LISTEN", self.motion.to_string()),
            // this app is the only client, and limits its own requests
            ("MOTIONSVC_RATE_LIMITS", "off".to_owned()),
            ("MOTIONSVC_STUCK_AFTER_S", "20".to_owned()),
            // clips are edited and rendered from its files, however old
            ("MOTIONSVC_KEEP_DAYS", "36500".to_owned()),
        ];
        let named = variables.map(|(name, value)| (name.to_owned(), value));
        Settings(BTreeMap::from(named))
    }
}
