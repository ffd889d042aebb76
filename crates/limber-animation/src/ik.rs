//! Two-bone inverse kinematics: how thigh and shin, or upper arm and forearm, must rotate for the
//! end of the limb to reach a target.
//!
//! The solution is analytic: the law of cosines gives the bend of the middle joint, and the pole
//! vector gives the direction in which it bends (knees forwards, elbows backwards). All vectors are
//! in world space, in metres.

use glam::{Mat3, Quat, Vec3};

use crate::{HumanBone, JointIndex, Pose, Skeleton, maths::exp};

/// Share of the limb's full length up to which targets are met exactly. Beyond it the extension
/// eases in, so that a knee never snaps straight.
pub const SOFT_FROM: f32 = 0.995;
/// Share of the full length that the limb never exceeds.
const HARD_LIMIT: f32 = 0.9995;
/// A bend flatter than this share of the limb's length does not reliably define the bend plane.
const CLEAR_BEND: f32 = 0.06;

/// The joint positions of a two-segment limb in its current pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limb {
    /// Hip or shoulder.
    pub root: Vec3,
    /// Knee or elbow.
    pub mid: Vec3,
    /// Ankle or wrist.
    pub end: Vec3,
    /// The direction in which the middle joint would leave the line from root to end if a straight
    /// limb were bent. It may have any length, and is used only where the bend is too flat to
    /// define a plane.
    pub fold: Vec3,
}

/// Solution of the two-bone IK, in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBone {
    /// Rotation to apply to the root joint: new world rotation = `root_turn` · old.
    pub root_turn: Quat,
    /// Rotation to apply to the middle joint, including the root's: new world rotation = `mid_turn`
    /// · old.
    pub mid_turn: Quat,
    /// New position of the middle joint.
    pub mid: Vec3,
    /// New position of the end: the target, or the nearest point within reach.
    pub end: Vec3,
}

impl Limb {
    /// The combined length of both segments.
    #[must_use]
    pub fn full_length(&self) -> f32 {
        self.root.distance(self.mid) + self.mid.distance(self.end)
    }

    /// Rotations that bring the end to `target` with the middle joint pointing in the direction
    /// `pole`. Without a pole, the limb stays in its present bend plane. A limb of zero length or
    /// with values that are not finite is left unchanged.
    #[must_use]
    pub fn solve(&self, target: Vec3, pole: Option<Vec3>) -> TwoBone {
        self.solve_from(target, pole, 0.0)
    }

    /// [`Self::solve`] for a limb that may already be stretched to a length of `present`, metres:
    /// up to that length the target is met exactly, and the easing starts there.
    fn solve_from(&self, target: Vec3, pole: Option<Vec3>, present: f32) -> TwoBone {
        let (upper, lower) = (self.mid - self.root, self.end - self.mid);
        let (a, b) = (upper.length(), lower.length());
        let usable = a > 1e-5 && b > 1e-5 && target.is_finite();
        if !usable || !self.root.is_finite() || !self.end.is_finite() {
            return self.unmoved();
        }
        let axis = (self.end - self.root).try_normalize().unwrap_or(upper / a);
        let wanted = target - self.root;
        let new_axis = wanted.try_normalize().unwrap_or(axis);
        let distance = if wanted.length() <= present {
            wanted.length().clamp((a - b).abs() * 1.0001, (a + b) * 0.999_999)
        } else {
            soft_distance(wanted.length(), a, b).max(present.min((a + b) * 0.999_999))
        };

        let knee = self.knee_direction(axis);
        let new_knee = knee_towards(pole, new_axis, Quat::from_rotation_arc(axis, new_axis) * knee);
        // law of cosines: position of the middle joint along the axis and its distance from it
        let along = (a * a + distance * distance - b * b) / (2.0 * distance);
        let beside = (a * a - along * along).max(0.0).sqrt();
        let new_upper = new_axis * along + new_knee * beside;
        let new_lower = new_axis * distance - new_upper;

        let (hinge, new_hinge) = (knee.cross(axis), new_knee.cross(new_axis));
        TwoBone {
            root_turn: turn_between(upper / a, hinge, new_upper / a, new_hinge),
            mid_turn: turn_between(lower / b, hinge, new_lower / b, new_hinge),
            mid: self.root + new_upper,
            end: self.root + new_upper + new_lower,
        }
    }

    fn unmoved(&self) -> TwoBone {
        TwoBone {
            root_turn: Quat::IDENTITY,
            mid_turn: Quat::IDENTITY,
            mid: self.mid,
            end: self.end,
        }
    }

