//! Stores the canonical clip, from which every output is derived, bit-exactly.
//!
//! ```text
//! "LIMBCLIP"  u32 version  u32 header length  header (JSON)  frames  contacts  faces  origins
//! SHA-256 of everything before
//! ```
//! All numbers are little-endian. A frame is the position of the hips (3 × f32) and one quaternion
//! per joint (x y z w, f32). Contacts are one byte per frame. If there is facial animation, 52 ×
//! f32 per frame follow. An origin is a canonical clip in the same format. The skeleton is always
//! the canonical one; the header contains its fingerprint, so that clips made for another version
//! of it are detected.

use std::{ops::Range, sync::Arc};

use glam::{Quat, Vec3};
use limber_animation::{
    ARKIT_SHAPES, Clip, Contacts, Face, Fps, FrameIndex, Pose, Skeleton, canonical_skeleton,
};
use limber_domain::hex;
use limber_script::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version that is written. Version 1, without faces, and version 2, without origins, can still
/// be read.
pub const VERSION: u32 = 3;

const MAGIC: &[u8; 8] = b"LIMBCLIP";
const FACE_BYTES: usize = 4 * ARKIT_SHAPES.len();
const SUM_BYTES: usize = 32;
const MAX_HEADER_BYTES: usize = 256 * 1024;

/// A stored motion, from which every output can be derived.
#[derive(Debug, Clone, PartialEq)]
pub struct CanonicalClip {
    /// The motion, on the canonical skeleton at [`Self::FPS`].
    pub clip: Clip,
    /// How the clip was made.
    pub meta: ClipMeta,
    /// The clips from which an edit took frames. Those frames are derived from their origins in
    /// output files, because foot corrections depend on neighbouring frames, which may be different
    /// in the edited clip.
    pub origins: Vec<Origin>,
}

impl CanonicalClip {
    /// The frame rate of all canonical clips.
    pub const FPS: Fps = Fps::DEFAULT;
    /// How many generations of origins edits of edits retain.
    pub const MOST_GENERATIONS: usize = 8;

    /// Creates a clip without origins.
    #[must_use]
    pub fn new(clip: Clip, meta: ClipMeta) -> Self {
        Self { clip, meta, origins: Vec::new() }
    }

    /// Returns the clip with at most `generations` generations of origins.
    #[must_use]
    pub fn remembering(&self, generations: usize) -> Self {
        let nearer = |origin: &Origin| Origin {
            clip: Arc::new(origin.clip.remembering(generations - 1)),
            pieces: origin.pieces.clone(),
        };
        let origins = if generations == 0 { &[][..] } else { &self.origins };
        Self { origins: origins.iter().map(nearer).collect(), ..self.clone() }
    }
}

/// A clip from which another one took frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The original clip.
    pub clip: Arc<CanonicalClip>,
    /// The pieces that were taken.
    pub pieces: Vec<Piece>,
}

/// A run of consecutive frames that an edit left unchanged, except for a move over the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Index of the first frame in the origin.
    pub from: FrameIndex,
    /// Where the frames are now.
    pub frames: Range<FrameIndex>,
}

/// How a clip was made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "StoredMeta", into = "StoredMeta")]
pub struct ClipMeta {
    /// The user's prompt, cleaned.
    pub prompt: String,
    /// The seed of the variant.
    pub seed: u64,
    /// Name of the engine.
    pub engine: String,
    /// Version of the engine.
    pub engine_version: u32,
    /// How the prompt was understood, as a script in text form; `None` if the clip was not made
    /// from a prompt alone.
    pub script: Option<String>,
    /// Warnings for the user.
    pub warnings: Vec<Message>,
}

/// The serialised form of [`ClipMeta`]. Warnings are stored as data, and additionally as sentences
/// for versions that know nothing else.
#[derive(Serialize, Deserialize)]
struct StoredMeta {
    prompt: String,
    seed: u64,
    engine: String,
    engine_version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    #[serde(default)]
    warnings: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "limber_script::message::told")]
    messages: Vec<Message>,
}

