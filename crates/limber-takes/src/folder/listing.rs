//! Lists the recordings in a folder and the texts that describe them.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    captions::{self, CaptionSet, NoTable, Table},
    index::{MAX_FILES, Stamp},
};

/// Maximum depth of nested folders.
const MAX_DEPTH: usize = 12;
/// Maximum number of directory entries that are visited.
const MAX_ENTRIES: usize = 200_000;
/// Maximum size of a text file, bytes.
const MAX_WORDS: u64 = 16 << 20;
/// Maximum length of the terms of use that is kept, characters.
const LONGEST_LICENCE: usize = 20_000;

/// A file that may hold recordings.
pub(super) struct Entry {
    /// Path relative to the folder, with `/`.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) stamp: Stamp,
    /// The ASF file that holds the skeleton of an AMC file.
    pub(super) skeleton: Option<PathBuf>,
}

/// The recordings in a folder, ordered by name.
pub(super) struct Listing {
    pub(super) files: Vec<Entry>,
    pub(super) licence: Option<String>,
    pub(super) notes: Vec<String>,
    table: Table,
    beside: BTreeMap<String, CaptionSet>,
}

impl Listing {
    /// What is said about a file: from a table, by its path or else its name only, and from
    /// accompanying files.
    pub(super) fn said(&self, place: usize) -> CaptionSet {
        let key = captions::key(&self.files[place].name);
        let name = key.rsplit('/').next().unwrap_or(&key);
        let in_table = self.table.get(&key).or_else(|| self.table.get(name));
        let beside = self.beside.get(&key);
        let mut said = in_table.or(beside).cloned().unwrap_or_default();
        said.frames_per_second =
            said.frames_per_second.or(beside.and_then(|beside| beside.frames_per_second));
        said
    }
}

/// All files in a folder and its subfolders. Symbolic links are not followed.
#[derive(Default)]
struct Walk {
    /// Relative names with `/`, paths and current stamps.
    files: Vec<(String, PathBuf, Stamp)>,
    entries: usize,
    notes: Vec<String>,
}

impl Walk {
    fn look_into(&mut self, folder: &Path, name: &str, depth: usize) -> io::Result<()> {
        let mut folders = Vec::new();
        for entry in fs::read_dir(folder)? {
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                return Ok(());
            }
            let entry = entry?;
            let own = entry.file_name();
            let Some(own) = own.to_str().filter(|own| !own.starts_with('.')) else { continue };
            let name = if name.is_empty() { own.to_owned() } else { format!("{name}/{own}") };
            let Ok(metadata) = entry.metadata() else {
                self.notes.push(format!("{name}: was removed while the folder was being listed"));
                continue;
            };
            if metadata.is_dir() {
                folders.push((entry.path(), name));
            } else if metadata.is_file() {
                self.files.push((name, entry.path(), super::stamp(&metadata)));
            }
        }
        for (path, name) in folders {
            if depth == MAX_DEPTH {
                self.notes
                    .push(format!("{name}: nested too deeply in other folders, so it was skipped"));
            } else if let Err(error) = self.look_into(&path, &name, depth + 1) {
                self.notes
                    .push(format!("{name}: the folder could not be listed: {}", error.kind()));
            }
        }
        Ok(())
    }
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|other| ending(name).eq_ignore_ascii_case(other))
}

