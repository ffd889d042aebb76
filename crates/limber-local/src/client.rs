//! Credentials of the app at its local motion service.

use std::{fs, io, path::Path};

use limber_motion_service::Config;
use limber_postgres::Cluster;
use limber_system::private;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::{LocalError, database};

/// Client ID and secret.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub id: String,
    pub secret: SecretString,
}

#[derive(Serialize, Deserialize)]
struct OnDisk {
    id: String,
    secret: String,
}

impl Client {
    /// Reads the stored credentials, or registers a client on first start.
    pub(crate) async fn of(
        root: &Path,
        cluster: &Cluster,
        files: &Path,
    ) -> Result<Self, LocalError> {
        let path = root.join("client.json");
        match fs::read(&path) {
            Ok(bytes) => {
                let kept: OnDisk = serde_json::from_slice(&bytes)
                    .map_err(|error| LocalError::System(io::Error::other(error)))?;
                return Ok(Self { id: kept.id, secret: kept.secret.into() });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(LocalError::folder(error)),
        }
        let config = Config::new(cluster.url(database::MOTION), files.to_owned());
        let refused = |error: limber_motion_service::StoreError| {
            tracing::error!(%error, "the motion service could not create an account for the app");
            LocalError::Service("motion service")
        };
        limber_motion_service::migrate(&config).await.map_err(refused)?;
        let (id, secret) = limber_motion_service::create_client(&config, "this computer")
            .await
            .map_err(refused)?;
        let kept = OnDisk { id, secret: secret.expose_secret().to_owned() };
        let bytes = serde_json::to_vec(&kept).map_err(|e| LocalError::System(e.into()))?;
        private::write(&path, &bytes).map_err(LocalError::folder)?;
        Ok(Self { id: kept.id, secret })
    }
}
