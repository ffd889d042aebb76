//! Maintenance in the settings: checking a server, disk usage, the trash and diagnostics.

use limber_client::{
    identity::{IdentityClient, IdentityOptions},
    motion::{JobId, MotionClient},
};
use limber_domain::lock;
use secrecy::SecretString;

use super::{App, HERE};
use crate::{
    AppError, Doing, Notice, SaveAs,
    settings::Server,
    views::{ClipView, Probe, Saved, ServerCheck, ServerEntry, StorageView},
};

impl App {
    /// Checks both services of a server entry. Nothing is saved.
    ///
    /// # Errors
    /// If an address is invalid.
    pub async fn check_server(&self, entry: ServerEntry) -> Result<ServerCheck, AppError> {
        let server = Server::parse(&entry)?;
        let typed = entry.client_secret.filter(|secret| !secret.is_empty());
        let secret = match typed {
            Some(secret) => Some(SecretString::from(secret)),
            None => self.inner.secrets.get(&server.secret_name()).await,
        };
        let (identity, motion) =
            tokio::join!(probe_identity(&server), probe_motion(&server, secret));
        Ok(ServerCheck { identity: probe(identity), motion: probe(motion) })
    }

    /// Returns the disk usage of the library and the local studio.
    ///
    /// # Errors
    /// If the disk cannot be read.
    pub async fn storage(&self) -> Result<StorageView, AppError> {
        self.on_disk(|app| {
            let ((clips, clip_bytes), (binned, binned_bytes)) = app.inner.library.storage();
            let is_here = lock(&app.inner.settings).server().is_none();
            let studio_bytes = is_here.then(|| app.inner.environment.studio.stored_bytes());
            let free_bytes = app.inner.folders.free_bytes();
            Ok(StorageView { clips, clip_bytes, binned, binned_bytes, studio_bytes, free_bytes })
        })
        .await
    }

    /// Returns the clips in the trash, newest first.
    ///
    /// # Errors
    /// If the disk cannot be read.
    pub async fn binned_clips(&self) -> Result<Vec<ClipView>, AppError> {
        self.on_disk(|app| Ok(app.inner.library.binned())).await
    }

    /// Empties the trash; the studios that made the clips are asked to delete them as well.
    ///
    /// # Errors
    /// If a disk operation fails; clips deleted before that are gone.
    pub async fn empty_bin(&self) -> Result<StorageView, AppError> {
        self.on_disk(|app| {
            // jobs missing from the journal are assumed to be local, where they use this computer's
            // disk; IDs are unique, so this cannot hit another studio's job
            let known = |job: &JobId| app.inner.journal.find(job).map(|entry| entry.studio);
            let studio_of = |job: &JobId| known(job).unwrap_or_else(|| HERE.to_owned());
            let emptied = app.inner.library.empty_bin(studio_of);
            app.inner.emptied.notify_one();
            emptied.map_err(|error| AppError::disk(Doing::EmptyBin, &error))
        })
        .await?;
        self.storage().await
    }

    /// Asks for a location and saves a diagnostics report there. Returns the file's name and
    /// folder, or `None` if the user cancelled the dialog.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub async fn save_diagnostics(&self) -> Result<Option<Saved>, AppError> {
        let question = SaveAs { file_name: "limber-diagnostics.txt".to_owned(), ending: "txt" };
        let Some(mut to) = self.inner.environment.desktop.ask_where_to_save(question).await else {
            return Ok(None);
        };
        if to.extension().is_none() {
            to.set_extension("txt");
        }
        let saved = to.clone();
        self.on_disk(move |app| {
            let text = app.diagnostics();
            let kept = crate::folders::replace(&to, text.as_bytes());
            kept.map_err(|error| AppError::disk(Doing::SaveDiagnostics, &error))
        })
        .await?;
        Ok(Some(self.saved(&saved)))
    }
}

async fn probe_identity(server: &Server) -> Result<Notice, AppError> {
    let options =
        IdentityOptions { connection: server.connection_policy(), ..IdentityOptions::default() };
    IdentityClient::new(&server.identity_url, &options)?.settings().await?;
    Ok(Notice::IdentityServiceAnswers)
}

async fn probe_motion(server: &Server, secret: Option<SecretString>) -> Result<Notice, AppError> {
    let secret = secret.unwrap_or_default();
    let address = server.motion_url.as_str();
    let client =
        MotionClient::with_policy(&server.connection_policy(), address, &server.client_id, secret)?;
    client.sign_in().await?;
    Ok(Notice::MotionServiceAnswers)
}

fn probe(asked: Result<Notice, AppError>) -> Probe {
    match asked {
        Ok(notice) => Probe { good: true, words: notice.into() },
        Err(error) => Probe { good: false, words: error.message },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing, views::Place};

    #[tokio::test]
    async fn the_local_studio_counts_as_storage_only_if_in_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let here = app.storage().await.expect("counted");
        assert_eq!(here.studio_bytes, Some(testing::STORED_BYTES));
        let entry = ServerEntry {
            identity_url: "https://id.example".into(),
            motion_url: "https://motion.example".into(),
            client_id: "studio".into(),
            client_secret: None,
            allow_unencrypted: false,
        };
        let server = Server::parse(&entry).expect("a server");
        let elsewhere = app.change(|settings| {
            (settings.place, settings.server) = (Place::Server, Some(server));
        });
        elsewhere.expect("saved");
        assert_eq!(app.storage().await.expect("counted").studio_bytes, None);
    }
}
