//! Writes GLB.

mod avatar;
mod mesh;
mod movement;
mod surface;

use gltf::json::{
    self, Index,
    scene::{Node, UnitQuaternion},
    validation::USize64,
};
use limber_animation::{Character, CharacterError, Clip, Fps, HumanBone, Mesh};

use super::{GENERATOR, container, parts::Parts, skeleton_notes};
use crate::{
    face,
    keyed::{KeyedJoint, KeyedRig, RootTrack},
    preset::KeyReduction,
};

/// Options for writing a clip.
#[derive(Debug, Clone, Default)]
pub struct GlbOptions {
    /// Name of the animation.
    pub name: String,
    /// The motion of a joint `root` to add above all others.
    pub root: Option<RootTrack>,
    /// Which keys are omitted.
    pub keys: KeyReduction,
    /// Whether the clip's last frame is a closing frame: it marks the end of the clip, one frame
    /// after its last real frame, and is dropped when Limber reads the file again.
    pub closed: bool,
}

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The character's data is inconsistent.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// The clip was made for another skeleton than the character's.
    #[error("the clip has a different skeleton from the character `{0}`; retarget it first")]
    OtherSkeleton(String),
    /// The root track and the clip differ in their number of frames.
    #[error("the root's track and the clip have different numbers of frames")]
    RootLength,
    /// A vertex, matrix or material contains NaN or infinity.
    #[error("`{0}` contains a number that is not finite")]
    NotFinite(String),
    /// The file would exceed the limits of its format.
    #[error("the character is too large to be written as GLB")]
    TooLarge,
}

/// Writes a character at rest, without animation.
///
/// # Errors
/// See [`WriteError`].
pub fn write_character(character: &Character) -> Result<Vec<u8>, WriteError> {
    let rig = KeyedRig::at_rest(&character.skeleton);
    Ok(pack(body(character, &rig)?))
}

/// Writes a character with one named animation: translation of the hips and rotations of the
/// joints, with linear keys at i / fps. Channels that never leave the rest pose are omitted.
///
/// # Errors
/// See [`WriteError`].
pub fn write_clip(
    character: &Character,
    clip: &Clip,
    options: &GlbOptions,
) -> Result<Vec<u8>, WriteError> {
    if clip.skeleton() != &character.skeleton {
        return Err(WriteError::OtherSkeleton(character.name.clone()));
    }
    if options.root.as_ref().is_some_and(|root| !root.fits(clip)) {
        return Err(WriteError::RootLength);
    }
    let rig = KeyedRig::of_clip(clip, options.root.as_ref());
    let mut parts = body(character, &rig)?;
    let faces = faces(&parts, character, clip);
    let fps = clip.fps().per_second();
    let GlbOptions { name, keys, closed, .. } = options;
    movement::animate(&mut parts, &rig, fps, (name, *keys, *closed), &faces);
    Ok(pack(parts))
}

/// Returns the nodes whose meshes have facial blend shapes, with their weights over time.
fn faces(parts: &Parts, character: &Character, clip: &Clip) -> Vec<(Index<Node>, Vec<Vec<f32>>)> {
    // the scene lists the top joint first, then the objects in order
    let nodes = parts.document.scenes.iter().flat_map(|scene| scene.nodes.iter().skip(1));
    let faces = nodes.zip(character.objects()).filter_map(|(node, object)| {
        let weights = face::weights_over_time(&character.meshes[object[0]], clip)?;
        Some((*node, weights))
    });
    faces.collect()
}

/// Writes joints and their animation without meshes, with an extension on the document.
pub(crate) fn write_movement(
    rig: &KeyedRig,
    fps: Fps,
    (name, closed): (&str, bool),
    (extension, value): (&str, serde_json::Value),
) -> Vec<u8> {
    let mut parts = Parts::default();
    for (place, joint) in rig.joints.iter().enumerate() {
        parts.document.push(joint_node(rig, place, joint));
    }
    let top = top_node(&mut parts, rig);
    let scene = parts.document.push(json::Scene {
        extensions: None,
        extras: Default::default(),
        name: None,
        nodes: vec![top],
    });
    parts.document.scene = Some(scene);
    let said = (name, KeyReduction::None, closed);
    movement::animate(&mut parts, rig, fps.per_second(), said, &[]);
    parts.document.extensions_used.push(extension.to_owned());
    let (text, data) = finish(parts);
    let mut document: serde_json::Value =
        serde_json::from_slice(&text).expect("the text was just written as JSON");
    document["extensions"][extension] = value;
    container::join(document.to_string().as_bytes(), &data)
}

