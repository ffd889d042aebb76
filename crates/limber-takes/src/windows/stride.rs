//! Detects foot landings.
//!
//! Contacts only show when a foot stands, and in a run it hardly does. So a foot counts as landing
//! when it stops moving along with the body.

use std::ops::Range;

use limber_animation::{Clip, HumanBone, Side, maths::hypot};

use crate::take::Landing;

/// Minimum time between two landings of one foot, frames.
const APART: usize = 6;
/// A foot is down if it is slower than this, m/s, or than this share of the hips' speed, …
const DOWN_M_S: f32 = 0.45;
const DOWN_SHARE: f32 = 0.4;
/// … and not higher than this above its standing height, metres.
const DOWN_M: f32 = 0.12;

/// The landings of alternating feet, in order: the longest run of them.
pub(crate) fn landings(clip: &Clip, frames: &Range<usize>) -> Vec<Landing> {
    let down = Side::BOTH.map(|side| is_down(clip, side));
    let mut landings: Vec<Landing> = Vec::new();
    for frame in frames.start.max(1)..frames.end.min(clip.len()) {
        for side in Side::BOTH {
            let down = &down[side as usize];
            let before = landings.iter().rev().find(|landing| landing.1 == side);
            let is_apart = before.is_none_or(|before| frame - before.0 >= APART);
            if down[frame] && !down[frame - 1] && is_apart {
                landings.push(Landing(frame, side));
            }
        }
    }
    longest_in_turn(landings)
}

/// Whether a foot is down, in every frame.
fn is_down(clip: &Clip, side: Side) -> Vec<bool> {
    let skeleton = clip.skeleton();
    let [_, _, foot, toes] = HumanBone::leg(side).map(|bone| skeleton.find(bone));
    let (Some(foot), Some(toes)) = (foot, toes) else { return vec![false; clip.len()] };
    let (hips, rest) = (skeleton.hips().get(), skeleton.rest_world());
    let places = clip.world_positions();
    let fps = clip.fps().per_second();
    let speed = |joint: usize, frame: usize| {
        let (from, to) = (frame.saturating_sub(1), (frame + 1).min(places.len() - 1));
        let way = places[to][joint] - places[from][joint];
        hypot(way.x, way.z) * fps / (to - from).max(1) as f32
    };
    (0..places.len())
        .map(|frame| {
            let slow = DOWN_M_S.max(DOWN_SHARE * speed(hips, frame));
            [foot, toes].into_iter().any(|joint| {
                let height = places[frame][joint.get()].y - rest.position(joint).y;
                height < DOWN_M && speed(joint.get(), frame) < slow
            })
        })
        .collect()
}

/// The longest run of landings that alternate between the feet.
fn longest_in_turn(landings: Vec<Landing>) -> Vec<Landing> {
    let (mut longest, mut row): (Vec<Landing>, Vec<Landing>) = (Vec::new(), Vec::new());
    for landing in landings {
        if row.last().is_some_and(|last| last.1 == landing.1) {
            row.clear();
        }
        row.push(landing);
        if row.len() > longest.len() {
            longest.clone_from(&row);
        }
    }
    longest
}
