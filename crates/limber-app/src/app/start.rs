//! Start and stop: the studio, its clients, and background tasks.

use std::{io, sync::Arc};

use limber_client::{
    identity::{IdentityClient, IdentityOptions},
    motion::MotionClient,
};
use limber_domain::lock;

use super::{App, HERE, Services, Tasks};
use crate::{
    AppError, ErrorCode, Notice, SecretStoreError, StudioAddresses,
    settings::Server,
    views::{SessionState, StartStep, StepState, StudioState},
};

impl App {
    /// Starts the studio, restores the session and follows open jobs, all in the background;
    /// progress and outcome are reported as events. May be called again after a failure.
    pub fn start(&self) {
        let app = self.clone();
        tokio::spawn(async move { app.connect().await });
    }

    /// Stops background tasks, then the local studio.
    pub async fn stop(&self) {
        self.end_tasks();
        // another program may soon listen on the same ports and must not receive any secret
        *lock(&self.inner.services) = None;
        self.inner.environment.studio.stop().await;
    }

    /// Connects to the studio named in the settings.
    pub(super) async fn connect(&self) {
        let _one_at_a_time = self.inner.connecting.lock().await;
        if lock(&self.inner.services).is_some() {
            return;
        }
        let server = lock(&self.inner.settings).server().cloned();
        let connected = match (self.inner.folders.close_to_others(), server) {
            (Err(error), _) => Err(not_ours(&error)),
            (Ok(()), Some(server)) => self.connect_to_server(&server).await,
            (Ok(()), None) => self.connect_here().await,
        };
        match connected {
            Ok(services) => {
                *lock(&self.inner.services) = Some(Arc::new(services));
                self.set_studio(StudioState::Ready);
                self.take_session_up().await;
                self.follow_jobs();
                self.fetch_late_pictures();
                self.purge_deleted();
            }
            Err(error) => self.report_failure(error),
        }
    }

    /// Disconnects from the current studio, so that another can be connected.
    pub(super) async fn disconnect(&self) {
        let _one_at_a_time = self.inner.connecting.lock().await;
        self.end_tasks();
        *lock(&self.inner.services) = None;
        *lock(&self.inner.stored_session) = None;
        lock(&self.inner.characters).clear();
        lock(&self.inner.job_states).clear();
        self.set_session(SessionState::Unknown);
        self.set_studio(StudioState::Starting { steps: vec![] });
    }

    async fn connect_here(&self) -> Result<Services, AppError> {
        let app = self.clone();
        let report = Box::new(move |steps| app.set_studio(StudioState::Starting { steps }));
        let addresses = self.inner.environment.studio.start(report).await?;
        services(HERE.to_owned(), addresses)
    }

    async fn connect_to_server(&self, server: &Server) -> Result<Services, AppError> {
        self.set_studio(StudioState::Starting { steps: vec![step(StepState::Working)] });
        let secret = self.inner.secrets.get(&server.secret_name()).await;
        let secret = secret.ok_or_else(|| no_secret(self.inner.secrets.trouble()))?;
        let addresses = StudioAddresses {
            identity: server.identity_url.clone(),
            motion: server.motion_url.clone(),
            client_id: server.client_id.clone(),
            client_secret: secret,
            connection: server.connection_policy(),
        };
        let services = services(server.motion_url.to_string(), addresses)?;
        match reach(&services).await {
            // the library is local, and whatever needs the server reports it
            Err(error)
                if error.code == ErrorCode::ServiceUnreachable
                    && self.last_seen(&services).await.is_some() =>
            {
                tracing::warn!("the server cannot be reached; the app opens without it");
            }
            other => other?,
        }
        Ok(services)
    }

