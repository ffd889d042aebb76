//! User-defined actions: reads a folder of them for an engine, and checks it for its author.
//!
//! Such a folder contains action definitions in `actions/*.toml` and keyframe scripts in
//! `scores/*.toml`, in the same format as the built-in ones (`assets/scores/README.md`).

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use limber_animation::Seconds;
use limber_text_to_motion::{
    ActionFault, ActionFile, ActionFiles, AddedActions, Composer, Rehearsal, Seed,
};

/// Maximum number of files of each kind.
const MOST_FILES: usize = 50;
/// Maximum size of a file, in bytes.
const LARGEST_BYTES: u64 = 1 << 20;
/// The seed with which each action is performed once.
const PERFORMER: Seed = Seed(1);

/// Everything that is wrong with a folder of actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFaults(Vec<ActionFault>);

impl fmt::Display for ActionFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the actions folder has {} error(s):", self.0.len())?;
        self.0.iter().try_for_each(|fault| write!(formatter, "\n  {fault}"))
    }
}

impl std::error::Error for ActionFaults {}

/// The result of checking a folder of actions.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionReport {
    /// The valid actions with their duration in seconds; `None` if one could not be performed.
    pub performed: Vec<(&'static str, Option<Seconds>)>,
    /// What is wrong, file by file, followed by what went wrong in the performances.
    pub faults: Vec<ActionFault>,
}

/// Reads a folder of actions for an engine. They stay in memory until the program ends, so read
/// them once, at the start.
///
/// # Errors
/// [`ActionFaults`] if anything in the folder is invalid.
pub fn read(folder: &Path) -> Result<AddedActions, ActionFaults> {
    let (added, faults) = read_all(folder);
    if faults.is_empty() { Ok(added) } else { Err(ActionFaults(faults)) }
}

/// Reads a folder of actions, performs each of them once, and reports everything that is wrong.
#[must_use]
pub fn check(folder: &Path) -> ActionReport {
    let (added, mut faults) = read_all(folder);
    let mut performed = Vec::new();
    for action in added.actions() {
        let Rehearsal { seconds, faults: told } = Composer.rehearse(*action, PERFORMER);
        let advice = "Give the key that leads there more time, or let it move less; a frame is a \
                      thirtieth of a second.";
        faults.extend(told.into_iter().filter_map(|what| added.fault(*action, what, advice)));
        performed.push((action.name(), seconds));
    }
    ActionReport { performed, faults }
}

/// Returns the valid actions, and what is wrong with the rest.
fn read_all(folder: &Path) -> (AddedActions, Vec<ActionFault>) {
    let mut faults = Vec::new();
    let files = ActionFiles {
        actions: files_in(folder, "actions", &mut faults),
        scores: files_in(folder, "scores", &mut faults),
    };
    let (added, told) = AddedActions::read(&files);
    if files.actions.is_empty() && !faults.is_empty() {
        // nothing could be read, so do not report as well that the folder is empty
        return (added, faults);
    }
    faults.extend(told);
    (added, faults)
}

/// Reads the files of one kind, sorted by name.
fn files_in(folder: &Path, kind: &str, faults: &mut Vec<ActionFault>) -> Vec<ActionFile> {
    let mut paths = match toml_files(&folder.join(kind)) {
        Ok(paths) => paths,
        // synonyms for built-in actions need no keyframe scripts
        Err(error) if error.kind() == io::ErrorKind::NotFound && kind == "scores" => Vec::new(),
        Err(error) => {
            let advice = "Name a folder that contains the folders `actions` and `scores`.";
            let what = format!("the folder cannot be read: {error}");
            faults.push(ActionFault::of_file(kind, what, advice));
            Vec::new()
        }
    };
    if paths.len() > MOST_FILES {
        let what = format!("contains {} files, more than {MOST_FILES}", paths.len());
        faults.push(ActionFault::of_file(kind, what, "Merge some of them."));
        paths.truncate(MOST_FILES);
    }
    let mut files = Vec::new();
    for path in paths {
        let family = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match text_of(&path) {
            Ok(text) => files.push(ActionFile { family, text }),
            Err((what, advice)) => {
                faults.push(ActionFault::of_file(format!("{kind}/{family}.toml"), what, advice));
            }
        }
    }
    files
}

fn toml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_toml = path.extension().is_some_and(|ending| ending == "toml");
        // records the origin of files, as for the built-in ones
        let is_record = path.file_name().is_some_and(|name| name == "PROVENANCE.toml");
        if is_toml && !is_record {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Reads a text file of limited size. On failure returns what is wrong and what to do.
fn text_of(path: &Path) -> Result<String, (String, &'static str)> {
    let unread = |error: io::Error| (format!("cannot be read: {error}"), "Make it readable.");
    // reading a pipe would block
    if !fs::metadata(path).map_err(unread)?.is_file() {
        return Err(("is not a file".to_owned(), "Replace it with a file, or rename it."));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unread)?;
    file.take(LARGEST_BYTES + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > LARGEST_BYTES {
        let what = format!("is larger than {} MiB", LARGEST_BYTES >> 20);
        return Err((what, "Split it."));
    }
    let no_text = |_| ("is not UTF-8 text".to_owned(), "Save it as UTF-8.");
    String::from_utf8(bytes).map_err(no_text)
}
