//! Splits long contacts of a foot that is always low into stances that its leg can reach; a single
//! lock would be dragged along.

use std::ops::Range;

use glam::Vec3;
use limber_animation::{Clip, ContactTrack, Contacts};

use super::{foot_points, stance::horizontal};
use crate::{
    Soles,
    feet::{Foot, FootPath, leg_scale},
};

/// Maximum travel of a foot while it is locked in one place, metres for an adult: from the middle
/// of it, the leg reaches both ends.
const FARTHEST_M: f32 = 0.25;
/// Time that a released foot takes to the next place, seconds.
const STEP_S: f32 = 5.0 / 30.0;
/// Minimum duration of a stance, seconds.
const SHORTEST_S: f32 = 4.0 / 30.0;

/// Removes the contacts of frames in which a foot moves from one place to the next.
pub(super) fn release_overreaching_contacts(clip: &Clip, mut track: ContactTrack) -> ContactTrack {
    let soles = Soles::of_skeleton(clip.skeleton());
    let farthest_m = FARTHEST_M * leg_scale(clip.skeleton());
    let frames = |seconds: f32| ((seconds * clip.fps().per_second()).round() as usize).max(1);
    let (step, shortest) = (frames(STEP_S), frames(SHORTEST_S));
    for foot in Foot::all(clip.skeleton()) {
        let path = FootPath::of(clip, &foot, &soles);
        let points = foot_points(foot.side);
        let touches = |contacts: &Contacts| points.into_iter().any(|point| contacts.has(point));
        let mut at = 0;
        while at < track.len() {
            if !touches(&track[at]) {
                at += 1;
                continue;
            }
            let length = track[at..].iter().take_while(|contacts| touches(contacts)).count();
            let run = at..at + length;
            at = run.end;
            let stays = stances(&path.ball, run.clone(), farthest_m, step, shortest);
            for frame in run.filter(|frame| !stays.iter().any(|stay| stay.contains(frame))) {
                points.into_iter().for_each(|point| track[frame].set(point, false));
            }
        }
    }
    track
}

/// Splits a run of contact frames into parts in each of which the foot can stay in one place.
fn stances(
    ball: &[Vec3],
    run: Range<usize>,
    farthest_m: f32,
    step: usize,
    shortest: usize,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = run.start;
    while start < run.end {
        let near = |frame: &usize| {
            (start..*frame)
                .all(|other| horizontal(ball[*frame] - ball[other]).length() <= farthest_m)
        };
        let end = start + (start..run.end).take_while(near).count();
        // a contact at either end of the clip may continue outside
        let is_whole = start == run.start && end == run.end;
        if end - start >= shortest || is_whole {
            found.push(start..end);
            start = end + step;
        } else {
            start += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(ways_m: impl IntoIterator<Item = f32>) -> Vec<Vec3> {
        let mut at = Vec3::ZERO;
        let step = |way_m| {
            at.z += way_m;
            at
        };
        ways_m.into_iter().map(step).collect()
    }

    #[test]
    fn still_feet_are_locked_and_long_slides_are_locked_in_parts() {
        let still = along([0.001; 60]);
        assert!(stances(&still, 3..57, 0.25, 5, 4).into_iter().eq(std::iter::once(3..57)));
        // 0.6 m/s: twelve frames in one place, five to the next
        let gliding = along([0.02; 40]);
        assert_eq!(stances(&gliding, 0..40, 0.25, 5, 4), [0..13, 18..31, 36..40]);
    }

    #[test]
    fn a_foot_that_swings_low_is_released() {
        let walking = along([[0.0; 15], [0.1; 15], [0.0; 15]].concat());
        let held = stances(&walking, 0..45, 0.25, 5, 4);
        assert_eq!(held.len(), 2, "{held:?}");
        assert!(held[0].end <= 18 && held[1].start >= 27, "{held:?}");
    }
}
