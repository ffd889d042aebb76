//! Distributes a bone's twist over the joints along it.
//!
//! If all of a wrist's twist happens in one joint, the skin around it collapses like a candy
//! wrapper. Rigs made for animation have twist joints along the limb to prevent this, but motion
//! from elsewhere does not drive them.
//!
//! Source: swing-twist decomposition, Dobrowolski, *Swing-twist decomposition in Clifford algebra*,
//! 2015.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, HumanBone, JointIndex, Pose, Side, Skeleton,
    maths::{atan2, hypot},
};

/// Sets every twist joint in every frame: along forearm and shin these follow the hand and foot;
/// along upper arm and thigh they counteract the bone's own twist. All human bones keep their
/// position and rotation. Call this last, because later changes to a bone do not update its twist
/// joints.
#[must_use]
pub fn spread_twists(clip: &Clip) -> Clip {
    let skeleton = Arc::clone(clip.skeleton());
    let mut helpers = helpers(&skeleton);
    let mut spread = clip.clone();
    if helpers.is_empty() {
        return spread;
    }
    let carries = carries_bones(&skeleton);
    for pose in spread.frames_mut() {
        spread_in(&skeleton, pose, &mut helpers, &carries);
    }
    spread
}

/// A twist joint.
struct Helper {
    joint: JointIndex,
    /// The bone that the joint lies along and is parented to.
    bone: JointIndex,
    /// The twist is the rotation of `turned` relative to `against`, about `axis` in the frame of
    /// `against`.
    turned: JointIndex,
    against: JointIndex,
    axis: Vec3,
    /// The rotation of `turned` relative to `against` at rest.
    rest_turn: Quat,
    /// The direction of the bone in its own frame.
    along: Vec3,
    /// The joint's rotation relative to its bone at rest.
    rest: Quat,
    /// The share of the twist that is added to the bone's own rotation.
    share: f32,
    /// The twist in the previous frame, in radians, to unwrap the angle.
    last: Option<f32>,
}

/// Returns the next bone of the limb, and whether twist joints follow that bone.
fn next_bone(bone: HumanBone) -> Option<(HumanBone, bool)> {
    Side::BOTH.into_iter().find_map(|side| {
        let ([_, upper_arm, lower_arm, hand], [thigh, shin, foot, _]) =
            (HumanBone::arm(side), HumanBone::leg(side));
        let segments = [
            (upper_arm, lower_arm, false),
            (lower_arm, hand, true),
            (thigh, shin, false),
            (shin, foot, true),
        ];
        segments
            .into_iter()
            .find(|(of, ..)| *of == bone)
            .map(|(_, next, follows_end)| (next, follows_end))
    })
}

fn helpers(skeleton: &Skeleton) -> Vec<Helper> {
    let world = skeleton.rest_world();
    let helper = |joint: JointIndex| {
        let twist = skeleton.joint(joint).twist?;
        let (next, follows_end) = next_bone(twist.of)?;
        let (bone, next) = (skeleton.find(twist.of)?, skeleton.find(next)?);
        let along = (world.position(next) - world.position(bone)).try_normalize()?;
        let (turned, against, share) = if follows_end {
            (next, bone, twist.share)
        } else {
            (bone, skeleton.joint(bone).parent?, twist.share - 1.0)
        };
        let inverse = |joint: JointIndex| world.rotation(joint).inverse();
        Some(Helper {
            joint,
            bone,
            turned,
            against,
            axis: inverse(against) * along,
            rest_turn: inverse(against) * world.rotation(turned),
            along: inverse(bone) * along,
            rest: inverse(bone) * world.rotation(joint),
            share,
            last: None,
        })
    };
    skeleton.indices().filter_map(helper).collect()
}

/// Returns which joints are human bones or have one among their descendants; these must not move.
fn carries_bones(skeleton: &Skeleton) -> Vec<bool> {
    let mut carries = vec![false; skeleton.len()];
    for joint in skeleton.indices().rev() {
        if skeleton.joint(joint).bone.is_some() {
            carries[joint.get()] = true;
        }
        if let Some(parent) = skeleton.joint(joint).parent {
            carries[parent.get()] |= carries[joint.get()];
        }
    }
    carries
}

fn spread_in(skeleton: &Skeleton, pose: &mut Pose, helpers: &mut [Helper], carries: &[bool]) {
    let world = skeleton.world(pose);
    let mut wanted = vec![None; skeleton.len()];
    for helper in helpers {
        let turn = world.rotation(helper.against).inverse() * world.rotation(helper.turned);
        let twist = helper.twist(turn * helper.rest_turn.inverse());
        let part = Quat::from_axis_angle(helper.along, twist * helper.share);
        wanted[helper.joint.get()] = Some(world.rotation(helper.bone) * part * helper.rest);
    }
    // from the root outwards: descendants of a changed joint get their world rotation back
    let mut turned: Vec<Option<Quat>> = vec![None; skeleton.len()];
    for joint in skeleton.indices() {
        let parent = skeleton.joint(joint).parent;
        let above = parent.and_then(|parent| turned[parent.get()]);
        let rotation = match (wanted[joint.get()], above) {
            (Some(wanted), _) => wanted,
            (None, Some(_)) if carries[joint.get()] => world.rotation(joint),
            (None, Some(above)) => above * pose.rotation(joint),
            (None, None) => continue,
        };
        let parent = parent.map_or(Quat::IDENTITY, |parent| {
            turned[parent.get()].unwrap_or_else(|| world.rotation(parent))
        });
        pose.set_rotation(joint, (parent.inverse() * rotation).normalize());
        turned[joint.get()] = Some(rotation);
    }
}

impl Helper {
    /// Returns the twist about the axis, in radians, unwrapped relative to the previous frame.
    fn twist(&mut self, turn: Quat) -> f32 {
        let (about, straight) = (turn.xyz().dot(self.axis), turn.w);
        // at a swing of 180° the twist is undefined
        let unclear = hypot(about, straight) < 1e-3;
        let last = self.last.unwrap_or(0.0);
        let angle = if unclear { last } else { 2.0 * atan2(about, straight) };
        let angle = last + (angle - last + PI).rem_euclid(TAU) - PI;
        self.last = Some(angle);
        angle
    }
}
