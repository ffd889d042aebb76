//! Motion capture: the same body moves, whatever the file format.

use std::fmt::Write as _;

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, canonical_skeleton};
use limber_formats::{
    bvh::{self, BvhOptions},
    glb,
    motion::{self, MotionError, MotionHints},
};

use crate::mannequin::{body, swinging};

/// The bones of a body with motion capture names: name, parent, and vector from start to end at
/// rest in file units.
const BONES: [(&str, &str, [f32; 3]); 22] = [
    ("lhipjoint", "root", [2.0, -1.0, 0.0]),
    ("lfemur", "lhipjoint", [0.0, -8.0, 0.0]),
    ("ltibia", "lfemur", [0.0, -8.0, 0.0]),
    ("lfoot", "ltibia", [0.0, -1.0, 2.5]),
    ("ltoes", "lfoot", [0.0, 0.0, 1.0]),
    ("rhipjoint", "root", [-2.0, -1.0, 0.0]),
    ("rfemur", "rhipjoint", [0.0, -8.0, 0.0]),
    ("rtibia", "rfemur", [0.0, -8.0, 0.0]),
    ("rfoot", "rtibia", [0.0, -1.0, 2.5]),
    ("rtoes", "rfoot", [0.0, 0.0, 1.0]),
    ("lowerback", "root", [0.0, 2.0, 0.0]),
    ("upperback", "lowerback", [0.0, 2.0, 0.0]),
    ("thorax", "upperback", [0.0, 3.0, 0.0]),
    ("lowerneck", "thorax", [0.0, 1.5, 0.0]),
    ("head", "lowerneck", [0.0, 2.0, 0.0]),
    ("lclavicle", "thorax", [3.0, 0.5, 0.0]),
    ("lhumerus", "lclavicle", [5.5, 0.0, 0.0]),
    ("lradius", "lhumerus", [5.0, 0.0, 0.0]),
    ("lhand", "lradius", [1.5, 0.0, 0.0]),
    ("rclavicle", "thorax", [-3.0, 0.5, 0.0]),
    ("rhumerus", "rclavicle", [-5.5, 0.0, 0.0]),
    ("rradius", "rhumerus", [-5.0, 0.0, 0.0]),
];

/// Returns a skeleton, and a recording of one second in which the body moves forwards and lifts a
/// thigh by 60 degrees.
pub(crate) fn acclaim() -> (String, String) {
    let mut asf = String::from(
        ":version 1.10\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n:root\n  order TX TY TZ RX RY RZ\n  \
         axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n",
    );
    for (name, _, extent) in BONES {
        let extent = Vec3::from_array(extent);
        let Vec3 { x, y, z } = extent.normalize();
        let length = extent.length();
        let _ = writeln!(
            asf,
            "  begin\n    name {name}\n    direction {x} {y} {z}\n    length {length}\n    axis 0 0 0 XYZ"
        );
        asf += if name == "lfemur" { "    dof rx\n  end\n" } else { "  end\n" };
    }
    asf += ":hierarchy\n  begin\n";
    for (name, parent, _) in BONES {
        let _ = writeln!(asf, "    {parent} {name}");
    }
    asf += "  end\n";
    let mut amc = String::from("#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n");
    for frame in 0..120 {
        let share = frame as f32 / 119.0;
        let _ = writeln!(
            amc,
            "{}\nroot 0 18 {} 0 0 0\nlfemur {}",
            frame + 1,
            10.0 * share,
            -60.0 * share
        );
    }
    (asf, amc)
}

fn at(clip: &Clip, bone: HumanBone, frame: usize) -> Vec3 {
    let joint = clip.skeleton().find(bone).expect("the bone was found");
    clip.skeleton().world(&clip.frames()[frame]).position(joint)
}

fn only(bytes: &[u8], hints: &MotionHints<'_>) -> Clip {
    let mut read = motion::read(bytes, hints).expect("the file contains a recording");
    assert_eq!(read.len(), 1);
    read.remove(0).clip
}

#[test]
fn bvh_and_glb_of_one_clip_contain_the_same_motion() {
    let character = body(canonical_skeleton());
    let clip = swinging(&character.skeleton, 45);
    let text = bvh::write(&character.skeleton, &clip, &BvhOptions::default())
        .expect("the file can be written");
    let options = glb::GlbOptions { name: "swing".to_owned(), ..Default::default() };
    let file = glb::write_clip(&character, &clip, &options).expect("the file can be written");
    for read in
        [only(text.as_bytes(), &MotionHints::default()), only(&file, &MotionHints::default())]
    {
        assert!(read.len().abs_diff(clip.len()) <= 1, "{}", read.len());
        for frame in [0, 10, 30] {
            for bone in [HumanBone::LeftHand, HumanBone::RightFoot, HumanBone::Head] {
                let way = |clip: &Clip| at(clip, bone, frame) - at(clip, HumanBone::Hips, frame);
                let apart =
                    way(&read).distance(way(&clip) * (way(&read).length() / way(&clip).length()));
                assert!(apart < 0.01, "{bone:?} in frame {frame}: {apart}");
            }
        }
    }
}

