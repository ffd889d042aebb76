//! Acclaim's motion capture format: a skeleton in one file (ASF), one recording of it in another (AMC).
//!
//! Source: J. Lander, *Working with Motion Capture File Formats*, Game Developer, January 1998; the
//! files of the CMU Graphics Lab Motion Capture Database for what is not said there.

mod frames;
mod skeleton;

pub use frames::{AmcFrame, read_frames};
pub use skeleton::{Asf, AsfBone, Dof, read_skeleton};

/// The largest text that is read, bytes.
const MAX_BYTES: usize = 100 * 1024 * 1024;
/// The most bones a skeleton may have.
const MAX_BONES: usize = 1_000;

/// Why an ASF or an AMC was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AcclaimError {
    /// The text is no ASF.
    #[error("line {line} of the ASF is wrong: {problem}; export it again")]
    Skeleton {
        /// Counted from 1.
        line: usize,
        /// What was expected.
        problem: &'static str,
    },
    /// The text is no AMC of this skeleton.
    #[error(
        "line {line} of the AMC is wrong: {problem}; check that it belongs to this ASF, or export it \
         again"
    )]
    Frames {
        /// Counted from 1.
        line: usize,
        /// What was expected.
        problem: &'static str,
    },
    /// A limit is exceeded.
    #[error("the file has too many {0}")]
    TooLarge(&'static str),
}

/// Lines that say something, with their numbers counted from 1: no comments, no blanks.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(place, line)| {
        let said = line.split('#').next().unwrap_or_default();
        (place + 1, said.trim())
    });
    numbered.filter(|(_, line)| !line.is_empty())
}

/// A finite number.
fn number(word: Option<&str>) -> Option<f64> {
    word?.parse().ok().filter(|value: &f64| value.is_finite())
}