/// Lists a folder.
pub(super) fn list(folder: &Path) -> io::Result<Listing> {
    let mut walk = Walk::default();
    walk.look_into(folder, "", 0)?;
    if walk.entries > MAX_ENTRIES {
        walk.notes.push(format!(
            "the folder has too many entries; only the first {MAX_ENTRIES} were listed"
        ));
    }
    walk.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let mut listing = Listing {
        files: Vec::new(),
        licence: None,
        notes: walk.notes,
        table: Table::new(),
        beside: BTreeMap::new(),
    };
    let skeletons: Vec<(&str, &Path)> = walk
        .files
        .iter()
        .filter(|file| has_ending(&file.0, &["asf"]))
        .map(|file| (file.0.as_str(), file.1.as_path()))
        .collect();
    for (name, path, stamp) in &walk.files {
        if has_ending(name, &["bvh", "fbx", "glb", "gltf", "amc"]) {
            let skeleton =
                if has_ending(name, &["amc"]) { skeleton(name, &skeletons) } else { None };
            let (name, path, stamp) = (name.clone(), path.clone(), *stamp);
            listing.files.push(Entry { name, path, stamp, skeleton });
        } else if has_ending(name, &["csv", "tsv", "txt", "json", ""]) || is_licence(name) {
            listing.read_words(name, path, *stamp);
        }
    }
    if listing.files.len() > MAX_FILES {
        let left = listing.files.len() - MAX_FILES;
        listing.files.truncate(MAX_FILES);
        let note = format!("{left} files were skipped: a library can have at most {MAX_FILES}");
        listing.notes.push(note);
    }
    Ok(listing)
}

/// The skeleton of an AMC file: the ASF file in the same folder with the same name or with the part
/// before the last underscore, otherwise the only ASF file there.
fn skeleton(amc: &str, skeletons: &[(&str, &Path)]) -> Option<PathBuf> {
    let (folder, file) = amc.rsplit_once('/').unwrap_or(("", amc));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let subject = stem.rsplit_once('_').map_or(stem, |(subject, _)| subject);
    let here = skeletons
        .iter()
        .filter(|(name, _)| name.rsplit_once('/').map_or("", |(folder, _)| folder) == folder);
    let here: Vec<_> = here.collect();
    let stem_of = |name: &str| {
        let file = name.rsplit('/').next().unwrap_or(name);
        file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_lowercase()
    };
    let named = |wanted: &str| {
        let wanted = wanted.to_lowercase();
        here.iter().find(|(name, _)| stem_of(name) == wanted).map(|(_, path)| path.to_path_buf())
    };
    let only = || match here[..] {
        [(_, path)] => Some(path.to_path_buf()),
        _ => None,
    };
    named(stem).or_else(|| named(subject)).or_else(only)
}

fn is_licence(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.eq_ignore_ascii_case("license") || stem.eq_ignore_ascii_case("licence")
}

impl Listing {
    /// Reads tables, files that accompany recordings, and the terms of use.
    fn read_words(&mut self, name: &str, path: &Path, stamp: Stamp) {
        if stamp.size > MAX_WORDS {
            let most = MAX_WORDS >> 20;
            self.notes
                .push(format!("{name}: too large for a file of captions; the limit is {most} MB"));
            return;
        }
        let Ok(bytes) = fs::read(path) else {
            self.notes.push(format!("{name}: could not be opened"));
            return;
        };
        if is_licence(name) {
            let text: String = captions::text(&bytes).chars().take(LONGEST_LICENCE).collect();
            self.licence.get_or_insert(text.trim().to_owned());
            return;
        }
        match ending(name).to_ascii_lowercase().as_str() {
            separated @ ("csv" | "tsv") => {
                let separator = if separated == "csv" { b',' } else { b'\t' };
                match captions::read_table(&mut self.table, &bytes, separator) {
                    Ok(()) => {}
                    Err(NoTable::Columns) => self.notes.push(format!(
                        "{name}: the first row has no columns `file` and `description`, so the \
                         table was not used"
                    )),
                    Err(NoTable::Row(row)) => {
                        self.notes.push(format!("{name}: row {row} cannot be read"));
                    }
                }
            }
            "txt" => {
                captions::read_lines(self.beside.entry(captions::key(name)).or_default(), &bytes);
            }
            "json" => {
                captions::read_json(self.beside.entry(captions::key(name)).or_default(), &bytes);
            }
            _ => {}
        }
    }
}
