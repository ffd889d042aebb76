//! Reads characters and clips.

use std::{collections::HashMap, sync::Arc};

use gltf::json;
use limber_animation::{Character, Clip, HumanBone, JointIndex, Skeleton};

use super::{
    accessor::Data,
    file, load,
    movement::{self, MeshFace, Tracks},
    scene::{Movement, Scene},
};
use crate::{
    avatar,
    model::{Model, ModelMesh, ReadError, Tree, bind},
};

/// The content of a file, ready to be rendered and animated.
#[derive(Debug, Clone, PartialEq)]
pub struct Glb {
    /// Joints, meshes, materials and images. Joints are mapped to human bones if the file declares
    /// them or they have the names of VRM bones. Every skeleton has hips: if no joint is declared
    /// as such, the one that carries the travel.
    pub character: Character,
    /// The animations in the file's order, on the character's skeleton.
    pub clips: Vec<NamedClip>,
    guessed_hips: bool,
}

/// An animation of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedClip {
    /// The name in the file; may be empty.
    pub name: String,
    /// The clip: at the rate of the file's keys if they are evenly spaced, or the smallest multiple
    /// of it that is at least 24; otherwise resampled at 30 fps.
    pub clip: Clip,
}

impl Glb {
    /// Whether the file maps all bones that a humanoid requires.
    #[must_use]
    pub fn is_humanoid(&self) -> bool {
        let skeleton = &self.character.skeleton;
        !self.guessed_hips
            && HumanBone::REQUIRED.into_iter().all(|bone| skeleton.find(bone).is_some())
    }
}

/// Reads a glTF 2.0 file: all skins, meshes, morph targets, materials, embedded images, and
/// animations of joints. Scale is folded into offsets and bind matrices; rigid parts are bound to
/// the joint they are attached to. Nothing outside `bytes` is opened.
///
/// # Errors
/// See [`ReadError`].
pub fn read(bytes: &[u8]) -> Result<Glb, ReadError> {
    Ok(read_with(bytes, Tracks::turns)?.0)
}

/// Reads a file like [`read`], with complete animations, including those that only scale nodes or
/// animate morph targets.
///
/// # Errors
/// See [`ReadError`].
pub fn read_scene(bytes: &[u8]) -> Result<Scene, ReadError> {
    let (glb, movement) = read_with(bytes, |tracks| !tracks.is_empty())?;
    Ok(Scene { glb, movement })
}

fn read_with(bytes: &[u8], keep: fn(&Tracks) -> bool) -> Result<(Glb, Movement), ReadError> {
    let file = file::open(bytes)?;
    let data = Data::new(&file);
    let mut model = load::model(&file, &data)?;
    let (meshes, nodes) = (std::mem::take(&mut model.meshes), std::mem::take(&mut model.nodes));
    let tree = Tree::new(&nodes)?;
    let animations = file
        .root
        .animations
        .iter()
        .map(|entry| movement::tracks(&data, entry))
        .collect::<Result<Vec<_>, _>>()?;
    let joint_nodes = joint_nodes(&model, &tree, &animations)?;
    let (skeleton, guessed_hips) = skeleton(&model, &tree, &joint_nodes, &animations)?;
    let joints: HashMap<_, _> = joint_nodes
        .iter()
        .enumerate()
        .map(|(place, node)| (*node, JointIndex::new(place)))
        .collect();
    let faces: Vec<MeshFace> = meshes
        .iter()
        .map(|part| MeshFace { node: part.node, shapes: part.mesh.arkit_shapes() })
        .collect();
    let shapes = meshes.iter().map(|part| resting_shapes(&file.root, part)).collect();
    let mesh_nodes: Vec<usize> = meshes.iter().map(|part| part.node).collect();
    let bound = bind(&tree, &joints, &model.skins, meshes);
    let (mut clips, mut kept) = (Vec::new(), Vec::new());
    for (entry, tracks) in file.root.animations.iter().zip(animations) {
        if keep(&tracks) {
            let clip = movement::clip(&tracks, &tree, &joint_nodes, &skeleton, &faces)?;
            clips.push(NamedClip { name: entry.name.clone().unwrap_or_default(), clip });
            kept.push(tracks);
        }
    }
    let character = Character {
        name: model.name,
        skeleton,
        skins: bound.skins,
        meshes: bound.meshes,
        materials: model.materials,
        images: model.images,
        avatar: avatar::in_character(&model.avatar, &joint_nodes, &mesh_nodes),
    };
    let movement = Movement::new(&tree, joint_nodes, bound.nodes, shapes, kept);
    Ok((Glb { character, clips, guessed_hips }, movement))
}

