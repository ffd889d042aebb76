//! Captions of recordings, from tables, accompanying files and file names.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Maximum number of captions kept for one recording, and the maximum length of one in characters.
const MOST: usize = 12;
const LONGEST: usize = 300;
/// Maximum number of rows read from a table.
const MOST_ROWS: usize = 200_000;

/// Captions and metadata of one file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct CaptionSet {
    /// Captions as they were written.
    pub(crate) captions: Vec<String>,
    /// Frame rate in frames per second, for files that do not state it.
    pub(crate) frames_per_second: Option<f64>,
}

impl CaptionSet {
    fn add(&mut self, caption: &str) {
        let clean: String = caption.split_whitespace().collect::<Vec<_>>().join(" ");
        let clean: String = clean.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
        if !clean.is_empty() && self.captions.len() < MOST && !self.captions.contains(&clean) {
            self.captions.push(clean);
        }
    }
}

/// Rows of tables by the name of the file they describe: lower case, `/` between folders, without
/// extension.
pub(crate) type Table = BTreeMap<String, CaptionSet>;

/// The key under which a row is stored for a file.
pub(crate) fn key(file: &str) -> String {
    let file = file.trim().trim_start_matches("./").replace('\\', "/").to_lowercase();
    match file.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 4 && !ending.contains('/') => stem.to_owned(),
        _ => file,
    }
}

/// Decodes text as UTF-8, as UTF-16 with a byte order mark, or otherwise as Windows-1252.
pub(crate) fn text(bytes: &[u8]) -> String {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
    }
}

/// Why a table cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoTable {
    /// There is no column `file` or no column `description`.
    Columns,
    /// A row cannot be parsed; counted from 1.
    Row(u64),
}

/// Adds the rows of a table. The first row names the columns: the file, its description and,
/// optionally, its frame rate.
pub(crate) fn read_table(table: &mut Table, bytes: &[u8], separator: u8) -> Result<(), NoTable> {
    let text = text(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let row_of = |error: &csv::Error| error.position().map_or(1, csv::Position::line);
    let heads = reader.headers().map_err(|error| NoTable::Row(row_of(&error)))?;
    let column = |names: &[&str]| {
        heads.iter().position(|head| names.contains(&head.to_lowercase().as_str()))
    };
    let file = column(&["file", "filename", "file name", "name", "path"]);
    let said = column(&["description", "caption", "text", "sentence", "action"]);
    let (Some(file), Some(said)) = (file, said) else { return Err(NoTable::Columns) };
    let rate = column(&["fps", "framerate", "frames per second"]);
    for row in reader.records().take(MOST_ROWS) {
        let row = row.map_err(|error| NoTable::Row(row_of(&error)))?;
        let (Some(file), Some(caption)) = (row.get(file), row.get(said)) else { continue };
        if file.is_empty() {
            continue;
        }
        let entry = table.entry(key(file)).or_default();
        entry.add(caption);
        let rate = rate.and_then(|rate| row.get(rate)).and_then(|rate| rate.parse().ok());
        entry.frames_per_second = entry.frames_per_second.or(rate);
    }
    Ok(())
}

/// Reads a text file that accompanies a recording: one caption per line. Anything after `#` in a
/// line is a data set's tags and is ignored.
pub(crate) fn read_lines(said: &mut CaptionSet, bytes: &[u8]) {
    for line in text(bytes).lines() {
        said.add(line.split('#').next().unwrap_or_default());
    }
}

/// The fields of a JSON file that accompanies a recording.
#[derive(Deserialize)]
struct Beside {
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    captions: Vec<String>,
    #[serde(default)]
    fps: Option<f64>,
}

/// Reads a JSON file that accompanies a recording. Returns false if it does not have the expected
/// form.
pub(crate) fn read_json(said: &mut CaptionSet, bytes: &[u8]) -> bool {
    let Ok(beside) = serde_json::from_str::<Beside>(&text(bytes)) else { return false };
    for caption in beside.description.iter().chain(&beside.captions) {
        said.add(caption);
    }
    said.frames_per_second = said.frames_per_second.or(beside.fps);
    !said.captions.is_empty()
}

/// A caption derived from the name of a file or animation: `Walk_forward-01` becomes *walk
/// forward*. `None` if the name contains no words.
pub(crate) fn from_name(name: &str) -> Option<String> {
    let stem = name.rsplit('/').next().unwrap_or(name);
    // exporters put the rig's name before the animation's
    let stem = stem.rsplit('|').find(|part| !part.trim().is_empty()).unwrap_or(stem);
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut last_is_small = false;
    for letter in stem.chars() {
        let begins = letter.is_uppercase() && last_is_small;
        if (begins || !letter.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        last_is_small = letter.is_lowercase();
    }
    words.push(word);
    words.retain(|word| word.chars().count() > 1);
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caption_tables_are_read() {
        let mut table = Table::new();
        let text = "\u{FEFF}File,Description,fps\r\nA\\Walk.BVH,\"walks, then\nstops\",60\r\n./b/kick.fbx,kicks\n";
        assert_eq!(read_table(&mut table, text.as_bytes(), b','), Ok(()));
        assert_eq!(table["a/walk"].captions, ["walks, then stops"]);
        assert_eq!(table["a/walk"].frames_per_second, Some(60.0));
        assert_eq!(table["b/kick"].captions, ["kicks"]);
        assert_eq!(read_table(&mut table, b"a,b\n1,2\n", b','), Err(NoTable::Columns));
    }

    #[test]
    fn captions_in_other_encodings_are_decoded() {
        assert_eq!(text(b"\xFF\xFEh\0i\0"), "hi");
        assert_eq!(text(b"caf\xE9"), "café");
        assert_eq!(text("läuft".as_bytes()), "läuft");
    }

    #[test]
    fn file_names_become_captions() {
        assert_eq!(from_name("clips/Walk_Forward-01").as_deref(), Some("walk forward"));
        assert_eq!(from_name("Armature|RunFast").as_deref(), Some("run fast"));
        assert_eq!(from_name("13_17"), None);
    }

    #[test]
    fn caption_files_have_one_caption_per_line() {
        let mut said = CaptionSet::default();
        read_lines(
            &mut said,
            b"a person kicks#a/DET person/NOUN kick/VERB#0.0#0.0\n\n a person kicks \nhe kicks\n",
        );
        assert_eq!(said.captions, ["a person kicks", "he kicks"]);
        let mut said = CaptionSet::default();
        assert!(read_json(&mut said, br#"{"description": "waves", "fps": 60}"#));
        assert_eq!((said.captions.len(), said.frames_per_second), (1, Some(60.0)));
        assert!(!read_json(&mut said.clone(), b"[1, 2]"));
    }
}
