//! Compresses the movement of a take to less than 2 KB per second.
//!
//! Joint rotations are stored as the three smaller components of their quaternions (J. Blow,
//! *Quantizing Quaternions*, Game Developer, 2002) in steps of about 0.04°, and the hips' position
//! in steps of 0.25 mm. Each number is stored as its difference from a linear extrapolation, and
//! the result is deflated. Fingers are not stored, because few recordings have them.

use std::io::{Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use glam::Quat;
use limber_animation::{Clip, Contacts, Fps, HumanBone, JointIndex, canonical_skeleton};

/// Quantisation of the smaller quaternion components, which lie within ±1/√2.
const TURN_STEPS: f32 = 2_048.0 * std::f32::consts::SQRT_2;
/// Quantisation of positions, steps per metre.
const PLACE_STEPS: f32 = 4_000.0;
/// Maximum number of frames of a take: the same as of a recording.
const MAX_FRAMES: usize = 18_001;

/// The packed movement is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the motion of a take is damaged")]
pub struct Damaged;

/// The joints that are stored, in the order of the canonical skeleton.
fn kept() -> Vec<JointIndex> {
    let skeleton = canonical_skeleton();
    let is_body = |joint: &JointIndex| {
        skeleton.joint(*joint).bone.is_some_and(|bone| bone <= HumanBone::RightToes)
    };
    skeleton.indices().filter(is_body).collect()
}

/// Packs a clip on the canonical skeleton, with its contacts.
pub(crate) fn pack(clip: &Clip) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(clip.len() * 80);
    let count = clip.len() as u32;
    bytes.extend(count.to_le_bytes());
    let track = clip.contacts();
    bytes.extend((0..clip.len()).map(|frame| track.map_or(0, |track| track[frame].bits())));
    for axis in 0..3 {
        let places = clip.frames().iter().map(|pose| pose.hips_translation[axis] * PLACE_STEPS);
        write_even(&mut bytes, places.map(|step| step.round() as i32));
    }
    for joint in kept() {
        let turns: Vec<(u8, [i32; 3])> =
            clip.frames().iter().map(|pose| smaller_parts(pose.rotation(joint))).collect();
        bytes.extend(turns.iter().map(|(largest, _)| *largest));
        for part in 0..3 {
            write_even(&mut bytes, turns.iter().map(|(_, parts)| parts[part]));
        }
    }
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&bytes).expect("writing to memory cannot fail");
    packed.finish().expect("writing to memory cannot fail")
}

/// Unpacks a clip; its fingers are at rest.
///
/// # Errors
/// [`Damaged`].
pub(crate) fn unpack(packed: &[u8]) -> Result<Clip, Damaged> {
    // a number takes at most five bytes
    let most = 4 + MAX_FRAMES * (1 + 15 + 16 * kept().len());
    let mut bytes = Vec::new();
    let read = DeflateDecoder::new(packed).take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|_| Damaged)?;
    let mut source = Source { bytes: &bytes };
    let count = u32::from_le_bytes(source.next(4)?.try_into().map_err(|_| Damaged)?) as usize;
    if count == 0 || count > MAX_FRAMES {
        return Err(Damaged);
    }
    let track = source.next(count)?.iter().map(|bits| Contacts::from_bits(*bits)).collect();
    let skeleton = canonical_skeleton();
    let mut poses = vec![skeleton.rest_pose(); count];
    for axis in 0..3 {
        for (pose, step) in poses.iter_mut().zip(source.even(count)?) {
            pose.hips_translation[axis] = step as f32 / PLACE_STEPS;
        }
    }
    for joint in kept() {
        let largest = source.next(count)?.to_vec();
        let parts = [source.even(count)?, source.even(count)?, source.even(count)?];
        for (frame, pose) in poses.iter_mut().enumerate() {
            let smaller = parts.each_ref().map(|part| part[frame]);
            pose.set_rotation(joint, turn_of(largest[frame], smaller)?);
        }
    }
    let clip = Clip::new(skeleton, Fps::DEFAULT, poses).map_err(|_| Damaged)?;
    clip.with_contacts(track).map_err(|_| Damaged)
}

