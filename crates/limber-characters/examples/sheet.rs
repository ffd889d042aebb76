//! Renders a stock character from all sides, its details and the trial poses, without a GPU.
//!
//! `cargo run -p limber-characters --example sheet -- mannequin FOLDER`

#[path = "sheet/raster.rs"]
mod raster;

use std::path::PathBuf;

use glam::Vec3;
use image::{GenericImage, RgbImage};
use limber_animation::{Character, HumanBone};
use limber_characters::{build, model, trial};
use raster::{Camera, draw};

/// Renders one sheet of a character.
type Sheet = fn(&Character) -> RgbImage;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "mannequin".to_owned());
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let only = arguments.next();
    let build = build::STOCK
        .iter()
        .find(|build| build.file_stem == name)
        .expect("the first argument is a stock character's file stem");
    let character = model::model(build);
    println!("{} triangles", character.triangle_count());
    let sheets: [(&str, Sheet); 6] = [
        ("sides", sides),
        ("details", details),
        ("face", face),
        ("poses", poses),
        ("folds", folds),
        ("looks", looks),
    ];
    for (sheet, make) in sheets {
        if only.as_deref().is_none_or(|only| only == sheet) {
            let path = folder.join(format!("{name}-{sheet}.png"));
            make(&character).save(path).expect("the folder is writable");
        }
    }
}

fn tile(pictures: &[RgbImage], columns: usize) -> RgbImage {
    let (width, height) = pictures[0].dimensions();
    let rows = pictures.len().div_ceil(columns);
    let mut all = RgbImage::new(width * columns as u32, height * rows as u32);
    for (place, picture) in pictures.iter().enumerate() {
        let (x, y) = ((place % columns) as u32 * width, (place / columns) as u32 * height);
        all.copy_from(picture, x, y).expect("the sheet is large enough for all images");
    }
    all
}

fn top(character: &Character) -> f32 {
    let highest = |mesh: &limber_animation::Mesh| {
        mesh.positions.iter().map(|place| place.y).fold(0.0, f32::max)
    };
    character.meshes.iter().map(highest).fold(0.0, f32::max)
}

fn sides(character: &Character) -> RgbImage {
    let rest = character.skeleton.rest_pose();
    let down = trial::Trial {
        name: "at ease",
        both: &[
            (HumanBone::LeftUpperArm, [0.0, 0.0, -78.0]),
            (HumanBone::LeftShoulder, [0.0, 0.0, -3.0]),
        ],
        single: &[],
    };
    let ease = down.pose(&character.skeleton);
    let height = top(character);
    let centre = Vec3::Y * height * 0.5;
    let views = [(&rest, 0.0), (&ease, 0.0), (&ease, 40.0), (&ease, 90.0), (&ease, 180.0)];
    let pictures: Vec<_> = views
        .into_iter()
        .map(|(pose, turn)| {
            draw(character, pose, &Camera::around(centre, turn, 4.0, height * 1.2), (820, 800))
        })
        .collect();
    tile(&pictures, 3)
}

fn details(character: &Character) -> RgbImage {
    let rest = character.skeleton.rest_pose();
    let world = character.skeleton.rest_world();
    let at = |bone| {
        world.position(character.skeleton.find(bone).expect("stock characters have all bones"))
    };
    let (head, hand, foot) =
        (at(HumanBone::Head), at(HumanBone::LeftHand), at(HumanBone::LeftFoot));
    let face = head + Vec3::new(0.0, 0.085, 0.02);
    let palm = hand + Vec3::new(0.10, 0.0, 0.0);
    let sole = foot + Vec3::new(0.0, 0.0, 0.05);
    let shoulders = head - Vec3::Y * 0.12;
    let views = [
        Camera::around(face, 0.0, 2.0, 0.34),
        Camera::around(face, 42.0, 8.0, 0.34),
        Camera::around(face, 90.0, 4.0, 0.34),
        Camera::around(shoulders, 25.0, 8.0, 0.75),
        Camera::around(palm, 0.0, 75.0, 0.26),
        Camera::around(palm, 30.0, 25.0, 0.26),
        Camera::around(palm, 0.0, -70.0, 0.26),
        Camera::around(sole, 60.0, 25.0, 0.42),
        Camera::around(sole, 10.0, 12.0, 0.42),
        Camera::around(sole, 90.0, 3.0, 0.42),
        Camera::around(shoulders, 180.0, 8.0, 0.75),
        Camera::around(at(HumanBone::Hips) - Vec3::Y * 0.05, 10.0, 4.0, 0.6),
    ];
    let pictures: Vec<_> =
        views.iter().map(|camera| draw(character, &rest, camera, (500, 500))).collect();
    tile(&pictures, 4)
}

