//! Smooths the new frames next to the edges of a hole so that they continue the movement outside.
//!
//! The body continues for one frame exactly as it moves outside, or goes half the way to the frame
//! further in where that is smoother. For legs there is a trade-off: locking a foot bends the knee,
//! and one that is nearly straight bends fast, while a leg that merely continues drags its standing
//! foot along. So blends of the two are tried, and the smoothest is kept. If none is smooth enough,
//! the foot is moved and rotated slightly as long as that helps, and as a last resort the next
//! frame is extrapolated as well.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, ContactTrack, FrameIndex, JointIndex, Pose, Side, Skeleton, ik};

use super::{
    residual::{continued, turn},
    seam::{STILL_M, STILL_RAD, ratio},
};
use crate::{Soles, feet::Foot, foot_lock::Footprints};

/// Weights of the extrapolated movement that are tried.
const SHARES: [f32; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Shares of the way to the frame further in that are tried as well, where half is too much.
const LATE: [f32; 3] = [0.45, 0.4, 0.33];
/// Largest step of the search that moves and rotates a foot if no candidate is smooth, metres and
/// radians; the smallest step as a share of it, and the maximum number of steps.
const REACH_M: f32 = 0.004;
const REACH_RAD: f32 = 0.03;
const LEAST_REACH: f32 = 0.02;
const MOST_TRIES: usize = 40;
/// A step over an edge is smooth up to this multiple of its neighbours; a tenth more is too much.
const SMOOTH: f32 = 1.1;
/// Up to this change of a rotation from frame to frame, degrees, the movement is smooth.
const SMOOTH_DEG: f32 = 0.9;
/// A leg with a higher roughness, where 1 is too rough, is released or extrapolated.
const TOO_ROUGH: f32 = 0.5;
/// Weight of being too rough relative to unevenness: smoothness comes first.
const ROUGH: f32 = 1000.0;
/// In holes of fewer frames, both ends affect each other.
const SHORT: usize = 4;

/// How smooth rotations must be at the right edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Evenness {
    /// Movement that is played once.
    #[default]
    Once,
    /// A loop, where unevenness is visible in every repetition.
    Round,
}

/// Smooths the first and the last frame of a hole. Returns the frames and feet where that failed.
pub(super) fn smooth_hole_edges(
    clip: &mut Clip,
    hole: &Range<usize>,
    track: &ContactTrack,
    soles: &Soles,
    evenness: Evenness,
) -> Vec<(FrameIndex, Side)> {
    let rounds = if hole.len() < SHORT { 3 } else { 1 };
    let mut rough = Vec::new();
    for _ in 0..rounds {
        rough.clear();
        for edge in edges(clip, hole) {
            let round = evenness == Evenness::Round && edge.outside == hole.end;
            let too_uneven_deg = if round { 0.1 } else { f32::INFINITY };
            let feet = Footprints::all(clip, track, hole, soles);
            let beside = edge.beside(clip, too_uneven_deg);
            let (on, half) = (edge.going_on(&beside), beside.half());
            // in a loop, the hips keep their speed
            let shares = if round { &SHARES[..1] } else { &SHARES[1..] };
            let late = beside.late().into_iter().take(if round { 0 } else { LATE.len() });
            let bodies = shares.iter().map(|share| on.blend(&half, *share)).chain(late);
            let body = above(beside.skeleton, &feet);
            let mut pose = beside.smoothest(std::iter::once(on.clone()).chain(bodies), &body);
            let mut inner = beside.inner.clone();
            for foot in &feet {
                let stands = edge.stands(foot, track);
                let set = &clip.frames()[edge.frame];
                if beside.step(&foot.foot, set, stands, &mut pose) > TOO_ROUGH {
                    rough.push((edge.frame, foot.foot.side));
                    beside.lead_on(&foot.foot, &on, [&mut pose, &mut inner]);
                }
            }
            clip.frames_mut()[edge.frame] = pose;
            if hole.contains(&edge.inner) {
                clip.frames_mut()[edge.inner] = inner;
            }
        }
    }
    rough
}

