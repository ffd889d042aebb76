//! What no clip may do.

use limber_animation::{Pose, canonical_skeleton};

use super::frames::{FPS, frame_count};

/// Nobody runs faster (the fastest humans reach 12.4 m/s).
const FASTEST_M_S: f32 = 12.0;
/// No joint turns faster than this from one frame to the next, radians.
const FASTEST_TURN: f32 = 60.0 * std::f32::consts::PI / 180.0;

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
