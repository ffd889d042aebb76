//! Filling a hole in a clip with new movement.

use std::ops::Range;

use limber_animation::{Clip, ContactTrack, Contacts, Pose, Side};

use super::{
    footwork,
    residual::{Fade, Residual, continued},
    root_path::Edge,
};
use crate::{
    Soles,
    foot_lock::{Footprints, Touch, lock_feet_between},
};

/// Differences at the edge of an action fade within this time, seconds.
const FADE_S: f32 = 0.45;
/// On a bridge without an action speed fades as slowly as the bridge lets it, but within this,
/// seconds.
const MOMENTUM_S: f32 = 1.0;
/// A foot that moves further between two frames does not stand, metres.
const STANDS_M: f32 = 0.0007;

/// New movement for the frames of a hole, where it shall be in the world.
pub(super) struct Material {
    /// One pose per frame, and one more on either side.
    poses: Vec<Pose>,
    /// What the feet wish, one entry per frame.
    contacts: ContactTrack,
    /// Whether something happens, that differences should leave alone soon.
    is_action: bool,
}

impl Material {
    /// From an engine's poses; the movement goes on evenly beyond them.
    pub(super) fn new(poses: &[Pose], contacts: ContactTrack) -> Self {
        let (first, last) = (0, poses.len() - 1);
        let before = continued(&poses[first], &poses[1.min(last)]);
        let after = continued(&poses[last], &poses[last.saturating_sub(1)]);
        let poses = std::iter::once(before).chain(poses.iter().cloned()).chain([after]).collect();
        Self { poses, contacts, is_action: true }
    }

    /// From the poses on both sides alone, through those between. Feet wish the same in every
    /// frame.
    pub(super) fn between(left: &Pose, between: Vec<Pose>, right: &Pose, feet: Contacts) -> Self {
        let contacts = vec![feet; between.len()];
        let mut poses = vec![left.clone()];
        poses.extend(between);
        poses.push(right.clone());
        Self { poses, contacts, is_action: false }
    }

    fn frames(&self) -> usize {
        self.contacts.len()
    }
}

/// The poses beside a hole.
pub(super) fn edges<'a>(
    frames: &'a [Pose],
    hole: &Range<usize>,
) -> (Option<Edge<'a>>, Option<Edge<'a>>) {
    let at = |frame: Option<usize>| frame.and_then(|frame| frames.get(frame));
    let left = at(hole.start.checked_sub(1))
        .map(|pose| Edge { at: pose, beyond: at(hole.start.checked_sub(2)) });
    let right = at(Some(hole.end)).map(|pose| Edge { at: pose, beyond: at(Some(hole.end + 1)) });
    (left, right)
}

/// Writes the material into the hole so that both edges are met in place and in speed. With a mask,
/// only those joints are taken from the material; the hips and the others stay as they are.
pub(super) fn write(
    clip: &mut Clip,
    hole: &Range<usize>,
    material: &Material,
    mask: Option<&[bool]>,
) {
    let count = material.frames();
    let fps = clip.fps().per_second();
    let whole = (count + 1) as f32;
    let fade = Fade {
        pose: if material.is_action { (FADE_S * fps).min(whole) } else { whole },
        speed: (fps * if material.is_action { FADE_S } else { MOMENTUM_S }).min(whole),
    };
    let (left, right) = edges(clip.frames(), hole);
    let poses = &material.poses;
    let left = left.map(|edge| Residual::at(edge.at, edge.beyond, [&poses[0], &poses[1]], fade));
    let right = right
        .map(|edge| Residual::at(edge.at, edge.beyond, [&poses[count + 1], &poses[count]], fade));
    for (place, frame) in hole.clone().enumerate() {
        let mut pose = poses[place + 1].clone();
        if let Some(residual) = &left {
            residual.add_to(&mut pose, (place + 1) as f32);
        }
        if let Some(residual) = &right {
            residual.add_to(&mut pose, (count - place) as f32);
        }
        let old = &mut clip.frames_mut()[frame];
        match mask {
            None => *old = pose,
            Some(mask) => {
                for (joint, _) in mask.iter().enumerate().filter(|(_, taken)| **taken) {
                    old.rotations[joint] = pose.rotations[joint];
                }
            }
        }
    }
}

/// Fills the hole: body first, then feet. `outside` holds the contacts of all frames; those in the
/// hole are replaced. Comes back with the contacts that came true.
pub(super) fn fill(
    clip: &mut Clip,
    hole: &Range<usize>,
    material: &Material,
    mut outside: ContactTrack,
) -> ContactTrack {
    write(clip, hole, material, None);
    outside[hole.clone()].copy_from_slice(&material.contacts);
    let soles = Soles::of_skeleton(clip.skeleton());
    let work = footwork::plan(clip, hole, outside, &soles);
    *clip = lock_feet_between(clip, &work.track, &soles, hole, &work.lifts);
    go_on_evenly(clip, hole);
    came_true(clip, hole, work.track, &soles)
}

/// Setting feet bends knees, and a knee that is nearly straight bends fast; so the frame next to an
/// edge goes on exactly as the frames outside do, and what it was further in begins a frame later.
fn go_on_evenly(clip: &mut Clip, hole: &Range<usize>) {
    let (left, right) = edges(clip.frames(), hole);
    let next = |edge: Option<Edge<'_>>| {
        edge.and_then(|edge| edge.beyond.map(|beyond| continued(edge.at, beyond)))
    };
    let (first, last) = (next(left), next(right));
    if let Some(pose) = first {
        clip.frames_mut()[hole.start] = pose;
    }
    if let Some(pose) = last {
        clip.frames_mut()[hole.end - 1] = pose;
    }
}

/// Takes back contacts of feet that moved all the same, because a leg was too short.
fn came_true(
    clip: &Clip,
    hole: &Range<usize>,
    mut track: ContactTrack,
    soles: &Soles,
) -> ContactTrack {
    let planned = track.clone();
    let scale = crate::feet::leg_scale(clip.skeleton());
    for foot in Footprints::all(clip, soles) {
        let touch = |frame: usize| foot.touch(planned[frame]);
        let moved = |a: usize, b: usize| {
            let point = |frame: usize| match (touch(a), touch(b)) {
                (Touch { toe: true, .. }, Touch { toe: true, .. }) => Some(foot.path.ball[frame]),
                (Touch { heel: true, .. }, Touch { heel: true, .. }) => Some(foot.path.heel[frame]),
                _ => None,
            };
            let way = point(a).zip(point(b)).map(|(a, b)| crate::foot_lock::horizontal(a - b));
            way.is_some_and(|way| way.length() > STANDS_M * scale)
        };
        for frame in hole.clone() {
            let from_before = frame > 0 && moved(frame - 1, frame);
            // the last frame is judged against the one outside, which stays as it is
            let to_after = frame + 1 == hole.end && hole.end < clip.len() && moved(frame, hole.end);
            if from_before || to_after {
                for point in points(foot.foot.side) {
                    track[frame].set(point, false);
                }
            }
        }
    }
    track
}

fn points(side: Side) -> [limber_animation::ContactPoint; 2] {
    use limber_animation::ContactPoint as Point;
    [Point::Heel(side), Point::Toe(side)]
}