/// The index of the largest quaternion component, and the other components quantised, with the sign
/// chosen so that the largest is positive.
fn smaller_parts(turn: Quat) -> (u8, [i32; 3]) {
    let parts = turn.normalize().to_array();
    let largest = (0..4).max_by(|a, b| parts[*a].abs().total_cmp(&parts[*b].abs())).unwrap_or(3);
    let sign = parts[largest].signum();
    let mut others = (0..4).filter(|part| *part != largest);
    let steps = std::array::from_fn(|_| {
        let part = others.next().unwrap_or(0);
        (sign * parts[part] * TURN_STEPS).round() as i32
    });
    (largest as u8, steps)
}

fn turn_of(largest: u8, steps: [i32; 3]) -> Result<Quat, Damaged> {
    let largest = usize::from(largest);
    if largest > 3 {
        return Err(Damaged);
    }
    let mut parts = [0.0_f32; 4];
    let others = (0..4).filter(|part| *part != largest);
    for (part, step) in others.zip(steps) {
        parts[part] = step as f32 / TURN_STEPS;
    }
    let squares: f32 = parts.iter().map(|part| part * part).sum();
    if squares.is_nan() || squares > 1.01 {
        return Err(Damaged);
    }
    parts[largest] = (1.0 - squares).max(0.0).sqrt();
    Ok(Quat::from_array(parts).normalize())
}

/// Writes the difference of each number from a linear extrapolation as a variable-length integer.
fn write_even(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = i32>) {
    let (mut before, mut last) = (0_i32, 0_i32);
    for number in numbers {
        let even = last.wrapping_mul(2).wrapping_sub(before);
        let off = number.wrapping_sub(even);
        // zigzag encoding: small numbers of either sign become small unsigned numbers
        let mut rest = ((off << 1) ^ (off >> 31)) as u32;
        while rest >= 0x80 {
            bytes.push((rest & 0x7F) as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
        (before, last) = (last, number);
    }
}

struct Source<'a> {
    bytes: &'a [u8],
}

impl<'a> Source<'a> {
    fn next(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let (next, rest) = self.bytes.split_at_checked(count).ok_or(Damaged)?;
        self.bytes = rest;
        Ok(next)
    }

    fn even(&mut self, count: usize) -> Result<Vec<i32>, Damaged> {
        let (mut before, mut last) = (0_i32, 0_i32);
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            let (mut rest, mut shift) = (0_u32, 0);
            loop {
                let byte = self.next(1)?[0];
                rest |= u32::from(byte & 0x7F).checked_shl(shift).ok_or(Damaged)?;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            let off = (rest >> 1) as i32 ^ -((rest & 1) as i32);
            let number = last.wrapping_mul(2).wrapping_sub(before).wrapping_add(off);
            (before, last) = (last, number);
            numbers.push(number);
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use limber_animation::Seconds;
    use limber_text_to_motion::{Cancel, Composer, Seed, understand};

    use super::*;

    fn walk(duration_s: Seconds) -> Clip {
        let prompt = limber_text_to_motion::Prompt::parse("a person walks forward").unwrap();
        let script = understand(&prompt).unwrap().script;
        let cancel = Cancel::default();
        Composer.compose(&script, Some(duration_s), Seed(3), &cancel, &mut |_| {}).unwrap()
    }

    #[test]
    fn packed_clips_are_small_and_keep_the_motion() {
        let clip = walk(6.0);
        let packed = pack(&clip);
        assert!(packed.len() < 12 * 1024, "{} bytes for 6 s", packed.len());
        let back = unpack(&packed).unwrap();
        assert_eq!(back.contacts(), clip.contacts());
        for (before, after) in clip.frames().iter().zip(back.frames()) {
            assert!(before.hips_translation.distance(after.hips_translation) < 3e-4);
            for joint in kept() {
                let apart = before.rotation(joint).angle_between(after.rotation(joint));
                assert!(apart.to_degrees() < 0.06, "{apart}");
            }
        }
        assert_eq!(pack(&back), pack(&unpack(&pack(&back)).unwrap()));
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_crash() {
        let packed = pack(&walk(4.0));
        for length in 0..packed.len().min(400) {
            assert!(unpack(&packed[..length]).is_err());
        }
        for place in (0..packed.len()).step_by(7) {
            let mut damaged = packed.clone();
            damaged[place] ^= 0x55;
            // whatever still unpacks must be a valid clip
            if let Ok(clip) = unpack(&damaged) {
                assert!(!clip.is_empty());
            }
        }
    }
}
