//! The clip that every output is derived from, exact to the bit.
//!
//! ```text
//! "LIMBCLIP"  u32 version  u32 header length  header (JSON)  frames  contacts  faces  SHA-256 of all before
//! ```
//! All numbers are little-endian. A frame is the hips' place (3 × f32) and one quaternion per joint
//! (x y z w, f32); contacts are one byte per frame; where faces are known, 52 × f32 per frame follow. The skeleton is always the canonical one; the
//! header holds its fingerprint, so that a clip made on another version of it is noticed.

use glam::{Quat, Vec3};
use limber_animation::{
    ARKIT_SHAPES, Clip, Contacts, Face, Fps, Pose, Skeleton, canonical_skeleton,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version this program writes. It reads the first too, which knew no faces.
pub const VERSION: u32 = 2;

const MAGIC: &[u8; 8] = b"LIMBCLIP";
const FACE_BYTES: usize = 4 * ARKIT_SHAPES.len();
const SUM_BYTES: usize = 32;
const MAX_HEADER_BYTES: usize = 256 * 1024;

/// Where a clip comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClipMeta {
    /// What the user typed, cleaned.
    pub prompt: String,
    /// The variant's own seed.
    pub seed: u64,
    /// The engine's name.
    pub engine: String,
    /// The engine's version.
    pub engine_version: u32,
    /// How the prompt was understood, in the text form of scripts; absent of what no prompt alone made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Sentences for the user.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Why a canonical clip was not read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// It does not begin as a canonical clip does.
    #[error("this is not a canonical clip")]
    NotACanonicalClip,
    /// Written by another version of the program.
    #[error("the clip has format version {found}, this program reads version {VERSION}")]
    OtherVersion {
        /// The file's version.
        found: u32,
    },
    /// Made on another version of the canonical skeleton.
    #[error("the clip was made on another skeleton than this program's canonical one")]
    OtherSkeleton,
    /// The end is missing.
    #[error("the clip is cut off")]
    Truncated,
    /// The bytes are not those that were written.
    #[error("the clip's checksum is wrong: it was changed or damaged")]
    ChecksumMismatch,
    /// The checksum is right but the contents are not.
    #[error("the clip's contents make no sense: {0}")]
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
}

/// Writes a clip on the canonical skeleton.
///
/// # Errors
/// [`CanonicalError::OtherSkeleton`] when the clip stands on another one.
pub fn write(clip: &Clip, meta: &ClipMeta) -> Result<Vec<u8>, CanonicalError> {
    if clip.skeleton() != &canonical_skeleton() {
        return Err(CanonicalError::OtherSkeleton);
    }
    let header = Header {
        fps: clip.fps().get(),
        frames: clip.len(),
        joints: clip.skeleton().len(),
        contacts: clip.contacts().is_some(),
        faces: has_faces(clip),
        skeleton: fingerprint(clip.skeleton()),
        meta: meta.clone(),
    };
    let header = serde_json::to_vec(&header).expect("a header of plain values becomes JSON");
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
    let sum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&sum);
    Ok(bytes)
}

/// Reads what [`write()`] wrote.
///
/// # Errors
/// See [`CanonicalError`].
pub fn read(bytes: &[u8]) -> Result<(Clip, ClipMeta), CanonicalError> {
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
    let clip = clip(&header, &bytes[16 + header_length..body_end])?;
    Ok((clip, header.meta))
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
        return Err(malformed("the data does not have the length the header says"));
    }
    let fps = Fps::new(header.fps).ok_or_else(|| malformed("the frame rate is unusable"))?;
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

/// Whether all frames know their face.
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

/// Names, parents and rest transforms in 64 hexadecimal digits.
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
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            .expect("it is a clip")
    }

    fn meta() -> ClipMeta {
        ClipMeta {
            prompt: "a person walks".to_owned(),
            seed: u64::MAX,
            engine: "composer".to_owned(),
            engine_version: 3,
            script: Some("walk".to_owned()),
            warnings: vec!["a word was passed over".to_owned()],
        }
    }

    #[test]
    fn faces_are_kept_and_files_without_them_are_read() {
        let mut clip = clip();
        for (frame, pose) in clip.frames_mut().iter_mut().enumerate() {
            pose.face = Face::new([frame as f32 * 0.2; ARKIT_SHAPES.len()]);
        }
        let bytes = write(&clip, &meta()).expect("it is canonical");
        assert_eq!(read(&bytes), Ok((clip, meta())));
        let mut first = write(&super::tests::clip(), &meta()).expect("it is canonical");
        first[8] = 1;
        let end = first.len() - SUM_BYTES;
        let sum = Sha256::digest(&first[..end]);
        first[end..].copy_from_slice(&sum);
        assert_eq!(read(&first), Ok((super::tests::clip(), meta())));
    }

    #[test]
    fn what_is_written_is_read_exactly() {
        let bytes = write(&clip(), &meta()).expect("it is canonical");
        assert_eq!(read(&bytes), Ok((clip(), meta())));
        assert_eq!(bytes, write(&clip(), &meta()).expect("it is canonical"));
    }

    #[test]
    fn every_flipped_byte_is_noticed() {
        let bytes = write(&clip(), &meta()).expect("it is canonical");
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(read(&damaged).is_err(), "byte {at}");
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let bytes = write(&clip(), &meta()).expect("it is canonical");
        for length in (0..bytes.len()).step_by(11) {
            assert!(read(&bytes[..length]).is_err(), "length {length}");
        }
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = write(&clip(), &meta()).expect("it is canonical");
        bytes[8] = 9;
        assert_eq!(read(&bytes), Err(CanonicalError::OtherVersion { found: 9 }));
    }
}
