//! Diagnostics report for support: versions, states, counts and the ends of the logs. It contains
//! no prompts, names, addresses, paths or secrets.

use std::{
    fmt::Write,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use crate::Folders;

/// Bytes included from the end of each log.
const TAIL_BYTES: u64 = 48 << 10;
/// A longer log is rotated when the app starts, replacing the previous one.
const LONGEST_LOG_BYTES: u64 = 1 << 20;
/// Longer alphanumeric words are redacted as possible secrets.
const LONGEST_PLAIN_WORD: usize = 31;

/// Opens the app's own log for appending; an app started from a menu has no terminal to log to.
///
/// # Errors
/// If the log folder cannot be created or the file cannot be written.
pub fn open_log(folders: &Folders) -> io::Result<File> {
    let folder = folders.logs();
    fs::create_dir_all(&folder)?;
    let log = folder.join("app.log");
    if fs::metadata(&log).is_ok_and(|log| log.len() > LONGEST_LOG_BYTES) {
        fs::rename(&log, folder.join("app-before.log"))?;
    }
    File::options().append(true).create(true).open(log)
}

/// Returns the redacted ends of all logs in a folder.
pub(crate) fn logs(folder: &Path) -> String {
    let mut text = String::new();
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files {
        let name = file.file_name();
        if let Ok(tail) = tail(&file.path()) {
            let _ = writeln!(text, "\n## {}\n", name.to_string_lossy());
            for line in tail.lines() {
                text.push_str(&without_secrets(line));
                text.push('\n');
            }
        }
    }
    text
}

fn tail(file: &Path) -> io::Result<String> {
    let mut file = File::open(file)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // after truncation, drop the partial first line
    let from = if length > TAIL_BYTES { text.find('\n').map_or(0, |end| end + 1) } else { 0 };
    Ok(text[from..].to_owned())
}

/// Redacts everything in a line that could be an address, a path or a secret.
fn without_secrets(line: &str) -> String {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | ')' | ',' | '<' | '>');
    let mut told = String::with_capacity(line.len());
    for word in line.split_inclusive(is_end) {
        let (bare, end) = match word.char_indices().next_back() {
            Some((at, last)) if is_end(last) => word.split_at(at),
            _ => (word, ""),
        };
        // keep the name in `name=value`, unless it is part of a link
        let (name, value) = match bare.split_once('=') {
            Some((name, value)) if substitute(name).is_none() => (&bare[..=name.len()], value),
            _ => ("", bare),
        };
        told.push_str(name);
        told.push_str(substitute(value).unwrap_or(value));
        told.push_str(end);
    }
    told
}

fn substitute(word: &str) -> Option<&'static str> {
    let is_opaque = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/');
    if word.contains('@') {
        Some("[address]")
    } else if word.contains("://") {
        Some("[link]")
    } else if word.starts_with(['/', '~']) || word.get(1..3) == Some(":\\") {
        Some("[path]")
    } else if word.len() > LONGEST_PLAIN_WORD
        && word.chars().all(is_opaque)
        && word.contains(|c: char| c.is_ascii_digit())
    {
        Some("[secret]")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possible_secrets_are_redacted_and_the_rest_is_readable() {
        for (line, told) in [
            (
                "WARN limber_app: no answer error=timed out",
                "WARN limber_app: no answer error=timed out",
            ),
            ("mail to ada@example.com, sent", "mail to [address], sent"),
            ("open \"/home/ada/walk.glb\" failed", "open \"[path]\" failed"),
            ("GET https://studio.example/f?sig=abc 403", "GET [link] 403"),
            ("token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln end", "token=[secret] end"),
            ("key 0123456789abcdef0123456789abcdef", "key [secret]"),
            (
                "limber_motion_service::worker::stages started",
                "limber_motion_service::worker::stages started",
            ),
        ] {
            assert_eq!(without_secrets(line), told);
        }
    }

    #[test]
    fn the_log_is_rotated_and_one_older_file_is_kept() {
        use std::io::Write;
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(folder.path());
        let write = |text: &str| {
            open_log(&folders).expect("opens").write_all(text.as_bytes()).expect("written");
        };
        write("first\n");
        write("second\n");
        assert!(logs(&folders.logs()).contains("first\nsecond\n"));
        write(&"x".repeat(LONGEST_LOG_BYTES as usize));
        write("third\n");
        let kept = |name| fs::read_to_string(folders.logs().join(name)).expect("it exists");
        assert_eq!(kept("app.log"), "third\n");
        assert!(kept("app-before.log").starts_with("first\nsecond\n"));
    }

    #[test]
    fn long_logs_are_cut_at_a_line_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let lines: String = (0..20_000).map(|number| format!("line {number}\n")).collect();
        fs::write(folder.path().join("app.log"), lines).expect("written");
        let told = logs(folder.path());
        assert!(told.contains("## app.log") && told.contains("line 19999"));
        assert!(!told.contains("line 0\n") && told.len() < 60_000);
        assert!(told.lines().skip(3).all(|line| line.starts_with("line ")));
    }
}
