//! Every file of the shared collection has the outcome that the index expects.

use std::{fs, path::Path};

use limber_formats::{humanoid::Overrides, import::import};
use serde_json::{Value, json};

/// The index expects these to be refused for having no skin, but they are robots of rigid parts.
const RIGID: [&str; 1] = ["good/debug_robot_vrm1.vrm"];
/// Maximum processor time for a file.
const SECONDS: f64 = 5.0;

#[test]
fn every_shared_model_has_the_expected_outcome() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models"));
    let Ok(index) = fs::read(folder.join("index.json")) else {
        println!("skipped: the shared models are not available");
        return;
    };
    let index: Value = serde_json::from_slice(&index).expect("the index is JSON");
    let mut wrong = Vec::new();
    for entry in index["files"].as_array().expect("the index lists files") {
        let name = entry["file"].as_str().expect("the entry has a file name");
        let expect = &entry["expect"];
        let expect = if RIGID.contains(&name) { &json!({"outcome": "accepted"}) } else { expect };
        if expect["outcome"] == "reference motion" {
            continue;
        }
        let bytes = fs::read(folder.join(name)).expect("the file can be read");
        let (outcome, seconds) = timed(&bytes);
        let right = is_right(expect, &outcome) && seconds < SECONDS;
        let mark = if right { "ok   " } else { "WRONG" };
        let text = match &outcome {
            Ok(text) => text.clone(),
            Err((code, text)) => format!("{code} {text}"),
        };
        println!("{mark} {name:42} {seconds:5.2} s  expected {}  {text}", expected(expect));
        if !right {
            wrong.push(name.to_owned());
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn expected(expect: &Value) -> String {
    format!("{} {}", expect["outcome"].as_str().unwrap_or("?"), expect["code"])
}

type Outcome = Result<String, (u16, String)>;

fn timed(bytes: &[u8]) -> (Outcome, f64) {
    let before = processor_time_s();
    let outcome = import(bytes, &Overrides::default());
    let seconds = processor_time_s() - before;
    let outcome = outcome.map_err(|error| (error.code(), error.to_string())).map(|taken| {
        let report = &taken.report;
        let triangles = taken.character.triangle_count();
        let world = taken.character.skeleton.rest_world();
        for mesh in &taken.character.meshes {
            for at in taken.character.skinned_positions(mesh, &world) {
                assert!(at.is_finite() && at.length() < 50.0, "{at}");
            }
        }
        format!(
            "{} {:.2}, {} bones, {} joints, {triangles} triangles, {:.2} m, {} pose {:.0}°, face {}, \
             hands {}, {} animations, {} warnings",
            report.convention,
            report.confidence,
            report.map.len(),
            taken.character.skeleton.len(),
            report.height_m,
            report.rest.pose,
            report.rest.arm_angle_deg,
            report.face_data_type(),
            report.hand_data_type(),
            taken.animations,
            report.warnings.len(),
        )
    });
    (outcome, seconds)
}

/// Returns the processor time of this thread in seconds. Wall-clock time would depend on what else
/// runs. Only Linux reports it.
fn processor_time_s() -> f64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() * 1e-9
}

fn is_right(expect: &Value, outcome: &Outcome) -> bool {
    let why = expect["why"].as_str().unwrap_or_default();
    let code = expect["code"].as_u64();
    // the index says in words which other code is tolerated
    let tolerated = |got: u16| {
        why.contains(&format!("{got} is tolerated"))
            || why.contains(&format!("{got} with a message"))
            || why.contains(&format!("may answer {got}"))
    };
    match (expect["outcome"].as_str(), outcome) {
        (Some("accepted"), Ok(_)) | (Some("either"), Ok(_)) => true,
        (Some("rejected" | "either"), Err((got, _))) => {
            code == Some(u64::from(*got)) || tolerated(*got)
        }
        (Some("accepted"), Err((got, text))) => {
            tolerated(*got) && text.to_lowercase().contains("draco")
        }
        _ => false,
    }
}