    /// The unit direction in which the middle joint leaves the line from root to end. As the bend
    /// gets flatter, it blends into `fold`; a knee bent the wrong way does not flip the limb.
    fn knee_direction(&self, axis: Vec3) -> Vec3 {
        let fold = self.fold.reject_from_normalized(axis).normalize_or_zero();
        let bend = (self.mid - self.root).reject_from_normalized(axis);
        let clear = crate::smooth::smoothstep(bend.length() / (CLEAR_BEND * self.full_length()));
        let bent = bend.normalize_or_zero();
        let bent = if bent.dot(fold) < -0.5 && clear < 1.0 { -bent } else { bent };
        (bent * clear + fold * (1.0 - clear))
            .try_normalize()
            .unwrap_or_else(|| axis.any_orthonormal_vector())
    }
}

/// [`Limb::solve`] for a limb that folds in the direction of its pole.
#[must_use]
pub fn two_bone(root: Vec3, mid: Vec3, end: Vec3, target: Vec3, pole: Vec3) -> TwoBone {
    Limb { root, mid, end, fold: pole }.solve(target, Some(pole))
}

/// Rotates the limb `chain` (hip, knee, ankle; or shoulder, elbow, wrist) of a pose so that its end
/// reaches `target`, and returns the position that the end reached. Joints between them, such as
/// twist joints, move along. With `end_world_rotation`, the end joint gets that world rotation;
/// otherwise it keeps its angle to the segment before it.
///
/// `pole` is the direction in which the knee or elbow points; `None` keeps the present bend plane.
pub fn reach(
    skeleton: &Skeleton,
    pose: &mut Pose,
    chain: [JointIndex; 3],
    target: Vec3,
    pole: Option<Vec3>,
    end_world_rotation: Option<Quat>,
) -> Vec3 {
    let solved = limb(skeleton, pose, chain).solve(target, pole);
    bend(skeleton, pose, chain, &solved, end_world_rotation)
}

/// [`reach`], but a limb that is already stretched is not shortened: targets no further away than
/// the end is now are met exactly. Corrections that fade in from zero need this, so that a zero
/// correction changes nothing.
pub fn reach_from_present(
    skeleton: &Skeleton,
    pose: &mut Pose,
    chain: [JointIndex; 3],
    target: Vec3,
    end_world_rotation: Option<Quat>,
) -> Vec3 {
    let limb = limb(skeleton, pose, chain);
    let solved = limb.solve_from(target, None, limb.root.distance(limb.end));
    bend(skeleton, pose, chain, &solved, end_world_rotation)
}

/// [`reach`], but targets no further away than `furthest`, metres, are met exactly: for limbs that
/// were stretched that far before another correction bent them.
pub fn reach_as_far_as(
    skeleton: &Skeleton,
    pose: &mut Pose,
    chain: [JointIndex; 3],
    target: Vec3,
    furthest: f32,
    end_world_rotation: Option<Quat>,
) -> Vec3 {
    let solved = limb(skeleton, pose, chain).solve_from(target, None, furthest);
    bend(skeleton, pose, chain, &solved, end_world_rotation)
}

fn bend(
    skeleton: &Skeleton,
    pose: &mut Pose,
    [root, mid, end]: [JointIndex; 3],
    solved: &TwoBone,
    end_world_rotation: Option<Quat>,
) -> Vec3 {
    let root_world = standing(skeleton, pose, root).1;
    let mid_world = standing(skeleton, pose, mid).1;
    set_world_rotation(skeleton, pose, root, solved.root_turn * root_world);
    set_world_rotation(skeleton, pose, mid, solved.mid_turn * mid_world);
    if let Some(rotation) = end_world_rotation {
        set_world_rotation(skeleton, pose, end, rotation);
    }
    solved.end
}

/// The limb `chain` in its current pose, ready for [`Limb::solve`]. Legs fold forwards and arms
/// backwards, relative to the body at rest.
#[must_use]
pub fn limb(skeleton: &Skeleton, pose: &Pose, chain: [JointIndex; 3]) -> Limb {
    let [root, mid, end] = chain;
    let (root_at, root_world) = standing(skeleton, pose, root);
    let rest = standing(skeleton, &skeleton.rest_pose(), root).1;
    let fold_at_rest = match skeleton.joint(root).bone {
        Some(HumanBone::LeftUpperArm | HumanBone::RightUpperArm) => Vec3::NEG_Z,
        _ => Vec3::Z,
    };
    Limb {
        root: root_at,
        mid: standing(skeleton, pose, mid).0,
        end: standing(skeleton, pose, end).0,
        fold: root_world * rest.inverse() * fold_at_rest,
    }
}