impl From<ClipMeta> for StoredMeta {
    fn from(meta: ClipMeta) -> Self {
        let ClipMeta { prompt, seed, engine, engine_version, script, warnings } = meta;
        Self {
            prompt,
            seed,
            engine,
            engine_version,
            script,
            warnings: warnings.iter().map(Message::to_string).collect(),
            messages: warnings,
        }
    }
}

impl From<StoredMeta> for ClipMeta {
    fn from(stored: StoredMeta) -> Self {
        let StoredMeta { prompt, seed, engine, engine_version, script, warnings, .. } = stored;
        let warnings = if stored.messages.is_empty() {
            warnings.into_iter().map(Message::from).collect()
        } else {
            stored.messages
        };
        Self { prompt, seed, engine, engine_version, script, warnings }
    }
}

/// Why a canonical clip could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// The magic number is missing.
    #[error("this is not a canonical clip")]
    NotACanonicalClip,
    /// The file has an unsupported version.
    #[error("the clip has format version {found}, but this program reads version {VERSION}")]
    OtherVersion {
        /// The version of the file.
        found: u32,
    },
    /// The clip was made for another version of the canonical skeleton.
    #[error("the clip's skeleton is not the canonical skeleton of this program")]
    OtherSkeleton,
    /// The file is truncated.
    #[error("the clip is truncated")]
    Truncated,
    /// The checksum does not match: the file was modified or damaged.
    #[error("the clip's checksum does not match: the clip was changed or is damaged")]
    ChecksumMismatch,
    /// The checksum matches, but the content is invalid.
    #[error("the clip's contents are invalid: {0}")]
    Malformed(String),
}

#[derive(Serialize, Deserialize)]
struct Header {
    fps: u16,
    frames: usize,
    joints: usize,
    contacts: bool,
    #[serde(default)]
    faces: bool,
    skeleton: String,
    meta: ClipMeta,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    origins: Vec<OriginHeader>,
}

#[derive(Serialize, Deserialize)]
struct OriginHeader {
    bytes: usize,
    pieces: Vec<Piece>,
}

/// Writes a clip.
///
/// # Errors
/// [`CanonicalError::OtherSkeleton`] if the clip is not on the canonical skeleton.
pub fn write(canonical: &CanonicalClip) -> Result<Vec<u8>, CanonicalError> {
    let CanonicalClip { clip, meta, origins } = canonical;
    if clip.skeleton() != &canonical_skeleton() {
        return Err(CanonicalError::OtherSkeleton);
    }
    let written =
        origins.iter().map(|origin| write(&origin.clip)).collect::<Result<Vec<_>, _>>()?;
    let header = Header {
        fps: clip.fps().get(),
        frames: clip.len(),
        joints: clip.skeleton().len(),
        contacts: clip.contacts().is_some(),
        faces: has_faces(clip),
        skeleton: fingerprint(clip.skeleton()),
        meta: meta.clone(),
        origins: origins
            .iter()
            .zip(&written)
            .map(|(origin, bytes)| OriginHeader {
                bytes: bytes.len(),
                pieces: origin.pieces.clone(),
            })
            .collect(),
    };
    let header =
        serde_json::to_vec(&header).expect("a header of plain values can be written as JSON");
    if header.len() > MAX_HEADER_BYTES {
        return Err(CanonicalError::Malformed("the description is too long".to_owned()));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&header);
    for pose in clip.frames() {
        let turns = pose.rotations.iter().flat_map(|turn| turn.to_array());
        for value in pose.hips_translation.to_array().into_iter().chain(turns) {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
    }
    bytes.extend(clip.contacts().into_iter().flatten().map(|contacts| contacts.bits()));
    if has_faces(clip) {
        let weights = clip.frames().iter().flat_map(|pose| pose.face.weights()).flatten();
        weights.for_each(|weight| bytes.extend_from_slice(&weight.to_le_bytes()));
    }
    bytes.extend(written.into_iter().flatten());
    let sum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&sum);
    Ok(bytes)
}

