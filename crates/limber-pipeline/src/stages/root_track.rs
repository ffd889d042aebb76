//! The joint `root`: on the ground below the hips, facing in the direction of the body.

use glam::{Quat, Vec3};
use limber_animation::{Clip, maths::atan2};
use limber_formats::RootTrack;
use limber_retarget::t_pose;

/// Time over which the heading is smoothed, in seconds, so that the root does not turn with every
/// step.
const HEADING_WINDOW_S: f32 = 0.4;

/// Returns the root motion of a clip.
pub(crate) fn of(clip: &Clip) -> RootTrack {
    let skeleton = clip.skeleton();
    let hips = skeleton.hips();
    let rest = skeleton.world(&t_pose(skeleton)).rotation(hips);
    let mut positions = Vec::with_capacity(clip.len());
    let mut headings = Vec::with_capacity(clip.len());
    for pose in clip.frames() {
        let world = skeleton.world(pose);
        positions.push(world.position(hips) * Vec3::new(1.0, 0.0, 1.0));
        let facing = world.rotation(hips) * rest.inverse() * Vec3::Z;
        headings.push(Vec3::new(facing.x, 0.0, facing.z).normalize_or_zero());
    }
    let reach = (HEADING_WINDOW_S / 2.0 * clip.fps().per_second()).round() as usize;
    let mut last = Quat::IDENTITY;
    let rotations = (0..headings.len())
        .map(|frame| {
            // a symmetric window, so that nothing is delayed, not even at the ends
            let reach = reach.min(frame).min(headings.len() - 1 - frame);
            let sum: Vec3 = headings[frame - reach..=frame + reach].iter().sum();
            if let Some(facing) = sum.try_normalize() {
                let turn = Quat::from_rotation_y(atan2(facing.x, facing.z));
                last = if turn.dot(last) < 0.0 { -turn } else { turn };
            }
            last
        })
        .collect();
    RootTrack { positions, rotations }
}