#[test]
fn z_up_bvh_files_are_turned_upright_and_forward() {
    let skeleton = canonical_skeleton();
    let clip = swinging(&skeleton, 12);
    let text =
        bvh::write(&skeleton, &clip, &BvhOptions::default()).expect("the file can be written");
    let plain = only(text.as_bytes(), &MotionHints::default());
    let turned = z_up(&text);
    let read = only(turned.as_bytes(), &MotionHints::default());
    for frame in 0..plain.len() {
        let (one, two) = (at(&plain, HumanBone::Head, frame), at(&read, HumanBone::Head, frame));
        let hips = at(&plain, HumanBone::Hips, frame) - at(&read, HumanBone::Hips, frame);
        assert!(one.distance(two + hips) < 0.02, "{frame}: {one} {two}");
    }
}

/// Converts a BVH as programs with Z up write it: offsets, positions and rotation axes are rotated
/// by a quarter turn about X.
fn z_up(text: &str) -> String {
    let (mut turned, mut signs) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        turned.push(match words[..] {
            ["OFFSET", x, y, z] => {
                format!("OFFSET {x} {} {y}", -z.parse::<f32>().expect("the word is a number"))
            }
            ["CHANNELS", ref channels @ ..] => {
                signs.extend(
                    channels[1..].iter().map(|name| if name.starts_with('Z') { -1.0 } else { 1.0 }),
                );
                let renamed = channels.iter().map(|name| match name.split_at(1) {
                    ("Y", kind) => format!("Z{kind}"),
                    ("Z", kind) => format!("Y{kind}"),
                    _ => (*name).to_owned(),
                });
                format!("CHANNELS {}", renamed.collect::<Vec<_>>().join(" "))
            }
            [first, ..] if words.len() == signs.len() && first.parse::<f32>().is_ok() => {
                let numbers = words.iter().zip(&signs).map(|(word, sign)| {
                    (sign * word.parse::<f32>().expect("the word is a number")).to_string()
                });
                numbers.collect::<Vec<_>>().join(" ")
            }
            _ => line.to_owned(),
        });
    }
    turned.join("\n") + "\n"
}

#[test]
fn amc_files_move_the_asf_skeleton_at_the_given_rate() {
    let (asf, amc) = acclaim();
    let hints = |fps| MotionHints { skeleton: Some(asf.as_bytes()), frames_per_second: fps };
    let clip = only(amc.as_bytes(), &hints(None));
    assert_eq!(clip.len(), 30);
    assert_eq!(only(amc.as_bytes(), &hints(Some(60.0))).len(), 60);
    let way = at(&clip, HumanBone::Hips, 29) - at(&clip, HumanBone::Hips, 0);
    // ten units of a body that is about thirty tall
    assert!((0.5..0.7).contains(&way.z) && way.x.abs() < 1e-3, "{way}");
    let thigh = (at(&clip, HumanBone::LeftLowerLeg, 29) - at(&clip, HumanBone::LeftUpperLeg, 29))
        .normalize();
    // the last of 30 frames is a fortieth of a second before the last of 120
    let wanted = Quat::from_rotation_x(-58.5_f32.to_radians()) * Vec3::NEG_Y;
    assert!(thigh.angle_between(wanted).to_degrees() < 0.5, "{thigh}");
    assert_eq!(motion::read(amc.as_bytes(), &MotionHints::default()), Err(MotionError::NoSkeleton));
}

#[test]
fn files_without_a_recording_are_rejected_with_the_reason() {
    let error_of = |bytes: &[u8]| {
        motion::read(bytes, &MotionHints::default()).expect_err("the file is rejected")
    };
    assert_eq!(error_of(b""), MotionError::NotMotion);
    assert_eq!(error_of(b"PK\x03\x04"), MotionError::NotMotion);
    assert!(matches!(error_of(b"HIERARCHY\nROOT"), MotionError::Bvh(_)));
    assert_eq!(error_of(b"HIERARCHY\n\xFF"), MotionError::NotText);
    let lamp = "HIERARCHY\nROOT Lamp\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\n\
                Frames: 2\nFrame Time: 0.5\n0\n1\n";
    let error = error_of(lamp.as_bytes());
    assert!(matches!(error, MotionError::NoBody(_)), "{error:?}");
    let endless = lamp.replace("0.5", "1e9");
    assert!(matches!(error_of(endless.as_bytes()), MotionError::TooLong(_)));
}