fn pack(parts: Parts) -> Vec<u8> {
    let (text, data) = finish(parts);
    container::join(&text, &data)
}

/// Returns the JSON text and the binary data.
fn finish(mut parts: Parts) -> (Vec<u8>, Vec<u8>) {
    parts.document.asset.generator = Some(GENERATOR.to_owned());
    if !parts.data.is_empty() {
        parts.document.push(json::Buffer {
            byte_length: USize64::from(parts.data.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
    }
    let text = parts.document.to_vec().expect("the types of glTF can always be written as JSON");
    (text, parts.data)
}

fn named(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

/// Adds everything but the animation. Node `i` is joint `i` of the rig.
fn body(character: &Character, rig: &KeyedRig) -> Result<Parts, WriteError> {
    character.check()?;
    if let Some(mesh) = character.meshes.iter().find(|mesh| !is_finite(mesh)) {
        return Err(WriteError::NotFinite(mesh.name.clone()));
    }
    let bytes: usize = character.meshes.iter().map(room).sum::<usize>()
        + character.images.iter().map(|image| image.bytes.len()).sum::<usize>();
    if u32::try_from(bytes.saturating_mul(2)).is_err() {
        return Err(WriteError::TooLarge);
    }
    let mut parts = Parts::default();
    let mut scene: Vec<Index<Node>> = Vec::new();
    for (place, joint) in rig.joints.iter().enumerate() {
        parts.document.push(joint_node(rig, place, joint));
    }
    let top = top_node(&mut parts, rig);
    scene.push(top);
    for image in &character.images {
        surface::add_image(&mut parts, image);
    }
    let mut textures = surface::Textures::default();
    for material in &character.materials {
        surface::add_material(&mut parts, &mut textures, material);
    }
    for skin in &character.skins {
        mesh::add_skin(&mut parts, skin, rig.shift, top);
    }
    let objects = character.objects();
    let shown: Vec<Index<Node>> =
        objects.iter().map(|object| mesh::add_object(&mut parts, character, object)).collect();
    scene.extend(&shown);
    avatar::add(&mut parts, character, rig.shift, (&objects, &shown), &mut textures);
    let scene = parts.document.push(json::Scene {
        extensions: None,
        extras: Default::default(),
        name: named(&character.name),
        nodes: scene,
    });
    parts.document.scene = Some(scene);
    Ok(parts)
}

/// Returns the approximate size of a mesh in bytes.
fn room(mesh: &Mesh) -> usize {
    mesh.positions.len() * (64 + 24 * mesh.morphs.len()) + mesh.indices.len() * 4
}

fn is_finite(mesh: &Mesh) -> bool {
    let offsets = mesh.morphs.iter().flat_map(|morph| morph.positions.iter().chain(&morph.normals));
    mesh.positions.iter().chain(&mesh.normals).chain(offsets).all(|row| row.is_finite())
        && mesh.uvs.iter().all(|row| row.is_finite())
        && mesh.colors.iter().flatten().all(|value| value.is_finite())
        && mesh.weights.iter().chain(&mesh.more_weights).flatten().all(|weight| weight.is_finite())
}

fn joint_node(rig: &KeyedRig, place: usize, joint: &KeyedJoint) -> Node {
    let children: Vec<_> = rig
        .joints
        .iter()
        .enumerate()
        .filter(|(_, other)| other.parent == Some(place))
        .map(|(child, _)| Index::new(child as u32))
        .collect();
    let moved = joint.rest_translation != glam::Vec3::ZERO;
    let turned = joint.rest_rotation != glam::Quat::IDENTITY;
    Node {
        name: named(&joint.name),
        children: (!children.is_empty()).then_some(children),
        translation: moved.then(|| joint.rest_translation.to_array()),
        rotation: turned.then(|| UnitQuaternion(joint.rest_rotation.normalize().to_array())),
        extras: skeleton_notes::write(
            joint.bone.filter(|bone| HumanBone::from_name(&joint.name) != Some(*bone)),
            joint.twist,
        ),
        ..Node::default()
    }
}

/// Returns the node above all joints: the only joint without a parent, or a new node if there are
/// several, because the joints of a skin must have a common root.
fn top_node(parts: &mut Parts, rig: &KeyedRig) -> Index<Node> {
    let tops: Vec<Index<Node>> = rig
        .joints
        .iter()
        .enumerate()
        .filter(|(_, joint)| joint.parent.is_none())
        .map(|(place, _)| Index::new(place as u32))
        .collect();
    match tops.as_slice() {
        [only] => *only,
        _ => parts.document.push(Node {
            name: named("armature"),
            children: Some(tops),
            ..Node::default()
        }),
    }
}