/// Smooths the first and the last frame of a hole whose hips and legs were kept, where they are not
/// smooth. Returns the frames in which a leg was changed.
pub(super) fn smooth_edges_of_kept_legs(
    clip: &mut Clip,
    hole: &Range<usize>,
    track: &ContactTrack,
    soles: &Soles,
) -> Vec<usize> {
    let mut changed = Vec::new();
    for edge in edges(clip, hole) {
        let feet = Footprints::all(clip, track, hole, soles);
        let beside = edge.beside(clip, f32::INFINITY);
        let old = &clip.frames()[edge.frame];
        let (on, half) = (edge.going_on(&beside), beside.half());
        let body = above(beside.skeleton, &feet);
        let bodies = SHARES.iter().flat_map(|share| [(&on, *share), (&half, *share)]);
        let late = beside.late();
        let bodies = bodies.chain(late.iter().map(|pose| (pose, 1.0)));
        let bodies = bodies.map(|(goal, share)| turned_towards(old, goal, &body, share));
        let (mut pose, mut inner) = (beside.smoothest(bodies, &body), beside.inner.clone());
        let hips = beside.skeleton.hips();
        let hips_jump = beside.roughness(old, &[hips]) > TOO_ROUGH;
        if hips_jump {
            pose.hips_translation = half.hips_translation;
            pose.set_rotation(hips, half.rotation(hips));
        }
        for foot in &feet {
            let joints = below(beside.skeleton, foot.foot.leg[0]);
            if hips_jump || beside.roughness(old, &joints) > 0.0 {
                for joint in joints {
                    pose.set_rotation(joint, on.rotation(joint));
                }
                changed.push(edge.frame);
                let stands = edge.stands(foot, track);
                if beside.step(&foot.foot, old, stands, &mut pose) > TOO_ROUGH {
                    beside.lead_on(&foot.foot, &on, [&mut pose, &mut inner]);
                    changed.push(edge.inner);
                }
            }
        }
        clip.frames_mut()[edge.frame] = pose;
        if hole.contains(&edge.inner) {
            clip.frames_mut()[edge.inner] = inner;
        }
    }
    changed
}

/// The frame inside a hole next to an edge, and its neighbours.
struct Edge {
    beyond: usize,
    outside: usize,
    frame: usize,
    inner: usize,
}

/// The edges of a hole. Next to an end of the clip, `beyond` equals `outside`.
fn edges(clip: &Clip, hole: &Range<usize>) -> impl Iterator<Item = Edge> + use<> {
    let (first, last, end) = (hole.start, hole.end - 1, clip.len() - 1);
    let left = first.checked_sub(1).map(|outside| Edge {
        beyond: outside.saturating_sub(1),
        outside,
        frame: first,
        inner: (first + 1).min(end),
    });
    let right = (hole.end <= end).then_some(Edge {
        beyond: (hole.end + 1).min(end),
        outside: hole.end,
        frame: last,
        inner: last.saturating_sub(1),
    });
    left.into_iter().chain(right)
}

impl Edge {
    fn beside<'a>(&self, clip: &'a Clip, too_uneven_deg: f32) -> Beside<'a> {
        let [beyond, edge, inner] =
            [self.beyond, self.outside, self.inner].map(|frame| &clip.frames()[frame]);
        Beside { skeleton: clip.skeleton(), beyond, edge, inner, too_uneven_deg }
    }

    /// The frame without contacts: extrapolated from the last ones outside, or half the way to the
    /// frame further in if there is only one frame outside and so no velocity.
    fn going_on(&self, beside: &Beside<'_>) -> Pose {
        if self.beyond == self.outside {
            beside.half()
        } else {
            continued(beside.edge, beside.beyond)
        }
    }

    fn stands(&self, foot: &Footprints<'_>, track: &ContactTrack) -> bool {
        foot.touch(track[self.outside]).any() && foot.touch(track[self.frame]).any()
    }
}

/// The poses around a frame next to an edge: two outside, one inside.
#[derive(Clone, Copy)]
struct Beside<'a> {
    skeleton: &'a Skeleton,
    beyond: &'a Pose,
    edge: &'a Pose,
    inner: &'a Pose,
    /// Excess change of a rotation, degrees, that counts as much as a step that is a tenth larger
    /// than its neighbours.
    too_uneven_deg: f32,
}

