//! Blender opens the files of the presets.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use limber_animation::{Character, HumanBone};
use limber_formats::{humanoid::Overrides, import::import};
use limber_pipeline::{FileKind, Options, Preset, stock};

use crate::{request, walked};

/// A file and what Blender should find in it.
struct Asked {
    what: String,
    path: PathBuf,
    preset: Preset,
    hips: String,
    /// Minimum and maximum height of the hips, in metres.
    heights: [f64; 2],
}

/// Returns the stock characters, and user-supplied ones if the models are available next to the
/// repository.
fn bodies() -> Vec<(String, Character)> {
    let mut bodies: Vec<(String, Character)> = stock::list()
        .iter()
        .map(|stock| (stock.id.to_owned(), stock.character().expect("it reads").clone()))
        .collect();
    let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models/good"));
    let Ok(entries) = fs::read_dir(models) else {
        println!("skipped: no third-party models in {}", models.display());
        return bodies;
    };
    for entry in entries {
        let path = entry.expect("it can be listed").path();
        let bytes = fs::read(&path).expect("it is readable");
        if let Ok(taken) = import(&bytes, &Overrides::default()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            bodies.push((name, taken.character));
        }
    }
    bodies
}

fn written(folder: &Path, (name, body): &(String, Character), preset: Preset) -> Asked {
    let what = format!("{name} {}", preset.rules().word);
    let request = request("a person squats", Options::for_preset(preset));
    let output = walked(&request, body).unwrap_or_else(|error| panic!("{what}: {error}"));
    let file = &output.files[0];
    assert_ne!(file.kind, FileKind::Metrics);
    let path = folder.join(format!("{}.{}", what.replace([' ', '.'], "_"), file.kind.extension()));
    fs::write(&path, &file.bytes).expect("the disk has space");
    let hips = output.clip.skeleton().hips();
    let heights = output.clip.world_positions().into_iter().map(|row| f64::from(row[hips.get()].y));
    let heights = heights
        .fold([f64::MAX, f64::MIN], |[low, high], height| [low.min(height), high.max(height)]);
    let own = || output.clip.skeleton().joint(hips).name.clone();
    let hips = preset.rules().names.of(HumanBone::Hips).unwrap_or_else(own);
    Asked { what, path, preset, hips, heights }
}

/// Returns what Blender reports about each file.
fn opened(python: &std::ffi::OsStr, asked: &[Asked]) -> Vec<serde_json::Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pipeline/blender.py");
    let lines = asked.iter().map(|asked| {
        let line = serde_json::json!({ "path": asked.path, "hips": asked.hips });
        format!("{line}\n")
    });
    let questions = asked[0].path.with_extension("questions");
    fs::write(&questions, lines.collect::<String>()).expect("the disk has space");
    let output = Command::new(python)
        .arg(script)
        .stdin(Stdio::from(fs::File::open(&questions).expect("it was written")))
        .output()
        .expect("LIMBER_BLENDER can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    let found: Vec<_> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(found.len(), asked.len(), "{said}{errors}");
    found
}

/// `LIMBER_BLENDER` names a Python with Blender in it (`pip install bpy`).
#[test]
fn hips_travel_in_blender_with_every_preset_and_body() {
    let Some(python) = std::env::var_os("LIMBER_BLENDER") else {
        println!("skipped: LIMBER_BLENDER names no Python that has bpy");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let presets = Preset::ALL.into_iter().filter(|preset| *preset != Preset::Vrma);
    let bodies = bodies();
    let asked: Vec<Asked> = presets
        .flat_map(|preset| bodies.iter().map(move |body| (body, preset)))
        .map(|(body, preset)| written(folder.path(), body, preset))
        .collect();
    let mut faults = Vec::new();
    for (asked, answer) in asked.iter().zip(opened(&python, &asked)) {
        for found in answer["found"].as_array().expect("a list") {
            let number = |name: &str| found[name].as_f64().unwrap_or(f64::NAN);
            let near = |found: f64, meant: f64, most: f64| (found - meant).abs() <= most;
            // the sampled times are farther apart than frames
            let [low, high] = asked.heights;
            let moved = near(number("low"), low, 0.02) && near(number("high"), high, 0.02);
            let lasts = near(number("seconds"), 4.0, 1e-3);
            let on_frames = asked.preset != Preset::Blender || number("off_frame") == 0.0;
            let above = &found["above"];
            let one_root = asked.preset != Preset::Unreal5 || *above == serde_json::json!(["root"]);
            if !(moved && lasts && on_frames && one_root) {
                faults.push(format!("{}: {found}, meant {:?}", asked.what, asked.heights));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
