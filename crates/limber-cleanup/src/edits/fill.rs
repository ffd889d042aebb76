//! Fills a hole in a clip with new movement.

use std::ops::Range;

use glam::Vec3;
use limber_animation::{
    Clip, ContactTrack, Contacts, Face, FrameIndex, Pose, Side, smooth::smoothstep,
};

use super::{
    footwork,
    hole_edges::{Evenness, smooth_edges_of_kept_legs, smooth_hole_edges},
    knees,
    residual::{Fade, Residual, continued},
    root_path::Edge,
};
use crate::{
    Soles,
    foot_lock::{Footprints, Touch, horizontal, lock_feet_between},
};

/// Time in which differences at the edges fade into an action, seconds.
const FADE_S: f32 = 0.45;
/// Maximum time in which the speed at the edges fades on a bridge without an action, seconds.
const MOMENTUM_S: f32 = 1.0;
/// A foot that moves faster is not standing, m/s.
const STANDS_M_S: f32 = 0.0045;
/// A foot that a leg that is too short drags faster than this cannot be locked, m/s.
const DRAGGED_M_S: f32 = 0.02;
/// How long a foot that cannot be locked smoothly is released next to an edge, seconds.
const RELEASE_S: f32 = 0.2;
/// Maximum number of rounds of releasing feet; then the result is accepted as it is.
const MOST_ROUNDS: usize = 6;

/// New movement for the frames of a hole, placed in world space.
pub(super) struct Material {
    /// One pose per frame, and one more on either side.
    poses: Vec<Pose>,
    /// The contacts that the movement has, one entry per frame.
    contacts: ContactTrack,
    /// Whether the movement is an action, into which differences should fade quickly.
    is_action: bool,
    /// How smooth its end must be.
    evenness: Evenness,
}

impl Material {
    /// From an engine's poses, extrapolated by one frame at both ends.
    pub(super) fn new(poses: &[Pose], contacts: ContactTrack) -> Self {
        let (first, last) = (0, poses.len() - 1);
        let before = continued(&poses[first], &poses[1.min(last)]);
        let after = continued(&poses[last], &poses[last.saturating_sub(1)]);
        let poses = std::iter::once(before).chain(poses.iter().cloned()).chain([after]).collect();
        Self { poses, contacts, is_action: true, evenness: Evenness::Once }
    }

    /// From the poses on both sides and interpolated poses between them. The contacts are the same
    /// in every frame.
    pub(super) fn between(left: &Pose, between: Vec<Pose>, right: &Pose, feet: Contacts) -> Self {
        let contacts = vec![feet; between.len()];
        let mut poses = vec![left.clone()];
        poses.extend(between);
        poses.push(right.clone());
        Self { poses, contacts, is_action: false, evenness: Evenness::Once }
    }

    /// The same material with another requirement on its end.
    pub(super) fn ending(self, evenness: Evenness) -> Self {
        Self { evenness, ..self }
    }

    fn frames(&self) -> usize {
        self.contacts.len()
    }
}

/// The poses next to a hole.
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

/// Writes the material into the hole so that position and velocity match at both edges. With a
/// mask, only the masked joints are taken from the material; the hips and all other joints stay as
/// they are.
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
        pose.face = faded_face(clip, hole, (place, pose.face), fps);
        let old = &mut clip.frames_mut()[frame];
        match mask {
            None => *old = pose,
            Some(mask) => {
                old.face = pose.face;
                for (joint, _) in mask.iter().enumerate().filter(|(_, taken)| **taken) {
                    old.rotations[joint] = pose.rotations[joint];
                }
            }
        }
    }
}

