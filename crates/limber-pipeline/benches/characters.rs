//! Measures how long it takes to import a character, and to retarget six seconds to one and write
//! them as GLB, FBX and BVH, as a worker does.
//!
//! Exits with 1 if a target is missed. The imported FBX is the largest of the shared models;
//! without them its rows are skipped.

use std::{path::Path, process::ExitCode};

use glam::Vec3;
use limber_animation::{Character, Image, ImageEncoding, Mesh, Skin, canonical_skeleton};
use limber_bench::{Report, all_or, amount, in_short, median, rounds, time_s};
use limber_formats::{glb, humanoid::Overrides, import::import, read_model};
use limber_pipeline::{CanonicalClip, FileKind, Options, Request, derive, make, stock};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

const ROUNDS: usize = 5;
const FBX: &str = "quaternius_animated_human.fbx";
const FBX_TIMES_UFBX: f64 = 2.0;
const FBX_IMPORT_S: f64 = 0.3;
const GLB_BYTES: usize = 50 * 1024 * 1024;
const GLB_IMPORT_S: f64 = 5.0;
const PROMPT: &str = "a person walks forward, then waves with the right hand";
const MOTION_S: f32 = 6.0;
const FILES_S: f64 = 0.15;

fn main() -> ExitCode {
    let mut report = Report::new();
    large_glb(&mut report);
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models/good"));
    match std::fs::read(folder.join(FBX)) {
        Ok(fbx) => fbx_rows(&mut report, &fbx),
        Err(_) => report.note("FBX of 2 MB", "skipped: the shared models are missing"),
    }
    file_rows(&mut report);
    report.end()
}

fn file_rows(report: &mut Report) {
    let prompt = Prompt::parse(PROMPT).expect("it is a valid prompt");
    let request = Request { duration_s: Some(MOTION_S), ..Request::new(prompt, Seed(1)) };
    let clip = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it is created");
    for entry in all_or(stock::list(), 1) {
        let character = entry.character().expect("the stock character reads");
        let what = format!("{} moved and written", entry.name);
        report.at_most(&what, FILES_S, "s", times_s(|| files(&clip, character)));
    }
}

fn files(clip: &CanonicalClip, character: &Character) {
    let formats = vec![FileKind::Glb, FileKind::Fbx, FileKind::Bvh];
    let options = Options { formats, ..Options::default() };
    let output = derive(clip, character, 1, &options, &Cancel::default(), &mut |_| {})
        .expect("it can be retargeted");
    assert!(output.files.len() >= 3);
}

fn fbx_rows(report: &mut Report, fbx: &[u8]) {
    let ufbx = times_s(|| {
        let options = ufbx::LoadOpts { ignore_animation: true, ..ufbx::LoadOpts::default() };
        assert!(ufbx::load_memory(fbx, options).is_ok());
    });
    let read = times_s(|| assert!(read_model(fbx).is_ok()));
    let whole = times_s(|| assert!(import(fbx, &Overrides::default()).is_ok()));
    let times = vec![median(read) / median(ufbx)];
    report.at_most("FBX of 2 MB read, times ufbx alone", FBX_TIMES_UFBX, "", times);
    report.at_most("FBX of 2 MB imported", FBX_IMPORT_S, "s", whole);
}

fn large_glb(report: &mut Report) {
    let file = glb::write_character(&large()).expect("it is whole");
    report.note("a GLB of", &format!("{} MB", file.len() / 1_000_000));
    let taken = times_s(|| assert!(import(&file, &Overrides::default()).is_ok()));
    report.at_most("GLB of 50 MB imported", GLB_IMPORT_S, "s", taken);
}

/// Returns a character with a tube around every bone, fine enough for half of the file, and one
/// image for the rest.
fn large() -> Character {
    const AROUND: usize = 60;
    let along = amount(110_usize, 4);
    let skeleton = canonical_skeleton();
    let world = skeleton.rest_world();
    let mut mesh = Mesh { name: "body".to_owned(), skin: Some(0), ..Mesh::default() };
    for joint in skeleton.indices() {
        let at = world.position(joint);
        let first = mesh.positions.len() as u32;
        for place in 0..AROUND * along {
            let turn = (place % AROUND) as f32 / AROUND as f32 * std::f32::consts::TAU;
            let normal = Vec3::new(turn.sin(), 0.0, turn.cos());
            mesh.positions.push(at + normal * 0.05 + Vec3::Y * (place / AROUND) as f32 * 1e-3);
            mesh.normals.push(normal);
            mesh.joints.push([joint.get() as u16, 0, 0, 0]);
            mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
        }
        for place in 0..(AROUND * (along - 1)) as u32 {
            let next = place - place % AROUND as u32 + (place + 1) % AROUND as u32;
            let above = AROUND as u32;
            let corners = [place, next, next + above, place, next + above, place + above];
            mesh.indices.extend(corners.map(|corner| first + corner));
        }
    }
    let mesh_bytes = mesh.positions.len() * 44 + mesh.indices.len() * 4;
    Character {
        name: "large".to_owned(),
        skins: vec![Skin {
            joints: skeleton.indices().collect(),
            inverse_bind: skeleton.inverse_rest_matrices(),
        }],
        skeleton,
        meshes: vec![mesh],
        materials: vec![],
        images: vec![picture(amount(GLB_BYTES, 2 << 20).saturating_sub(mesh_bytes))],
        avatar: Vec::new(),
    }
}

/// Returns an image of one grey pixel, padded to this many bytes.
fn picture(bytes: usize) -> Image {
    let mut file = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(1, 1)
        .write_to(&mut file, image::ImageFormat::Png)
        .expect("an image can be written to memory");
    let mut file = file.into_inner();
    file.resize(bytes.max(file.len()), 0);
    Image { name: "picture".to_owned(), encoding: ImageEncoding::Png, bytes: file }
}

/// Returns the duration of each round, in seconds.
fn times_s(run: impl Fn()) -> Vec<f64> {
    if !in_short() {
        run(); // warm
    }
    (0..rounds(ROUNDS)).map(|_| time_s(&run)).collect()
}
