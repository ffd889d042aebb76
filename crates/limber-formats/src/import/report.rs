//! The report about an imported character, for users and for the services that store it.

use std::collections::BTreeMap;

use glam::Vec3;
use limber_animation::{
    Character, Finger, HumanBone as B, JointIndex, Phalanx, Side, arkit_shapes,
};
use limber_script::Message;
use serde::{Deserialize, Serialize};

use super::stance::Stance;
use crate::humanoid::Mapping;

/// The version of [`RigReport`] that is written.
const VERSION: u32 = 1;
/// Minimum number of ARKit blend shapes of an animated face.
pub const ENOUGH_SHAPES: usize = 26;
/// Minimum number of VRM expressions with morph targets of an animated face.
const ENOUGH_EXPRESSIONS: usize = 6;

/// What is known about a character's rig. Stored with it as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RigReport {
    /// Version of this layout.
    pub version: u32,
    /// The naming convention of the joints.
    pub convention: String,
    /// Confidence from 0 to 1: from 0.9 no review is needed, below 0.7 a user should confirm.
    pub confidence: f32,
    /// For each human bone, its joint and the source of the mapping.
    pub map: BTreeMap<String, MappedJoint>,
    /// Human bones without a joint.
    pub missing: Vec<String>,
    /// The missing bones for which the user decided that there is no joint. Absent from reports of
    /// earlier versions.
    #[serde(default)]
    pub declined: Vec<String>,
    /// All joints in the skeleton's order, for manual selection. Absent from reports of earlier
    /// versions.
    #[serde(default)]
    pub joints: Vec<JointReport>,
    /// Twist joints by name.
    pub helpers: BTreeMap<String, HelperReport>,
    /// The stance at rest.
    pub rest: RestReport,
    /// Height from the lowest to the highest vertex, in metres.
    pub height_m: f32,
    /// Height of the hips above the floor, in metres.
    pub hips_height_m: f32,
    /// Height of each sole above the floor at rest, in metres.
    pub sole_offset_m: SidePair<f32>,
    /// Length of each leg from upper leg to foot along the bones, in metres.
    pub leg_length_m: SidePair<f32>,
    /// Length from hand to hand along both arms and across the shoulders, in metres.
    pub arm_span_m: f32,
    /// Capabilities of the face.
    pub face: FaceReport,
    /// Number of fingers of each hand with at least two joints.
    pub hands: HandsReport,
    /// Warnings for the user in plain language.
    pub warnings: Vec<String>,
    /// The same warnings as data. Absent from reports of earlier versions.
    #[serde(default, with = "limber_script::message::told")]
    pub messages: Vec<Message>,
}

/// The joint of a bone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MappedJoint {
    /// Index in the character's skeleton.
    pub node: usize,
    /// Name of the joint.
    pub name: String,
    /// The source of the mapping: `vrm`, `table`, `synonym`, `structure` or `user`.
    pub by: String,
    /// Confidence from 0 to 1.
    pub confidence: f32,
}

/// A joint and its parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JointReport {
    /// Name of the joint.
    pub name: String,
    /// Index of the parent in the list, smaller than the joint's own.
    pub parent: Option<usize>,
}

/// A twist joint's bone and share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HelperReport {
    /// The human bone whose twist it shares.
    pub follows: String,
    /// The share from 0 to 1.
    pub share: f32,
}

/// A character's stance at rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RestReport {
    /// `T`, `A` or `other`.
    pub pose: String,
    /// Angle of the upper arms below the horizontal, in degrees.
    pub arm_angle_deg: f32,
    /// The facing in the file, after the axes were converted to ours.
    pub forward: [f32; 3],
    /// The up direction, always +Y after import.
    pub up: [f32; 3],
    /// Metres per unit of the file, as applied.
    pub unit_scale: f32,
}

/// A value for each side of the body.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SidePair<T> {
    /// The character's own left.
    pub l: T,
    /// The character's own right.
    pub r: T,
}

