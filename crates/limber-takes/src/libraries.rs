//! A person's libraries: one file each, in one folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    AddError, AddProgress, AddRequest, Change, Header, IndexError, Library, Report, folder, index,
};

/// The longest name of a library, characters.
const LONGEST_NAME: usize = 80;
const ENDING: &str = "takes";

/// The folder in which a person's libraries are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Libraries {
    folder: PathBuf,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its file.
    pub file: PathBuf,
    /// What it is.
    pub header: Header,
}

/// Why a library is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum LibrariesError {
    /// None has this name or was read from this folder.
    #[error("there is no motion library `{name}`{}", offered(.known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A name that cannot be one.
    #[error("a library's name has 1 to {LONGEST_NAME} characters; choose one with --name")]
    Name,
    /// Another folder's library has this name.
    #[error("the name `{0}` belongs to the library of another folder, {1}; choose one with --name")]
    NameTaken(String, String),
    /// The folder of a library, or of all of them, cannot be read or written.
    #[error("the motion libraries cannot be read or written: {0}")]
    File(#[from] io::Error),
    /// Reading the folder failed.
    #[error(transparent)]
    Add(#[from] AddError),
    /// Its file is damaged.
    #[error(transparent)]
    Index(#[from] IndexError),
}

fn offered(known: &[String]) -> String {
    match known {
        [] => "; add a folder with `limber library add FOLDER`".to_owned(),
        known => format!("; there are: {}", known.join(", ")),
    }
}

/// What a folder is to be added as.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// What people call the library; the folder's name where nobody says it.
    pub name: Option<String>,
    /// The terms of use; see [`AddRequest::licence`].
    pub licence: Option<String>,
}

impl Libraries {
    /// Those that are kept in this folder, which need not be there yet.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// All that can be read, by name.
    ///
    /// # Errors
    /// [`LibrariesError::File`].
    pub fn list(&self) -> Result<Vec<Listed>, LibrariesError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut listed = Vec::new();
        for entry in entries {
            let file = entry?.path();
            if file.extension().is_some_and(|ending| ending == ENDING)
                && let Ok(header) = index::header(&file)
            {
                listed.push(Listed { file, header });
            }
        }
        listed.sort_by(|a, b| a.header.name.cmp(&b.header.name));
        Ok(listed)
    }

    /// Reads a folder into a library of its own, or again into the one that it has.
    ///
    /// # Errors
    /// See [`LibrariesError`].
    pub fn add(
        &self,
        folder: &Path,
        terms: &Terms,
        is_stopped: &dyn Fn() -> bool,
        report: &mut dyn FnMut(AddProgress),
    ) -> Result<(Listed, Report), LibrariesError> {
        let folder = fs::canonicalize(folder).map_err(AddError::Folder)?;
        let known = self.list()?;
        let of_folder = known.iter().find(|listed| Path::new(&listed.header.folder) == folder);
        let own_name = || {
            let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
            of_folder.map(|listed| listed.header.name.clone()).or(name)
        };
        let name = terms.name.clone().or_else(own_name).unwrap_or_default();
        let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if !(1..=LONGEST_NAME).contains(&name.chars().count()) || name.chars().any(char::is_control)
        {
            return Err(LibrariesError::Name);
        }
        let named = known.iter().find(|listed| listed.header.name == name);
        if let Some(other) = named
            && Path::new(&other.header.folder) != folder
            // whose folder is gone was moved here
            && Path::new(&other.header.folder).exists()
        {
            return Err(LibrariesError::NameTaken(name, other.header.folder.clone()));
        }
        let file = named.or(of_folder).map(|listed| listed.file.clone());
        let file = file.unwrap_or_else(|| self.folder.join(file_name(&name)));
        let library = file.clone();
        let licence = terms.licence.clone();
        let request = AddRequest { folder, library, name, licence };
        let report = folder::add(&request, is_stopped, report)?;
        let header = index::header(&file)?;
        Ok((Listed { file, header }, report))
    }

    /// The library of this name, or of this folder, or in this file.
    ///
    /// # Errors
    /// [`LibrariesError::Unknown`], [`LibrariesError::Index`].
    pub fn find(&self, wanted: &str) -> Result<Listed, LibrariesError> {
        let path = Path::new(wanted);
        if path.extension().is_some_and(|ending| ending == ENDING) && path.is_file() {
            return Ok(Listed { file: path.to_owned(), header: index::header(path)? });
        }
        let folder = fs::canonicalize(path).ok();
        let known = self.list()?;
        let is_wanted = |listed: &&Listed| {
            let is_folder =
                folder.as_ref().is_some_and(|folder| Path::new(&listed.header.folder) == folder);
            listed.header.name == wanted || is_folder
        };
        known.iter().find(is_wanted).cloned().ok_or_else(|| LibrariesError::Unknown {
            name: wanted.chars().take(LONGEST_NAME).collect(),
            known: known.into_iter().map(|listed| listed.header.name).collect(),
        })
    }

    /// The library of this name, folder or file, ready to perform; a folder that was never added is read for this once.
    ///
    /// # Errors
    /// See [`LibrariesError`].
    pub fn open(&self, wanted: &str) -> Result<Library, LibrariesError> {
        match self.find(wanted) {
            Ok(listed) => Ok(Library::open(&listed.file)?),
            Err(LibrariesError::Unknown { .. }) if Path::new(wanted).is_dir() => {
                let name = Path::new(wanted).file_name().unwrap_or_default().to_string_lossy();
                Ok(Library::of_folder(Path::new(wanted), &name)?)
            }
            Err(other) => Err(other),
        }
    }

    /// How the folder of a library differs from it.
    ///
    /// # Errors
    /// See [`LibrariesError`]; a folder that is gone is [`AddError::Folder`].
    pub fn check(&self, wanted: &str) -> Result<(Listed, Vec<Change>), LibrariesError> {
        let listed = self.find(wanted)?;
        let changes = folder::changes(&listed.file, Path::new(&listed.header.folder))?;
        Ok((listed, changes))
    }

    /// Takes a library away. Its folder and clips made with it stay.
    ///
    /// # Errors
    /// See [`LibrariesError`].
    pub fn remove(&self, wanted: &str) -> Result<Listed, LibrariesError> {
        let listed = self.find(wanted)?;
        fs::remove_file(&listed.file)?;
        Ok(listed)
    }
}

/// A name for a file that every system takes, of its own for every name.
fn file_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(40)
        .collect();
    format!("{plain}-{}.{ENDING}", &index::sum_of(name.as_bytes())[..8])
}
