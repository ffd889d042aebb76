//! The file requirements of target programs, as data.
//!
//! Source: the manuals of the programs; joint names as in Unreal's mannequin and Mixamo.

use std::collections::HashSet;

use limber_animation::{Finger, HumanBone, Joint, JointIndex, Phalanx, Side, Skeleton};

/// A target program or file format for which a clip is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the presets are described by their rules")]
pub enum Preset {
    Gltf,
    Unity,
    Unreal5,
    Blender,
    MixamoNames,
    Vrma,
    Bvh,
}

/// The file format of a preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are named after formats")]
pub enum PresetFile {
    Glb,
    Fbx,
    Vrma,
    Bvh,
}

/// The naming scheme of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JointNames {
    /// As in the character's own file.
    #[default]
    Own,
    /// As in Unreal Engine 5's mannequin.
    Unreal5,
    /// As in Mixamo's characters, including the prefix.
    Mixamo,
}

/// Whether to omit keys that linear interpolation between their neighbours reproduces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum KeyReduction {
    /// A key in every frame.
    #[default]
    None,
    /// Omits keys as long as every joint stays within these tolerances of the full animation, in
    /// its parent's space.
    Bounded {
        /// Tolerance of rotations, in degrees.
        degrees: f32,
        /// Tolerance of translations, in millimetres.
        millimetres: f32,
    },
}

impl KeyReduction {
    /// Tolerances that are not noticeable.
    pub const UNSEEN: Self = Self::Bounded { degrees: 0.1, millimetres: 0.5 };
}

/// An axis of the file's right-handed coordinate system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the letters are the axes of a space")]
pub enum Axis {
    Y,
    Z,
}

/// The rules of a preset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PresetRules {
    /// The name on the command line.
    pub word: &'static str,
    /// Display name.
    pub title: &'static str,
    /// The file format.
    pub file: PresetFile,
    /// The up axis in the file.
    pub up: Axis,
    /// The axis in which the character faces in the file.
    pub forward: Axis,
    /// The unit of the file, in metres.
    pub unit_m: f32,
    /// The naming scheme of joints.
    pub names: JointNames,
    /// Whether a joint `root` carries the travel over the ground.
    pub root: bool,
    /// Frame rate; `None` takes the requested one.
    pub fps: Option<u16>,
    /// Whether the skinned mesh is written.
    pub mesh: bool,
    /// Which keys are omitted.
    pub keys: KeyReduction,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 7] = [
        Self::Gltf,
        Self::Unity,
        Self::Unreal5,
        Self::Blender,
        Self::MixamoNames,
        Self::Vrma,
        Self::Bvh,
    ];

    /// Returns the preset's rules.
    #[must_use]
    pub const fn rules(self) -> PresetRules {
        match self {
            Self::Gltf => {
                PresetRules { keys: KeyReduction::UNSEEN, ..glb("gltf", "glTF (generic)") }
            }
            Self::Unity => fbx("unity", "Unity Humanoid"),
            Self::Unreal5 => PresetRules {
                names: JointNames::Unreal5,
                root: true,
                fps: Some(30),
                ..fbx("unreal5", "Unreal Engine 5")
            },
            // Blender takes the frame rate from an FBX, so that keys are on whole frames; from a
            // GLB it takes times in seconds and keeps its own rate
            Self::Blender => fbx("blender", "Blender"),
            Self::MixamoNames => {
                PresetRules { names: JointNames::Mixamo, ..fbx("mixamo", "Mixamo names") }
            }
            Self::Vrma => {
                PresetRules { file: PresetFile::Vrma, mesh: false, ..glb("vrma", "VRM animation") }
            }
            Self::Bvh => PresetRules {
                file: PresetFile::Bvh,
                mesh: false,
                ..fbx("bvh", "Biovision hierarchy")
            },
        }
    }

    /// Returns the preset with this name, ignoring case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let wanted = word.trim();
        Self::ALL.into_iter().find(|preset| preset.rules().word.eq_ignore_ascii_case(wanted))
    }
}