fn face(character: &Character) -> RgbImage {
    let rest = character.skeleton.rest_pose();
    let head = character.skeleton.find(HumanBone::Head).expect("stock characters have all bones");
    let centre = character.skeleton.rest_world().position(head) + Vec3::new(0.0, 0.085, 0.02);
    let turns = [0.0, 35.0];
    let pictures: Vec<_> = turns
        .iter()
        .map(|turn| draw(character, &rest, &Camera::around(centre, *turn, 3.0, 0.30), (760, 760)))
        .collect();
    tile(&pictures, 2)
}

fn poses(character: &Character) -> RgbImage {
    let height = top(character);
    let pictures: Vec<_> = trial::TRIALS
        .iter()
        .map(|trial| {
            let pose = trial.pose(&character.skeleton);
            let centre = Vec3::Y * height * 0.55;
            draw(character, &pose, &Camera::around(centre, 35.0, 8.0, height * 1.25), (520, 560))
        })
        .collect();
    tile(&pictures, 4)
}

/// Close-ups of folded joints: fist, knee, armpit, hip.
fn folds(character: &Character) -> RgbImage {
    let near = |name: &str, bone: HumanBone, azimuth: f32, elevation: f32, span: f32| {
        let trial = trial::TRIALS.iter().find(|trial| trial.name == name);
        let pose = trial.expect("the pose is a trial pose").pose(&character.skeleton);
        let joint = character.skeleton.find(bone).expect("stock characters have all bones");
        let centre = character.skeleton.world(&pose).position(joint);
        draw(character, &pose, &Camera::around(centre, azimuth, elevation, span), (520, 520))
    };
    let pictures = [
        near("punch", HumanBone::RightMiddleProximal, -30.0, 20.0, 0.30),
        near("punch", HumanBone::RightMiddleProximal, 60.0, -20.0, 0.30),
        near("sit", HumanBone::LeftLowerLeg, 60.0, 10.0, 0.60),
        near("deep crouch", HumanBone::LeftLowerLeg, 80.0, 5.0, 0.80),
        near("arms up", HumanBone::LeftUpperArm, 10.0, 0.0, 0.60),
        near("arms forward", HumanBone::LeftUpperArm, 40.0, 20.0, 0.60),
        near("run", HumanBone::RightLowerArm, -60.0, 10.0, 0.45),
        near("walk contact", HumanBone::LeftUpperArm, 20.0, 5.0, 0.60),
        near("high kick", HumanBone::RightUpperLeg, -50.0, 10.0, 0.70),
        near("sit", HumanBone::LeftUpperLeg, 30.0, 20.0, 0.60),
        near("bow", HumanBone::Spine, 80.0, 5.0, 0.80),
        near("wave", HumanBone::RightUpperArm, -10.0, 5.0, 0.60),
    ];
    tile(&pictures, 4)
}

/// Close-ups of the face with sixteen blend shapes and combinations of them.
fn looks(character: &Character) -> RgbImage {
    let rest = character.skeleton.rest_pose();
    let head = character.skeleton.find(HumanBone::Head).expect("stock characters have all bones");
    let centre = character.skeleton.rest_world().position(head) + Vec3::new(0.0, 0.075, 0.02);
    let looks: [&[&str]; 16] = [
        &[],
        &["eyeBlinkLeft", "eyeBlinkRight"],
        &["eyeBlinkLeft"],
        &["eyeWideLeft", "eyeWideRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight"],
        &["jawOpen"],
        &["jawOpen", "mouthClose"],
        &["jawOpen", "tongueOut"],
        &["mouthSmileLeft", "mouthSmileRight", "cheekSquintLeft", "cheekSquintRight"],
        &["mouthFrownLeft", "mouthFrownRight", "browDownLeft", "browDownRight"],
        &["mouthFunnel"],
        &["mouthPucker", "cheekPuff"],
        &["mouthUpperUpLeft", "mouthUpperUpRight", "mouthLowerDownLeft", "mouthLowerDownRight"],
        &["eyeLookOutLeft", "eyeLookInRight", "mouthLeft"],
        &["eyeLookDownLeft", "eyeLookDownRight", "mouthShrugLower"],
        &["eyeSquintLeft", "eyeSquintRight", "noseSneerLeft", "noseSneerRight", "jawLeft"],
        &["mouthStretchLeft", "mouthStretchRight", "mouthRollUpper", "mouthRollLower"],
    ];
    let pictures: Vec<_> = looks
        .iter()
        .map(|names| {
            let face = shaped(character, names);
            draw(&face, &rest, &Camera::around(centre, 12.0, 3.0, 0.28), (480, 480))
        })
        .collect();
    tile(&pictures, 4)
}

/// Returns the character with these blend shapes applied at full weight.
fn shaped(character: &Character, names: &[&str]) -> Character {
    let mut shaped = character.clone();
    for mesh in &mut shaped.meshes {
        for morph in mesh.morphs.iter().filter(|morph| names.contains(&morph.name.as_str())) {
            for (place, way) in mesh.positions.iter_mut().zip(&morph.positions) {
                *place += *way;
            }
        }
    }
    shaped
}
