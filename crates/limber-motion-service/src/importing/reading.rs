//! Converts untrusted bytes to our own GLB or PNG. The parsers are called only from here.

use std::collections::BTreeSet;

use limber_formats::{glb, humanoid::Overrides, import::import_choosing};
use limber_pipeline::picture;

use super::{BoneOverrides, ReadModel, rig};

/// The file is not a usable character; an error code of the specification, and a message.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) code: u16,
    pub(super) message: String,
}

/// Returns the converted GLB, and the properties of the character.
pub(super) fn read(
    bytes: &[u8],
    bone_overrides: &BoneOverrides,
) -> Result<(Vec<u8>, ReadModel), Unreadable> {
    if bytes.is_empty() {
        let message = "the file is empty; export the character and send it again".to_owned();
        return Err(Unreadable { code: 901, message });
    }
    let (mut joints, mut overrides) = (String::new(), Overrides::default());
    let choose = |names: &BTreeSet<&str>| {
        joints = rig::joints_hash(names);
        let chosen = bone_overrides.own.as_ref().or_else(|| bone_overrides.remembered.get(&joints));
        overrides = chosen.cloned().unwrap_or_default();
        overrides.clone()
    };
    let imported = import_choosing(bytes, choose)
        .map_err(|error| Unreadable { code: error.code(), message: error.to_string() })?;
    let unwritten = |message: String| Unreadable { code: 909, message };
    let converted =
        glb::write_character(&imported.character).map_err(|error| unwritten(error.to_string()))?;
    let report = &imported.report;
    let mut told = serde_json::to_value(report).map_err(|error| unwritten(error.to_string()))?;
    told["ignoredAnimations"] = imported.animations.into();
    let model = ReadModel {
        rig_id: rig::slug(&imported, &joints),
        joints,
        overrides,
        face: report.face_data_type(),
        hand: report.hand_data_type(),
        report: told,
    };
    Ok((converted, model))
}

/// Renders an image of a converted character.
pub(super) fn draw(glb: &[u8]) -> Result<Vec<u8>, String> {
    let file = glb::read(glb).map_err(|error| error.to_string())?;
    picture::cut_out(&file.character).map_err(|error| error.to_string())
}

/// Re-encodes an untrusted image at a limited size, without metadata.
pub(super) fn sanitize_image(bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
    picture::fitted(bytes).map_err(|error| Unreadable { code: 901, message: error.to_string() })
}
