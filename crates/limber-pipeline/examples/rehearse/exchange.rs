//! Clips as two files that Python reads in a few lines.
//!
//! - `clips.jsonl`: a line per clip: what was asked, its first frame and number of frames in the other
//!   file, how it was understood. A request that the engine refused has `refused` instead.
//! - `frames.f32`: little-endian floats, a row per frame: the hips' place (metres), one quaternion x y z
//!   w per joint of the canonical skeleton, four contacts (heel and toe left, then right; 0 or 1).
//! - `skeleton.json`: names, parents and rest places of the joints.

use std::{fs, path::Path};

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, ContactPoint, Contacts, Face, Fps, Pose, Skeleton, canonical_skeleton,
};
use limber_pipeline::Message;
use serde::{Deserialize, Serialize};

use crate::Outcome;

/// A clip to be made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) say: String,
    pub(crate) seed: u64,
    #[serde(default)]
    pub(crate) duration_s: Option<f32>,
}

/// A line of `clips.jsonl`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Line {
    #[serde(flatten)]
    pub(crate) request: Request,
    #[serde(default)]
    pub(crate) start: usize,
    #[serde(default)]
    pub(crate) frames: usize,
    #[serde(default)]
    pub(crate) script: String,
    #[serde(default)]
    pub(crate) warnings: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
}

/// Clips in memory.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Those that were made, in the order of `lines` without the refused ones.
    pub(crate) clips: Vec<Clip>,
    lines: Vec<Line>,
}

impl Folder {
    pub(crate) fn add(
        &mut self,
        request: &Request,
        clip: &Clip,
        script: &str,
        warnings: &[Message],
    ) {
        let start = self.clips.iter().map(Clip::len).sum();
        self.lines.push(Line {
            request: request.clone(),
            start,
            frames: clip.len(),
            script: script.to_owned(),
            warnings: warnings.iter().map(Message::to_string).collect(),
            refused: None,
        });
        self.clips.push(clip.clone());
    }

    pub(crate) fn refused(&mut self, request: &Request, message: &str) {
        self.lines.push(Line {
            request: request.clone(),
            start: 0,
            frames: 0,
            script: String::new(),
            warnings: Vec::new(),
            refused: Some(message.to_owned()),
        });
    }

    /// Every line with its clip, `None` for those that were refused.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&Line, Option<&Clip>)> {
        let mut clips = self.clips.iter();
        self.lines
            .iter()
            .map(move |line| (line, if line.refused.is_none() { clips.next() } else { None }))
    }

    pub(crate) fn write(&self, folder: &Path) -> Outcome<()> {
        fs::create_dir_all(folder)?;
        let lines: Result<Vec<String>, _> = self.lines.iter().map(serde_json::to_string).collect();
        fs::write(folder.join("clips.jsonl"), lines?.join("\n") + "\n")?;
        let bytes: Vec<u8> =
            self.clips.iter().flat_map(numbers).flat_map(f32::to_le_bytes).collect();
        fs::write(folder.join("frames.f32"), bytes)?;
        fs::write(folder.join("skeleton.json"), skeleton(&canonical_skeleton()).to_string())?;
        Ok(())
    }

    pub(crate) fn read(folder: &Path) -> Outcome<Self> {
        let text = fs::read_to_string(folder.join("clips.jsonl"))?;
        let lines: Vec<Line> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let bytes = fs::read(folder.join("frames.f32"))?;
        let values: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes(four.try_into().expect("chunks of four")))
            .collect();
        let rows: Vec<&[f32]> = values.chunks_exact(row_length()).collect();
        let made = lines.iter().filter(|line| line.refused.is_none());
        let clips = made
            .map(|line| {
                let rows = rows.get(line.start..line.start + line.frames);
                clip(rows.ok_or_else(|| format!("frames of `{}` are missing", line.request.say))?)
            })
            .collect::<Outcome<_>>()?;
        Ok(Self { clips, lines })
    }
}

/// The requests of a file.
pub(crate) fn requests(path: &Path) -> Outcome<Vec<Request>> {
    let text = fs::read_to_string(path)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn row_length() -> usize {
    3 + 4 * canonical_skeleton().len() + ContactPoint::ALL.len()
}

fn numbers(clip: &Clip) -> impl Iterator<Item = f32> + '_ {
    clip.frames().iter().enumerate().flat_map(|(frame, pose)| {
        let contacts = clip.contacts().map_or(Contacts::NONE, |track| track[frame]);
        let turns = pose.rotations.iter().flat_map(|turn| turn.to_array());
        let touches = ContactPoint::ALL.map(|point| f32::from(u8::from(contacts.has(point))));
        pose.hips_translation.to_array().into_iter().chain(turns).chain(touches)
    })
}

fn clip(rows: &[&[f32]]) -> Outcome<Clip> {
    let skeleton = canonical_skeleton();
    let turns = 3..3 + 4 * skeleton.len();
    let poses = rows.iter().map(|row| Pose {
        hips_translation: Vec3::from_slice(row),
        rotations: row[turns.clone()]
            .chunks_exact(4)
            .map(|q| Quat::from_slice(q).normalize())
            .collect(),
        face: Face::UNKNOWN,
    });
    let contacts = rows.iter().map(|row| {
        let mut contacts = Contacts::NONE;
        for (point, touches) in ContactPoint::ALL.into_iter().zip(&row[turns.end..]) {
            contacts.set(point, *touches > 0.5);
        }
        contacts
    });
    let contacts = contacts.collect();
    Ok(Clip::new(skeleton, Fps::DEFAULT, poses.collect())?.with_contacts(contacts)?)
}

fn skeleton(skeleton: &Skeleton) -> serde_json::Value {
    let joints = skeleton.joints().iter().map(|joint| {
        serde_json::json!({
            "name": joint.name,
            "parent": joint.parent.map(limber_animation::JointIndex::get),
            "place": joint.rest_translation.to_array(),
        })
    });
    joints.collect()
}
