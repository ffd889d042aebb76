//! Prevents knees from bending backwards.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, Pose, Skeleton, ik, maths::atan2, smooth::smoothstep};

use crate::feet::Foot;

/// Range near full extension in which a knee is limited softly, radians.
const SOFT_RAD: f32 = 0.06;
/// Knees that are hyperextended further than this are left alone, radians.
const FURTHEST_RAD: f32 = 2.0;
/// Time in which a knee that is hyperextended at an edge straightens, seconds.
const EDGE_S: f32 = 0.3;

/// Straightens hyperextended knees in a hole, with a soft limit. What they are at the edges fades
/// out smoothly. Only shins rotate, and the feet move along.
pub(super) fn straighten(clip: &mut Clip, hole: &Range<usize>) {
    let skeleton = clip.skeleton().clone();
    let reach = (EDGE_S * clip.fps().per_second()).max(2.0);
    for foot in Foot::all(&skeleton) {
        let beyond = |frame: Option<usize>| {
            let pose = frame.and_then(|frame| clip.frames().get(frame))?;
            Some(flexion(&skeleton, pose, &foot).0.min(0.0))
        };
        let left = beyond(hole.start.checked_sub(1)).unwrap_or(0.0);
        let right = beyond(Some(hole.end)).unwrap_or(0.0);
        for frame in hole.clone() {
            let away = [(frame + 1 - hole.start) as f32, (hole.end - frame) as f32];
            let least = [left, right]
                .into_iter()
                .zip(away)
                .map(|(bent, away)| bent * (1.0 - smoothstep(away / reach)))
                .fold(0.0, f32::min);
            let pose = &mut clip.frames_mut()[frame];
            let (bent, axis) = flexion(&skeleton, pose, &foot);
            let wanted = yielding(bent, least);
            // beyond this, the thigh lies over the shin
            if wanted > bent && bent > -FURTHEST_RAD {
                let shin = foot.leg[1];
                let (_, turned) = ik::standing(&skeleton, pose, shin);
                let turned = Quat::from_axis_angle(axis, wanted - bent) * turned;
                ik::set_world_rotation(&skeleton, pose, shin, turned);
            }
        }
    }
}

/// The angle softly limited to at least `least`; unchanged if it is well above.
fn yielding(angle: f32, least: f32) -> f32 {
    let above = angle - least;
    if above >= SOFT_RAD {
        angle
    } else if above <= -SOFT_RAD {
        least
    } else {
        least + (above + SOFT_RAD).powi(2) / (4.0 * SOFT_RAD)
    }
}

/// The flexion of a knee, and the world-space axis about which it flexes further.
fn flexion(skeleton: &Skeleton, pose: &Pose, foot: &Foot) -> (f32, Vec3) {
    let limb = ik::limb(skeleton, pose, foot.leg);
    let (thigh, shin) = (limb.mid - limb.root, limb.end - limb.mid);
    let axis = limb.fold.cross(thigh).normalize_or(Vec3::X);
    (atan2(thigh.cross(shin).dot(axis), thigh.dot(shin)), axis)
}

#[cfg(test)]
mod tests {
    use limber_animation::{Fps, canonical_skeleton};

    use super::*;

    #[test]
    fn a_knee_bent_backwards_is_straightened_and_one_bent_forwards_stays() {
        let skeleton = canonical_skeleton();
        let feet = Foot::all(&skeleton);
        let mut pose = skeleton.rest_pose();
        pose.set_rotation(feet[0].leg[1], Quat::from_rotation_x(-0.5));
        pose.set_rotation(feet[1].leg[1], Quat::from_rotation_x(0.5));
        let mut clip = Clip::new(skeleton.clone(), Fps::DEFAULT, vec![pose.clone(); 3])
            .expect("the poses are valid");
        straighten(&mut clip, &(0..3));
        let bent = |foot: usize| flexion(&skeleton, &clip.frames()[1], &feet[foot]).0;
        assert!(bent(0).abs() < 0.01, "{}", bent(0));
        assert_eq!(clip.frames()[1].rotation(feet[1].leg[1]), pose.rotation(feet[1].leg[1]));
    }
}
