//! Measures how well a clip, or a part of it, loops.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, FrameIndex, Pose};

use crate::CanonicalClip;

/// Jumps of a joint's rotation up to this are not noticeable at a normal camera distance, in
/// degrees.
const POSE_SEEN_DEG: f32 = 6.0;
/// Jumps of a joint's speed up to this are not noticeable, in cm/s.
const SPEED_SEEN_CM_S: f32 = 20.0;

/// The discontinuity between the end of a part and its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopGap {
    /// Largest change of a joint's rotation from the last frame to the first, in degrees; see
    /// [`loop_gap_deg`].
    pub pose_deg: f32,
    /// Change of a joint's velocity at the loop point, relative to the facing of the body, in cm/s;
    /// for the joint for which it is most unusual.
    pub speed_cm_s: f32,
    /// Largest change of this joint's velocity within the clip, in cm/s. Stepping feet change their
    /// velocity more than an evenly moving trunk, and a loop point shows where a joint changes it
    /// more than elsewhere.
    pub usual_cm_s: f32,
}

/// Measures parts of one clip, fast enough for a dragged handle.
#[derive(Debug)]
pub struct LoopMeter {
    clip: Clip,
    /// For each frame and joint, the velocity to the next frame relative to the facing of the body,
    /// in cm/s.
    speeds: Vec<Vec<Vec3>>,
    /// For each joint, the largest change of its velocity within the clip, in cm/s.
    usual_cm_s: Vec<f32>,
}

/// Returns the largest change of a joint's rotation from the last frame to the first, in degrees.
/// Position and facing of the body do not count, because travelling clips can loop too.
#[must_use]
pub fn loop_gap_deg(canonical: &CanonicalClip) -> f32 {
    gap_deg(&canonical.clip)
}

pub(crate) fn gap_deg(clip: &Clip) -> f32 {
    let frames = clip.frames();
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return 0.0 };
    pose_gap_deg(clip, first, last)
}

fn pose_gap_deg(clip: &Clip, first: &Pose, last: &Pose) -> f32 {
    let upright = |rotation: Quat| heading(rotation).inverse() * rotation;
    let hips = clip.skeleton().hips().get();
    let turn = |joint: usize| {
        let (first, last) = (first.rotations[joint], last.rotations[joint]);
        if joint == hips {
            upright(first).angle_between(upright(last))
        } else {
            first.angle_between(last)
        }
    };
    (0..first.rotations.len()).map(turn).fold(0.0, f32::max).to_degrees()
}

/// Returns the yaw of a rotation of the hips.
fn heading(rotation: Quat) -> Quat {
    let heading = Quat::from_xyzw(0.0, rotation.y, 0.0, rotation.w);
    // an upside-down body has no facing
    if heading.length_squared() < 1e-6 { Quat::IDENTITY } else { heading.normalize() }
}

impl LoopMeter {
    /// Analyses every frame of a clip.
    #[must_use]
    pub fn new(canonical: CanonicalClip) -> Self {
        let clip = canonical.clip;
        let speeds = speeds(&clip);
        let usual_cm_s = usual(&clip, &speeds);
        Self { clip, speeds, usual_cm_s }
    }

    /// Returns the number of frames of the clip.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.clip.len()
    }

    /// Returns how well a part loops; `None` if it has fewer than two frames or extends beyond the
    /// clip.
    #[must_use]
    pub fn gap(&self, part: &Range<FrameIndex>) -> Option<LoopGap> {
        let sound = part.start + 1 < part.end && part.end <= self.clip.len();
        sound.then(|| {
            let (first, last) = (part.start, part.end - 1);
            let frames = self.clip.frames();
            let (speed_cm_s, usual_cm_s) = self.most_unusual(last - 1, first);
            let pose_deg = pose_gap_deg(&self.clip, &frames[first], &frames[last]);
            LoopGap { pose_deg, speed_cm_s, usual_cm_s }
        })
    }

    /// Returns the end, at most `reach` frames from that of `part`, with which the part loops best.
    /// `None` if no end is better or the loop is already unnoticeable.
    #[must_use]
    pub fn better_end(&self, part: &Range<FrameIndex>, reach: usize) -> Option<FrameIndex> {
        let now = self.fault(part)?;
        if now <= 1.0 {
            return None;
        }
        let least = part.end.saturating_sub(reach).max(part.start + 2);
        let most = part.end.saturating_add(reach).min(self.clip.len());
        let ends = (least..=most).filter_map(|end| Some((end, self.fault(&(part.start..end))?)));
        let nearer_first = |end: FrameIndex| end.abs_diff(part.end);
        let best = ends.min_by(|(one, a), (other, b)| {
            a.total_cmp(b).then(nearer_first(*one).cmp(&nearer_first(*other)))
        });
        best.filter(|(_, fault)| *fault < now).map(|(end, _)| end)
    }

    /// Returns the worse of pose and speed, as a multiple of what is noticeable.
    fn fault(&self, part: &Range<FrameIndex>) -> Option<f32> {
        let gap = self.gap(part)?;
        Some((gap.pose_deg / POSE_SEEN_DEG).max(gap.speed_cm_s / gap.usual_cm_s))
    }

    /// Returns the change of velocity between two frames for the joint for which it is most
    /// unusual, and what is usual for that joint.
    fn most_unusual(&self, from: FrameIndex, to: FrameIndex) -> (f32, f32) {
        let changes = self.speeds[from].iter().zip(&self.speeds[to]);
        let changes =
            changes.map(|(from, to)| from.distance(*to)).zip(self.usual_cm_s.iter().copied());
        changes.max_by(|(a, of_a), (b, of_b)| (a / of_a).total_cmp(&(b / of_b))).unwrap_or_default()
    }
}

fn speeds(clip: &Clip) -> Vec<Vec<Vec3>> {
    let cm_s = 100.0 * clip.fps().per_second();
    let hips = clip.skeleton().hips().get();
    let places = clip.world_positions();
    places
        .windows(2)
        .zip(clip.frames())
        .map(|(pair, pose)| {
            let back = heading(pose.rotations[hips]).inverse();
            pair[0].iter().zip(&pair[1]).map(|(from, to)| back * (*to - *from) * cm_s).collect()
        })
        .collect()
}

/// Returns the usual change of velocity of each joint. The step across the loop point lies between
/// the last step of one repetition and the first of the next, so even a perfect loop changes its
/// velocity as much as a clip does in two steps.
fn usual(clip: &Clip, speeds: &[Vec<Vec3>]) -> Vec<f32> {
    let mut usual = vec![SPEED_SEEN_CM_S; clip.skeleton().len()];
    for steps in speeds.windows(3) {
        for ((most, from), to) in usual.iter_mut().zip(&steps[0]).zip(&steps[2]) {
            *most = most.max(from.distance(*to));
        }
    }
    usual
}