/// The position and rotation of one joint in world space: like [`Skeleton::world`], but computes
/// only the joint and its ancestors.
#[must_use]
pub fn standing(skeleton: &Skeleton, pose: &Pose, joint: JointIndex) -> (Vec3, Quat) {
    let mut position = Vec3::ZERO;
    let mut rotation = Quat::IDENTITY;
    let mut next = Some(joint);
    while let Some(index) = next {
        let turn = pose.rotation(index);
        let at = if index == skeleton.hips() {
            pose.hips_translation
        } else {
            skeleton.joint(index).rest_translation
        };
        position = if index == joint { at } else { at + turn * position };
        rotation = turn * rotation;
        next = skeleton.joint(index).parent;
    }
    (position, rotation.normalize())
}

/// Gives one joint this rotation in world space; its children move along.
pub fn set_world_rotation(skeleton: &Skeleton, pose: &mut Pose, joint: JointIndex, world: Quat) {
    let parent = skeleton
        .joint(joint)
        .parent
        .map_or(Quat::IDENTITY, |parent| standing(skeleton, pose, parent).1);
    pose.set_rotation(joint, (parent.inverse() * world).normalize());
}

/// The distance from root to end after easing: exact within reach, approaching the hard limit
/// beyond.
fn soft_distance(distance: f32, a: f32, b: f32) -> f32 {
    let full = a + b;
    let (soft, hard) = (full * SOFT_FROM, full * HARD_LIMIT);
    let nearest = ((a - b).abs() * 1.0001).max(full * 0.02);
    if distance <= soft {
        return distance.max(nearest);
    }
    soft + (hard - soft) * (1.0 - exp(-(distance - soft) / (hard - soft)))
}

/// The pole projected to be perpendicular to the axis, or `unchanged` where it is missing or
/// parallel to the axis.
fn knee_towards(pole: Option<Vec3>, axis: Vec3, unchanged: Vec3) -> Vec3 {
    let unchanged =
        unchanged.reject_from_normalized(axis).normalize_or(axis.any_orthonormal_vector());
    let Some(direction) = pole.and_then(Vec3::try_normalize) else { return unchanged };
    let square = direction.reject_from_normalized(axis);
    let sure = crate::smooth::smoothstep(square.length() / 0.15);
    (square.normalize_or_zero() * sure + unchanged * (1.0 - sure))
        .try_normalize()
        .unwrap_or(unchanged)
}

/// The rotation that maps one pair of direction and hinge axis to another. The hinge axes only have
/// to be roughly perpendicular to their directions.
fn turn_between(from: Vec3, from_hinge: Vec3, to: Vec3, to_hinge: Vec3) -> Quat {
    let frame = |direction: Vec3, hinge: Vec3| {
        let hinge = hinge
            .reject_from_normalized(direction)
            .try_normalize()
            .unwrap_or_else(|| direction.any_orthonormal_vector());
        Mat3::from_cols(direction, hinge, direction.cross(hinge))
    };
    Quat::from_mat3(&(frame(to, to_hinge) * frame(from, from_hinge).transpose())).normalize()
}

#[cfg(test)]
mod tests {
    use glam::EulerRot;
    use proptest::prelude::*;

    use super::*;
    use crate::{Side, canonical_skeleton};

    fn leg(skeleton: &Skeleton, side: Side) -> [JointIndex; 3] {
        let [upper, lower, foot, _] = HumanBone::leg(side);
        [upper, lower, foot].map(|bone| skeleton.find(bone).expect("the skeleton has legs"))
    }

    fn direction() -> impl Strategy<Value = Vec3> {
        (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0)
            .prop_map(|(x, y, z)| Vec3::new(x, y, z))
            .prop_filter("long enough", |vector| vector.length() > 0.2)
            .prop_map(Vec3::normalize)
    }

