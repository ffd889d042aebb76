//! Character and clip to file.

use gltf::json::{
    self, Index,
    animation::{Channel, Interpolation, Property, Sampler, Target},
    material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor},
    mesh::{Mode, Primitive, Semantic},
    scene::{Node, UnitQuaternion},
    validation::{Checked::Valid, USize64},
};
use limber_animation::{
    Character, CharacterError, Clip, Fps, Image, ImageEncoding, Material, Mesh, Skin,
};

use super::{
    container,
    parts::{Parts, Purpose},
};
use crate::keyed::{KeyedJoint, KeyedRig, RootTrack};

/// How a clip is written.
#[derive(Debug, Clone, Default)]
pub struct GlbOptions {
    /// The animation's name.
    pub name: String,
    /// Adds a joint `root` above all others that moves like this.
    pub root: Option<RootTrack>,
}

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The character's parts do not fit together.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// The clip was made for another skeleton than the character's.
    #[error("the clip belongs to another skeleton than the character `{0}`; retarget it first")]
    OtherSkeleton(String),
    /// The root's track has another length than the clip.
    #[error("the root's track has another number of frames than the clip")]
    RootLength,
    /// A vertex, matrix or material holds NaN or infinity.
    #[error("`{0}` holds a number that is not finite")]
    NotFinite(String),
    /// The file would be larger than its format allows.
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

/// Writes a character with one named animation: hips translation and joint rotations, linear keys
/// at i / fps; channels that never leave the rest pose are left out.
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
    animate(&mut parts, &rig, clip.fps().per_second(), &options.name);
    Ok(pack(parts))
}

/// Joints and their movement without a body, and what an extension says about the whole file.
pub(crate) fn write_movement(
    rig: &KeyedRig,
    fps: Fps,
    name: &str,
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
    animate(&mut parts, rig, fps.per_second(), name);
    parts.document.extensions_used.push(extension.to_owned());
    let (text, data) = finish(parts);
    let mut document: serde_json::Value =
        serde_json::from_slice(&text).expect("this was JSON a moment ago");
    document["extensions"][extension] = value;
    container::join(document.to_string().as_bytes(), &data)
}

fn pack(parts: Parts) -> Vec<u8> {
    let (text, data) = finish(parts);
    container::join(&text, &data)
}

