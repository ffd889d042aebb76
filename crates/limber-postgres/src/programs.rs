//! Locates PostgreSQL's programs.

/// Running the programs as root, which PostgreSQL refuses.
#[cfg_attr(unix, path = "programs/root.rs")]
#[cfg_attr(not(unix), path = "programs/no_root.rs")]
mod root;

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    PostgresError,
    fetched::{Archive, OnDownloadProgress},
};

/// A PostgreSQL installation: the folder above `bin/`, and its major version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    pub(crate) installation: PathBuf,
    major: u32,
}

impl Programs {
    /// Finds the installation to use: of major version `wanted` if given, preferring the one that
    /// `LIMBER_POSTGRES_BIN` names, then the first among the usual locations. Returns `None` if
    /// there is none.
    #[must_use]
    pub fn find(wanted: Option<u32>) -> Option<Self> {
        let named = std::env::var_os("LIMBER_POSTGRES_BIN").map(PathBuf::from);
        let mut found: Vec<_> = named
            .into_iter()
            .chain(usual_places())
            .filter_map(|bin| Self::in_folder(&bin))
            .collect();
        if let Some(wanted) = wanted {
            found.retain(|programs| programs.major == wanted);
        }
        found.into_iter().next()
    }

    /// Returns the programs for the cluster in `folder`: installed ones, or else downloaded ones,
    /// made runnable for root if necessary. Downloads them if need be.
    pub(crate) async fn for_folder(
        folder: &Path,
        on_progress: OnDownloadProgress<'_>,
    ) -> Result<Self, PostgresError> {
        let archive = Archive::of_this_system();
        let programs = Self::chosen(folder, Self::find, archive, on_progress).await?;
        programs.for_this_user(&folder.join("programs"))
    }

    pub(crate) async fn chosen(
        folder: &Path,
        installed: impl FnOnce(Option<u32>) -> Option<Self>,
        archive: Option<Archive>,
        on_progress: OnDownloadProgress<'_>,
    ) -> Result<Self, PostgresError> {
        let demanded = demanded_version(&folder.join("data"))?;
        if let Some(programs) = installed(demanded) {
            return Ok(programs);
        }
        let fits = |archive: &Archive| demanded.is_none_or(|major| major == archive.major);
        let Some(archive) = archive.filter(fits) else {
            return Err(match demanded {
                Some(major) => PostgresError::OtherMajorVersion { folder: major.to_string() },
                None => PostgresError::NotInstalled,
            });
        };
        let installation = archive.installed_in(&folder.join("downloaded"), on_progress).await?;
        Ok(Self { installation, major: archive.major })
    }

    fn in_folder(bin: &Path) -> Option<Self> {
        let output = Command::new(bin.join("postgres"))
            .arg("--version")
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let major = text
            .split_whitespace()
            .find_map(|word| word.split('.').next().and_then(|number| number.parse().ok()))?;
        bin.join("initdb").exists().then_some(())?;
        Some(Self { installation: bin.parent()?.to_owned(), major })
    }

    /// Returns the major version, for example 15.
    #[must_use]
    pub const fn major(&self) -> u32 {
        self.major
    }

    /// Returns the same programs, runnable by the current user. PostgreSQL refuses to run as root,
    /// so for root this fills `shims` with scripts that first switch to another user, by whichever
    /// method is permitted here.
    ///
    /// # Errors
    ///
    /// If root cannot switch to another user, or `shims` cannot be written.
    pub fn for_this_user(self, shims: &Path) -> Result<Self, PostgresError> {
        if !root::is_root() {
            return Ok(self);
        }
        root::write_shims(&self.installation, shims)?;
        Ok(Self { installation: shims.to_owned(), major: self.major })
    }
}

/// Returns the major version that an existing data folder requires, or `None` if there is no data
/// folder yet.
fn demanded_version(data: &Path) -> Result<Option<u32>, PostgresError> {
    match fs::read_to_string(data.join("PG_VERSION")) {
        Ok(text) => {
            let text = text.trim();
            text.parse().map(Some).map_err(|_| PostgresError::OtherMajorVersion {
                folder: text.chars().take(20).collect(),
            })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(PostgresError::Folder(error)),
    }
}

/// Returns the usual `bin` folders, best first.
fn usual_places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    if let Ok(output) = Command::new("pg_config").arg("--bindir").stderr(Stdio::null()).output() {
        let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !folder.is_empty() {
            places.push(PathBuf::from(folder));
        }
    }
    for (parent, prefix) in
        [("/usr/lib/postgresql", ""), ("/usr", "pgsql-"), ("/opt/homebrew/opt", "postgresql@")]
    {
        let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(parent)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let version = name.strip_prefix(prefix)?.parse().ok()?;
                Some((version, entry.path().join("bin")))
            })
            .collect();
        versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
        places.extend(versions.into_iter().map(|(_, bin)| bin));
    }
    places.push("/usr/bin".into());
    places
}
