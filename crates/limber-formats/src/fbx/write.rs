//! Writes FBX.

mod body;
mod bones;
mod curves;
mod header;
mod hips_offset;
mod object;
mod properties;
mod record;
mod scene;
mod shapes;
mod surface;

use glam::DMat4;
use limber_animation::{Character, CharacterError, Clip, Fps, Mesh};

use self::{
    body::{Binding, Frame},
    scene::{Id, Scene},
};
use crate::{
    face,
    keyed::{KeyedRig, RootTrack},
    preset::KeyReduction,
};

const CM_PER_M: f32 = 100.0;
/// FBX time units per second, a multiple of every common frame rate.
const TICKS_PER_SECOND: i64 = 46_186_158_000;

/// Options for writing a clip.
#[derive(Debug, Clone)]
pub struct FbxOptions {
    /// Name of the animation.
    pub name: String,
    /// The motion of a joint `root` to add above all others.
    pub root: Option<RootTrack>,
    /// Which keys are omitted.
    pub keys: KeyReduction,
    /// Whether to write the mesh; otherwise the file contains only the skeleton and its animation.
    pub mesh: bool,
}

impl Default for FbxOptions {
    fn default() -> Self {
        Self { name: String::new(), root: None, keys: KeyReduction::None, mesh: true }
    }
}

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FbxWriteError {
    /// The character's data is inconsistent.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// The clip was made for another skeleton than the character's.
    #[error("the clip has a different skeleton from the character `{0}`; retarget it first")]
    OtherSkeleton(String),
    /// The root track and the clip differ in their number of frames.
    #[error("the root's track and the clip have different numbers of frames")]
    RootLength,
    /// A vertex or matrix contains NaN or infinity.
    #[error("`{0}` contains a number that is not finite")]
    NotFinite(String),
    /// The file would exceed the limits of its format.
    #[error("the character is too large to be written as FBX")]
    TooLarge,
}

/// Returns a character's textures under the names used in its FBX, such as `textures/skin.png`:
/// relative to the file, with `/`, valid on every file system. The FBX embeds them as well.
#[must_use]
pub fn textures(character: &Character) -> Vec<(String, &[u8])> {
    let files = character.images.iter().map(|image| image.bytes.as_slice());
    surface::texture_names(&character.images).into_iter().zip(files).collect()
}

/// Writes a character at rest, without animation.
///
/// # Errors
/// See [`FbxWriteError`].
pub fn write_character(character: &Character) -> Result<Vec<u8>, FbxWriteError> {
    let mut rig = KeyedRig::at_rest(&character.skeleton);
    hips_offset::offset_hips_rest(&mut rig);
    let timing = Timing { fps: Fps::DEFAULT, frames: 1 };
    let mut scene = Scene::default();
    add_body(&mut scene, character, &rig, true)?;
    pack(scene, &timing, "")
}

/// Writes a character with one named animation: translation of the hips and rotations of the
/// joints, with linear keys at i / fps. Joints that never leave the rest pose have no curves.
///
/// # Errors
/// See [`FbxWriteError`].
pub fn write_clip(
    character: &Character,
    clip: &Clip,
    options: &FbxOptions,
) -> Result<Vec<u8>, FbxWriteError> {
    if clip.skeleton() != &character.skeleton {
        return Err(FbxWriteError::OtherSkeleton(character.name.clone()));
    }
    if options.root.as_ref().is_some_and(|root| !root.fits(clip)) {
        return Err(FbxWriteError::RootLength);
    }
    let mut rig = KeyedRig::of_clip(clip, options.root.as_ref());
    hips_offset::offset_hips_rest(&mut rig);
    let timing = Timing { fps: clip.fps(), frames: clip.len() };
    let name = if options.name.is_empty() { "Take 001" } else { &options.name };
    let mut scene = Scene::default();
    let body = add_body(&mut scene, character, &rig, options.mesh)?;
    let layer = curves::add(&mut scene, (&rig, &body.joints), &timing, (name, options.keys));
    for (mesh, shapes) in &body.shapes {
        if let Some(weights) = face::weights_over_time(&character.meshes[*mesh], clip) {
            curves::add_shapes(&mut scene, layer, &timing, (shapes, &weights));
        }
    }
    pack(scene, &timing, name)
}

/// The times of the frames.
struct Timing {
    fps: Fps,
    frames: usize,
}

impl Timing {
    fn ticks(&self, frame: usize) -> i64 {
        let rate = i64::from(self.fps.get());
        (frame as i64 * TICKS_PER_SECOND + rate / 2) / rate
    }

    fn last(&self) -> i64 {
        self.ticks(self.frames - 1)
    }

    fn frames_per_second(&self) -> f64 {
        f64::from(self.fps.get())
    }
}

