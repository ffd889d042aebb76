//! Draws a contact sheet of a prompt as stick figures, from the front and from the right side, with
//! footprints from above, for inspecting what the composer makes. Actions and scores are read at
//! run time from `assets`, or from the folder in `LIMBER_ASSETS`, so that their authors do not have
//! to compile.
//!
//! `cargo run -p limber-text-to-motion --example motion_sheet -- out.png "a person waves" [seed]
//! [seconds] [from] [to]`
//!
//! Instead of a prompt it accepts a script (`v2 raise.elbow side:left`), or `@FILE` with lines
//! `sentence :: script` (`tests/composer/body_language.txt`). With a file, it draws one sheet for
//! each line, named by the line's number, into the folder given first.

use std::{
    fs,
    path::{Path, PathBuf},
};

use glam::{Quat, Vec2, Vec3};
use image::{Rgb, RgbImage};
use limber_animation::{Clip, ContactPoint, HumanBone, Side, WorldPose};
use limber_script::Script;
use limber_text_to_motion::{
    Cancel, ClipEnds, Composer, MotionEngine, MotionRequest, Prompt, Seed, faults_of_scores,
    read_actions_from,
};

const CELL: (u32, u32) = (190, 290);
const COLUMNS: usize = 12;
const PIXELS_PER_M: f32 = 125.0;
const INK: Rgb<u8> = Rgb([40, 40, 48]);
const LEFT: Rgb<u8> = Rgb([208, 52, 44]);
const RIGHT: Rgb<u8> = Rgb([34, 92, 200]);
const FAINT: Rgb<u8> = Rgb([200, 200, 205]);
const PALM: Rgb<u8> = Rgb([20, 150, 60]);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [out, text] = [0, 1].map(|i| args.get(i).map(String::as_str));
    let (Some(out), Some(text)) = (out, text) else {
        return Err("usage: motion_sheet OUT.png PROMPT [SEED] [SECONDS] [FROM_S] [TO_S]".into());
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let assets = std::env::var_os("LIMBER_ASSETS").map_or(own, PathBuf::from);
    let faults = match read_actions_from(&assets) {
        Ok(()) => faults_of_scores().join("\n"),
        Err(faults) => faults,
    };
    if !faults.is_empty() {
        println!("{faults}");
        return Err("the data files are not sound".into());
    }
    let numbers: Vec<Option<f32>> =
        (2..6).map(|i| args.get(i).and_then(|text| text.parse().ok())).collect();
    let Some(list) = text.strip_prefix('@') else {
        return draw(Path::new(out), text, &numbers);
    };
    fs::create_dir_all(out)?;
    let list = fs::read_to_string(list)?;
    let rows = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (place, row) in rows.enumerate() {
        let script = row.split(" :: ").nth(1).ok_or("a line is not `sentence :: script`")?;
        println!("{}: {row}", place + 1);
        draw(&Path::new(out).join(format!("{:02}.png", place + 1)), script, &numbers)?;
    }
    Ok(())
}

/// Draws one sheet of a prompt or a script; the numbers are seed, duration in seconds, and the
/// first and last time.
fn draw(out: &Path, text: &str, numbers: &[Option<f32>]) -> Result<(), Box<dyn std::error::Error>> {
    let number = |i: usize| numbers.get(i).copied().flatten();
    let script = text.starts_with("v2 ").then(|| text.parse::<Script>()).transpose()?;
    let request = MotionRequest {
        ends: ClipEnds::default(),
        prompt: Prompt::parse(text)?,
        script,
        duration_s: number(1).filter(|s| *s > 0.0),
    };
    let seed = Seed(number(0).unwrap_or(1.0) as u64);
    let made = Composer.generate(&request, seed, &Cancel::default(), &mut |_| {})?;
    for warning in &made.warnings {
        println!("warning: {warning}");
    }
    let clip = made.clip;
    println!("{:.2} s: {}", clip.duration_s(), made.script);
    let from = (number(2).unwrap_or(0.0) * 30.0) as usize;
    let to = number(3).map_or(clip.len() - 1, |s| ((s * 30.0) as usize).min(clip.len() - 1));
    sheet(&clip, from, to).save(out)?;
    Ok(())
}

/// A position in an image, pixels.
type At = (f32, f32);

