//! Opens a GLB, or a self-contained text glTF.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use gltf::json;

use super::container;
use crate::model::{MAX_FILE_BYTES, ReadError, damaged, plain_text};

/// Extensions that may be required: they do not affect what is read, or are supported.
const HARMLESS: [&str; 23] = [
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "KHR_xmp_json_ld",
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "VRM",
    "VRMC_vrm",
    "VRMC_springBone",
    "VRMC_materials_mtoon",
    "VRMC_node_constraint",
];

/// The JSON document and its buffers.
pub(super) struct GltfFile<'file> {
    pub(super) root: json::Root,
    pub(super) buffers: Vec<Cow<'file, [u8]>>,
    /// Whether the file is text (`.gltf`).
    pub(super) is_text: bool,
}

/// Parses a file. External references are not followed.
pub(super) fn open(bytes: &[u8]) -> Result<GltfFile<'_>, ReadError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge("bytes", MAX_FILE_BYTES));
    }
    let is_text =
        !bytes.starts_with(container::MAGIC) && bytes.trim_ascii_start().first() == Some(&b'{');
    let (text, bin) = if is_text { (bytes, [].as_slice()) } else { container::split(bytes)? };
    let root = json::Root::from_slice(text)
        .map_err(|error| damaged(format!("its JSON is not valid ({error})")))?;
    let unknown = root.extensions_required.iter().find(|name| !HARMLESS.contains(&name.as_str()));
    if let Some(name) = unknown {
        return Err(ReadError::UnsupportedExtension(plain_text(name)));
    }
    let buffers = root
        .buffers
        .iter()
        .enumerate()
        .map(|(place, buffer)| match &buffer.uri {
            Some(uri) => embedded(uri).map(Cow::Owned),
            None if place == 0 && !is_text => Ok(Cow::Borrowed(bin)),
            None => Err(damaged("one of its buffers has no data")),
        })
        .collect::<Result<_, _>>()?;
    Ok(GltfFile { root, buffers, is_text })
}

/// Decodes a `data:` URI. Any other URI refers to an external file and is rejected.
pub(super) fn embedded(uri: &str) -> Result<Vec<u8>, ReadError> {
    let Some(data) = uri.strip_prefix("data:") else {
        let last = uri.rsplit(['/', '\\']).next().unwrap_or_default();
        return Err(ReadError::ExternalReference(plain_text(last)));
    };
    let (_, text) = data
        .split_once(";base64,")
        .ok_or_else(|| damaged("one of its buffers is encoded in an unknown way"))?;
    STANDARD.decode(text).map_err(|_| damaged("one of its buffers is truncated or damaged"))
}
