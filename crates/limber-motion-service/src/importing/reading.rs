//! From the bytes of a stranger's file to our own GLB: the only place that knows who reads them.

use limber_animation::{Character, HumanBone};
use limber_formats::glb::{self, GlbError};
use serde_json::json;

use super::ReadModel;

/// The file is no character; the specification's code, and a sentence.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) code: u16,
    pub(super) message: String,
}

/// The converted file, and what is known of it.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<u8>, ReadModel), Unreadable> {
    if bytes.is_empty() {
        let message = "the file is empty; export the character and send it again".to_owned();
        return Err(Unreadable { code: 901, message });
    }
    let file = glb::read(bytes).map_err(|error| unreadable(&error))?;
    let character = &file.character;
    check(character)?;
    let converted = glb::write_character(character)
        .map_err(|error| Unreadable { code: 901, message: error.to_string() })?;
    let model = ReadModel {
        rig_id: "vrm1".to_owned(),
        face: 0,
        hand: hands(character),
        report: report(character, file.clips.len()),
    };
    Ok((converted, model))
}

fn unreadable(error: &GlbError) -> Unreadable {
    let code = match error {
        GlbError::NoCharacter(_) => 905,
        _ => 901,
    };
    Unreadable { code, message: error.to_string() }
}

fn check(character: &Character) -> Result<(), Unreadable> {
    if !character.meshes.iter().any(|mesh| mesh.skin.is_some()) {
        let message = "the file has no skinned mesh: export the character with its mesh and skeleton selected";
        return Err(Unreadable { code: 905, message: message.to_owned() });
    }
    let missing: Vec<&str> = HumanBone::REQUIRED
        .into_iter()
        .filter(|bone| character.skeleton.find(*bone).is_none())
        .map(HumanBone::name)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.join(", ");
    let message = format!("no joint was found for {missing}; name them or map them by hand");
    Err(Unreadable { code: 902, message })
}

/// Finger chains of at least two joints: all ten, some, none.
fn hands(character: &Character) -> u8 {
    let skeleton = &character.skeleton;
    let fingers = ["Thumb", "Index", "Middle", "Ring", "Little"];
    let chains = ["left", "right"]
        .into_iter()
        .flat_map(|side| fingers.into_iter().map(move |finger| format!("{side}{finger}")));
    let found = chains.filter(|chain| {
        let joints = HumanBone::ALL
            .into_iter()
            .filter(|bone| bone.name().starts_with(chain.as_str()))
            .filter(|bone| skeleton.find(*bone).is_some());
        joints.count() >= 2
    });
    match found.count() {
        0 => 0,
        10 => 2,
        _ => 1,
    }
}

fn report(character: &Character, ignored_animations: usize) -> serde_json::Value {
    let skeleton = &character.skeleton;
    let map: serde_json::Map<String, serde_json::Value> = HumanBone::ALL
        .into_iter()
        .filter_map(|bone| {
            let joint = skeleton.find(bone)?;
            Some((bone.name().to_owned(), json!({ "name": skeleton.joint(joint).name })))
        })
        .collect();
    json!({ "version": 1, "map": map, "ignoredAnimations": ignored_animations })
}

/// A picture of a converted file.
pub(super) fn draw(glb: &[u8]) -> Result<Vec<u8>, String> {
    let file = glb::read(glb).map_err(|error| error.to_string())?;
    limber_pipeline::picture::cut_out(&file.character).map_err(|error| error.to_string())
}
