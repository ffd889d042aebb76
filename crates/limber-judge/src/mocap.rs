//! Reads recorded motion for comparison, from folders with `motion.npz` and `clips.jsonl`.
//!
//! The arrays are `joints` (names), `parents`, `offsets` (metres), and for every segment S `pos/S`
//! (T×3 floats, root position in metres) and `rot/S` (T×J×4 half floats, local quaternions w, x, y,
//! z). Y is up, left is +X, the frame rate is 30 fps, the rest pose is a T-pose. Such data are only
//! measured; none of them are stored in this repository.

mod arrays;

use std::{path::Path, sync::Arc};

use arrays::{Archive, Array};
use glam::{Quat, Vec3};
use limber_animation::{Clip, Fps, HumanBone, Joint, JointIndex, Pose, Skeleton};
use serde::Deserialize;

/// Height of the ankle above the sole in the data's rest pose, metres.
const ANKLE_M: f32 = 0.075;

/// Why recorded motion cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MocapError {
    /// A file is missing or cannot be read.
    #[error("{0} cannot be read: {1}")]
    File(String, std::io::Error),
    /// The contents of a file are not as described.
    #[error("the recorded motion is damaged: {0}")]
    Damaged(String),
}

/// A captioned part of a recording.
#[derive(Debug, Clone, Deserialize)]
pub struct Take {
    /// Unique name.
    pub id: String,
    /// The segment that it is part of.
    pub seg: String,
    /// First frame.
    pub start: usize,
    /// The frame after the last one.
    pub end: usize,
    /// Data split: `train`, `val` or `test`.
    pub split: String,
    /// Whether the captions describe the whole recording, and so may not apply to this part.
    pub mixed: bool,
    /// Captions, with `{}` in place of the person.
    pub captions: Vec<String>,
    /// Captions derived from measurements, which are certain.
    pub auto: Vec<String>,
    /// Tags, if there are any.
    #[serde(default)]
    pub tags: Option<Tags>,
}

/// Properties of a take.
#[derive(Debug, Clone, Deserialize)]
pub struct Tags {
    /// `mocap` or `hand-keyed`.
    pub kind: String,
    /// Whether it is a loop, without beginning and end.
    #[serde(default, rename = "loop")]
    pub looped: bool,
}

impl Take {
    /// All captions, with "a person" in place of `{}`.
    pub fn sentences(&self) -> impl Iterator<Item = String> + '_ {
        self.captions.iter().map(|caption| caption.replace("{}", "a person"))
    }

    /// Whether it is recorded human movement: not keyframed by hand, and not from the segments
    /// `kk_…` and `g1_…`.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        let keyed = self.tags.as_ref().is_some_and(|tags| tags.kind != "mocap");
        !keyed && !self.seg.starts_with("kk_") && !self.seg.starts_with("g1_")
    }
}

/// A folder of recorded motion, whose movement is read on demand.
#[derive(Debug)]
pub struct Library {
    archive: Archive,
    skeleton: Arc<Skeleton>,
    /// All takes.
    pub takes: Vec<Take>,
}

impl Library {
    /// Opens a folder.
    ///
    /// # Errors
    /// See [`MocapError`].
    pub fn open(folder: &Path) -> Result<Self, MocapError> {
        let read = |name: &str| {
            let file = std::fs::read(folder.join(name));
            file.map_err(|error| MocapError::File(name.to_owned(), error))
        };
        let archive = Archive::of(read("motion.npz")?)?;
        let text = String::from_utf8(read("clips.jsonl")?)
            .map_err(|error| MocapError::Damaged(error.to_string()))?;
        let takes = text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()
            .map_err(|error| MocapError::Damaged(error.to_string()))?;
        let skeleton = skeleton(&archive)?;
        Ok(Self { archive, skeleton: Arc::new(skeleton), takes })
    }

    /// Reads the clip of one take.
    ///
    /// # Errors
    /// See [`MocapError`].
    pub fn clip(&self, take: &Take) -> Result<Clip, MocapError> {
        let damaged = |what: &str| MocapError::Damaged(format!("{}: {what}", take.id));
        let places = self.archive.array(&format!("pos/{}", take.seg))?;
        let turns = self.archive.array(&format!("rot/{}", take.seg))?;
        let joints = self.skeleton.len();
        let frames = take.start..take.end;
        if places.values.len() < 3 * frames.end || turns.values.len() < 4 * joints * frames.end {
            return Err(damaged("frames are missing"));
        }
        let poses = frames.map(|frame| pose(&places, &turns, joints, frame)).collect();
        Clip::new(Arc::clone(&self.skeleton), Fps::DEFAULT, poses)
            .map_err(|error| damaged(&error.to_string()))
    }
}

fn pose(places: &Array, turns: &Array, joints: usize, frame: usize) -> Pose {
    let place = &places.values[3 * frame..3 * frame + 3];
    let rotations = turns.values[4 * joints * frame..4 * joints * (frame + 1)]
        .chunks_exact(4)
        .map(|q| Quat::from_xyzw(q[1], q[2], q[3], q[0]).normalize())
        .collect();
    Pose {
        hips_translation: Vec3::from_slice(place),
        rotations,
        face: limber_animation::Face::UNKNOWN,
    }
}

/// Maps the joint names of the data to bones.
fn bone(name: &str) -> Option<HumanBone> {
    use HumanBone as B;
    Some(match name {
        "Hips" => B::Hips,
        "Spine" => B::Spine,
        "Spine1" => B::Chest,
        "Spine2" => B::UpperChest,
        "Neck" => B::Neck,
        "Head" => B::Head,
        "LeftUpLeg" => B::LeftUpperLeg,
        "LeftLeg" => B::LeftLowerLeg,
        "LeftFoot" => B::LeftFoot,
        "LeftToeBase" => B::LeftToes,
        "LeftShoulder" => B::LeftShoulder,
        "LeftArm" => B::LeftUpperArm,
        "LeftForeArm" => B::LeftLowerArm,
        "LeftHand" => B::LeftHand,
        right => bone(&format!("Left{}", right.strip_prefix("Right")?))?.mirrored(),
    })
}

fn skeleton(archive: &Archive) -> Result<Skeleton, MocapError> {
    let names = archive.names("joints")?;
    let parents = archive.array("parents")?.values;
    let offsets = archive.array("offsets")?.values;
    if parents.len() != names.len() || offsets.len() != 3 * names.len() {
        return Err(MocapError::Damaged("the skeleton's arrays have different lengths".to_owned()));
    }
    let leg_m: f32 = ["LeftUpLeg", "LeftLeg", "LeftFoot"]
        .into_iter()
        .filter_map(|name| names.iter().position(|other| other == name))
        .map(|place| -offsets[3 * place + 1])
        .sum();
    let joints = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let parent = parents[place];
            let offset = Vec3::from_slice(&offsets[3 * place..3 * place + 3]);
            let root = Vec3::Y * (leg_m + ANKLE_M);
            Joint {
                name: name.clone(),
                parent: (parent >= 0.0).then(|| JointIndex::new(parent as usize)),
                rest_translation: if parent >= 0.0 { offset } else { root },
                bone: bone(name),
                ..Joint::default()
            }
        })
        .collect();
    Skeleton::new(joints).map_err(|error| MocapError::Damaged(error.to_string()))
}