/// Capabilities of a face.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FaceReport {
    /// Number of ARKit's 52 blend shapes that exist.
    pub shapes: usize,
    /// For each ARKit name, the name of the morph target in the file.
    pub map: BTreeMap<String, String>,
    /// Number of VRM expressions with morph targets.
    #[serde(default)]
    pub expressions: usize,
}

/// For each hand, the number of fingers with at least two joints.
pub type HandsReport = SidePair<usize>;

/// Input of the report besides the character itself.
pub(super) struct Found<'a> {
    pub(super) mapping: &'a Mapping,
    pub(super) stance: &'a Stance,
    pub(super) unit_scale: f32,
    pub(super) expressions: usize,
    pub(super) warnings: Vec<String>,
}

impl RigReport {
    pub(super) fn new(character: &Character, found: Found) -> Self {
        let body = Measured::of(character);
        let Found { mapping, stance, unit_scale, expressions, warnings } = found;
        let mut messages: Vec<Message> = warnings.into_iter().map(Message::from).collect();
        messages.extend(mapping.warnings.iter().cloned());
        let names = character.meshes.iter().flat_map(|mesh| &mesh.morphs);
        let shapes = arkit_shapes(names.map(|morph| morph.name.as_str()));
        if (1..ENOUGH_SHAPES).contains(&shapes.len()) {
            messages.push(Message::from(format!(
                "the face has {} of ARKit's 52 blend shapes; at least {ENOUGH_SHAPES} are needed \
                 to animate it",
                shapes.len()
            )));
        }
        let joints = character.skeleton.joints();
        let entry = |(bone, mapped): (&B, &crate::humanoid::Mapped)| {
            let joint = MappedJoint {
                node: mapped.joint,
                name: joints[mapped.joint].name.clone(),
                by: mapped.by.name().to_owned(),
                confidence: mapped.confidence,
            };
            (bone.name().to_owned(), joint)
        };
        let helper = |joint: &limber_animation::Joint| {
            let twist = joint.twist?;
            let helper = HelperReport { follows: twist.of.name().to_owned(), share: twist.share };
            Some((joint.name.clone(), helper))
        };
        Self {
            version: VERSION,
            convention: mapping.convention.to_owned(),
            confidence: mapping.confidence,
            map: mapping.bones.iter().map(entry).collect(),
            missing: mapping.missing.iter().map(|bone| bone.name().to_owned()).collect(),
            declined: mapping.declined.iter().map(|bone| bone.name().to_owned()).collect(),
            joints: joints.iter().map(joint_report).collect(),
            helpers: joints.iter().filter_map(helper).collect(),
            rest: RestReport {
                pose: stance.name().to_owned(),
                arm_angle_deg: stance.arm_angle(),
                forward: stance.facing.to_array(),
                up: Vec3::Y.to_array(),
                unit_scale,
            },
            height_m: body.height,
            hips_height_m: body.at(B::Hips).y,
            sole_offset_m: body.soles,
            leg_length_m: both(|side| body.leg_length(side)),
            arm_span_m: body.arm_span(),
            face: FaceReport {
                shapes: shapes.len(),
                map: shapes.into_iter().map(|(arkit, own)| (arkit.to_owned(), own)).collect(),
                expressions,
            },
            hands: both(|side| finger_chains(character, side)),
            warnings: messages.iter().map(Message::to_string).collect(),
            messages,
        }
    }

    /// Returns the level of facial animation: 0 none, 1 partial, 2 all 52 ARKit blend shapes.
    #[must_use]
    pub const fn face_data_type(&self) -> u8 {
        match (self.face.shapes, self.face.expressions) {
            (52.., _) => 2,
            (ENOUGH_SHAPES.., _) | (_, ENOUGH_EXPRESSIONS..) => 1,
            _ => 0,
        }
    }

    /// Returns the level of hand animation: 0 no fingers, 1 some, 2 all ten with at least two
    /// joints each.
    #[must_use]
    pub fn hand_data_type(&self) -> u8 {
        match self.hands.l + self.hands.r {
            10 => 2,
            0 if !self.has_finger() => 0,
            _ => 1,
        }
    }