fn sheet(clip: &Clip, from: usize, to: usize) -> RgbImage {
    let width = CELL.0 * COLUMNS as u32;
    let mut picture = RgbImage::from_pixel(width, CELL.1 * 3, Rgb([250, 250, 248]));
    for column in 0..COLUMNS {
        let frame = from + (to - from) * column / (COLUMNS - 1);
        let world = clip.skeleton().world(&clip.frames()[frame]);
        let middle = world.positions[0];
        let bits = clip.contacts().map_or(0, |track| track[frame].bits());
        for (row, view) in [Vec3::X, Vec3::Z].into_iter().enumerate() {
            let left = (column as u32 * CELL.0) as f32;
            let floor = (row as u32 + 1) as f32 * CELL.1 as f32 - 25.0;
            let project = |point: Vec3| -> At {
                let level = (point - middle).dot(view) * PIXELS_PER_M;
                (left + CELL.0 as f32 / 2.0 + level, floor - point.y * PIXELS_PER_M)
            };
            line(&mut picture, (left, floor), (left + CELL.0 as f32, floor), FAINT, 1.0);
            figure(&mut picture, clip, &world, view == Vec3::Z, &project);
            number(&mut picture, (left + 6.0, floor + 8.0), frame as u32);
            for (bit, point) in ContactPoint::ALL.into_iter().enumerate() {
                let colour = match point {
                    ContactPoint::Heel(Side::Left) | ContactPoint::Toe(Side::Left) => LEFT,
                    _ => RIGHT,
                };
                if bits & (1 << bit) != 0 {
                    dot(
                        &mut picture,
                        (left + 120.0 + 14.0 * bit as f32, floor + 14.0),
                        4.0,
                        colour,
                    );
                }
            }
        }
    }
    from_above(&mut picture, clip, from, to);
    picture
}

fn figure(
    picture: &mut RgbImage,
    clip: &Clip,
    world: &WorldPose,
    from_right: bool,
    project: &dyn Fn(Vec3) -> At,
) {
    let skeleton = clip.skeleton();
    // draw the side that is further away first
    let order = [Some(Side::Left), None, Some(Side::Right)];
    for side in order {
        for index in skeleton.indices() {
            let joint = skeleton.joint(index);
            let Some(bone) = joint.bone else { continue };
            if bone.side() != side {
                continue;
            }
            let colour = match side {
                Some(Side::Left) => LEFT,
                Some(Side::Right) => RIGHT,
                None => INK,
            };
            if let Some(parent) = joint.parent {
                let thick = if bone > HumanBone::RightToes { 1.0 } else { 2.2 };
                let ends = (project(world.position(parent)), project(world.position(index)));
                line(picture, ends.0, ends.1, colour, thick);
            }
            match bone {
                HumanBone::LeftHand | HumanBone::RightHand => {
                    let x = bone.side().map_or(0.0, Side::sign) * 0.08;
                    let palm = world.transform(index, Vec3::new(x, 0.0, 0.0));
                    let tip = world.transform(index, Vec3::new(x, -0.07, 0.0));
                    line(picture, project(palm), project(tip), PALM, 1.2);
                }
                HumanBone::LeftToes | HumanBone::RightToes => {
                    let tip = world.transform(index, Vec3::new(0.0, -0.005, 0.07));
                    line(picture, project(world.position(index)), project(tip), colour, 2.0);
                }
                HumanBone::LeftFoot | HumanBone::RightFoot => {
                    let heel = world.transform(index, Vec3::new(0.0, -0.085, -0.045));
                    line(picture, project(world.position(index)), project(heel), colour, 1.6);
                }
                HumanBone::Head => head(picture, world, index, from_right, project),
                _ => {}
            }
        }
    }
}

fn head(
    picture: &mut RgbImage,
    world: &WorldPose,
    index: limber_animation::JointIndex,
    _from_right: bool,
    project: &dyn Fn(Vec3) -> At,
) {
    let at = |local| world.transform(index, local);
    let centre = Vec3::new(0.0, 0.10, 0.02);
    let mut last = None;
    for step in 0..=20 {
        let angle = step as f32 / 20.0 * std::f32::consts::TAU;
        for (slot, plane) in [Vec3::X, Vec3::Z].into_iter().enumerate() {
            if slot == 0 {
                let point = project(at(centre
                    + 0.085 * (plane * angle.cos())
                    + 0.11 * Vec3::Y * angle.sin()));
                if let Some(before) = last {
                    line(picture, before, point, INK, 1.0);
                }
                last = Some(point);
            } else {
                dot(
                    picture,
                    project(at(centre
                        + 0.095 * plane * angle.cos()
                        + 0.11 * Vec3::Y * angle.sin())),
                    1.0,
                    INK,
                );
            }
        }
    }
    line(
        picture,
        project(at(centre + Vec3::Z * 0.09)),
        project(at(centre + Vec3::Z * 0.15)),
        INK,
        2.5,
    );
}

