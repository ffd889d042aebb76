//! File to character and clips.

use std::sync::Arc;

use gltf::json;
use limber_animation::{Character, Clip, HumanBone, JointIndex, Skeleton};

use super::{
    GlbError,
    accessor::Data,
    container, damaged,
    movement::{self, Tracks},
    surface,
    tree::Tree,
};

/// Extensions that may be demanded: they change nothing that is read, or are understood.
const HARMLESS: [&str; 9] = [
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_materials_unlit",
    "VRM",
    "VRMC_vrm",
    "VRMC_springBone",
    "VRMC_materials_mtoon",
    "VRMC_node_constraint",
];

/// What a file holds, ready to be drawn and animated.
#[derive(Debug, Clone, PartialEq)]
pub struct Glb {
    /// Joints, meshes, materials and pictures. Joints that are named like VRM bones are mapped.
    /// Every skeleton has hips: where no joint is named so, the one that carries the travel.
    pub character: Character,
    /// The animations, in the file's order, on the character's skeleton.
    pub clips: Vec<NamedClip>,
}

/// An animation of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedClip {
    /// As in the file; may be empty.
    pub name: String,
    /// At the rate of the file's keys when they are even, else resampled at 30 frames a second.
    pub clip: Clip,
}

impl Glb {
    /// Whether all bones that a humanoid needs were found by their names.
    #[must_use]
    pub fn is_humanoid(&self) -> bool {
        let skeleton = &self.character.skeleton;
        skeleton.joint(skeleton.hips()).name == HumanBone::Hips.name()
            && HumanBone::REQUIRED.into_iter().all(|bone| skeleton.find(bone).is_some())
    }
}

/// Reads a binary glTF 2.0 file: all skins, meshes, materials, embedded pictures, and animations of
/// joints. Scale is folded into offsets and bind matrices; rigid parts are bound to the joint they
/// hang on. Nothing outside `bytes` is opened.
///
/// # Errors
/// See [`GlbError`].
pub fn read(bytes: &[u8]) -> Result<Glb, GlbError> {
    let (text, bin) = container::split(bytes)?;
    let root = json::Root::from_slice(text)
        .map_err(|error| damaged(format!("its description is not valid ({error})")))?;
    check_references(&root)?;
    let data = Data::new(&root, bin);
    let tree = Tree::new(&root)?;
    let animations = root
        .animations
        .iter()
        .map(|entry| movement::tracks(&data, entry))
        .collect::<Result<Vec<_>, _>>()?;
    let nodes = joint_nodes(&root, &tree, &animations)?;
    let hips = hips(&root, &tree, &nodes, &animations);
    let skeleton = Skeleton::new(tree.joints(&root, &nodes, hips))
        .map_err(|error| GlbError::NoCharacter(error.to_string()))?;
    let skeleton = Arc::new(skeleton);
    let joints =
        nodes.iter().enumerate().map(|(place, node)| (*node, JointIndex::new(place))).collect();
    let surface = surface::read(&data, &tree, &joints)?;
    let mut clips = Vec::new();
    for (entry, tracks) in root.animations.iter().zip(&animations) {
        if tracks.nodes().next().is_some() {
            let clip = movement::clip(tracks, &tree, &nodes, &skeleton)?;
            clips.push(NamedClip { name: entry.name.clone().unwrap_or_default(), clip });
        }
    }
    let character = Character {
        name: name(&root),
        skeleton,
        skins: surface.skins,
        meshes: surface.meshes,
        materials: surface.materials,
        images: surface.images,
    };
    Ok(Glb { character, clips })
}

fn check_references(root: &json::Root) -> Result<(), GlbError> {
    let unknown = root.extensions_required.iter().find(|name| !HARMLESS.contains(&name.as_str()));
    if let Some(name) = unknown {
        return Err(GlbError::UnsupportedExtension(name.chars().take(64).collect()));
    }
    if root.buffers.iter().any(|buffer| buffer.uri.is_some()) {
        return Err(GlbError::ExternalReference);
    }
    Ok(())
}

/// The nodes that become joints: those skins and animations name, and all above them. A file
/// without any gets its first node, so that there is something to hang it on.
fn joint_nodes(
    root: &json::Root,
    tree: &Tree,
    animations: &[Tracks],
) -> Result<Vec<usize>, GlbError> {
    let count = root.nodes.len();
    let skinned = root.skins.iter().flat_map(|skin| skin.joints.iter().map(json::Index::value));
    let mut wanted: Vec<usize> = skinned.collect();
    if wanted.iter().any(|node| *node >= count) {
        return Err(damaged("a skin names a joint that is not there"));
    }
    wanted.extend(animations.iter().flat_map(Tracks::nodes));
    if wanted.is_empty() {
        if count == 0 {
            return Err(GlbError::NoCharacter("it is empty".to_owned()));
        }
        wanted.push(0);
    }
    Ok(tree.with_ancestors(wanted))
}

/// The joint that carries the body's travel: the one named so, else of those that travel the one
/// most joints hang below, else the first joint of the first skin.
fn hips(root: &json::Root, tree: &Tree, nodes: &[usize], animations: &[Tracks]) -> usize {
    let named = nodes
        .iter()
        .copied()
        .find(|node| root.nodes[*node].name.as_deref() == Some(HumanBone::Hips.name()));
    let travels = |node: usize| animations.iter().any(|tracks| tracks.travel(node) > 1e-4);
    let mut below = vec![0_usize; root.nodes.len()];
    for node in nodes.iter().rev() {
        if let Some(parent) = tree.parent[*node] {
            below[parent] += below[*node] + 1;
        }
    }
    let carrier = || {
        let travelling = nodes.iter().copied().filter(|node| travels(*node));
        travelling.max_by_key(|node| (below[*node], std::cmp::Reverse(*node)))
    };
    let first = || root.skins.first().and_then(|skin| skin.joints.first()).map(json::Index::value);
    named.or_else(carrier).or_else(first).unwrap_or(nodes[0])
}

fn name(root: &json::Root) -> String {
    let scene = root.scene.and_then(|index| root.scenes.get(index.value())).or(root.scenes.first());
    scene.and_then(|scene| scene.name.clone()).unwrap_or_default()
}