/// The face of the frame at `place` in the hole, blended from and to those next to the hole.
fn faded_face(clip: &Clip, hole: &Range<usize>, (place, new): (usize, Face), fps: f32) -> Face {
    let share = |frames: usize| smoothstep(frames as f32 / (FADE_S * fps).max(1.0));
    let before = hole.start.checked_sub(1).map(|frame| &clip.frames()[frame].face);
    let after = clip.frames().get(hole.end).map(|pose| &pose.face);
    let new = before.map_or_else(|| new.clone(), |edge| edge.blend(&new, share(place + 1)));
    after.map_or_else(|| new.clone(), |edge| edge.blend(&new, share(hole.len() - place)))
}

/// Fills the hole: first the body, then the feet. `outside` holds the contacts of all frames; those
/// in the hole are replaced. Returns the contacts that could be realised.
pub(super) fn fill(
    clip: &mut Clip,
    hole: &Range<usize>,
    material: &Material,
    mut outside: ContactTrack,
) -> ContactTrack {
    write(clip, hole, material, None);
    knees::straighten(clip, hole);
    outside[hole.clone()].copy_from_slice(&material.contacts);
    let soles = Soles::of_skeleton(clip.skeleton());
    let written = clip.clone();
    let footwork::Footwork { mut track, lifts } = footwork::plan(clip, hole, outside, &soles);
    // a foot locked by a leg that is too short would be dragged, and one that cannot be locked
    // smoothly would jerk; release them instead
    for round in 0..MOST_ROUNDS {
        *clip = lock_feet_between(&written, &track, &soles, hole, &lifts);
        let held = came_true(clip, hole, track.clone(), &soles, DRAGGED_M_S);
        let last = round + 1 == MOST_ROUNDS;
        if held != track && !last {
            track = held;
            continue;
        }
        let rough = smooth_hole_edges(clip, hole, &track, &soles, material.evenness);
        let free = release_rough_feet(clip, hole, &rough, track.clone());
        if free == track || last {
            break;
        }
        track = free;
    }
    came_true(clip, hole, track, &soles, STANDS_M_S)
}

/// Removes contacts of feet for some time next to the edges where they are not smooth.
fn release_rough_feet(
    clip: &Clip,
    hole: &Range<usize>,
    rough: &[(FrameIndex, Side)],
    mut track: ContactTrack,
) -> ContactTrack {
    let near = (RELEASE_S * clip.fps().per_second()).round() as usize;
    for (edge, side) in rough {
        for frame in hole.clone().filter(|frame| frame.abs_diff(*edge) < near) {
            for point in points(*side) {
                track[frame].set(point, false);
            }
        }
    }
    track
}

/// Keeps the legs in a hole as they are. Returns the contacts that still hold.
pub(super) fn keep_legs(clip: &mut Clip, hole: &Range<usize>, track: ContactTrack) -> ContactTrack {
    let soles = Soles::of_skeleton(clip.skeleton());
    let changed = smooth_edges_of_kept_legs(clip, hole, &track, &soles);
    changed
        .into_iter()
        .fold(track, |track, frame| came_true(clip, &(frame..frame + 1), track, &soles, STANDS_M_S))
}

/// Removes contacts of feet that moved nevertheless, because a leg was too short.
fn came_true(
    clip: &Clip,
    hole: &Range<usize>,
    mut track: ContactTrack,
    soles: &Soles,
    fastest_m_s: f32,
) -> ContactTrack {
    let planned = track.clone();
    let most_m = fastest_m_s * crate::feet::leg_scale(clip.skeleton()) / clip.fps().per_second();
    for foot in Footprints::all(clip, &planned, hole, soles) {
        let touch = |frame: usize| foot.touch(planned[frame]);
        let moved = |a: usize, b: usize| {
            let far = |points: &[Vec3]| horizontal(points[a] - points[b]).length() > most_m;
            let both = |point: fn(Touch) -> bool| point(touch(a)) && point(touch(b));
            (both(|touch| touch.toe) && far(&foot.path.ball))
                || (both(|touch| touch.heel) && far(&foot.path.heel))
        };
        for frame in hole.clone() {
            let from_before = frame > 0 && moved(frame - 1, frame);
            // the last frame is compared with the one outside, which does not change
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
