//! Uploads on disk: one file per session, named after it, to which bytes are appended.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::io::AsyncWriteExt;

use super::{STEP, whole_steps};

/// Interval between attempts to acquire a lock.
const AGAIN: Duration = Duration::from_millis(20);

/// The folder of unfinished uploads.
#[derive(Debug, Clone)]
pub(crate) struct PartialFolder(PathBuf);

impl PartialFolder {
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self(folder.to_owned()))
    }

    /// Returns the path of a session's file. The session id is 64 hexadecimal digits, so it is a
    /// safe name.
    pub(crate) fn path(&self, session: &str) -> PathBuf {
        self.0.join(session)
    }

    /// Removes the file; it is fine if it does not exist.
    pub(crate) async fn remove(&self, session: &str) -> io::Result<()> {
        match tokio::fs::remove_file(self.path(session)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Lists all files by name and age.
    pub(crate) async fn list(&self) -> io::Result<Vec<(String, Duration)>> {
        let mut found = Vec::new();
        let mut entries = tokio::fs::read_dir(&self.0).await?;
        while let Some(entry) = entries.next_entry().await? {
            let changed = entry.metadata().await.and_then(|metadata| metadata.modified());
            let age = changed.ok().and_then(|changed| changed.elapsed().ok()).unwrap_or_default();
            found.push((entry.file_name().to_string_lossy().into_owned(), age));
        }
        Ok(found)
    }

    /// Locks the session's file for writing. Returns `None` if another writer holds it for
    /// `patience`.
    pub(crate) async fn take(
        &self,
        session: &str,
        patience: Duration,
    ) -> io::Result<Option<PartialFile>> {
        let path = self.path(session);
        let mut waited = Duration::ZERO;
        loop {
            let path = path.clone();
            let taken = tokio::task::spawn_blocking(move || try_take(&path)).await;
            if let Some(file) = taken.map_err(io::Error::other)?? {
                return Ok(Some(file));
            }
            if waited >= patience {
                return Ok(None);
            }
            tokio::time::sleep(AGAIN).await;
            waited += AGAIN;
        }
    }
}

fn try_take(path: &Path) -> io::Result<Option<PartialFile>> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let length = file.metadata()?.len();
    if let (0, Some(folder)) = (length, path.parent()) {
        // a new file is only durable once its folder is synced too
        File::open(folder).and_then(|folder| folder.sync_all()).or_else(fine_where_impossible)?;
    }
    let mut file = PartialFile { file: tokio::fs::File::from_std(file), length };
    file.file.set_max_buf_size(STEP as usize);
    Ok(Some(file))
}

/// Ignores the error where the system cannot open folders.
fn fine_where_impossible(error: io::Error) -> io::Result<()> {
    if cfg!(unix) { Err(error) } else { Ok(()) }
}

/// A file locked by this writer; unlocked on drop.
#[derive(Debug)]
pub(crate) struct PartialFile {
    file: tokio::fs::File,
    length: u64,
}

impl PartialFile {
    /// Truncates the file to `length`, if it is longer, and seeks to its end.
    pub(crate) async fn cut(&mut self, length: u64) -> io::Result<()> {
        use tokio::io::AsyncSeekExt;
        self.file.flush().await?;
        if length < self.length {
            self.file.set_len(length).await?;
        }
        self.length = self.length.min(length);
        self.file.seek(SeekFrom::Start(self.length)).await?;
        Ok(())
    }

    /// Appends bytes.
    pub(crate) async fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Makes the bytes durable. Unless the file is complete, truncates it to a multiple of [`STEP`]
    /// first. Returns the length.
    pub(crate) async fn settle(&mut self, total: Option<u64>) -> io::Result<u64> {
        if total != Some(self.length) {
            self.cut(whole_steps(self.length)).await?;
        }
        self.file.flush().await?;
        self.file.sync_all().await?;
        Ok(self.length)
    }

    /// Returns a second handle at the start of the file; the first one keeps the lock.
    pub(crate) async fn reading(&mut self) -> io::Result<File> {
        self.file.flush().await?;
        let mut file = self.file.try_clone().await?.into_std().await;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn unfinished_files_are_cut_to_whole_steps_and_finished_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let partials = PartialFolder::open(folder.path()).expect("a folder");
        let mut file = partials.take("a", Duration::ZERO).await.expect("io").expect("free");
        file.append(&vec![7; STEP as usize + 5]).await.expect("room");
        assert!(partials.take("a", Duration::ZERO).await.expect("io").is_none(), "taken");
        assert_eq!(file.settle(Some(STEP + 5)).await.expect("io"), STEP + 5);
        assert_eq!(file.settle(None).await.expect("io"), STEP);
        file.append(b"abc").await.expect("room");
        drop(file);
        let mut file = partials.take("a", PATIENCE).await.expect("io").expect("free again");
        file.settle(None).await.expect("io");
        assert_eq!(std::fs::read(partials.path("a")).expect("it exists"), vec![7; STEP as usize]);
    }

    const PATIENCE: Duration = Duration::from_secs(300);
}
