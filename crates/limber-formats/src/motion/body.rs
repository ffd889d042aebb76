//! Converts joint transforms in world space to the clip of a human body.

use std::{collections::HashSet, sync::Arc};

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, Face, Fps, HumanBone, Joint, JointIndex, Pose, Skeleton, maths::atan2,
};

use super::{
    MotionError,
    files::{Placed, Recording},
};
use crate::{
    humanoid::{self, Mapping, Overrides, RigJoint},
    import::{Stance, facing_of_trunk},
};

/// Height to which every body is scaled, in metres: that of the canonical body.
const HEIGHT_M: f32 = 1.75;
/// Height of the lowest joint above the floor with and without toes, in metres.
const TOES_M: f32 = 0.02;
const ANKLE_M: f32 = 0.08;
/// Distance from the head joint to the top of the head, as a fraction of the height: Winter 2009,
/// fig. 4.1.
const OVER_HEAD: f32 = 0.13;
/// Maximum distance of a joint from the hips, in body heights.
const FARTHEST: f32 = 20.0;

/// A pose in which the body was measured.
struct Standing<'a> {
    pose: &'a [Placed],
    mapping: Mapping,
    /// From the file's axes to ours.
    turn: Quat,
    is_plain: bool,
}

/// Returns the recording as a clip on its own skeleton, which starts at the hips.
pub(super) fn clip(recording: &Recording) -> Result<Clip, MotionError> {
    for (frame, places) in recording.frames.iter().enumerate() {
        if !places.iter().all(|(at, turn)| at.is_finite() && turn.is_finite()) {
            return Err(MotionError::NotFinite(frame));
        }
    }
    let first = recording.frames.first().ok_or(MotionError::NoMovement)?;
    let stands = standing(recording, &recording.rest);
    // many recordings begin with a T-pose although their rest pose is another
    let standing = match stands {
        Ok(plain) if plain.is_plain => plain,
        other => match (other, standing(recording, first)) {
            (_, Ok(second)) if second.is_plain => second,
            (Ok(odd), _) | (Err(_), Ok(odd)) => odd,
            (Err(error), Err(_)) => return Err(error),
        },
    };
    Builder::new(recording, &standing)?.clip()
}

/// Maps the joints in a pose, and measures the stance of the body.
fn standing<'a>(recording: &Recording, pose: &'a [Placed]) -> Result<Standing<'a>, MotionError> {
    if !pose.iter().all(|(at, _)| at.is_finite() && at.length() < 1e7) {
        return Err(MotionError::NotFinite(0));
    }
    let mapped = |turn: Quat| {
        let joints: Vec<RigJoint> = recording
            .joints
            .iter()
            .zip(pose)
            .map(|(joint, (at, _))| RigJoint {
                name: joint.name.clone(),
                parent: joint.parent,
                position: turn * *at,
                skinned: false,
                declared: joint.declared,
            })
            .collect();
        humanoid::map(&joints, &Overrides::default())
    };
    let mut turn = Quat::IDENTITY;
    let mut mapping = mapped(turn);
    let at = |bone| mapping.bones.get(&bone).map(|found| pose[found.joint].0);
    if let (Some(hips), Some(head)) = (at(HumanBone::Hips), at(HumanBone::Head)) {
        let up = (head - hips).normalize_or(Vec3::Y);
        let axes = [Vec3::X, Vec3::NEG_X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        if let Some(axis) = axes.into_iter().find(|axis| axis.dot(up) > 0.9) {
            turn = Quat::from_rotation_arc(axis, Vec3::Y);
            mapping = mapped(turn);
        }
    }
    if let Some(refusal) = mapping.refusal() {
        return Err(MotionError::NoBody(refusal));
    }
    let places: Vec<Vec3> = pose.iter().map(|(at, _)| turn * *at).collect();
    let mut stance = Stance::of(&places, &mapping.bones, mapping.facing);
    if !stance.is_plain()
        && let Some(facing) = facing_of_trunk(&places, &mapping.bones)
    {
        mapping.facing = facing;
        stance = Stance::of(&places, &mapping.bones, facing);
    }
    stance.check().map_err(MotionError::UnusableRest)?;
    let facing = Quat::from_rotation_y(-atan2(mapping.facing.x, mapping.facing.z));
    Ok(Standing { pose, mapping, turn: facing * turn, is_plain: stance.is_plain() })
}

/// Converts the hips and everything below them to a skeleton and poses.
struct Builder<'a> {
    recording: &'a Recording,
    standing: &'a Standing<'a>,
    /// Indices of joints in the recording, hips first, parents before children.
    joints: Vec<usize>,
    /// Metres per unit of the file.
    scale: f32,
}