impl Beside<'_> {
    /// The pose halfway between the one outside and the one further in.
    fn half(&self) -> Pose {
        self.edge.blend(self.inner, 0.5)
    }

    /// Poses less than half the way to the frame further in.
    fn late(&self) -> [Pose; LATE.len()] {
        LATE.map(|share| self.edge.blend(self.inner, share))
    }

    /// The candidate whose joints are smoothest; the first of several equal ones.
    fn smoothest(&self, poses: impl Iterator<Item = Pose>, joints: &[JointIndex]) -> Pose {
        let mut best = (f32::INFINITY, self.edge.clone());
        for pose in poses {
            let rough = self.roughness(&pose, joints);
            if rough < best.0 {
                best = (rough, pose);
            }
            if best.0 <= 0.0 {
                break;
            }
        }
        best.1
    }

    /// Gives a leg of the extrapolated pose the smoothest of its candidate rotations. `set` is the
    /// pose with the foot in its intended place. Returns the roughness of the result.
    fn step(&self, foot: &Foot, set: &Pose, stands: bool, pose: &mut Pose) -> f32 {
        let joints = below(self.skeleton, foot.leg[0]);
        let on_foot = self.places(foot, set, stands, pose).into_iter().map(|place| {
            let mut candidate = pose.clone();
            self.reach(foot, &mut candidate, place);
            candidate
        });
        let set_leg = turned_towards(pose, set, &joints, 1.0);
        let turned = SHARES.iter().map(|share| turned_towards(&set_leg, pose, &joints, *share));
        let cost = |candidate: &Pose| {
            ROUGH * self.roughness(candidate, &joints) + self.unevenness(candidate, &joints)
        };
        let best = on_foot
            .chain(turned)
            .map(|candidate| (cost(&candidate), candidate))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, best)) = best else { return 0.0 };
        let (rough, best) = self.searched(foot, &best, |tried| self.roughness(tried, &joints));
        for joint in joints {
            pose.set_rotation(joint, best.rotation(joint));
        }
        rough
    }

    /// Extrapolates a leg for two frames, the first one either as it is or exactly as outside.
    fn lead_on(&self, foot: &Foot, on: &Pose, [pose, inner]: [&mut Pose; 2]) {
        let joints = below(self.skeleton, foot.leg[0]);
        let ways = [pose.clone(), turned_towards(pose, on, &joints, 1.0)].map(|pose| {
            let mut next = inner.clone();
            self.step_on(foot, &pose, &mut next);
            (Beside { inner: &next, ..*self }.roughness(&pose, &joints), pose, next)
        });
        let [as_is, exactly] = ways;
        let best = if exactly.0 < as_is.0 { exactly } else { as_is };
        (*pose, *inner) = (best.1, best.2);
    }

    /// Moves a leg of the next frame further in its direction, by as little as makes `pose` smooth.
    fn step_on(&self, foot: &Foot, pose: &Pose, inner: &mut Pose) {
        let joints = below(self.skeleton, foot.leg[0]);
        let on = continued(pose, self.edge);
        let at = |pose: &Pose| foot.ankle(self.skeleton, pose);
        let (edge, here, there) = (at(self.edge), at(pose), at(self.inner));
        let goal = (2.0 * here.0 - edge.0, between(edge.1, here.1, 2.0));
        let roughness = |inner: &Pose| Beside { inner, ..*self }.roughness(pose, &joints);
        let mut best = (f32::INFINITY, inner.clone());
        for share in SHARES {
            let turned = turned_towards(inner, &on, &joints, share);
            let mut led = inner.clone();
            self.reach(foot, &mut led, mixed(there, goal, share));
            for tried in [turned, led] {
                let rough = roughness(&tried);
                if rough < best.0 && best.0 > TOO_ROUGH {
                    best = (rough, tried);
                }
            }
        }
        *inner = self.searched(foot, &best.1, |tried| (roughness(tried) - TOO_ROUGH).max(0.0)).1;
    }

    /// Candidate positions and rotations of the ankle.
    fn places(&self, foot: &Foot, set: &Pose, stands: bool, pose: &Pose) -> Vec<(Vec3, Quat)> {
        let at = |pose: &Pose| foot.ankle(self.skeleton, pose);
        let (wanted, on) = (at(set), at(pose));
        let (edge, inner) = (at(self.edge), at(self.inner));
        let middle = mixed(edge, inner, 0.5);
        let mut places: Vec<_> =
            SHARES[..4].iter().map(|share| mixed(wanted, on, *share)).collect();
        if stands {
            places.extend([edge, mixed(edge, on, 0.5)]);
        }
        places.extend([middle, mixed(middle, on, 0.5)]);
        places
    }

    /// Local search: moves and rotates the foot as long as the roughness decreases.
    fn searched(&self, foot: &Foot, start: &Pose, roughness: impl Fn(&Pose) -> f32) -> (f32, Pose) {
        let (mut best, mut least) = (start.clone(), roughness(start));
        let mut size = 1.0_f32;
        for _ in 0..MOST_TRIES {
            if least <= 0.0 || size < LEAST_REACH {
                break;
            }
            let (at, turned) = foot.ankle(self.skeleton, &best);
            let mut better = None;
            for way in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z] {
                let tilt = Quat::from_scaled_axis(way * size * REACH_RAD);
                for place in [(at + way * size * REACH_M, turned), (at, tilt * turned)] {
                    let mut tried = best.clone();
                    self.reach(foot, &mut tried, place);
                    let rough = roughness(&tried);
                    if rough < least {
                        (least, better) = (rough, Some(tried));
                    }
                }
            }
            match better {
                Some(tried) => best = tried,
                None => size *= 0.5,
            }
        }
        (least, best)
    }

    fn reach(&self, foot: &Foot, pose: &mut Pose, (place, turned): (Vec3, Quat)) {
        ik::reach_from_present(self.skeleton, pose, foot.leg, place, Some(turned));
    }

    /// Change of the joints' velocity that a candidate causes at the edge and after it: the mean
    /// over positions in centimetres and rotations in units of five degrees.
    fn unevenness(&self, candidate: &Pose, joints: &[JointIndex]) -> f32 {
        let poses = [self.beyond, self.edge, candidate, self.inner];
        let mut sum = 0.0;
        for joint in joints {
            let places = poses.map(|pose| ik::standing(self.skeleton, pose, *joint).0);
            let ways = [0, 1, 2].map(|k| places[k + 1] - places[k]);
            let turns =
                [0, 1, 2].map(|k| turn(poses[k].rotation(*joint), poses[k + 1].rotation(*joint)));
            let change = |[before, over, behind]: [Vec3; 3]| {
                over.distance(before).max(behind.distance(over))
            };
            sum += change(ways) / 0.01 + change(turns).to_degrees() / 5.0;
        }
        sum / joints.len().max(1) as f32
    }

    /// Roughness of a candidate for the frame: 0 is smooth, 1 is too rough.
    fn roughness(&self, candidate: &Pose, joints: &[JointIndex]) -> f32 {
        let mut roughness = 0.0_f32;
        let poses = [self.beyond, self.edge, candidate, self.inner];
        for joint in joints {
            let places = poses.map(|pose| ik::standing(self.skeleton, pose, *joint).0);
            let ways = [0, 1, 2].map(|k| places[k + 1] - places[k]);
            let turns =
                [0, 1, 2].map(|k| turn(poses[k].rotation(*joint), poses[k + 1].rotation(*joint)));
            let worse = ratio(ways, STILL_M).max(ratio(turns, STILL_RAD));
            let uneven_deg = turns[1].distance(turns[0]).to_degrees();
            roughness = roughness
                .max((worse - SMOOTH) / 0.1)
                .max((uneven_deg - SMOOTH_DEG) / self.too_uneven_deg);
        }
        roughness
    }
}

