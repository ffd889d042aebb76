//! Writes files for visual inspection and for other programs, if a folder is given.

use std::{fs, path::PathBuf, sync::Arc};

use limber_animation::{Character, Clip};
use limber_pipeline::Output;
use limber_render::{PictureSize, contact_sheet};
use serde_json::json;

fn place(name: &str, ending: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("LIMBER_LOOK")?;
    let flat: String =
        name.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '_' }).collect();
    Some(PathBuf::from(folder).join(format!("{flat}{ending}")))
}

/// Writes a contact sheet with eight moments of a clip.
pub(crate) fn sheet(name: &str, motion: &str, character: &Character, clip: &Clip) {
    let Some(path) = place(name, &format!(".{motion}.png")) else { return };
    let size = PictureSize { width: 300, height: 380 };
    let picture = contact_sheet(&Arc::new(character.clone()), clip, 4, 8, size);
    picture.expect("this computer can render").save(path).expect("it is writable");
}

/// Writes the output files, and the expected positions of all joints at the first, the last and
/// some other frames.
pub(crate) fn files(name: &str, output: &Output) {
    for file in &output.files {
        let Some(path) = place(name, &format!(".{}", file.kind.extension())) else { return };
        fs::write(path, &file.bytes).expect("it is writable");
    }
    let Some(path) = place(name, ".meant.json") else { return };
    let clip = &output.clip;
    let frames = [0, 7, 23, 50, 88, clip.len() - 1];
    let samples: Vec<_> = frames
        .into_iter()
        .filter(|frame| *frame < clip.len())
        .map(|frame| {
            let world = clip.skeleton().world(&clip.frames()[frame]);
            let joints: serde_json::Map<String, serde_json::Value> = clip
                .skeleton()
                .indices()
                .map(|joint| {
                    let at = world.position(joint).to_array();
                    (clip.skeleton().joint(joint).name.clone(), json!(at))
                })
                .collect();
            json!({"t": frame as f32 / clip.fps().per_second(), "world": joints})
        })
        .collect();
    let meant = json!({"judge": "limber", "valid": true, "samples": samples});
    fs::write(path, meant.to_string()).expect("it is writable");
}