    fn report_failure(&self, error: AppError) {
        tracing::warn!(code = ?error.code, "the studio did not start");
        let mut steps = match lock(&self.inner.studio).clone() {
            StudioState::Starting { steps } | StudioState::Failed { steps, .. } => steps,
            StudioState::Ready => vec![],
        };
        for step in &mut steps {
            if step.state == StepState::Working {
                step.state = StepState::Failed;
            }
        }
        self.set_studio(StudioState::Failed { steps, error });
    }

    fn end_tasks(&self) {
        let tasks = std::mem::take(&mut *lock(&self.inner.tasks));
        let Tasks { follow, purge, pictures, renew } = tasks;
        for task in [follow, purge, pictures, renew].into_iter().flatten() {
            task.abort();
        }
    }
}

/// Error for a data folder that other users of the computer can read; such a folder is not used.
fn not_ours(error: &io::Error) -> AppError {
    tracing::error!(%error, "the data folder cannot be made private");
    AppError::new(ErrorCode::FolderNotWritable, Notice::FolderNotClosed)
}

fn no_secret(trouble: Option<SecretStoreError>) -> AppError {
    let message = if trouble == Some(SecretStoreError::Locked) {
        Notice::KeychainLockedForServer
    } else {
        Notice::SecretUnknown
    };
    AppError::new(ErrorCode::BadInput, message)
}

async fn reach(services: &Services) -> Result<(), AppError> {
    services.identity.settings().await?;
    services.motion.sign_in().await?;
    Ok(())
}

fn step(state: StepState) -> StartStep {
    StartStep {
        id: "server".into(),
        words: "Connecting to your server".into(),
        state,
        download: None,
    }
}

fn services(studio: String, addresses: StudioAddresses) -> Result<Services, AppError> {
    let motion = MotionClient::with_policy(
        &addresses.connection,
        addresses.motion.as_str(),
        addresses.client_id,
        addresses.client_secret,
    )?;
    let options =
        IdentityOptions { connection: addresses.connection, ..IdentityOptions::default() };
    Ok(Services { studio, identity: IdentityClient::new(&addresses.identity, &options)?, motion })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[tokio::test]
    async fn a_stopped_studio_receives_no_requests() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        // nobody listens on this port
        let address: url::Url = "http://127.0.0.1:9".parse().expect("an address");
        let addresses = StudioAddresses {
            identity: address.clone(),
            motion: address,
            client_id: "limber".to_owned(),
            client_secret: "secret".into(),
            connection: limber_client::ConnectionPolicy::default(),
        };
        let connected = services(HERE.to_owned(), addresses).expect("clients");
        *lock(&app.inner.services) = Some(Arc::new(connected));
        app.stop().await;
        assert!(app.services().is_err());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_server_is_used_only_with_a_private_data_folder() {
        use std::{
            fs::{Permissions, metadata, set_permissions},
            os::unix::fs::PermissionsExt,
        };

        use crate::{MessageView, settings::Settings, views::Place};

        let address: url::Url = "http://127.0.0.1:9".parse().expect("an address");
        let server = Server {
            identity_url: address.clone(),
            motion_url: address,
            client_id: "limber".to_owned(),
            unencrypted: limber_client::Unencrypted::default(),
        };
        for (before, after, told) in [
            // made private; the keychain has no secret for the server
            (0o755, 0o700, Notice::SecretUnknown),
            // shared by design, like `/tmp`
            (0o1777, 0o1777, Notice::FolderNotClosed),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let app = testing::app(folder.path());
            *lock(&app.inner.settings) = Settings {
                place: Place::Server,
                server: Some(server.clone()),
                ..Settings::default()
            };
            set_permissions(folder.path(), Permissions::from_mode(before)).expect("opened");
            app.connect().await;
            let mode = metadata(folder.path()).expect("it exists").permissions().mode();
            assert_eq!(mode & 0o7777, after, "{before:o}");
            let StudioState::Failed { error, .. } = lock(&app.inner.studio).clone() else {
                panic!("the server cannot be used")
            };
            assert_eq!(error.message, MessageView::from(told));
        }
    }
}