impl<'a> Builder<'a> {
    fn new(recording: &'a Recording, standing: &'a Standing<'a>) -> Result<Self, MotionError> {
        let hips = standing.mapping.joint(HumanBone::Hips);
        let hips = hips.ok_or_else(|| MotionError::NoBody("the hips are missing".to_owned()))?;
        let mut belongs = vec![false; recording.joints.len()];
        let mut joints = Vec::new();
        for (place, joint) in recording.joints.iter().enumerate() {
            belongs[place] = place == hips || joint.parent.is_some_and(|parent| belongs[parent]);
            if belongs[place] {
                joints.push(place);
            }
        }
        if joints.len() > Skeleton::MAX_JOINTS {
            return Err(MotionError::TooLarge("joints"));
        }
        let at = |bone| {
            let found = standing.mapping.joint(bone);
            found.map(|joint| standing.turn * standing.pose[joint].0)
        };
        let head = at(HumanBone::Head).unwrap_or(Vec3::ZERO).y;
        let feet = [HumanBone::LeftFoot, HumanBone::RightFoot].into_iter().filter_map(at);
        let low = feet.map(|foot| foot.y).fold(f32::INFINITY, f32::min);
        let tall = (head - low) / (1.0 - OVER_HEAD);
        if !tall.is_finite() || tall < 1e-6 {
            return Err(MotionError::NoBody("the body has no height".to_owned()));
        }
        Ok(Self { recording, standing, joints, scale: HEIGHT_M / tall })
    }

    /// Converts a joint's transform to our axes and metres.
    fn placed(&self, (at, turn): Placed) -> Placed {
        (self.standing.turn * at * self.scale, (self.standing.turn * turn).normalize())
    }

    fn skeleton(&self) -> Result<Skeleton, MotionError> {
        let mut names = HashSet::new();
        let world: Vec<Placed> = self.standing.pose.iter().map(|at| self.placed(*at)).collect();
        let bone_of = |joint: usize| {
            let mut bones = self.standing.mapping.bones.iter();
            bones.find(|(_, mapped)| mapped.joint == joint).map(|(bone, _)| *bone)
        };
        let has_toes = self.standing.mapping.joint(HumanBone::LeftToes).is_some();
        let lowest =
            self.joints.iter().map(|joint| world[*joint].0.y).fold(f32::INFINITY, f32::min);
        let floor = lowest - if has_toes { TOES_M } else { ANKLE_M };
        let hips = world[self.joints[0]].0;
        let mut built: Vec<Joint> = Vec::with_capacity(self.joints.len());
        for (place, joint) in self.joints.iter().enumerate() {
            let (at, turn) = world[*joint];
            let parent = self.parent(place);
            let (rest_translation, rest_rotation) = match parent {
                None => (Vec3::new(0.0, hips.y - floor, 0.0), turn),
                Some(parent) => {
                    let (above, carried) = world[self.joints[parent]];
                    let back = carried.inverse();
                    (back * (at - above), (back * turn).normalize())
                }
            };
            if at.distance(hips) > FARTHEST * HEIGHT_M {
                let name = &self.recording.joints[*joint].name;
                return Err(MotionError::NoBody(format!(
                    "the joint `{name}` is far from the body"
                )));
            }
            built.push(Joint {
                name: unlike(&mut names, &self.recording.joints[*joint].name),
                parent: parent.map(JointIndex::new),
                rest_translation,
                rest_rotation,
                bone: bone_of(*joint),
                twist: None,
            });
        }
        Skeleton::new(built).map_err(|error| MotionError::NoBody(error.to_string()))
    }

    /// Returns the parent of a joint as an index into `joints`; `None` for the hips.
    fn parent(&self, place: usize) -> Option<usize> {
        let parent = self.recording.joints[self.joints[place]].parent?;
        self.joints.binary_search(&parent).ok().filter(|_| place > 0)
    }

    fn clip(&self) -> Result<Clip, MotionError> {
        let skeleton = Arc::new(self.skeleton()?);
        let parents: Vec<Option<usize>> =
            (0..self.joints.len()).map(|place| self.parent(place)).collect();
        let pose = |frame: &Vec<Placed>| {
            let world: Vec<Placed> =
                self.joints.iter().map(|joint| self.placed(frame[*joint])).collect();
            let local = |(place, parent): (usize, &Option<usize>)| match parent {
                None => world[place].1,
                Some(parent) => (world[*parent].1.inverse() * world[place].1).normalize(),
            };
            Pose {
                hips_translation: world[0].0,
                rotations: parents.iter().enumerate().map(local).collect(),
                face: Face::UNKNOWN,
            }
        };
        let poses = self.recording.frames.iter().map(pose).collect();
        Clip::new(skeleton, Fps::DEFAULT, poses)
            .map_err(|error| MotionError::NoBody(error.to_string()))
    }
}

/// Returns a name that no earlier joint has.
fn unlike(names: &mut HashSet<String>, name: &str) -> String {
    let mut unlike = name.to_owned();
    let mut number = 2;
    while !names.insert(unlike.clone()) {
        unlike = format!("{name}_{number}");
        number += 1;
    }
    unlike
}