    fn has_finger(&self) -> bool {
        let bones = Side::BOTH.into_iter().flat_map(|side| {
            Finger::ALL.into_iter().map(move |finger| B::finger(side, finger, Phalanx::First))
        });
        bones.into_iter().any(|bone| self.map.contains_key(bone.name()))
    }
}

fn joint_report(joint: &limber_animation::Joint) -> JointReport {
    JointReport { name: joint.name.clone(), parent: joint.parent.map(JointIndex::get) }
}

fn both<T>(of: impl Fn(Side) -> T) -> SidePair<T> {
    SidePair { l: of(Side::Left), r: of(Side::Right) }
}

fn finger_chains(character: &Character, side: Side) -> usize {
    let has = |bone| character.skeleton.find(bone).is_some();
    let joints = |finger: &Finger| {
        Phalanx::ALL.into_iter().filter(|phalanx| has(B::finger(side, *finger, *phalanx))).count()
    };
    Finger::ALL.iter().filter(|finger| joints(finger) >= 2).count()
}

/// Measurements of a body at rest.
struct Measured<'a> {
    character: &'a Character,
    world: limber_animation::WorldPose,
    height: f32,
    soles: SidePair<f32>,
}

impl<'a> Measured<'a> {
    fn of(character: &'a Character) -> Self {
        let world = character.skeleton.rest_world();
        let sides = sides_of_feet(character);
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        let mut soles = [f32::MAX; 2];
        for mesh in &character.meshes {
            let Some(skin) = mesh.skin.map(|place| &character.skins[place]) else { continue };
            let places = character.skinned_positions(mesh, &world);
            for (vertex, at) in places.into_iter().enumerate() {
                (low, high) = (low.min(at.y), high.max(at.y));
                let strongest = mesh.influences(vertex).max_by(|a, b| a.1.total_cmp(&b.1));
                let joint = strongest.map(|(place, _)| skin.joints[usize::from(place)]);
                if let Some(side) = joint.and_then(|joint| sides[joint.get()]) {
                    let sole = &mut soles[side as usize];
                    *sole = sole.min(at.y);
                }
            }
        }
        let [l, r] = soles.map(|sole| if sole == f32::MAX { 0.0 } else { sole });
        Self { character, world, height: (high - low).max(0.0), soles: SidePair { l, r } }
    }

    fn at(&self, bone: B) -> Vec3 {
        self.character.skeleton.find(bone).map_or(Vec3::ZERO, |joint| self.world.position(joint))
    }

    fn chain(&self, bones: &[B]) -> f32 {
        let places: Vec<Vec3> = bones
            .iter()
            .filter(|bone| self.character.skeleton.find(**bone).is_some())
            .map(|bone| self.at(*bone))
            .collect();
        places.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    fn leg_length(&self, side: Side) -> f32 {
        let [upper, lower, foot, _] = B::leg(side);
        self.chain(&[upper, lower, foot])
    }

    fn arm_span(&self) -> f32 {
        let arm = |side| {
            let [_, upper, lower, hand] = B::arm(side);
            self.chain(&[upper, lower, hand])
        };
        let shoulders = self.at(B::LeftUpperArm).distance(self.at(B::RightUpperArm));
        arm(Side::Left) + shoulders + arm(Side::Right)
    }
}

/// Returns, for each joint, the foot it belongs to.
fn sides_of_feet(character: &Character) -> Vec<Option<Side>> {
    let joints = character.skeleton.joints();
    let mut sides: Vec<Option<Side>> = Vec::with_capacity(joints.len());
    for joint in joints {
        sides.push(match joint.bone {
            Some(B::LeftFoot) => Some(Side::Left),
            Some(B::RightFoot) => Some(Side::Right),
            _ => joint.parent.map(JointIndex::get).and_then(|parent| sides[parent]),
        });
    }
    sides
}