const fn glb(word: &'static str, title: &'static str) -> PresetRules {
    PresetRules {
        word,
        title,
        file: PresetFile::Glb,
        up: Axis::Y,
        forward: Axis::Z,
        unit_m: 1.0,
        names: JointNames::Own,
        root: false,
        fps: None,
        mesh: true,
        keys: KeyReduction::None,
    }
}

const fn fbx(word: &'static str, title: &'static str) -> PresetRules {
    PresetRules { file: PresetFile::Fbx, unit_m: 0.01, ..glb(word, title) }
}

impl JointNames {
    /// Returns the name of a bone in this scheme; `None` if it has none.
    #[must_use]
    pub fn of(self, bone: HumanBone) -> Option<String> {
        match self {
            Self::Own => None,
            Self::Unreal5 => unreal(bone),
            Self::Mixamo => mixamo(bone).map(|name| format!("mixamorig:{name}")),
        }
    }

    /// Returns the skeleton with its human bones renamed and, for Unreal, all joints between pelvis
    /// and head. Other joints keep their names, with a number appended if a bone has taken it.
    #[must_use]
    pub fn rename(self, skeleton: &Skeleton) -> Skeleton {
        let mut joints: Vec<Joint> = skeleton.joints().to_vec();
        let meant = self.meant(skeleton);
        let mut taken: HashSet<String> = meant.iter().flatten().cloned().collect();
        for (joint, meant) in joints.iter_mut().zip(meant) {
            joint.name = meant.unwrap_or_else(|| {
                let mut free = joint.name.clone();
                let mut number = 2;
                while !taken.insert(free.clone()) {
                    free = format!("{}_{number}", joint.name);
                    number += 1;
                }
                free
            });
        }
        Skeleton::new(joints).expect("only names differ, and no two are the same")
    }

    /// Returns for each joint its unique name in this scheme, if any.
    fn meant(self, skeleton: &Skeleton) -> Vec<Option<String>> {
        let joints = skeleton.joints();
        let mut names: Vec<Option<String>> =
            joints.iter().map(|joint| joint.bone.and_then(|bone| self.of(bone))).collect();
        let trunk = if self == Self::Unreal5 { unreal_trunk(skeleton) } else { Vec::new() };
        if !trunk.is_empty() {
            for bone in UNREAL_COUNTED.into_iter().filter_map(|bone| skeleton.find(bone)) {
                names[bone.get()] = None;
            }
        }
        for (joint, name) in trunk {
            names[joint.get()] = Some(name);
        }
        names
    }
}

/// The bones that the mannequin distinguishes by number only.
const UNREAL_COUNTED: [HumanBone; 4] =
    [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest, HumanBone::Neck];

/// Returns the joints between pelvis and head with numbered names as in the mannequins: `spine_01`
/// and so on without a gap (three in the older mannequin, five in the newer one), then `neck_01`
/// and so on. Unreal compares names *and* hierarchy, so a `spine_03` that is a child of `spine_01`
/// is not recognised.
fn unreal_trunk(skeleton: &Skeleton) -> Vec<(JointIndex, String)> {
    let parent = |joint: JointIndex| skeleton.joint(joint).parent;
    let mut trunk = Vec::new();
    let mut next = skeleton.find(HumanBone::Head).and_then(parent);
    while let Some(joint) = next.filter(|joint| *joint != skeleton.hips()) {
        trunk.push(joint);
        next = parent(joint);
    }
    if next.is_none() {
        // the head is not a descendant of the hips
        return Vec::new();
    }
    trunk.reverse();
    let neck = skeleton.find(HumanBone::Neck);
    let spine = trunk.iter().position(|joint| Some(*joint) == neck).unwrap_or(trunk.len());
    let name = |place: usize| match place.checked_sub(spine) {
        Some(place) => format!("neck_{:02}", place + 1),
        None => format!("spine_{:02}", place + 1),
    };
    trunk.into_iter().enumerate().map(|(place, joint)| (joint, name(place))).collect()
}

