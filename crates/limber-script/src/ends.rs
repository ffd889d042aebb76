//! Start and end of a clip, where they are requested separately from the prompt or script.

use serde::{Deserialize, Serialize};

use crate::{End, Start};

/// Start and end of a clip, which override those of the prompt or script. `None` keeps theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClipEnds {
    /// Standing at ease, or in the middle of the first action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// Standing at ease again, holding the last pose, or in the middle of the last action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Whether the last frame leads into the first.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub is_loop: Option<bool>,
}

/// A loop was requested together with a start or end that a loop cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "`loop` and `{field}: idle` contradict each other, because a loop does not start or end in an \
     idle pose; leave one of them out"
)]
pub struct ContradictoryEnds {
    /// The conflicting field: `start` or `end`.
    pub field: &'static str,
}

impl ClipEnds {
    /// Whether nothing is overridden.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Self { start: None, end: None, is_loop: None })
    }

    /// Checks that the fields do not contradict each other.
    ///
    /// # Errors
    /// [`ContradictoryEnds`] if a loop is to begin or end at ease.
    pub fn check(&self) -> Result<(), ContradictoryEnds> {
        match self.at_ease() {
            Some(field) if self.is_loop == Some(true) => Err(ContradictoryEnds { field }),
            _ => Ok(()),
        }
    }

    /// Whether the clip loops; `None` leaves it to the prompt or script. A clip that is to begin or
    /// end at ease never loops.
    #[must_use]
    pub fn loops(&self) -> Option<bool> {
        self.is_loop.or_else(|| self.at_ease().map(|_| false))
    }

    /// The field that requests standing at ease, if one does.
    fn at_ease(&self) -> Option<&'static str> {
        if self.start == Some(Start::Idle) {
            Some("start")
        } else if self.end == Some(End::Idle) {
            Some("end")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Script;

    fn script(line: &str) -> Script {
        line.parse().expect("a script")
    }

    #[test]
    fn requested_ends_override_a_script() {
        let walk = script("v2 walk | end:hold start:action");
        assert_eq!(walk.clone().overridden_by(ClipEnds::default()), walk);
        let ends = ClipEnds { end: Some(End::Idle), ..ClipEnds::default() };
        assert_eq!(walk.clone().overridden_by(ends), script("v2 walk | start:action"));
        let loops = ClipEnds { is_loop: Some(true), ..ClipEnds::default() };
        let looped = script("v2 walk | end:hold loop:true start:action");
        assert_eq!(walk.overridden_by(loops), looped);
    }

    #[test]
    fn idle_ends_exclude_a_loop() {
        let looped = script("v2 walk | loop:true");
        let start = ClipEnds { start: Some(Start::Idle), ..ClipEnds::default() };
        let end = ClipEnds { end: Some(End::Idle), ..ClipEnds::default() };
        for ends in [start, end] {
            assert_eq!(looped.clone().overridden_by(ends), script("v2 walk"));
            assert_eq!(ends.check(), Ok(()));
        }
        let both = ClipEnds { is_loop: Some(true), ..end };
        assert_eq!(both.check(), Err(ContradictoryEnds { field: "end" }));
        let held = ClipEnds { end: Some(End::Hold), ..both };
        assert_eq!(held.check(), Ok(()), "a pose can be held in a loop");
    }

    #[test]
    fn the_words_match_those_of_scripts() {
        for start in Start::ALL {
            assert_eq!(serde_json::to_value(start).expect("a word"), start.name());
        }
        for end in End::ALL {
            assert_eq!(serde_json::to_value(end).expect("a word"), end.name());
        }
    }
}
