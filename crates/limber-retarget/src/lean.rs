//! Puts hands that support the body onto the floor.
//!
//! On a body with other proportions, the hands of a crawling character float above the floor or
//! sink into it. While a palm of the source is on the floor, the character's palm is put there too,
//! and it stays in place for as long as the source's does. If the arms are too short, the trunk
//! bends down.

use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, HumanBone, JointIndex, Pose, Skeleton,
    ik::{reach, standing},
    maths::atan,
    smooth::smoothstep,
};

use crate::touch::Body;

/// A palm at or below the first height is on the floor, one above the second is not, in
/// metres. In between, the correction is blended. The canonical palm is 3 cm thick.
const LEANING_M: f32 = 0.06;
const FREE_M: f32 = 0.13;
/// A palm slower than this stays in place, in metres per second.
const STILL_M_S: f32 = 0.12;
/// Number of frames over which a correction fades in and out.
const FADE_FRAMES: usize = 5;
/// Maximum bend of the trunk for short arms, in radians.
const MOST_BEND: f32 = 0.6;
/// The fraction of its full length that an arm may be stretched to, so that it is never quite
/// straight.
const STRETCHED: f32 = 0.985;

/// Returns the retargeted clip with its palms on the floor wherever those of `source` are. A clip
/// without such contacts is returned unchanged.
#[must_use]
pub fn lean_on_floor(source: &Clip, carried: &Clip) -> Clip {
    let bodies = Body::new(source.skeleton()).zip(Body::new(carried.skeleton()));
    let Some((from, to)) = bodies else { return carried.clone() };
    let palms: Vec<[Vec3; 2]> = source
        .frames()
        .iter()
        .map(|pose| [0, 1].map(|side| from.palm(&from.skeleton.world(pose), side)))
        .collect();
    if palms.iter().flatten().all(|palm| palm.y > FREE_M) {
        return carried.clone();
    }
    let frame_s = 1.0 / f32::from(source.fps().get());
    let scale = to.palm_length() / from.palm_length().max(1e-4);
    let mut leaning = carried.clone();
    let skeleton = Arc::clone(leaning.skeleton());
    for _ in 0..2 {
        // bending the trunk moves both hands, so they are placed again
        let wanted = [0, 1].map(|side| wanted(&to, &leaning, side, &palms, scale, frame_s));
        bend_down(&to, &skeleton, &mut leaning, &wanted);
        for (frame, pose) in leaning.frames_mut().iter_mut().enumerate() {
            for (side, wanted) in wanted.iter().enumerate() {
                if let Some(shift) = wanted[frame] {
                    put(&to, pose, side, shift);
                }
            }
        }
    }
    leaning
}

/// Returns how far a palm has to move in each frame; `None` where it is not on the floor.
fn wanted(
    body: &Body,
    clip: &Clip,
    side: usize,
    palms: &[[Vec3; 2]],
    scale: f32,
    frame_s: f32,
) -> Vec<Option<Vec3>> {
    let weights: Vec<f32> = palms
        .iter()
        .map(|palm| smoothstep((FREE_M - palm[side].y) / (FREE_M - LEANING_M)))
        .collect();
    let is: Vec<Vec3> =
        clip.frames().iter().map(|pose| body.palm(&body.skeleton.world(pose), side)).collect();
    let mut held: Vec<Vec3> = is.clone();
    for run in runs(palms, &weights, side, frame_s) {
        let middle = is[run.clone()].iter().sum::<Vec3>() / run.len() as f32;
        let begin = run.start.saturating_sub(FADE_FRAMES);
        let end = (run.end + FADE_FRAMES).min(is.len());
        for (frame, held) in (begin..).zip(&mut held[begin..end]) {
            let outside = run.start.saturating_sub(frame).max((frame + 1).saturating_sub(run.end));
            let share = smoothstep(1.0 - outside as f32 / (FADE_FRAMES + 1) as f32);
            *held = held.lerp(middle.with_y(held.y), share);
        }
    }
    (0..is.len())
        .map(|frame| {
            let height_m = palms[frame][side].y.max(0.0) * scale;
            let down = Vec3::Y * (height_m - is[frame].y) * weights[frame];
            let aside = (held[frame] - is[frame]).with_y(0.0);
            let shift = down + aside;
            (weights[frame] > 0.0 || aside.length() > 1e-4).then_some(shift)
        })
        .collect()
}