/// The document as text, and the data it describes.
fn finish(mut parts: Parts) -> (Vec<u8>, Vec<u8>) {
    parts.document.asset.generator = Some("Limber".to_owned());
    if !parts.data.is_empty() {
        parts.document.push(json::Buffer {
            byte_length: USize64::from(parts.data.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
    }
    let text = parts.document.to_vec().expect("glTF's own types always become JSON");
    (text, parts.data)
}

fn named(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

/// Everything but the animation. Node `i` is joint `i` of the rig.
fn body(character: &Character, rig: &KeyedRig) -> Result<Parts, WriteError> {
    character.check()?;
    if let Some(mesh) = character.meshes.iter().find(|mesh| !is_finite(mesh)) {
        return Err(WriteError::NotFinite(mesh.name.clone()));
    }
    let bytes: usize = character.meshes.iter().map(|mesh| mesh.positions.len() * 64).sum::<usize>()
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
        add_image(&mut parts, image);
    }
    for material in &character.materials {
        add_material(&mut parts, material);
    }
    for skin in &character.skins {
        add_skin(&mut parts, skin, rig.shift, top);
    }
    for mesh in &character.meshes {
        scene.push(add_mesh(&mut parts, character, mesh));
    }
    let scene = parts.document.push(json::Scene {
        extensions: None,
        extras: Default::default(),
        name: named(&character.name),
        nodes: scene,
    });
    parts.document.scene = Some(scene);
    Ok(parts)
}

fn is_finite(mesh: &Mesh) -> bool {
    mesh.positions.iter().chain(&mesh.normals).all(|row| row.is_finite())
        && mesh.uvs.iter().all(|row| row.is_finite())
        && mesh.weights.iter().flatten().all(|weight| weight.is_finite())
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
        ..Node::default()
    }
}

/// The node above all joints: the only parentless joint, or a new one above several, because all
/// joints of a skin must hang together.
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

fn add_image(parts: &mut Parts, image: &Image) {
    let view = parts.view(&image.bytes, Purpose::Other);
    let mime = match image.encoding {
        ImageEncoding::Png => "image/png",
        ImageEncoding::Jpeg => "image/jpeg",
    };
    let source = parts.document.push(json::Image {
        buffer_view: Some(view),
        mime_type: Some(json::image::MimeType(mime.to_owned())),
        name: named(&image.name),
        uri: None,
        extensions: None,
        extras: Default::default(),
    });
    parts.document.push(json::Texture {
        name: None,
        sampler: None,
        source,
        extensions: None,
        extras: Default::default(),
    });
}

fn add_material(parts: &mut Parts, material: &Material) {
    let texture = material.base_color_image.map(|place| json::texture::Info {
        index: Index::new(place as u32),
        tex_coord: 0,
        extensions: None,
        extras: Default::default(),
    });
    parts.document.push(json::Material {
        name: named(&material.name),
        double_sided: material.double_sided,
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor(
                material.base_color.clamp(glam::Vec4::ZERO, glam::Vec4::ONE).to_array(),
            ),
            base_color_texture: texture,
            metallic_factor: StrengthFactor(material.metallic.clamp(0.0, 1.0)),
            roughness_factor: StrengthFactor(material.roughness.clamp(0.0, 1.0)),
            ..PbrMetallicRoughness::default()
        },
        ..json::Material::default()
    });
}

fn add_skin(parts: &mut Parts, skin: &Skin, shift: usize, top: Index<Node>) {
    let matrices: Vec<[f32; 16]> = skin
        .inverse_bind
        .iter()
        .map(|matrix| {
            let mut columns = matrix.to_cols_array();
            // exactly affine: readers compare with ==
            (columns[3], columns[7], columns[11], columns[15]) = (0.0, 0.0, 0.0, 1.0);
            columns
        })
        .collect();
    let inverse_bind = parts.floats(&matrices, Purpose::Other);
    parts.document.push(json::Skin {
        extensions: None,
        extras: Default::default(),
        inverse_bind_matrices: Some(inverse_bind),
        joints: skin.joints.iter().map(|joint| Index::new((joint.get() + shift) as u32)).collect(),
        name: None,
        skeleton: Some(top),
    });
}

fn add_mesh(parts: &mut Parts, character: &Character, mesh: &Mesh) -> Index<Node> {
    let positions: Vec<_> = mesh.positions.iter().map(|row| row.to_array()).collect();
    let normals: Vec<_> =
        mesh.normals.iter().map(|row| row.normalize_or(glam::Vec3::Y).to_array()).collect();
    let mut attributes = std::collections::BTreeMap::new();
    let vertices = Purpose::Vertices;
    attributes.insert(Valid(Semantic::Positions), parts.bounded(&positions, vertices));
    attributes.insert(Valid(Semantic::Normals), parts.floats(&normals, vertices));
    if let Some(uvs) = uvs(character, mesh) {
        attributes.insert(Valid(Semantic::TexCoords(0)), parts.floats(&uvs, vertices));
    }
    if mesh.skin.is_some() {
        let (joints, weights): (Vec<_>, Vec<_>) =
            mesh.joints.iter().zip(&mesh.weights).map(|(j, w)| tidy_influences(*j, *w)).unzip();
        attributes.insert(Valid(Semantic::Joints(0)), parts.joints(&joints));
        attributes.insert(Valid(Semantic::Weights(0)), parts.floats(&weights, vertices));
    }
    let primitive = Primitive {
        attributes,
        extensions: None,
        extras: Default::default(),
        indices: Some(parts.indices(&mesh.indices)),
        material: mesh.material.map(|place| Index::new(place as u32)),
        mode: Valid(Mode::Triangles),
        targets: None,
    };
    let index = parts.document.push(json::Mesh {
        extensions: None,
        extras: Default::default(),
        name: named(&mesh.name),
        primitives: vec![primitive],
        weights: None,
    });
    parts.document.push(Node {
        name: named(&mesh.name),
        mesh: Some(index),
        skin: mesh.skin.map(|place| Index::new(place as u32)),
        ..Node::default()
    })
}

/// A textured material needs texture coordinates even where the mesh has none.
fn uvs(character: &Character, mesh: &Mesh) -> Option<Vec<[f32; 2]>> {
    let textured =
        mesh.material.is_some_and(|place| character.materials[place].base_color_image.is_some());
    match (mesh.uvs.is_empty(), textured) {
        (false, _) => Some(mesh.uvs.iter().map(|row| row.to_array()).collect()),
        (true, true) => Some(vec![[0.0; 2]; mesh.positions.len()]),
        (true, false) => None,
    }
}

/// No joint twice, none with weight zero, weights that sum to one to the last bit that matters.
pub(super) fn tidy_influences(joints: [u16; 4], weights: [f32; 4]) -> ([u16; 4], [f32; 4]) {
    let mut kept: Vec<(u16, f32)> = Vec::with_capacity(4);
    for (joint, weight) in joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
        match kept.iter_mut().find(|(other, _)| *other == joint) {
            Some((_, sum)) => *sum += weight,
            None => kept.push((joint, weight)),
        }
    }
    kept.sort_by(|a, b| b.1.total_cmp(&a.1));
    let total: f32 = kept.iter().map(|(_, weight)| weight).sum();
    let (mut tidy_joints, mut tidy_weights) = ([0; 4], [0.0; 4]);
    if kept.is_empty() {
        tidy_joints[0] = joints[0];
    }
    for (place, (joint, weight)) in kept.into_iter().enumerate() {
        tidy_joints[place] = joint;
        tidy_weights[place] = weight / total;
    }
    tidy_weights[0] = 1.0 - tidy_weights[1] - tidy_weights[2] - tidy_weights[3];
    (tidy_joints, tidy_weights)
}