    proptest! {
        #[test]
        fn targets_within_reach_are_met_and_bones_keep_their_length(
            along in direction(), share in 0.1f32..0.994, pole in direction(),
            thigh in -1.5f32..1.0, knee in 0.0f32..2.0, twist in -0.6f32..0.6,
        ) {
            let skeleton = canonical_skeleton();
            let chain = leg(&skeleton, Side::Left);
            let mut pose = skeleton.rest_pose();
            pose.set_rotation(chain[0], Quat::from_euler(EulerRot::XYZ, thigh, twist, 0.2));
            pose.set_rotation(chain[1], Quat::from_rotation_x(knee));
            let before = limb(&skeleton, &pose, chain);
            let target = before.root + along * before.full_length() * share;
            let end = reach(&skeleton, &mut pose, chain, target, Some(pole), None);
            let after = limb(&skeleton, &pose, chain);
            prop_assert!(end.distance(target) < 1e-4);
            prop_assert!(after.end.distance(target) < 1e-3, "{} from {target}", after.end);
            prop_assert!((after.full_length() - before.full_length()).abs() < 1e-4);
        }

        #[test]
        fn the_knee_points_to_the_pole(along in direction(), share in 0.3f32..0.9, pole in direction()) {
            prop_assume!(pole.reject_from_normalized(along).length() > 0.3);
            let solved = two_bone(
                Vec3::ZERO, Vec3::new(0.0, -0.42, 0.01), Vec3::new(0.0, -0.83, 0.0),
                along * share * 0.83, pole,
            );
            prop_assert!(solved.mid.reject_from_normalized(along).dot(pole) > 0.0);
        }

        #[test]
        fn beyond_reach_the_limb_stretches_towards_the_target_without_snapping(
            along in direction(), share in 0.99f32..3.0,
        ) {
            let (mid, end) = (Vec3::new(0.0, -0.4, 0.02), Vec3::new(0.0, -0.8, 0.0));
            let at = |share: f32| two_bone(Vec3::ZERO, mid, end, along * 0.8 * share, Vec3::Z).end;
            prop_assert!(at(share).length() < 0.801);
            prop_assert!(at(share).distance(at(share + 0.001)) < 0.0011);
        }
    }

    #[test]
    fn small_moves_of_a_straight_leg_hardly_bend_it() {
        let skeleton = canonical_skeleton();
        let mut pose = skeleton.rest_pose();
        let chain = leg(&skeleton, Side::Right);
        let before = limb(&skeleton, &pose, chain);
        let target = before.end + Vec3::Y * 1e-5;
        let end = reach_from_present(&skeleton, &mut pose, chain, target, None);
        assert!(end.distance(target) < 1e-5);
        let knee = pose.rotation(chain[1]).angle_between(Quat::IDENTITY);
        assert!(knee < 0.03, "{knee} rad");
    }

    #[test]
    fn limbs_already_at_the_target_do_not_rotate() {
        let (root, mid, end) = (Vec3::Y, Vec3::new(0.0, 0.6, 0.1), Vec3::new(0.0, 0.2, 0.0));
        let limb = Limb { root, mid, end, fold: Vec3::Z };
        let solved = limb.solve(end, None);
        assert!(solved.root_turn.angle_between(Quat::IDENTITY) < 2e-3);
        assert!(solved.mid_turn.angle_between(Quat::IDENTITY) < 2e-3);
    }

    #[test]
    fn slightly_hyperextended_knees_do_not_flip_the_leg() {
        let limb = Limb {
            root: Vec3::Y,
            mid: Vec3::new(0.0, 0.6, -0.004),
            end: Vec3::new(0.0, 0.2, 0.0),
            fold: Vec3::Z,
        };
        let solved = limb.solve(Vec3::new(0.0, 0.3, 0.1), None);
        assert!(solved.mid.z > 0.05, "the knee stays in front: {}", solved.mid);
        assert!(solved.root_turn.angle_between(Quat::IDENTITY) < 1.2);
    }

    #[test]
    fn single_joint_and_full_forward_kinematics_agree() {
        let skeleton = canonical_skeleton();
        let mut pose = skeleton.rest_pose();
        pose.hips_translation.x = 2.0;
        for (place, turn) in pose.rotations.iter_mut().enumerate() {
            *turn = Quat::from_rotation_y(0.1 * place as f32);
        }
        let world = skeleton.world(&pose);
        for index in skeleton.indices() {
            let (position, rotation) = standing(&skeleton, &pose, index);
            assert!(position.abs_diff_eq(world.position(index), 1e-4));
            assert!(rotation.angle_between(world.rotation(index)) < 2e-3);
        }
    }

    #[test]
    fn world_rotations_can_be_set_and_read_back() {
        let skeleton = canonical_skeleton();
        let mut pose = skeleton.rest_pose();
        let foot = skeleton.find(HumanBone::RightFoot).expect("the skeleton has feet");
        pose.set_rotation(skeleton.hips(), Quat::from_rotation_y(1.0));
        let wanted = Quat::from_rotation_x(0.4);
        set_world_rotation(&skeleton, &mut pose, foot, wanted);
        assert!(standing(&skeleton, &pose, foot).1.angle_between(wanted) < 2e-3);
    }
}
