//! How long a character takes to come in, and six seconds to be carried onto one and written as GLB,
//! FBX and BVH, as a worker does it.
//!
//! Prints `target | median | verdict` per budget and ends with 1 when one is missed. The FBX that comes
//! in is the largest of the shared models; without them its rows are skipped.

use std::{path::Path, process::ExitCode};

use glam::Vec3;
use limber_animation::{Character, Image, ImageEncoding, Mesh, Skin, canonical_skeleton};
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
    let mut met = vec![large_glb()];
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models/good"));
    match std::fs::read(folder.join(FBX)) {
        Ok(fbx) => met.extend(fbx_rows(&fbx)),
        Err(_) => println!("skipped: the shared models are not there"),
    }
    met.extend(file_rows());
    if met.iter().all(|met| *met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn file_rows() -> Vec<bool> {
    let prompt = Prompt::parse(PROMPT).expect("it is a prompt");
    let request = Request { duration_s: Some(MOTION_S), ..Request::new(prompt, Seed(1)) };
    let clip = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it is made");
    let row = |entry: &stock::StockCharacter| {
        let character = entry.character().expect("the stock character reads");
        let taken = median(|| files(&clip, character));
        verdict(&format!("{} moved and written", entry.name), FILES_S, taken, "s")
    };
    stock::list().iter().map(row).collect()
}

fn files(clip: &CanonicalClip, character: &Character) {
    let formats = vec![FileKind::Glb, FileKind::Fbx, FileKind::Bvh];
    let options = Options { formats, ..Options::default() };
    let output = derive(clip, character, 1, &options, &Cancel::default(), &mut |_| {})
        .expect("it can be carried over");
    assert!(output.files.len() >= 3);
}

fn fbx_rows(fbx: &[u8]) -> [bool; 2] {
    let ufbx = median(|| {
        let options = ufbx::LoadOpts { ignore_animation: true, ..ufbx::LoadOpts::default() };
        assert!(ufbx::load_memory(fbx, options).is_ok());
    });
    let read = median(|| assert!(read_model(fbx).is_ok()));
    let whole = median(|| assert!(import(fbx, &Overrides::default()).is_ok()));
    [
        verdict("FBX of 2 MB read, times ufbx alone", FBX_TIMES_UFBX, read / ufbx, ""),
        verdict("FBX of 2 MB imported", FBX_IMPORT_S, whole, "s"),
    ]
}

fn large_glb() -> bool {
    let file = glb::write_character(&large()).expect("it is whole");
    println!("a GLB of {} MB", file.len() / 1_000_000);
    let taken = median(|| assert!(import(&file, &Overrides::default()).is_ok()));
    verdict("GLB of 50 MB imported", GLB_IMPORT_S, taken, "s")
}

/// A tube around every bone, fine enough for half the file, and one picture for the rest.
fn large() -> Character {
    const AROUND: usize = 60;
    const ALONG: usize = 110;
    let skeleton = canonical_skeleton();
    let world = skeleton.rest_world();
    let mut mesh = Mesh { name: "body".to_owned(), skin: Some(0), ..Mesh::default() };
    for joint in skeleton.indices() {
        let at = world.position(joint);
        let first = mesh.positions.len() as u32;
        for place in 0..AROUND * ALONG {
            let turn = (place % AROUND) as f32 / AROUND as f32 * std::f32::consts::TAU;
            let normal = Vec3::new(turn.sin(), 0.0, turn.cos());
            mesh.positions.push(at + normal * 0.05 + Vec3::Y * (place / AROUND) as f32 * 1e-3);
            mesh.normals.push(normal);
            mesh.joints.push([joint.get() as u16, 0, 0, 0]);
            mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
        }
        for place in 0..(AROUND * (ALONG - 1)) as u32 {
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
        images: vec![picture(GLB_BYTES.saturating_sub(mesh_bytes))],
    }
}

/// A picture of one grey pixel with so many bytes behind it.
fn picture(bytes: usize) -> Image {
    let mut file = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(1, 1)
        .write_to(&mut file, image::ImageFormat::Png)
        .expect("a picture in memory can be written");
    let mut file = file.into_inner();
    file.resize(bytes.max(file.len()), 0);
    Image { name: "picture".to_owned(), encoding: ImageEncoding::Png, bytes: file }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark's work is to look at the clock")]
fn median(run: impl Fn()) -> f64 {
    run(); // warm
    let mut spent: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = std::time::Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    spent.sort_by(f64::total_cmp);
    spent[ROUNDS / 2]
}

fn verdict(what: &str, target: f64, median: f64, unit: &str) -> bool {
    let met = median <= target;
    let word = if met { "met" } else { "MISSED" };
    println!("{what}: target ≤ {target:.2} {unit} | median {median:.3} {unit} | {word}");
    met
}