/// Two key lists are enough: one with every frame, one with only the first and the last.
struct Times {
    all: Index<json::Accessor>,
    ends: Option<Index<json::Accessor>>,
    seconds: Vec<[f32; 1]>,
}

fn animate(parts: &mut Parts, rig: &KeyedRig, fps: f32, name: &str) {
    let frames = rig.joints[rig.hips].rotations.len();
    let seconds: Vec<[f32; 1]> = (0..frames).map(|frame| [frame as f32 / fps]).collect();
    let all = parts.bounded(&seconds, Purpose::Other);
    let mut times = Times { all, ends: None, seconds };
    let mut animation = json::Animation {
        extensions: None,
        extras: Default::default(),
        channels: Vec::new(),
        name: named(name),
        samplers: Vec::new(),
    };
    for (place, joint) in rig.joints.iter().enumerate() {
        let needed = place == rig.hips || place < rig.shift;
        let moved: Vec<[f32; 3]> = joint.translations.iter().map(|row| row.to_array()).collect();
        if !moved.is_empty() {
            let rest = joint.rest_translation.to_array();
            let target = (place, Property::Translation);
            add_channel(parts, &mut animation, &mut times, target, (&moved, rest, needed));
        }
        let turned: Vec<[f32; 4]> = joint.rotations.iter().map(|row| row.to_array()).collect();
        let rest = joint.rest_rotation.to_array();
        let target = (place, Property::Rotation);
        add_channel(parts, &mut animation, &mut times, target, (&turned, rest, needed));
    }
    parts.document.push(animation);
}

/// Adds a channel unless it only repeats the rest pose. A value that stays the same elsewhere
/// takes two keys.
fn add_channel<const N: usize>(
    parts: &mut Parts,
    animation: &mut json::Animation,
    times: &mut Times,
    (node, property): (usize, Property),
    (rows, rest, needed): (&[[f32; N]], [f32; N], bool),
) {
    let same = |a: &[f32; N], b: &[f32; N]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-7);
    let constant = rows.len() > 2 && rows.iter().all(|row| same(row, &rows[0]));
    if !needed && rows.iter().all(|row| same(row, &rest)) {
        return;
    }
    let (input, output) = if constant {
        let (first, last) = (times.seconds[0], times.seconds[times.seconds.len() - 1]);
        let ends = *times.ends.get_or_insert_with(|| parts.bounded(&[first, last], Purpose::Other));
        (ends, parts.floats(&[rows[0], rows[0]], Purpose::Other))
    } else {
        (times.all, parts.floats(rows, Purpose::Other))
    };
    let sampler = Index::new(animation.samplers.len() as u32);
    animation.samplers.push(Sampler {
        extensions: None,
        extras: Default::default(),
        input,
        interpolation: Valid(Interpolation::Linear),
        output,
    });
    animation.channels.push(Channel {
        sampler,
        target: Target {
            extensions: None,
            extras: Default::default(),
            node: Index::new(node as u32),
            path: Valid(property),
        },
        extensions: None,
        extras: Default::default(),
    });
}