fn mixed(from: (Vec3, Quat), to: (Vec3, Quat), share: f32) -> (Vec3, Quat) {
    (from.0.lerp(to.0, share), between(from.1, to.1, share))
}

fn between(from: Quat, to: Quat, share: f32) -> Quat {
    from.slerp(if from.dot(to) < 0.0 { -to } else { to }, share)
}

/// A pose with some joints rotated by a share of the way to another pose.
fn turned_towards(pose: &Pose, goal: &Pose, joints: &[JointIndex], share: f32) -> Pose {
    let mut turned = pose.clone();
    for joint in joints {
        turned.set_rotation(*joint, between(pose.rotation(*joint), goal.rotation(*joint), share));
    }
    turned
}

/// A joint and its descendants.
fn below(skeleton: &Skeleton, root: JointIndex) -> Vec<JointIndex> {
    let mut found = vec![root];
    for joint in skeleton.indices() {
        if skeleton.joint(joint).parent.is_some_and(|parent| found.contains(&parent)) {
            found.push(joint);
        }
    }
    found
}

/// All joints except hips and legs.
fn above(skeleton: &Skeleton, feet: &[Footprints<'_>]) -> Vec<JointIndex> {
    let legs: Vec<JointIndex> =
        feet.iter().flat_map(|foot| below(skeleton, foot.foot.leg[0])).collect();
    skeleton.indices().filter(|joint| *joint != skeleton.hips() && !legs.contains(joint)).collect()
}