/// Draws the paths of hips and standing feet from above; +Z is to the right, left is up.
fn from_above(picture: &mut RgbImage, clip: &Clip, from: usize, to: usize) {
    let worlds: Vec<WorldPose> =
        clip.frames()[from..=to].iter().map(|pose| clip.skeleton().world(pose)).collect();
    let hips: Vec<Vec2> =
        worlds.iter().map(|w| Vec2::new(w.positions[0].z, w.positions[0].x)).collect();
    let least = hips.iter().copied().reduce(Vec2::min).unwrap_or_default() - 0.5;
    let most = hips.iter().copied().reduce(Vec2::max).unwrap_or_default() + 0.5;
    let size = most - least;
    let scale = (f32::from(picture.width() as u16) / size.x).min(CELL.1 as f32 / size.y).min(250.0);
    let top = 2.0 * CELL.1 as f32;
    let place = |point: Vec3| {
        ((point.z - least.x) * scale, top + CELL.1 as f32 - (point.x - least.y) * scale)
    };
    for pair in worlds.windows(2) {
        line(picture, place(pair[0].positions[0]), place(pair[1].positions[0]), INK, 1.0);
    }
    for (i, world) in worlds.iter().enumerate() {
        let contacts = clip.contacts().map(|track| track[from + i]).unwrap_or_default();
        for side in Side::BOTH {
            if !contacts.foot(side) {
                continue;
            }
            let [_, _, foot, toes] = HumanBone::leg(side).map(|bone| clip.skeleton().find(bone));
            let (Some(foot), Some(toes)) = (foot, toes) else { continue };
            let colour = if side == Side::Left { LEFT } else { RIGHT };
            let tip = world.transform(toes, Quat::IDENTITY * Vec3::new(0.0, 0.0, 0.07));
            line(picture, place(world.position(foot)), place(tip), colour, 1.5);
        }
    }
}

fn line(picture: &mut RgbImage, from: At, to: At, colour: Rgb<u8>, thick: f32) {
    let (a, b) = (Vec2::new(from.0, from.1), Vec2::new(to.0, to.1));
    let (low, high) = (a.min(b) - thick - 1.0, a.max(b) + thick + 1.0);
    let along = b - a;
    for y in low.y.max(0.0) as u32..=(high.y.max(0.0) as u32).min(picture.height() - 1) {
        for x in low.x.max(0.0) as u32..=(high.x.max(0.0) as u32).min(picture.width() - 1) {
            let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let u = ((point - a).dot(along) / along.length_squared().max(1e-6)).clamp(0.0, 1.0);
            let cover = (thick + 0.5 - (a + along * u).distance(point)).clamp(0.0, 1.0);
            let pixel = picture.get_pixel_mut(x, y);
            for channel in 0..3 {
                let (under, over) = (f32::from(pixel.0[channel]), f32::from(colour.0[channel]));
                pixel.0[channel] = (under + (over - under) * cover) as u8;
            }
        }
    }
}

fn dot(picture: &mut RgbImage, at: At, radius: f32, colour: Rgb<u8>) {
    line(picture, at, (at.0 + 0.01, at.1), colour, radius);
}

/// Draws a number in digits of three by five pixels.
fn number(picture: &mut RgbImage, at: At, number: u32) {
    const DIGITS: [u16; 10] = [
        0b111_101_101_101_111,
        0b010_110_010_010_111,
        0b111_001_111_100_111,
        0b111_001_111_001_111,
        0b101_101_111_001_001,
        0b111_100_111_001_111,
        0b111_100_111_101_111,
        0b111_001_010_010_010,
        0b111_101_111_101_111,
        0b111_101_111_001_111,
    ];
    for (place, digit) in number.to_string().bytes().enumerate() {
        for spot in 0..15 {
            if DIGITS[usize::from(digit - b'0')] & (1 << (14 - spot)) != 0 {
                let x = at.0 + 9.0 * place as f32 + 2.0 * (spot % 3) as f32;
                dot(picture, (x, at.1 + 2.0 * (spot / 3) as f32), 0.8, INK);
            }
        }
    }
}
