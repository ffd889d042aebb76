//! The results of a run, stored on disk, so that a repeated run continues where the last one ended.

use std::{fs, path::PathBuf};

use anyhow::bail;

use crate::stages;

pub(super) struct Table {
    /// File with earlier successes.
    file: PathBuf,
    /// Identifies the build under test; results of other builds do not count.
    of: String,
    rows: Vec<Row>,
}

struct Row {
    what: &'static str,
    outcome: Result<String, String>,
}

impl Table {
    pub(super) fn new(file: PathBuf, of: String) -> Self {
        Self { file, of, rows: Vec::new() }
    }

    /// Runs an attempt, unless it succeeded before with the same build. A failure does not stop
    /// later ones.
    pub(super) fn row(
        &mut self,
        what: &'static str,
        attempt: impl FnOnce() -> anyhow::Result<String>,
    ) {
        if let Some(result) = self.earlier(what) {
            self.rows.push(Row { what, outcome: Ok(format!("{result} (before)")) });
            return;
        }
        println!("\n── {what}");
        let outcome = stages::timed(what, attempt);
        match &outcome {
            Ok(result) => {
                println!("{result}");
                let mut text = fs::read_to_string(&self.file).unwrap_or_default();
                text.push_str(
                    &[&self.of, what, result]
                        .map(|cell| cell.replace(['\t', '\n'], " "))
                        .join("\t"),
                );
                text.push('\n');
                if let Err(error) = fs::write(&self.file, text) {
                    eprintln!(
                        "the result could not be saved, so this runs again next time: {error}"
                    );
                }
            }
            Err(error) => println!("{error:#}"),
        }
        let outcome = outcome.map_err(|error| format!("{error:#}"));
        self.rows.push(Row { what, outcome });
    }

    fn earlier(&self, what: &str) -> Option<String> {
        let text = fs::read_to_string(&self.file).ok()?;
        text.lines().find_map(|line| {
            let (of, rest) = line.split_once('\t')?;
            let (tried, result) = rest.split_once('\t')?;
            (of == self.of && tried == what).then(|| result.to_owned())
        })
    }

    /// Prints all rows; fails if any of them failed.
    pub(super) fn end(self) -> anyhow::Result<()> {
        let width = self.rows.iter().map(|row| row.what.len()).max().unwrap_or(0);
        println!();
        for row in &self.rows {
            let (sign, words) = match &row.outcome {
                Ok(result) => ("ok    ", result),
                Err(error) => ("FAILED", error),
            };
            println!("{sign}  {:width$}  {}", row.what, words.lines().next().unwrap_or_default());
        }
        let failed = self.rows.iter().filter(|row| row.outcome.is_err()).count();
        if failed > 0 {
            bail!("{failed} of {} failed", self.rows.len());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failed_checks_are_repeated_with_the_same_programs() {
        let file = std::env::temp_dir().join(format!("limber-table-{}", std::process::id()));
        let _ = fs::remove_file(&file);
        let (mut good, mut bad) = (0, 0);
        for of in ["one", "one", "two"] {
            let mut table = Table::new(file.clone(), of.to_owned());
            table.row("good", || {
                good += 1;
                Ok("well".to_owned())
            });
            table.row("bad", || {
                bad += 1;
                bail!("badly")
            });
            assert!(table.end().is_err());
        }
        let _ = fs::remove_file(&file);
        assert_eq!((good, bad), (2, 3));
    }
}
