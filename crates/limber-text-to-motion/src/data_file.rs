//! Reads data files row by row, so that a fault in one row does not hide those in others.

use serde::de::DeserializeOwned;

use crate::ActionFault;

/// One row of a file.
#[derive(Debug)]
pub(crate) struct Part<T> {
    /// Line where it starts, from 1.
    pub(crate) line: usize,
    pub(crate) holds: T,
}

/// Parses the rows of a file. `heads` are the table names that start a row: `score` for
/// `[[score]]`.
pub(crate) fn parts<T: DeserializeOwned>(
    file: &str,
    text: &str,
    heads: &[&str],
    faults: &mut Vec<ActionFault>,
) -> Vec<Part<T>> {
    let mut found = Vec::new();
    for (line, part) in split(text, heads) {
        match toml::from_str(part) {
            Ok(holds) => found.push(Part { line, holds }),
            Err(error) => {
                let before = error.span().and_then(|span| part.get(..span.start));
                let further = before.map_or(0, |before| before.matches('\n').count());
                let what = error.message().trim().replace('\n', "; ");
                let advice = "Correct it; \"Writing actions\" in the book lists the fields.";
                let fault = ActionFault::of_file(file, what, advice);
                faults.push(ActionFault { line: Some(line + further), ..fault });
            }
        }
    }
    found
}

/// The non-empty parts of a text, with the lines where they start.
fn split<'a>(text: &'a str, heads: &[&str]) -> Vec<(usize, &'a str)> {
    let mut begins = vec![(1, 0)];
    let mut at = 0;
    for (place, line) in text.split_inclusive('\n').enumerate() {
        if is_head(line, heads) {
            begins.push((place + 1, at));
        }
        at += line.len();
    }
    let ends: Vec<usize> = begins.iter().skip(1).map(|(_, at)| *at).chain([text.len()]).collect();
    let parts = begins.into_iter().zip(ends).map(|((line, from), to)| (line, &text[from..to]));
    parts.filter(|(_, part)| !part.trim().is_empty()).collect()
}

fn is_head(line: &str, heads: &[&str]) -> bool {
    let inside = line.trim_start().strip_prefix("[[").and_then(|rest| rest.split_once("]]"));
    inside.is_some_and(|(name, after)| {
        let after = after.trim_start();
        heads.contains(&name.trim()) && (after.is_empty() || after.starts_with('#'))
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        #[serde(default)]
        row: Vec<Row>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        name: String,
        #[serde(default)]
        inner: Vec<toml::Table>,
    }

    #[test]
    fn broken_rows_are_reported_by_line_and_the_others_are_read() {
        let text = "# a comment\n\n[[row]] # first\nname = \"one\"\n[[row.inner]]\nx = 1\n\n[[row]]\nname = 2\n\
                    [[row]]\nname = \"three\"\ncolour = \"red\"\n[[ row ]]\nname = \"four\"\n";
        let mut faults = Vec::new();
        let parts = parts::<File>("rows.toml", text, &["row"], &mut faults);
        let read: Vec<(usize, &str, usize)> = (parts.iter())
            .flat_map(|part| part.holds.row.iter().map(move |row| (part.line, row)))
            .map(|(line, row)| (line, row.name.as_str(), row.inner.len()))
            .collect();
        assert_eq!(read, [(3, "one", 1), (13, "four", 0)]);
        let lines: Vec<Option<usize>> = faults.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [Some(9), Some(12)], "{faults:?}");
        assert!(faults[1].to_string().starts_with("rows.toml:12: unknown field `colour`"));
    }
}