/// Returns the ranges of frames in which a palm of the source rests on the floor without sliding.
fn runs(
    palms: &[[Vec3; 2]],
    weights: &[f32],
    side: usize,
    frame_s: f32,
) -> Vec<std::ops::Range<usize>> {
    let is_still = |frame: usize| {
        let before = palms[frame.saturating_sub(1)][side];
        let speed = (palms[frame][side] - before).with_y(0.0).length() / frame_s;
        weights[frame] > 0.5 && speed < STILL_M_S
    };
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for frame in (0..palms.len()).filter(|frame| is_still(*frame)) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs.retain(|run| run.len() > 2);
    runs
}

/// Bends the trunk in frames where an arm cannot reach its target.
fn bend_down(body: &Body, skeleton: &Skeleton, clip: &mut Clip, wanted: &[Vec<Option<Vec3>>; 2]) {
    let Some(spine) = skeleton.find(HumanBone::Spine) else { return };
    let mut bends: Vec<f32> = (clip.frames().iter().enumerate())
        .map(|(frame, pose)| {
            let each = [0, 1].map(|side| missing(body, pose, side, wanted[side][frame], spine));
            each[0].max(each[1]).min(MOST_BEND)
        })
        .collect();
    if bends.iter().all(|bend| *bend < 1e-3) {
        return;
    }
    bends = spread(&bends);
    for (pose, bend) in clip.frames_mut().iter_mut().zip(bends) {
        let (_, turned) = standing(skeleton, pose, spine);
        let across = (turned * body.left(spine)).normalize_or(Vec3::X);
        let world = Quat::from_axis_angle(across, bend) * turned;
        let parent = skeleton.joint(spine).parent;
        let above = parent.map_or(Quat::IDENTITY, |parent| standing(skeleton, pose, parent).1);
        pose.set_rotation(spine, (above.inverse() * world).normalize());
    }
}

/// Returns the bend of the trunk that one arm needs, in radians.
fn missing(body: &Body, pose: &Pose, side: usize, shift: Option<Vec3>, spine: JointIndex) -> f32 {
    let Some(shift) = shift else { return 0.0 };
    let [upper, lower, hand] = body.chain(side);
    let at = |joint| standing(body.skeleton, pose, joint).0;
    let (shoulder, elbow, wrist) = (at(upper), at(lower), at(hand));
    let length = STRETCHED * (shoulder.distance(elbow) + elbow.distance(wrist));
    let target = wrist + shift;
    let level = (target - shoulder).with_y(0.0).length().min(0.95 * length);
    let reach_m = (length * length - level * level).sqrt();
    let lack_m = (shoulder.y - target.y) - reach_m;
    let lever_m = (shoulder - at(spine)).with_y(0.0).length().max(0.08);
    if lack_m <= 0.0 { 0.0 } else { atan(lack_m / lever_m) }
}

/// Returns the smoothed maximum around each frame, so that a bend is complete by the time it is
/// needed.
fn spread(values: &[f32]) -> Vec<f32> {
    let around = |values: &[f32], of: &dyn Fn(&[f32]) -> f32| -> Vec<f32> {
        (0..values.len())
            .map(|frame| {
                let to = (frame + FADE_FRAMES + 1).min(values.len());
                of(&values[frame.saturating_sub(FADE_FRAMES)..to])
            })
            .collect()
    };
    let most = around(values, &|window| window.iter().copied().fold(0.0, f32::max));
    around(&most, &|window| window.iter().sum::<f32>() / window.len() as f32)
}

fn put(body: &Body, pose: &mut Pose, side: usize, shift: Vec3) {
    let chain = body.chain(side);
    if shift.is_finite() && shift.length() > 5e-4 {
        let (at, turned) = standing(body.skeleton, pose, chain[2]);
        reach(body.skeleton, pose, chain, at + shift, None, Some(turned));
    }
}