/// Returns the side, the finger, and which of its three bones from the palm outwards this is.
fn finger_of(bone: HumanBone) -> Option<(Side, Finger, usize)> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| Finger::ALL.into_iter().map(move |finger| (side, finger)))
        .find_map(|(side, finger)| {
            let place = Phalanx::ALL
                .into_iter()
                .position(|phalanx| HumanBone::finger(side, finger, phalanx) == bone)?;
            Some((side, finger, place))
        })
}

/// Returns Unreal's name of a bone, for example `upperarm_l`.
fn unreal(bone: HumanBone) -> Option<String> {
    if let Some((side, finger, place)) = finger_of(bone) {
        let word = match finger {
            Finger::Thumb => "thumb",
            Finger::Index => "index",
            Finger::Middle => "middle",
            Finger::Ring => "ring",
            Finger::Little => "pinky",
        };
        return Some(format!("{word}_0{}_{}", place + 1, letter(side)));
    }
    let left = match bone.side() {
        Some(_) if bone.mirrored() < bone => bone.mirrored(),
        _ => bone,
    };
    let word = match left {
        HumanBone::Hips => "pelvis",
        HumanBone::Spine => "spine_01",
        HumanBone::Chest => "spine_02",
        HumanBone::UpperChest => "spine_03",
        HumanBone::Neck => "neck_01",
        HumanBone::Head => "head",
        HumanBone::LeftShoulder => "clavicle",
        HumanBone::LeftUpperArm => "upperarm",
        HumanBone::LeftLowerArm => "lowerarm",
        HumanBone::LeftHand => "hand",
        HumanBone::LeftUpperLeg => "thigh",
        HumanBone::LeftLowerLeg => "calf",
        HumanBone::LeftFoot => "foot",
        HumanBone::LeftToes => "ball",
        _ => return None,
    };
    Some(bone.side().map_or_else(|| word.to_owned(), |side| format!("{word}_{}", letter(side))))
}

const fn letter(side: Side) -> char {
    match side {
        Side::Left => 'l',
        Side::Right => 'r',
    }
}