/// Reads a clip written by [`write()`].
///
/// # Errors
/// See [`CanonicalError`].
pub fn read(bytes: &[u8]) -> Result<CanonicalClip, CanonicalError> {
    read_generation(bytes, CanonicalClip::MOST_GENERATIONS)
}

/// Reads a clip whose origins may be nested up to `further` levels deep.
fn read_generation(bytes: &[u8], further: usize) -> Result<CanonicalClip, CanonicalError> {
    if bytes.get(..8).is_none_or(|magic| magic != MAGIC) {
        return Err(CanonicalError::NotACanonicalClip);
    }
    let found = word(bytes, 8)?;
    if !(1..=VERSION).contains(&found) {
        return Err(CanonicalError::OtherVersion { found });
    }
    let header_length = word(bytes, 12)? as usize;
    let body_end = bytes.len().checked_sub(SUM_BYTES).ok_or(CanonicalError::Truncated)?;
    if header_length > MAX_HEADER_BYTES || 16 + header_length > body_end {
        return Err(CanonicalError::Truncated);
    }
    if Sha256::digest(&bytes[..body_end])[..] != bytes[body_end..] {
        return Err(CanonicalError::ChecksumMismatch);
    }
    let malformed = |error: &dyn std::fmt::Display| CanonicalError::Malformed(error.to_string());
    let header: Header = serde_json::from_slice(&bytes[16..16 + header_length])
        .map_err(|error| malformed(&error))?;
    let body = &bytes[16 + header_length..body_end];
    let behind =
        header.origins.iter().try_fold(0_usize, |sum, origin| sum.checked_add(origin.bytes));
    let own_length = behind.and_then(|behind| body.len().checked_sub(behind));
    let (own, mut behind) = body.split_at(own_length.ok_or(CanonicalError::Truncated)?);
    let clip = clip(&header, own)?;
    let mut origins = Vec::with_capacity(header.origins.len());
    for origin in header.origins {
        let left =
            further.checked_sub(1).ok_or_else(|| malformed(&"there are too many origins"))?;
        let (bytes, rest) = behind.split_at(origin.bytes);
        behind = rest;
        let source = read_generation(bytes, left)?;
        let fits = |piece: &Piece| {
            let Range { start, end } = piece.frames;
            let length = end.checked_sub(start);
            let taken = length.and_then(|length| piece.from.checked_add(length));
            end <= clip.len() && taken.is_some_and(|taken| taken <= source.clip.len())
        };
        if !origin.pieces.iter().all(fits) {
            return Err(malformed(&"a part of an origin lies outside of that origin"));
        }
        origins.push(Origin { clip: Arc::new(source), pieces: origin.pieces });
    }
    Ok(CanonicalClip { clip, meta: header.meta, origins })
}

fn clip(header: &Header, data: &[u8]) -> Result<Clip, CanonicalError> {
    let skeleton = canonical_skeleton();
    if header.joints != skeleton.len() || header.skeleton != fingerprint(&skeleton) {
        return Err(CanonicalError::OtherSkeleton);
    }
    let malformed = |problem: &str| CanonicalError::Malformed(problem.to_owned());
    let width = (3 + 4 * header.joints) * 4;
    let poses_end = header.frames.checked_mul(width).ok_or_else(|| malformed("too many frames"))?;
    let contacts_length = if header.contacts { header.frames } else { 0 };
    let faces_length = if header.faces { header.frames.saturating_mul(FACE_BYTES) } else { 0 };
    let contacts_end = poses_end.saturating_add(contacts_length);
    if contacts_end.checked_add(faces_length) != Some(data.len()) {
        return Err(malformed("the data does not have the length that the header declares"));
    }
    let fps = Fps::new(header.fps).ok_or_else(|| malformed("the frame rate is invalid"))?;
    let mut frames: Vec<Pose> = data[..poses_end].chunks_exact(width).map(pose).collect();
    for (pose, row) in frames.iter_mut().zip(data[contacts_end..].chunks_exact(FACE_BYTES)) {
        let weights = floats(row);
        pose.face = Face::new(std::array::from_fn(|shape| weights[shape]));
    }
    let clip = Clip::new(skeleton, fps, frames).map_err(|error| malformed(&error.to_string()))?;
    if !header.contacts {
        return Ok(clip);
    }
    let contacts =
        data[poses_end..contacts_end].iter().map(|bits| Contacts::from_bits(*bits)).collect();
    clip.with_contacts(contacts).map_err(|error| malformed(&error.to_string()))
}

