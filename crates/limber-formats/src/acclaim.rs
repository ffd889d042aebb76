//! Acclaim motion capture: a skeleton in one file (ASF), a recording of it in another (AMC).
//!
//! Source: J. Lander, *Working with Motion Capture File Formats*, Game Developer, January 1998;
//! details that it omits are taken from the files of the CMU Graphics Lab Motion Capture Database.

mod frames;
mod skeleton;

pub use frames::{AmcFrame, read_frames};
pub use skeleton::{Asf, AsfBone, Dof, read_skeleton};

/// Maximum size of a file in bytes.
const MAX_BYTES: usize = 100 * 1024 * 1024;
/// Maximum number of bones in a skeleton.
const MAX_BONES: usize = 1_000;

/// Why an ASF or AMC could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AcclaimError {
    /// The text is not a valid ASF.
    #[error("line {line} of the ASF file is invalid: {problem}; export it again")]
    Skeleton {
        /// Line number, counted from 1.
        line: usize,
        /// What was expected.
        problem: &'static str,
    },
    /// The text is not a valid AMC for this skeleton.
    #[error(
        "line {line} of the AMC file is invalid: {problem}; check that the file belongs to this \
         ASF file, or export it again"
    )]
    Frames {
        /// Line number, counted from 1.
        line: usize,
        /// What was expected.
        problem: &'static str,
    },
    /// A size limit is exceeded.
    #[error("the file has too many {0}")]
    TooLarge(&'static str),
}

/// Returns the lines with content, without comments, with their numbers counted from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(place, line)| {
        let said = line.split('#').next().unwrap_or_default();
        (place + 1, said.trim())
    });
    numbered.filter(|(_, line)| !line.is_empty())
}

/// Parses a finite number.
fn number(word: Option<&str>) -> Option<f64> {
    word?.parse().ok().filter(|value: &f64| value.is_finite())
}
