//! Verifies uploaded files when they are used.

use std::io::ErrorKind;

use super::{Models, StoreRefusal};
use crate::{
    FilesError,
    uploads::{Checksums, Local},
};

impl Models {
    /// Returns a session's file as a local copy, verified against its checksums. Errors name
    /// `param`.
    pub(super) async fn arrived(
        &self,
        session: &str,
        param: &'static str,
    ) -> Result<Local, StoreRefusal> {
        let noted = self.store.find_session(session).await?.and_then(|row| row.checksums());
        let noted = noted.ok_or(StoreRefusal::Incomplete(param))?;
        if let Some(file) = self.unchanged(session, noted).await? {
            return Ok(file);
        }
        tracing::error!("an uploaded file was damaged in the store and has to be uploaded again");
        // a client that asks for progress then learns that it has to start over
        self.store.end_session(session, "terminated", self.now_ms()).await?;
        self.uploads.remove(session).await?;
        Err(StoreRefusal::Damaged(param))
    }

    async fn unchanged(
        &self,
        session: &str,
        noted: Checksums,
    ) -> Result<Option<Local>, FilesError> {
        let found = async {
            let file = self.uploads.local(session, &self.environment.token(12)).await?;
            let found = file.checksums().await?;
            Ok::<_, FilesError>((found == noted).then_some(file))
        };
        match found.await {
            Err(FilesError::Gone | FilesError::Damaged) => Ok(None),
            Err(FilesError::Folder(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
            found => found,
        }
    }
}
