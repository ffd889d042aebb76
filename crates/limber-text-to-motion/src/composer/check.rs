//! What no clip may do.

use limber_animation::{Pose, canonical_skeleton, smooth::minimum_jerk};

use super::frames::{FPS, frame_count};

/// Nobody runs faster (the fastest humans reach 12.4 m/s).
const FASTEST_M_S: f32 = 12.0;
/// No joint turns faster than this from one frame to the next, radians.
const FASTEST_TURN: f32 = 60.0 * std::f32::consts::PI / 180.0;

/// Over so many frames before and after a snap a joint is led through it.
const LED_FRAMES: usize = 4;

/// Leads joints through the snaps of a motion that has some whoever performs it: from before each to after it, at
/// once.
pub(super) fn lead_through_snaps(poses: &mut [Pose]) {
    let joints = poses.first().map_or(0, |pose| pose.rotations.len());
    for joint in 0..joints {
        let turn = |poses: &[Pose], frame: usize| poses[frame].rotations[joint];
        for frame in 0..poses.len() - 1 {
            if turn(poses, frame).angle_between(turn(poses, frame + 1)) <= FASTEST_TURN {
                continue;
            }
            let from = frame.saturating_sub(LED_FRAMES - 1);
            let to = (frame + LED_FRAMES).min(poses.len() - 1);
            let (before, after) = (turn(poses, from), turn(poses, to));
            let after = if before.dot(after) < 0.0 { -after } else { after };
            for (step, pose) in poses[from..=to].iter_mut().enumerate() {
                let share = step as f32 / (to - from) as f32;
                pose.rotations[joint] = before.slerp(after, minimum_jerk(share)).normalize();
            }
        }
    }
}

/// Finds what is wrong with a finished motion; says it in a sentence.
pub(super) fn fault(poses: &[Pose], duration_s: f32) -> Option<String> {
    if poses.len() != frame_count(duration_s) {
        return Some(format!("{} frames were made for {duration_s} seconds", poses.len()));
    }
    for (frame, pose) in poses.iter().enumerate() {
        if !pose.is_finite() {
            return Some(format!("frame {frame} holds a number that is not finite"));
        }
    }
    for (frame, pair) in poses.windows(2).enumerate() {
        let travel = pair[1].hips_translation.distance(pair[0].hips_translation);
        if travel * FPS > FASTEST_M_S {
            return Some(format!(
                "the body would move at {:.0} m/s in frame {frame}; ask for another variant or more \
                 seconds",
                travel * FPS
            ));
        }
        let turns = pair[0].rotations.iter().zip(&pair[1].rotations);
        for (joint, (before, after)) in turns.enumerate() {
            if before.angle_between(*after) > FASTEST_TURN {
                let skeleton = canonical_skeleton();
                let name = skeleton.joints().get(joint).map_or("joint", |joint| &*joint.name);
                return Some(format!(
                    "{name} would snap in frame {frame}; ask for another variant or more seconds"
                ));
            }
        }
    }
    None
}
