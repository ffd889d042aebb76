//! Folders of actions that somebody adds to ours: read for an engine, and checked for who writes them.
//!
//! Such a folder holds rows in `actions/*.toml` and key poses in `scores/*.toml`, written as ours are
//! (`assets/scores/README.md`).

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

/// The most files of rows, and the most of scores.
const MOST_FILES: usize = 50;
/// The largest of them, bytes.
const LARGEST_BYTES: u64 = 1 << 20;
/// Who performs each action once.
const PERFORMER: Seed = Seed(1);

/// All that is wrong with a folder of actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFaults(Vec<ActionFault>);

impl fmt::Display for ActionFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the folder of actions needs {} correction(s):", self.0.len())?;
        self.0.iter().try_for_each(|fault| write!(formatter, "\n  {fault}"))
    }
}

impl std::error::Error for ActionFaults {}

/// What came of checking a folder of actions.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionReport {
    /// The actions that are sound as they are written, with how long they took to perform.
    pub performed: Vec<(&'static str, Option<Seconds>)>,
    /// What is wrong, file by file, and at last what the performances showed.
    pub faults: Vec<ActionFault>,
}

/// Reads a folder's actions for an engine. They stay in memory for as long as the program runs: read them once,
/// when it starts.
///
/// # Errors
/// [`ActionFaults`] unless all of it is sound.
pub fn read(folder: &Path) -> Result<AddedActions, ActionFaults> {
    let (added, faults) = read_all(folder);
    if faults.is_empty() { Ok(added) } else { Err(ActionFaults(faults)) }
}

/// Reads a folder's actions, performs each of them once, and tells all that is wrong.
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

/// What is sound, and what is wrong with the rest.
fn read_all(folder: &Path) -> (AddedActions, Vec<ActionFault>) {
    let mut faults = Vec::new();
    let files = ActionFiles {
        actions: files_in(folder, "actions", &mut faults),
        scores: files_in(folder, "scores", &mut faults),
    };
    let (added, told) = AddedActions::read(&files);
    if files.actions.is_empty() && !faults.is_empty() {
        // where nothing could be read, that there is nothing in it is no news
        return (added, faults);
    }
    faults.extend(told);
    (added, faults)
}

/// The files of one kind, in the order of their names.
fn files_in(folder: &Path, kind: &str, faults: &mut Vec<ActionFault>) -> Vec<ActionFile> {
    let mut paths = match toml_files(&folder.join(kind)) {
        Ok(paths) => paths,
        // other words for actions of ours need no scores
        Err(error) if error.kind() == io::ErrorKind::NotFound && kind == "scores" => Vec::new(),
        Err(error) => {
            let advice = "Name a folder that holds the folders `actions` and `scores`.";
            let what = format!("the folder cannot be read: {error}");
            faults.push(ActionFault::of_file(kind, what, advice));
            Vec::new()
        }
    };
    if paths.len() > MOST_FILES {
        let what = format!("holds {} files, more than {MOST_FILES}", paths.len());
        faults.push(ActionFault::of_file(kind, what, "Put several into one."));
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
        // says where files come from, beside ours too
        let is_record = path.file_name().is_some_and(|name| name == "PROVENANCE.toml");
        if is_toml && !is_record {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// The whole of a text that is not too large; else what is wrong, and what to do.
fn text_of(path: &Path) -> Result<String, (String, &'static str)> {
    let unread = |error: io::Error| {
        (format!("cannot be read: {error}"), "Make it a file that you may read.")
    };
    // a pipe would be waited for
    if !fs::metadata(path).map_err(unread)?.is_file() {
        return Err(("is no file".to_owned(), "Make it one, or call it something else."));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unread)?;
    file.take(LARGEST_BYTES + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > LARGEST_BYTES {
        let what = format!("is larger than {} MiB", LARGEST_BYTES >> 20);
        return Err((what, "Make several files of it."));
    }
    let no_text = |_| ("is no UTF-8 text".to_owned(), "Store it as UTF-8.");
    String::from_utf8(bytes).map_err(no_text)
}
