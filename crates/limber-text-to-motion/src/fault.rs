//! Faults in files of actions and scores, reported to their authors.

use std::fmt;

/// A fault in a file of actions or scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFault {
    /// The file, relative to its folder: `actions/gestures.toml`.
    pub file: String,
    /// The line, from 1; `None` if the fault is not about a single line.
    pub line: Option<usize>,
    /// The action or posture that it is about; `None` if its row cannot be read.
    pub action: Option<String>,
    /// What is wrong.
    pub what: String,
    /// How to fix it.
    pub advice: String,
}

impl ActionFault {
    /// A fault of a whole file.
    #[must_use]
    pub fn of_file(
        file: impl Into<String>,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        let (file, what, advice) = (file.into(), what.into(), advice.into());
        Self { file, line: None, action: None, what, advice }
    }
}

impl fmt::Display for ActionFault {
    /// Formats as `actions/craft.toml:12: glue: "Fix" is not in lower case. Write it in lower
    /// case.`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(formatter, ":{line}")?;
        }
        if let Some(action) = &self.action {
            write!(formatter, ": {action}")?;
        }
        write!(formatter, ": {}. {}", self.what, self.advice)
    }
}

/// The location of a row, and its action.
#[derive(Debug, Clone)]
pub(crate) struct RowPlace {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) action: String,
}

impl RowPlace {
    /// A fault in this row.
    pub(crate) fn fault(&self, what: impl Into<String>, advice: impl Into<String>) -> ActionFault {
        ActionFault {
            file: self.file.clone(),
            line: Some(self.line),
            action: Some(self.action.clone()),
            what: what.into(),
            advice: advice.into(),
        }
    }
}