/// Returns the node of a mesh and its default morph target weights.
fn resting_shapes(root: &json::Root, part: &ModelMesh) -> (usize, Vec<f32>) {
    let node = &root.nodes[part.node];
    let mesh = node.mesh.and_then(|index| root.meshes.get(index.value()));
    let weights = node.weights.as_ref().or_else(|| mesh?.weights.as_ref());
    let shapes = part.mesh.morphs.len();
    (part.node, weights.into_iter().flatten().copied().take(shapes).collect())
}

/// Reads the raw content of a glTF 2.0 file except for its animations.
///
/// # Errors
/// See [`ReadError`].
pub(crate) fn read_model(bytes: &[u8]) -> Result<Model, ReadError> {
    let file = file::open(bytes)?;
    load::model(&file, &Data::new(&file))
}

/// Returns the nodes that become joints: those used by skins and animations, and all their
/// ancestors. If there are none, the first node is used, so that there is at least one joint.
fn joint_nodes(model: &Model, tree: &Tree, animations: &[Tracks]) -> Result<Vec<usize>, ReadError> {
    let mut wanted: Vec<usize> =
        model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    wanted.extend(animations.iter().flat_map(Tracks::nodes));
    if wanted.is_empty() {
        if tree.nodes.is_empty() {
            return Err(ReadError::NoCharacter("it is empty".to_owned()));
        }
        wanted.push(0);
    }
    let nodes = tree.with_ancestors(wanted.iter().copied());
    if nodes.len() > Skeleton::MAX_JOINTS {
        return Err(ReadError::TooLarge("joints", Skeleton::MAX_JOINTS));
    }
    Ok(avatar::with_its_nodes(nodes, &model.avatar, tree))
}

/// Returns the skeleton of these nodes, and whether its hips are a guess.
fn skeleton(
    model: &Model,
    tree: &Tree,
    nodes: &[usize],
    animations: &[Tracks],
) -> Result<(Arc<Skeleton>, bool), ReadError> {
    let mut joints = tree.joints(nodes);
    let declared = |bone: HumanBone| nodes.iter().any(|node| tree.nodes[*node].bone == Some(bone));
    for (joint, node) in joints.iter_mut().zip(nodes) {
        // a name counts only if no node declares that bone
        let by_name = HumanBone::from_name(&joint.name).filter(|bone| !declared(*bone));
        joint.bone = tree.nodes[*node].bone.or(by_name);
    }
    let guessed = joints.iter().all(|joint| joint.bone != Some(HumanBone::Hips));
    if guessed {
        let hips = hips(model, tree, nodes, animations);
        let place = nodes.iter().position(|node| *node == hips).unwrap_or(0);
        joints[place].bone = Some(HumanBone::Hips);
    }
    let skeleton =
        Skeleton::new(joints).map_err(|error| ReadError::NoCharacter(error.to_string()))?;
    Ok((Arc::new(skeleton), guessed))
}

/// Returns the joint that carries the body's travel: of the travelling joints the one with most
/// descendants, otherwise the first joint of the first skin.
fn hips(model: &Model, tree: &Tree, nodes: &[usize], animations: &[Tracks]) -> usize {
    let travels = |node: usize| animations.iter().any(|tracks| tracks.travel(node) > 1e-4);
    let mut below = vec![0_usize; tree.nodes.len()];
    for node in nodes.iter().rev() {
        if let Some(parent) = tree.parent(*node) {
            below[parent] += below[*node] + 1;
        }
    }
    let travelling = nodes.iter().copied().filter(|node| travels(*node));
    let carrier = travelling.max_by_key(|node| (below[*node], std::cmp::Reverse(*node)));
    let first = || model.skins.first().and_then(|skin| skin.joints.first()).copied();
    carrier.or_else(first).unwrap_or(nodes[0])
}
