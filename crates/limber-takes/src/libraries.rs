//! The user's libraries: one file each, in one folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    AddError, AddProgress, AddRequest, Change, Header, IndexError, Library, Report, folder, index,
};

/// Maximum length of a library's name, characters.
const LONGEST_NAME: usize = 80;
const ENDING: &str = "takes";

/// The folder that holds the user's libraries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Libraries {
    folder: PathBuf,
}

/// A library in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Path of its file.
    pub file: PathBuf,
    /// Its description.
    pub header: Header,
}

/// Why an operation on libraries failed.
#[derive(Debug, thiserror::Error)]
pub enum LibrariesError {
    /// No library has this name or was imported from this folder.
    #[error("no motion library is called `{name}`{}", offered(.known))]
    Unknown {
        /// The name or folder that was looked for.
        name: String,
        /// The names of all libraries.
        known: Vec<String>,
    },
    /// The name is not valid.
    #[error("a library's name has 1 to {LONGEST_NAME} characters; choose one with --name")]
    Name,
    /// The library of another folder has this name; the name and that folder.
    #[error("the name `{0}` belongs to the library of another folder, {1}; choose one with --name")]
    NameTaken(String, String),
    /// The folder of recordings, or the folder of libraries, cannot be read or written.
    #[error("the motion libraries cannot be read or written: {0}")]
    File(#[from] io::Error),
    /// The import failed.
    #[error(transparent)]
    Add(#[from] AddError),
    /// A library's file cannot be read.
    #[error(transparent)]
    Index(#[from] IndexError),
}

fn offered(known: &[String]) -> String {
    match known {
        [] => "; add a folder with `limber library add FOLDER`".to_owned(),
        known => format!("; your libraries are: {}", known.join(", ")),
    }
}

/// Name and terms of use for a folder to be added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// Display name of the library; the folder's name by default.
    pub name: Option<String>,
    /// Terms of use; see [`AddRequest::licence`].
    pub licence: Option<String>,
}

impl Libraries {
    /// The libraries in this folder, which does not have to exist yet.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// All readable libraries, ordered by name.
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

    /// Imports a folder into a new library, or again into the one that it has.
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
            // if the other folder no longer exists, it was moved here
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

    /// Finds a library by its name, folder or file.
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

    /// Opens the library with this name, folder or file for performing; a folder that was never
    /// added is imported into memory.
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

    /// Compares a library with its folder.
    ///
    /// # Errors
    /// See [`LibrariesError`]; a folder that is gone is [`AddError::Folder`].
    pub fn check(&self, wanted: &str) -> Result<(Listed, Vec<Change>), LibrariesError> {
        let listed = self.find(wanted)?;
        let changes = folder::changes(&listed.file, Path::new(&listed.header.folder))?;
        Ok((listed, changes))
    }

    /// Deletes a library. Its folder and the clips made with it remain.
    ///
    /// # Errors
    /// See [`LibrariesError`].
    pub fn remove(&self, wanted: &str) -> Result<Listed, LibrariesError> {
        let listed = self.find(wanted)?;
        fs::remove_file(&listed.file)?;
        Ok(listed)
    }
}

/// A file name that is valid on every system and unique for every library name.
fn file_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(40)
        .collect();
    format!("{plain}-{}.{ENDING}", &index::sum_of(name.as_bytes())[..8])
}
