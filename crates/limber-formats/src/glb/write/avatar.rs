//! Writes preserved VRM extensions with the indices of the new file.

use gltf::json::{Index, scene::Node};
use limber_animation::{Character, HumanBone, Skeleton};
use serde_json::{Map, Value};

use super::surface::Textures;
use crate::{
    avatar::{self, IndexTarget},
    glb::{parts::Parts, vrm::name_0},
};

/// Adds the character's preserved extensions. Joint indices are shifted by `shift` to become node
/// indices; `shown` are the nodes of the `objects`.
pub(super) fn add(
    parts: &mut Parts,
    character: &Character,
    shift: usize,
    (objects, shown): (&[Vec<usize>], &[Index<Node>]),
    textures: &mut Textures,
) {
    let mut homes = vec![0; character.meshes.len()];
    for (place, object) in objects.iter().enumerate() {
        for mesh in object {
            homes[*mesh] = place;
        }
    }
    let object_of = |mesh: usize| homes.get(mesh).copied();
    let images = character.images.len();
    for part in &character.avatar {
        let Ok(mut value) = serde_json::from_str::<Value>(&part.json) else { continue };
        say_bones(&part.extension, &mut value, &character.skeleton);
        let fits =
            avatar::renumber(&part.extension, &mut value, &mut |target, place| match target {
                IndexTarget::Node => (place < character.skeleton.len()).then_some(place + shift),
                IndexTarget::MeshNode => object_of(place).map(|object| shown[object].value()),
                // every object is a mesh, in the same order
                IndexTarget::Mesh => object_of(place),
                IndexTarget::Texture => {
                    (place < images).then(|| textures.showing(parts, place).value())
                }
                IndexTarget::Image => (place < images).then_some(place),
                IndexTarget::Material => (place < character.materials.len()).then_some(place),
            });
        if fits {
            let extensions = parts.document.extensions.get_or_insert_with(Default::default);
            extensions.others.insert(part.extension.clone(), value);
            parts.document.extensions_used.push(part.extension.clone());
        }
    }
}

/// Writes the bone mapping of the skeleton, because a user may have overridden that of the file.
fn say_bones(extension: &str, value: &mut Value, skeleton: &Skeleton) {
    let joints = skeleton.joints().iter().enumerate();
    let bones = joints.filter_map(|(place, joint)| Some((joint.bone?, place)));
    match (extension, value.pointer_mut("/humanoid/humanBones")) {
        ("VRMC_vrm", Some(Value::Object(said))) => {
            *said = bones.map(|(bone, place)| bone_1(said, bone, place)).collect();
        }
        ("VRM", Some(Value::Array(said))) => {
            *said = bones.map(|(bone, place)| bone_0(said, bone, place)).collect();
        }
        _ => {}
    }
}

fn bone_1(said: &Map<String, Value>, bone: HumanBone, place: usize) -> (String, Value) {
    let entry = said.get(bone.name()).and_then(Value::as_object);
    let mut entry = entry.cloned().unwrap_or_default();
    entry.insert("node".to_owned(), place.into());
    (bone.name().to_owned(), Value::Object(entry))
}

fn bone_0(said: &[Value], bone: HumanBone, place: usize) -> Value {
    let name = name_0(bone);
    let is_it = |entry: &&Value| entry.get("bone").and_then(Value::as_str) == Some(name);
    let entry = said.iter().find(is_it).and_then(Value::as_object);
    let mut entry = entry.cloned().unwrap_or_else(|| {
        Map::from_iter([
            ("bone".to_owned(), name.into()),
            ("useDefaultValues".to_owned(), true.into()),
        ])
    });
    entry.insert("node".to_owned(), place.into());
    Value::Object(entry)
}
