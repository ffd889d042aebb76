//! Checks that a body moves without snapping.

use glam::Vec3;
use limber_animation::HumanBone;

use crate::Body;

/// Maximum rotation of a bone in 1/30 s, degrees. Arms and hands may be thrown and fingers
/// released.
const fn most_deg(bone: HumanBone) -> f32 {
    use HumanBone as B;
    match bone {
        B::LeftUpperArm | B::RightUpperArm | B::LeftLowerArm | B::RightLowerArm => 80.0,
        B::LeftHand | B::RightHand => 85.0,
        finger if finger as u8 > B::RightToes as u8 => 100.0,
        _ => 55.0,
    }
}

/// Finds movement that is wrong whatever was requested: a bone that snaps from one frame to the
/// next, or hips that jerk. Gravity and hard landings stay below both limits. Returns `None` if
/// there is none.
#[must_use]
pub fn snap(body: &Body) -> Option<String> {
    const JERK_M: f32 = 0.06;
    for frame in 1..body.len() {
        for bone in HumanBone::ALL.into_iter().filter(|bone| body.has(*bone)) {
            let turn = body.turn(bone, frame - 1).angle_between(body.turn(bone, frame));
            if turn.to_degrees() >= most_deg(bone) {
                let degrees = turn.to_degrees();
                return Some(format!("{bone:?} rotates by {degrees:.0} degrees in frame {frame}"));
            }
        }
    }
    let hips = |frame| body.at(HumanBone::Hips, frame);
    let jerk = |frame: usize| -> Vec3 { hips(frame) - 2.0 * hips(frame - 1) + hips(frame - 2) };
    (2..body.len())
        .find(|frame| jerk(*frame).length() >= JERK_M)
        .map(|frame| format!("the hips jerk by {:.3} m in frame {frame}", jerk(frame).length()))
}