/// Returns Mixamo's name of a bone without the prefix, for example `LeftForeArm`.
fn mixamo(bone: HumanBone) -> Option<String> {
    let word = |side: Side| match side {
        Side::Left => "Left",
        Side::Right => "Right",
    };
    if let Some((side, finger, place)) = finger_of(bone) {
        let finger = match finger {
            Finger::Thumb => "Thumb",
            Finger::Index => "Index",
            Finger::Middle => "Middle",
            Finger::Ring => "Ring",
            Finger::Little => "Pinky",
        };
        return Some(format!("{}Hand{finger}{}", word(side), place + 1));
    }
    let left = match bone.side() {
        Some(_) if bone.mirrored() < bone => bone.mirrored(),
        _ => bone,
    };
    let name = match left {
        HumanBone::Hips => "Hips",
        HumanBone::Spine => "Spine",
        HumanBone::Chest => "Spine1",
        HumanBone::UpperChest => "Spine2",
        HumanBone::Neck => "Neck",
        HumanBone::Head => "Head",
        HumanBone::LeftEye => "Eye",
        HumanBone::LeftShoulder => "Shoulder",
        HumanBone::LeftUpperArm => "Arm",
        HumanBone::LeftLowerArm => "ForeArm",
        HumanBone::LeftHand => "Hand",
        HumanBone::LeftUpperLeg => "UpLeg",
        HumanBone::LeftLowerLeg => "Leg",
        HumanBone::LeftFoot => "Foot",
        HumanBone::LeftToes => "ToeBase",
        _ => return None,
    };
    Some(format!("{}{name}", bone.side().map_or("", word)))
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;

    use super::*;

    #[test]
    fn presets_are_found_by_name_and_names_are_unique() {
        for preset in Preset::ALL {
            let word = preset.rules().word;
            assert_eq!(Preset::from_word(&word.to_uppercase()), Some(preset));
        }
        assert_eq!(Preset::from_word("maya"), None);
    }

    /// Unreal Engine, "Skeletons" and "FBX Skeletal Mesh Pipeline": animations are shared by bone
    /// names, under one `root`.
    #[test]
    fn the_unreal_preset_has_mannequin_names_and_a_root() {
        let rules = Preset::Unreal5.rules();
        assert!(rules.root && rules.mesh && rules.file == PresetFile::Fbx);
        let skeleton = rules.names.rename(&canonical_skeleton());
        for (bone, name) in [
            (HumanBone::Hips, "pelvis"),
            (HumanBone::Spine, "spine_01"),
            (HumanBone::Chest, "spine_02"),
            (HumanBone::UpperChest, "spine_03"),
            (HumanBone::Neck, "neck_01"),
            (HumanBone::RightUpperArm, "upperarm_r"),
            (HumanBone::LeftLowerLeg, "calf_l"),
            (HumanBone::RightToes, "ball_r"),
            (HumanBone::LeftThumbMetacarpal, "thumb_01_l"),
            (HumanBone::RightLittleDistal, "pinky_03_r"),
        ] {
            let joint = skeleton.find(bone).expect("the canonical skeleton has this bone");
            assert_eq!(skeleton.joint(joint).name, name);
        }
    }

    /// Five joints between pelvis and neck and two in the neck, some of them unmapped, as in the
    /// newer mannequin. With fewer joints there is no gap either.
    #[test]
    fn the_unreal_preset_numbers_every_spine_and_neck_joint() {
        let named = |count: usize| {
            let joint = |place: usize| Joint {
                name: format!("joint {place}"),
                parent: place.checked_sub(1).map(JointIndex::new),
                bone: match count - place {
                    _ if place == 0 => Some(HumanBone::Hips),
                    1 => Some(HumanBone::Head),
                    3 => Some(HumanBone::Neck),
                    5 => Some(HumanBone::Chest),
                    _ if place == 1 => Some(HumanBone::Spine),
                    _ => None,
                },
                ..Joint::default()
            };
            let skeleton = Skeleton::new((0..count).map(joint).collect()).expect("a skeleton");
            let renamed = JointNames::Unreal5.rename(&skeleton);
            renamed.joints().iter().map(|joint| joint.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            named(9),
            [
                "pelvis", "spine_01", "spine_02", "spine_03", "spine_04", "spine_05", "neck_01",
                "neck_02", "head"
            ]
        );
        assert_eq!(named(6), ["pelvis", "spine_01", "spine_02", "neck_01", "neck_02", "head"]);
    }

    #[test]
    fn the_mixamo_preset_adds_its_prefix() {
        let skeleton = JointNames::Mixamo.rename(&canonical_skeleton());
        for (bone, name) in [
            (HumanBone::Chest, "mixamorig:Spine1"),
            (HumanBone::LeftUpperLeg, "mixamorig:LeftUpLeg"),
            (HumanBone::RightLowerArm, "mixamorig:RightForeArm"),
            (HumanBone::LeftIndexProximal, "mixamorig:LeftHandIndex1"),
        ] {
            let joint = skeleton.find(bone).expect("the canonical skeleton has this bone");
            assert_eq!(skeleton.joint(joint).name, name);
        }
    }

    #[test]
    fn extra_joints_are_renamed_on_conflict() {
        let mut joints = canonical_skeleton().joints().to_vec();
        joints.push(Joint {
            name: "pelvis".to_owned(),
            parent: None,
            rest_translation: glam::Vec3::ZERO,
            rest_rotation: glam::Quat::IDENTITY,
            bone: None,
            twist: None,
        });
        let skeleton = Skeleton::new(joints).expect("the joints form a valid skeleton");
        let renamed = JointNames::Unreal5.rename(&skeleton);
        assert_eq!(renamed.joints().last().map(|joint| joint.name.as_str()), Some("pelvis_2"));
        let own = JointNames::Own.rename(&skeleton);
        assert_eq!(own, skeleton);
    }
}