/// Whether all frames have facial animation.
fn has_faces(clip: &Clip) -> bool {
    clip.frames().iter().all(|pose| pose.face.weights().is_some())
}

fn floats(row: &[u8]) -> Vec<f32> {
    row.chunks_exact(4)
        .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect()
}

fn pose(row: &[u8]) -> Pose {
    let values = floats(row);
    Pose {
        hips_translation: Vec3::from_slice(&values[..3]),
        rotations: values[3..].chunks_exact(4).map(Quat::from_slice).collect(),
        face: Face::UNKNOWN,
    }
}

fn word(bytes: &[u8], at: usize) -> Result<u32, CanonicalError> {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map(u32::from_le_bytes).ok_or(CanonicalError::Truncated)
}

/// Returns a fingerprint of names, parents and rest transforms: 64 hexadecimal digits.
fn fingerprint(skeleton: &Skeleton) -> String {
    let mut sum = Sha256::new();
    for joint in skeleton.joints() {
        sum.update(joint.name.as_bytes());
        sum.update([0]);
        sum.update(joint.parent.map_or(u32::MAX, |parent| parent.get() as u32).to_le_bytes());
        let place = joint.rest_translation.to_array();
        for value in place.into_iter().chain(joint.rest_rotation.to_array()) {
            sum.update(value.to_le_bytes());
        }
    }
    hex(&sum.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> CanonicalClip {
        CanonicalClip::new(clip(), meta())
    }

    fn clip() -> Clip {
        let skeleton = canonical_skeleton();
        let frames = (0..5)
            .map(|frame| {
                let mut pose = skeleton.rest_pose();
                pose.hips_translation.z = frame as f32 * 0.1;
                pose.rotations[7] = Quat::from_rotation_x(frame as f32 * 0.3);
                pose
            })
            .collect();
        Clip::new(skeleton, Fps::DEFAULT, frames)
            .and_then(|clip| clip.with_contacts((0..5).map(Contacts::from_bits).collect()))
            .expect("the poses form a valid clip")
    }

    fn meta() -> ClipMeta {
        ClipMeta {
            prompt: "a person walks".to_owned(),
            seed: u64::MAX,
            engine: "composer".to_owned(),
            engine_version: 3,
            script: Some("walk".to_owned()),
            warnings: vec![
                Message::UnknownWord { word: "juwmps".to_owned(), nearest: Vec::new() },
                Message::OnePerson,
            ],
        }
    }

    #[test]
    fn clips_keep_faces_and_older_clips_without_them_are_read() {
        let mut clip = clip();
        for (frame, pose) in clip.frames_mut().iter_mut().enumerate() {
            pose.face = Face::new([frame as f32 * 0.2; ARKIT_SHAPES.len()]);
        }
        let known = CanonicalClip::new(clip, meta());
        let bytes = write(&known).expect("the clip is canonical");
        assert_eq!(read(&bytes), Ok(known));
        let mut first = write(&sample()).expect("the clip is canonical");
        first[8] = 1;
        let end = first.len() - SUM_BYTES;
        let sum = Sha256::digest(&first[..end]);
        first[end..].copy_from_slice(&sum);
        assert_eq!(read(&first), Ok(sample()));
    }

    #[test]
    fn clips_are_read_back_exactly() {
        let bytes = write(&sample()).expect("the clip is canonical");
        assert_eq!(read(&bytes), Ok(sample()));
        assert_eq!(bytes, write(&sample()).expect("the clip is canonical"));
    }

    #[test]
    fn messages_are_stored_as_data_and_older_sentences_are_read() {
        let stored = serde_json::to_value(meta()).expect("the value can be serialised");
        assert_eq!(stored["warnings"][1], "Limber animates one person; the others were left out.");
        assert_eq!(stored["messages"][0]["word"], "juwmps");
        let mut older = stored;
        older.as_object_mut().expect("the value is an object").remove("messages");
        let read: ClipMeta = serde_json::from_value(older).expect("the clip can be read");
        let sentence = Message::from("Limber animates one person; the others were left out.");
        assert_eq!(read.warnings[1], sentence);
        assert_eq!(read.warnings.len(), 2);
        let silent = ClipMeta { warnings: Vec::new(), ..meta() };
        let stored = serde_json::to_value(silent).expect("the value can be serialised");
        assert!(stored.get("messages").is_none(), "{stored}");
    }

    #[test]
    fn obsolete_fields_of_earlier_versions_are_ignored() {
        let written = write(&sample()).expect("the clip is canonical");
        let header_end = 16 + word(&written, 12).expect("the clip has a header") as usize;
        let mut header: serde_json::Value =
            serde_json::from_slice(&written[16..header_end]).expect("the header is valid JSON");
        header["meta"]["naturalised"] =
            serde_json::json!({ "askedPercent": 50, "keptPlain": "feet would slide at 3.00 cm/s" });
        let header = serde_json::to_vec(&header).expect("the value can be serialised");
        let mut older = written[..12].to_vec();
        older.extend_from_slice(&(header.len() as u32).to_le_bytes());
        older.extend_from_slice(&header);
        older.extend_from_slice(&written[header_end..written.len() - SUM_BYTES]);
        let sum = Sha256::digest(&older);
        older.extend_from_slice(&sum);
        assert_eq!(read(&older), Ok(sample()));
    }

    #[test]
    fn every_changed_byte_is_detected() {
        let bytes = write(&sample()).expect("the clip is canonical");
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(read(&damaged).is_err(), "byte {at}");
        }
    }

    #[test]
    fn truncated_clips_are_rejected() {
        let bytes = write(&sample()).expect("the clip is canonical");
        for length in (0..bytes.len()).step_by(11) {
            assert!(read(&bytes[..length]).is_err(), "length {length}");
        }
    }

    #[test]
    fn unsupported_versions_are_named() {
        let mut bytes = write(&sample()).expect("the clip is canonical");
        bytes[8] = 9;
        assert_eq!(read(&bytes), Err(CanonicalError::OtherVersion { found: 9 }));
    }

    #[test]
    fn origins_are_kept_up_to_the_limit() {
        let pieces = vec![Piece { from: 1, frames: 0..2 }, Piece { from: 4, frames: 4..5 }];
        let mut edited = sample();
        for _ in 0..CanonicalClip::MOST_GENERATIONS {
            let origin = Origin { clip: Arc::new(edited), pieces: pieces.clone() };
            edited = CanonicalClip { origins: vec![origin], ..sample() };
        }
        let bytes = write(&edited).expect("the clip is canonical");
        assert_eq!(read(&bytes), Ok(edited.clone()));
        let origin = Origin { clip: Arc::new(edited), pieces };
        let further = CanonicalClip { origins: vec![origin], ..sample() };
        let too_far = write(&further).expect("the clip is canonical");
        assert!(matches!(read(&too_far), Err(CanonicalError::Malformed(_))));
        let nearer = further.remembering(CanonicalClip::MOST_GENERATIONS);
        assert_eq!(read(&write(&nearer).expect("the clip is canonical")), Ok(nearer));
    }

    #[test]
    fn parts_outside_their_origin_are_rejected() {
        for piece in [Piece { from: 4, frames: 0..2 }, Piece { from: 0, frames: 4..6 }] {
            let origin = Origin { clip: Arc::new(sample()), pieces: vec![piece] };
            let edited = CanonicalClip { origins: vec![origin], ..sample() };
            let bytes = write(&edited).expect("the clip is canonical");
            assert!(matches!(read(&bytes), Err(CanonicalError::Malformed(_))));
        }
    }
}
