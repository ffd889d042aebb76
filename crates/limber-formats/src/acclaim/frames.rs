//! AMC: the values of every bone in every frame.

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use super::{AcclaimError, Asf, Dof, MAX_BYTES, lines, number};

/// Maximum number of frames: ten minutes at 120 fps, the usual rate of such files.
const MAX_FRAMES: usize = 72_000;

/// The start of every bone of a skeleton in file units, and its rotation relative to rest, both in
/// world space.
pub type AmcFrame = Vec<(DVec3, DQuat)>;

/// Reads an AMC of this skeleton and returns the positions and rotations of its bones in every
/// frame. Bones that a frame omits are at rest. An AMC does not state its frame rate.
///
/// # Errors
/// See [`AcclaimError`].
pub fn read_frames(asf: &Asf, text: &str) -> Result<Vec<AmcFrame>, AcclaimError> {
    if text.len() > MAX_BYTES {
        return Err(AcclaimError::TooLarge("bytes"));
    }
    let places: HashMap<&str, usize> =
        asf.bones.iter().enumerate().map(|(place, bone)| (bone.name.as_str(), place)).collect();
    let mut degrees = asf.degrees;
    let mut frames = Vec::new();
    let mut open: Option<Vec<(usize, Vec<f64>)>> = None;
    for (line, said) in lines(text) {
        let wrong = |problem| AcclaimError::Frames { line, problem };
        if let Some(word) = said.strip_prefix(':') {
            match word.to_ascii_lowercase().as_str() {
                "radians" => degrees = false,
                "degrees" => degrees = true,
                _ => {}
            }
            continue;
        }
        let mut words = said.split_whitespace();
        let head = words.next().unwrap_or_default();
        if said.bytes().all(|byte| byte.is_ascii_digit()) {
            if frames.len() >= MAX_FRAMES {
                return Err(AcclaimError::TooLarge("frames"));
            }
            frames.extend(open.take().map(|rows| posed(asf, &rows, degrees)));
            open = Some(Vec::with_capacity(asf.bones.len()));
            continue;
        }
        let Some(rows) = &mut open else {
            return Err(wrong("the number of the first frame is missing"));
        };
        let place =
            *places.get(head).ok_or_else(|| wrong("the skeleton has no bone with that name"))?;
        let values: Option<Vec<f64>> = words.map(|word| number(Some(word))).collect();
        let values = values.ok_or_else(|| wrong("a value is not a finite number"))?;
        if values.len() != asf.bones[place].dof.len() {
            return Err(wrong(
                "the bone does not have the number of values that the skeleton declares",
            ));
        }
        rows.push((place, values));
    }
    frames.extend(open.take().map(|rows| posed(asf, &rows, degrees)));
    if frames.is_empty() {
        return Err(AcclaimError::Frames { line: 1, problem: "the file contains no frames" });
    }
    Ok(frames)
}

/// Computes the start and the rotation of every bone in world space.
fn posed(asf: &Asf, rows: &[(usize, Vec<f64>)], degrees: bool) -> AmcFrame {
    let mut own = vec![(DVec3::ZERO, DQuat::IDENTITY); asf.bones.len()];
    for (place, values) in rows {
        let (mut moved, mut turned) = (DVec3::ZERO, DQuat::IDENTITY);
        for (dof, value) in asf.bones[*place].dof.iter().zip(values) {
            match dof {
                Dof::Translation(axis) => moved[*axis] += value,
                Dof::Rotation(axis) => {
                    let angle = if degrees { value.to_radians() } else { *value };
                    turned = DQuat::from_axis_angle(DVec3::AXES[*axis], angle) * turned;
                }
                Dof::Length => {}
            }
        }
        own[*place] = (moved, turned);
    }
    let mut world: AmcFrame = Vec::with_capacity(asf.bones.len());
    for (bone, (moved, turned)) in asf.bones.iter().zip(own) {
        // rotations are about the bone's own axes
        let turned = bone.axis * turned * bone.axis.inverse();
        world.push(match bone.parent {
            None => (moved, turned),
            Some(parent) => {
                let (begins, carried) = world[parent];
                let ends = begins + carried * asf.bones[parent].extent;
                (ends + carried * moved, (carried * turned).normalize())
            }
        });
    }
    world
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acclaim::read_skeleton;

    const LEG: &str = ":units\n angle deg\n:root\n order TX TY TZ RX RY RZ\n:bonedata\n begin\n name thigh\n \
        direction 0 -1 0\n length 2\n axis 0 0 0 XYZ\n dof rx\n end\n begin\n name shin\n direction 0 -1 0\n \
        length 1\n axis 0 0 0 XYZ\n dof rx\n end\n:hierarchy\n begin\n root thigh\n thigh shin\n end\n";

    #[test]
    fn child_bones_follow_their_parents() {
        let asf = read_skeleton(LEG).expect("the skeleton can be read");
        let amc = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 3 0 0 0 0\nthigh -90\nshin 0\n2\nroot 1 3 0 0 0 0\n";
        let frames = read_frames(&asf, amc).expect("the frames match the skeleton");
        assert_eq!(frames.len(), 2);
        // the thigh points forwards now, and its end is the start of the shin
        assert!(frames[0][2].0.abs_diff_eq(DVec3::new(0.0, 3.0, 2.0), 1e-9), "{:?}", frames[0][2]);
        assert!(frames[1][2].0.abs_diff_eq(DVec3::new(1.0, 1.0, 0.0), 1e-9));
    }

    #[test]
    fn frames_of_another_skeleton_are_rejected() {
        let asf = read_skeleton(LEG).expect("the skeleton can be read");
        for (amc, problem) in [
            ("root 0 0 0 0 0 0", "the number of the first frame is missing"),
            ("1\ntail 0", "the skeleton has no bone with that name"),
            (
                "1\nthigh 0 0",
                "the bone does not have the number of values that the skeleton declares",
            ),
            ("1\nthigh NaN", "a value is not a finite number"),
            ("", "the file contains no frames"),
        ] {
            let error = read_frames(&asf, amc).expect_err("the frames do not match the skeleton");
            assert!(
                matches!(error, AcclaimError::Frames { problem: found, .. } if found == problem)
            );
        }
    }
}
