//! Tests from importing a folder of recordings to performing clips with them. The recordings are
//! movement of Limber's own engine, written as BVH files.

mod libraries;
mod performing;

use std::{fs, path::Path};

use limber_animation::Clip;
use limber_formats::bvh::{self, BvhOptions};
use limber_takes::{Libraries, Library, Report, Terms};
use limber_text_to_motion::{
    Cancel, ClipEnds, Composer, GeneratedMotion, MotionEngine, MotionRequest, Prompt, Seed,
};

/// The clip that an engine makes of a prompt.
pub(crate) fn compose(
    engine: &dyn MotionEngine,
    prompt: &str,
    seconds: Option<f32>,
    seed: u64,
) -> GeneratedMotion {
    let prompt = Prompt::parse(prompt).expect("the prompt is understood");
    let request =
        MotionRequest { prompt, script: None, ends: ClipEnds::default(), duration_s: seconds };
    engine
        .generate(&request, Seed(seed), &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

/// Writes one of the engine's clips as a recording in centimetres.
pub(crate) fn record(
    folder: &Path,
    file: &str,
    prompt: &str,
    seconds: Option<f32>,
    seed: u64,
) -> Clip {
    let clip = compose(&Composer, prompt, seconds, seed).clip;
    let text = bvh::write(clip.skeleton(), &clip, &BvhOptions::default())
        .expect("the file can be written");
    fs::write(folder.join(file), text).expect("the file can be written");
    clip
}

/// Writes a folder with a walk, kicks, a wave, a bow, and a table of captions.
pub(crate) fn write_recordings(folder: &Path) {
    record(folder, "a1.bvh", "a person walks forward", Some(9.0), 11);
    record(folder, "a2.bvh", "a person kicks with the right leg", None, 12);
    record(folder, "a3.bvh", "a person waves with the right hand", None, 13);
    record(folder, "a4.bvh", "a person bows", None, 14);
    let table = "file,description\na1.bvh,a person walks forward\na2,he kicks with the right leg\n\
                 a3.bvh,someone waves with the right hand\na4.bvh,\"a person bows\"\n";
    fs::write(folder.join("captions.csv"), table).expect("the file can be written");
    fs::write(folder.join("LICENSE"), "Only for this studio.\nSecond line.\n")
        .expect("the file can be written");
}

/// Imports a folder.
pub(crate) fn import_folder(home: &Path, folder: &Path) -> (Libraries, Report) {
    let libraries = Libraries::new(home.join("libraries"));
    let terms = Terms { name: Some("studio".to_owned()), licence: None };
    let (_, report) =
        libraries.add(folder, &terms, &|| false, &mut |_| {}).expect("the folder can be imported");
    (libraries, report)
}

pub(crate) fn open_library(libraries: &Libraries) -> Library {
    libraries.open("studio").expect("the folder was added")
}
