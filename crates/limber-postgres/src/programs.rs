//! Where PostgreSQL's programs are, and how to run them as root.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    PostgresError,
    fetched::{Archive, FetchError},
};

/// An installation of PostgreSQL: the folder above `bin/`, and its major version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    pub(crate) installation: PathBuf,
    major: u32,
}

impl Programs {
    /// Finds the installation to use: the one of major version `wanted` when a folder demands it,
    /// else the one `LIMBER_POSTGRES_BIN` names, else the newest. `None` when there is none.
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

    /// Those for the cluster in `folder`: installed ones, else those that were or are fetched for it. The
    /// way down from root is taken into account.
    pub(crate) async fn for_folder(folder: &Path) -> Result<Self, PostgresError> {
        let programs = Self::chosen(folder, Self::find, Archive::of_this_system()).await?;
        programs.for_this_user(&folder.join("programs"))
    }

    pub(crate) async fn chosen(
        folder: &Path,
        installed: impl FnOnce(Option<u32>) -> Option<Self>,
        archive: Option<Archive>,
    ) -> Result<Self, PostgresError> {
        let demanded = demanded_version(&folder.join("data"))?;
        if let Some(programs) = installed(demanded) {
            return Ok(programs);
        }
        let fits = |archive: &Archive| demanded.is_none_or(|major| major == archive.major);
        let Some(archive) = archive.filter(fits) else {
            return Err(match demanded {
                Some(major) => PostgresError::OtherMajorVersion { folder: major.to_string() },
                None => PostgresError::NotInstalled("and there is none to fetch here".to_owned()),
            });
        };
        let unavailable = |error: FetchError| PostgresError::NotInstalled(error.to_string());
        let installation =
            archive.installed_in(&folder.join("downloaded")).await.map_err(unavailable)?;
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

    /// For example 15.
    #[must_use]
    pub const fn major(&self) -> u32 {
        self.major
    }

    /// The same programs, runnable by whoever we are. PostgreSQL refuses to run as root, so for
    /// root `shims` is filled with scripts that become somebody else first, by whichever of
    /// the ways down is permitted here.
    ///
    /// # Errors
    /// When root may become nobody else, or `shims` cannot be written.
    pub fn for_this_user(self, shims: &Path) -> Result<Self, PostgresError> {
        if !is_root() {
            return Ok(self);
        }
        let way = WAYS_DOWN.iter().find(|way| is_permitted(way)).ok_or(PostgresError::Root)?;
        let bin = shims.join("bin");
        fs::create_dir_all(&bin).map_err(PostgresError::Folder)?;
        for program in ["initdb", "pg_ctl"] {
            let real = self.installation.join("bin").join(program);
            let script =
                format!("#!/bin/sh\nexec {} -- '{}' \"$@\"\n", way.join(" "), real.display());
            let path = bin.join(program);
            fs::write(&path, script).map_err(PostgresError::Folder)?;
            make_executable(&path).map_err(PostgresError::Folder)?;
        }
        Ok(Self { installation: shims.to_owned(), major: self.major })
    }
}

/// The major version an existing data folder can be opened by.
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

/// How root becomes the account `nobody`, which every Linux knows by this number (`initdb` wants a
/// name for it). First in a user namespace, where the files still belong to root. A chroot and many
/// containers forbid those; then in earnest, with the right to reach a data folder below root's.
const WAYS_DOWN: &[&[&str]] = &[
    &["unshare", "--user", "--map-user=65534", "--map-group=65534"],
    &[
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override",
    ],
];

fn is_permitted(way: &[&str]) -> bool {
    let tried = Command::new(way[0]).args(&way[1..]).arg("true").stderr(Stdio::null()).status();
    tried.is_ok_and(|status| status.success())
}

/// `bin` folders, best first.
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

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
