//! Removes sudden jumps from joint rotations, such as when the IK solution of an arm flips its
//! elbow to the other side, by smoothing the frames around them.

use glam::Quat;

use crate::{JointIndex, Pose};

/// Largest rotation of an arm joint from one frame to the next before it counts as a jump, radians.
const FASTEST_TURN: f32 = 50.0 * std::f32::consts::PI / 180.0;
/// A rotation of at least this angle, radians, counts as a jump if it is also [`ALONE`] times as
/// large as the larger of the rotations before and after it.
const SUDDEN_TURN: f32 = 20.0 * std::f32::consts::PI / 180.0;
const ALONE: f32 = 2.1;
/// Kernel of the smoothing filter, from two frames before to two frames after.
const BELL: [f32; 5] = [1.0, 2.0, 3.0, 2.0, 1.0];
/// Maximum number of smoothing passes per joint; each pass reaches one frame further than the last.
const ROUNDS: usize = 8;

/// Smooths the frames around jumps of these joints. Returns whether there were any jumps.
pub fn despike_rotations(poses: &mut [Pose], joints: &[JointIndex]) -> bool {
    let mut jumped = false;
    for joint in joints.iter().map(|joint| joint.get()) {
        for round in 0..ROUNDS {
            let jumps = jumps(poses, joint);
            if jumps.is_empty() {
                break;
            }
            jumped = true;
            spread(poses, joint, &jumps, 2 + round);
        }
    }
    jumped
}

/// Frames at which a joint jumps: it rotates faster than [`FASTEST_TURN`], or much faster than in
/// the neighbouring frames.
fn jumps(poses: &[Pose], joint: usize) -> Vec<usize> {
    let turns: Vec<f32> = poses
        .windows(2)
        .map(|pair| pair[0].rotations[joint].angle_between(pair[1].rotations[joint]))
        .collect();
    let is_jump = |place: &usize| {
        let beside =
            |place: Option<usize>| place.and_then(|p| turns.get(p)).copied().unwrap_or(0.0);
        let around = beside(place.checked_sub(1)).max(beside(place.checked_add(1)));
        let turn = turns[*place];
        turn > FASTEST_TURN || turn > SUDDEN_TURN && turn > ALONE * around
    };
    (0..turns.len()).filter(is_jump).map(|place| place + 1).collect()
}

fn spread(poses: &mut [Pose], joint: usize, jumps: &[usize], reach: usize) {
    let before: Vec<Quat> = poses.iter().map(|pose| pose.rotations[joint]).collect();
    for (frame, pose) in poses.iter_mut().enumerate() {
        let near = |jump: &usize| frame + reach >= *jump && frame < jump + reach;
        if jumps.iter().any(near) {
            pose.rotations[joint] = blurred(&before, frame);
        }
    }
}

/// The weighted mean of a rotation and its neighbours.
fn blurred(turns: &[Quat], frame: usize) -> Quat {
    let middle = turns[frame];
    let mut sum = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for (tap, weight) in BELL.into_iter().enumerate() {
        let at = (frame + tap).saturating_sub(2).min(turns.len() - 1);
        let turn = if turns[at].dot(middle) < 0.0 { -turns[at] } else { turns[at] };
        sum += turn * weight;
    }
    sum.normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{canonical_skeleton, maths::sin};

    #[test]
    fn isolated_small_jumps_are_smoothed_and_fast_swings_are_kept() {
        let rest = canonical_skeleton().rest_pose();
        let turned = |angle: fn(f32) -> f32| -> Vec<Pose> {
            let mut poses = vec![rest.clone(); 40];
            for (frame, pose) in poses.iter_mut().enumerate() {
                pose.rotations[5] = Quat::from_rotation_x(angle(frame as f32));
            }
            poses
        };
        let mut jump = turned(|frame| if frame < 20.0 { 0.0 } else { 0.6 });
        assert!(despike_rotations(&mut jump, &[JointIndex::new(5)]));
        let most = jump.windows(2).map(|p| p[0].rotations[5].angle_between(p[1].rotations[5]));
        assert!(most.fold(0.0, f32::max) < SUDDEN_TURN);
        let mut swing = turned(|frame| 1.2 * sin(0.5 * frame));
        let before = swing.clone();
        assert!(!despike_rotations(&mut swing, &[JointIndex::new(5)]));
        assert_eq!(swing, before);
    }

    #[test]
    fn jumps_are_smoothed_and_everything_else_is_unchanged() {
        let rest = canonical_skeleton().rest_pose();
        let mut poses = vec![rest; 40];
        for pose in &mut poses[20..] {
            pose.rotations[5] = Quat::from_rotation_x(2.8);
        }
        let before = poses.clone();
        assert!(despike_rotations(&mut poses, &[5, 6].map(JointIndex::new)));
        for pair in poses.windows(2) {
            let turn = pair[0].rotations[5].angle_between(pair[1].rotations[5]);
            assert!(turn <= FASTEST_TURN, "{turn}");
        }
        assert_eq!((&poses[..8], &poses[32..]), (&before[..8], &before[32..]));
    }
}
