//! How a score ends if its pose is held, or if another action follows.

use super::reading::{Key, PoseParam, Score};

/// Maximum hold of a pose from which the next action starts without a recovery, seconds.
const SHORT_HOLD_S: f32 = 0.1;
/// How far below its end a repetition must go to be held there, metres.
const LOW_M: f32 = 0.12;

impl Score {
    /// Lets the score end in its characteristic pose: that of the repetition, or else the key that
    /// is held longest.
    pub(super) fn end_in_its_pose(&mut self) {
        self.stays = true;
        if self.recovers {
            // what a blow leads to, before the body straightens up
            self.end.truncate(1);
            return;
        }
        if !self.again.is_empty() {
            self.end.clear();
            if let Some(low) = self.lowest_of_again() {
                self.last_round = Some(low + 1);
                (self.usual, self.most) = (1, 1);
            }
            return;
        }
        for keys in [&mut self.end, &mut self.begin] {
            let held_s = |key: &Key| key.hold_s + key.stretch_s;
            let longest = keys.iter().map(held_s).fold(0.0, f32::max);
            let place = keys.iter().rposition(|key| longest > 0.0 && held_s(key) >= longest);
            if let Some(place) = place {
                keys.truncate(place + 1);
                break;
            }
        }
    }

    /// The lowest key of a repetition that goes down and up again, as a squat does: holding a squat
    /// means to stay down.
    fn lowest_of_again(&self) -> Option<usize> {
        let down_m = |key: &Key| {
            key.dials.iter().find(|(dial, _)| *dial == PoseParam::PelvisDown).map(|(_, down)| *down)
        };
        let last = self.again.iter().rev().find_map(down_m)?;
        let levels = self.again.iter().enumerate().filter_map(|(at, key)| Some((at, down_m(key)?)));
        let (low, down) = levels.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (low + 1 < self.again.len() && down - last > LOW_M).then_some(low)
    }

    /// Leaves out the recovery: the next action starts right after the blow.
    pub(super) fn leave_out_recovery(&mut self) {
        self.end.clear();
        if let Some(last) = self.again.last_mut().or(self.begin.last_mut()) {
            (last.hold_s, last.stretch_s) = (last.hold_s.min(SHORT_HOLD_S), 0.0);
        }
    }

    /// Duration of the recovery and of the hold before it, seconds.
    pub(super) fn recovery_s(&self) -> f32 {
        let held_s = self.again.last().or(self.begin.last()).map_or(0.0, |last| last.hold_s);
        let keys_s: f32 = self.end.iter().map(|key| key.takes_s + key.hold_s).sum();
        keys_s + (held_s - SHORT_HOLD_S).max(0.0)
    }

    /// Holds whatever pose the body is in, for this many seconds if they are given.
    pub(super) fn keep(&mut self, seconds: Option<f32>) {
        self.begin.truncate(1);
        for key in &mut self.begin {
            *key = Key { hold_s: key.hold_s, stretch_s: key.stretch_s, ..Key::still(key.takes_s) };
            if let Some(seconds) = seconds {
                (key.hold_s, key.stretch_s) = ((seconds - key.takes_s).max(0.1), 0.0);
            }
        }
    }
}
