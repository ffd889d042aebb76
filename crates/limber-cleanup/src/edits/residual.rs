//! Blends out the differences at an edge.
//!
//! *Inertialisation* (D. Bollo, *Inertialization: High-Performance Animation Transitions in Gears
//! of War*, GDC 2018): new movement is not cross-faded with old; instead, the difference in pose
//! and velocity at the edge is added to it and decays. Here the two decay separately, each along
//! the smoothest polynomial of its degree, so that velocity matches exactly at the edge however
//! large the difference in pose is.

use glam::{Quat, Vec3};
use limber_animation::Pose;

use crate::curve::{least_snap, momentum};

/// Number of frames over which the differences decay.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fade {
    pub(super) pose: f32,
    pub(super) speed: f32,
}

/// Differences in pose and velocity at one edge.
pub(super) struct Residual {
    hips: Difference,
    turns: Vec<Difference>,
    fade: Fade,
}

/// In metres and metres per frame, or in radians and radians per frame about axes aligned with the
/// world.
struct Difference {
    pose: Vec3,
    speed: Vec3,
    /// Number of frames over which the velocity decays.
    fade: f32,
}

/// Maximum overshoot of a joint because of its velocity, radians, approximately; a faster joint
/// decays sooner.
const MOST_OVERSHOOT_RAD: f32 = 0.5;
/// The maximum of [`momentum`].
const MOMENTUM_PEAK: f32 = 0.227;
/// Minimum decay time of a velocity, frames.
const LEAST_FADE: f32 = 4.0;

impl Difference {
    fn of_turn(pose: Vec3, speed: Vec3, fade: &Fade) -> Self {
        let most = MOST_OVERSHOOT_RAD / (MOMENTUM_PEAK * speed.length()).max(1e-6);
        Self { pose, speed, fade: fade.speed.min(most.max(LEAST_FADE)) }
    }
}

impl Residual {
    /// `edge` is the pose outside, next to the new movement, and `beyond` the one before it; `new`
    /// are the first frames of the new movement as seen from the edge, the first of which coincides
    /// with `edge`.
    pub(super) fn at(edge: &Pose, beyond: Option<&Pose>, new: [&Pose; 2], fade: Fade) -> Self {
        let beyond = beyond.unwrap_or(edge);
        let hips = Difference {
            pose: edge.hips_translation - new[0].hips_translation,
            speed: (edge.hips_translation - beyond.hips_translation)
                - (new[1].hips_translation - new[0].hips_translation),
            fade: fade.speed,
        };
        let turns = (0..edge.rotations.len())
            .map(|joint| {
                let apart = turn(new[0].rotations[joint], edge.rotations[joint]);
                let apart = Quat::from_scaled_axis(apart);
                let outside = turn(beyond.rotations[joint], edge.rotations[joint]);
                let inside = turn(new[0].rotations[joint], new[1].rotations[joint]);
                // the rotation of the new movement as it appears after the difference is added
                Difference::of_turn(apart.to_scaled_axis(), outside - apart * inside, &fade)
            })
            .collect();
        Self { hips, turns, fade }
    }

    /// Adds the remaining differences `frames` after the edge.
    pub(super) fn add_to(&self, pose: &mut Pose, frames: f32) {
        let left = 1.0 - least_snap(frames / self.fade.pose.max(1.0));
        let swing = |of: &Difference| of.speed * of.fade * momentum(frames / of.fade.max(1.0));
        pose.hips_translation += self.hips.pose * left + swing(&self.hips);
        for (turn, difference) in pose.rotations.iter_mut().zip(&self.turns) {
            let apart = Quat::from_scaled_axis(difference.pose * left);
            let moving = Quat::from_scaled_axis(swing(difference));
            *turn = (moving * apart * *turn).normalize();
        }
    }
}

/// The rotation from one orientation to another along the shorter arc, as a rotation vector.
pub(super) fn turn(from: Quat, to: Quat) -> Vec3 {
    let turn = (to * from.inverse()).normalize();
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

/// Extrapolates the movement by one frame.
pub(super) fn continued(last: &Pose, before: &Pose) -> Pose {
    let rotations = last
        .rotations
        .iter()
        .zip(&before.rotations)
        .map(|(last, before)| (Quat::from_scaled_axis(turn(*before, *last)) * *last).normalize())
        .collect();
    let hips_translation = 2.0 * last.hips_translation - before.hips_translation;
    Pose { hips_translation, rotations, face: last.face.clone() }
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_residual_matches_pose_and_speed_and_fades_to_zero(
            axis in (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0), apart in -2.5f32..2.5,
            speed in -0.1f32..0.1, own in -0.1f32..0.1,
        ) {
            let skeleton = canonical_skeleton();
            let rest = skeleton.rest_pose();
            let with = |turn: Quat| Pose { rotations: vec![turn; rest.rotations.len()], ..rest.clone() };
            let axis = Vec3::new(axis.0, axis.1, axis.2).normalize_or(Vec3::X);
            let edge = Quat::from_axis_angle(axis, apart);
            let (edge, beyond) =
                (with(edge), with(Quat::from_rotation_z(-speed) * edge));
            let new = |frame: f32| with(Quat::from_rotation_x(own * frame));
            let fade = Fade { pose: 12.0, speed: 200.0 };
            let residual = Residual::at(&edge, Some(&beyond), [&new(0.0), &new(1.0)], fade);
            let at = |frame: f32| {
                let mut pose = new(frame);
                residual.add_to(&mut pose, frame);
                pose.rotations[3]
            };
            prop_assert!(at(0.0).angle_between(edge.rotations[3]) < 2e-3);
            // finite difference just past the edge: the velocity matches that outside
            let step = turn(at(0.0), at(0.5)) * 2.0;
            prop_assert!(step.distance(Vec3::Z * speed) < 0.03 * apart.abs() + 4e-3, "{step}");
            prop_assert!(at(200.0).angle_between(new(200.0).rotations[3]) < 2e-3);
        }
    }
}