/// The objects that the animation drives.
struct Body {
    /// One per joint of the rig.
    joints: Vec<Id>,
    /// For each written object, the index of its first mesh and its blend shape channels.
    shapes: Vec<(usize, Vec<Id>)>,
}

/// Adds everything but the animation.
fn add_body(
    scene: &mut Scene,
    character: &Character,
    rig: &KeyedRig,
    with_mesh: bool,
) -> Result<Body, FbxWriteError> {
    character.check()?;
    if let Some(mesh) = character.meshes.iter().find(|mesh| !is_finite(mesh)) {
        return Err(FbxWriteError::NotFinite(mesh.name.clone()));
    }
    let joints = bones::add(scene, rig);
    let rest = rest(rig);
    let mut bound: Vec<(Id, DMat4)> = joints.iter().copied().zip(rest.iter().copied()).collect();
    let mut shapes = Vec::new();
    if with_mesh {
        let materials = surface::add(scene, character);
        let frame = Frame {
            character,
            joints: &joints[rig.shift..],
            rest: &rest[rig.shift..],
            materials: &materials,
        };
        shapes = add_meshes(scene, &frame, (&mut bound, rig), &rest)?;
    }
    bones::add_bind_pose(scene, &bound);
    Ok(Body { joints, shapes })
}

fn add_meshes(
    scene: &mut Scene,
    frame: &Frame,
    (bound, rig): (&mut Vec<(Id, DMat4)>, &KeyedRig),
    rest: &[DMat4],
) -> Result<Vec<(usize, Vec<Id>)>, FbxWriteError> {
    let character = frame.character;
    let mut bindings: Vec<Binding> =
        character.skins.iter().map(|skin| Binding::of(skin, frame.rest)).collect();
    for (binding, skin) in bindings.iter_mut().zip(&character.skins) {
        hips_offset::offset_hips_bind(&mut binding.links, skin, rig, rest);
    }
    let unbound = Binding::default();
    let mut placed = vec![false; character.skins.len()];
    let mut shapes = Vec::new();
    for object in object::all(character) {
        let mesh = &object.mesh;
        let binding = mesh.skin.map_or(&unbound, |skin| &bindings[skin]);
        if !binding.is_finite() {
            return Err(FbxWriteError::NotFinite(mesh.name.clone()));
        }
        let first = mesh.skin.is_some_and(|skin| !std::mem::replace(&mut placed[skin], true));
        let idle = match (mesh.skin, first) {
            (Some(skin), true) => idle(character, skin),
            _ => Vec::new(),
        };
        let added = body::add(scene, frame, &object, (binding, &idle));
        bound.push((added.model, DMat4::IDENTITY));
        shapes.push((object.first, added.shapes));
        for (joint, link) in mesh
            .skin
            .iter()
            .flat_map(|skin| character.skins[*skin].joints.iter().zip(&bindings[*skin].links))
        {
            bound[joint.get() + rig.shift].1 = *link;
        }
    }
    Ok(shapes)
}

/// Returns the indices in a skin that no vertex of any mesh uses.
fn idle(character: &Character, skin: usize) -> Vec<usize> {
    let mut idle = vec![true; character.skins[skin].joints.len()];
    for mesh in character.meshes.iter().filter(|mesh| mesh.skin == Some(skin)) {
        for vertex in 0..mesh.positions.len() {
            for (place, _) in mesh.influences(vertex) {
                idle[usize::from(place)] = false;
            }
        }
    }
    (0..idle.len()).filter(|place| idle[*place]).collect()
}

fn is_finite(mesh: &Mesh) -> bool {
    let offsets = mesh.morphs.iter().flat_map(|morph| morph.positions.iter().chain(&morph.normals));
    mesh.positions.iter().chain(&mesh.normals).chain(offsets).all(|row| row.is_finite())
        && mesh.uvs.iter().all(|row| row.is_finite())
        && mesh.weights.iter().chain(&mesh.more_weights).flatten().all(|weight| weight.is_finite())
}

/// Returns the rest transforms of the rig's joints in world space, computed from the same numbers
/// that the file contains.
fn rest(rig: &KeyedRig) -> Vec<DMat4> {
    let mut rest: Vec<DMat4> = Vec::with_capacity(rig.joints.len());
    for joint in &rig.joints {
        let local = DMat4::from_rotation_translation(
            joint.rest_rotation.as_dquat().normalize(),
            bones::centimetres(joint.rest_translation),
        );
        rest.push(joint.parent.map_or(local, |parent| rest[parent] * local));
    }
    rest
}

fn pack(scene: Scene, timing: &Timing, stack: &str) -> Result<Vec<u8>, FbxWriteError> {
    let mut records = header::opening(timing, stack);
    records.extend(scene.into_records());
    records.push(header::takes(timing, stack));
    record::file(&records).ok_or(FbxWriteError::TooLarge)
}
