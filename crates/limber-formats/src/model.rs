//! The content of a character file of any format, before its joints are mapped to bones.
//!
//! Readers convert units and axes to Limber's space (metres, Y up, facing +Z as far as the file
//! says) and drop everything that is not part of a character: lights, cameras, curves. They
//! validate what they return: every number is finite and every reference is in range.

mod bind;
mod names;
mod tree;

use glam::{Mat4, Quat, Vec3};
use limber_animation::{AvatarPart, HumanBone, Image, Material, Mesh, Twist};
use limber_domain::limits::MAX_CHARACTER_BYTES;

pub(crate) use bind::{Bound, bind, move_mesh};
pub(crate) use names::plain_text;
pub(crate) use tree::{Tree, turn_of};

/// Maximum size of a file, in bytes.
pub const MAX_FILE_BYTES: usize = MAX_CHARACTER_BYTES as usize;
/// Maximum number of vertices in a file.
pub const MAX_VERTICES: usize = 500_000;
/// Maximum number of triangles in a file.
pub const MAX_TRIANGLES: usize = 1_000_000;
/// Maximum number of nodes in a file.
pub const MAX_NODES: usize = 20_000;
/// Maximum number of morph targets of a mesh.
pub const MAX_MORPHS: usize = 1_000;
/// Maximum number of morph target offsets in a file, over all meshes.
pub const MAX_MORPH_ROWS: usize = 20_000_000;
/// Maximum total size of a file's images, both encoded and decoded, in bytes; a pixel counts four.
pub const MAX_UNPACKED_BYTES: usize = 1 << 30;
/// Maximum width or height of an image, in pixels.
pub const MAX_IMAGE_SIDE: u32 = 8192;

/// Returns a texture that is stored next to a file, by the path in the file. The path is arbitrary
/// text, with `/` or `\\`, relative or not. The callback decides what may be opened.
pub type Beside<'a> = dyn Fn(&str) -> Option<Vec<u8>> + 'a;

/// Returns no textures.
pub(crate) fn nothing_beside(_: &str) -> Option<Vec<u8>> {
    None
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file is not a binary glTF 2.0.
    #[error("this is not a binary glTF 2.0 file; export the character as .glb again")]
    NotGlb,
    /// The file is not in a supported character format.
    #[error("{0}")]
    NotCharacterFile(&'static str),
    /// A size limit is exceeded.
    #[error("the file has too many {0}; the limit is {1}; simplify the character and export again")]
    TooLarge(&'static str, usize),
    /// The file contradicts itself.
    #[error("the file is damaged: {0}; export it again")]
    Damaged(String),
    /// The file refers to another file; these are never opened.
    #[error(
        "the file refers to another file{}, which is not opened, because only one file can be \
         imported; export it with everything embedded, for example as .glb", named(.0)
    )]
    ExternalReference(String),
    /// The file requires an unsupported extension.
    #[error(
        "the file requires the extension `{0}`, which is not supported; export it without that \
         extension"
    )]
    UnsupportedExtension(String),
    /// The file is readable but contains no usable character.
    #[error("the file contains no usable character: {0}")]
    NoCharacter(String),
}

fn named(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" (`{name}`)") }
}

pub(crate) fn damaged(what: impl Into<String>) -> ReadError {
    ReadError::Damaged(what.into())
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Binary glTF 2.0.
    Glb,
    /// glTF 2.0 as text, with all data embedded.
    Gltf,
    /// VRM 0.x; rotated to face +Z.
    Vrm0,
    /// VRM 1.0.
    Vrm1,
    /// FBX, binary or text.
    Fbx {
        /// FBX version, for example 7400.
        version: u32,
    },
}

/// The content of a character file. Lists refer to each other by index.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The format of the file.
    pub format: FileFormat,
    /// Display name; may be empty.
    pub name: String,
    /// All nodes: a forest in any order.
    pub nodes: Vec<Node>,
    /// The skins.
    pub skins: Vec<ModelSkin>,
    /// The meshes, each with its node.
    pub meshes: Vec<ModelMesh>,
    /// The materials that meshes refer to.
    pub materials: Vec<Material>,
    /// The images that materials refer to.
    pub images: Vec<Image>,
    /// The humanoid mapping of a VRM file.
    pub vrm: Option<Vrm>,
    /// The other VRM extensions. Node indices refer to `nodes`, also for meshes, which are
    /// identified by their node; texture indices refer to `images`.
    pub avatar: Vec<AvatarPart>,
    /// Number of vertices in skinned meshes that have no weight in the file.
    pub unweighted: usize,
    /// Metres per unit as declared by the file; positions are already in metres.
    pub unit_m: f32,
    /// Number of animations in the file.
    pub animations: usize,
    /// What was dropped or corrected, in plain language.
    pub warnings: Vec<String>,
}

impl Model {
    /// Marks the meshes from index `first` on as parts of one object, if there are several.
    pub(crate) fn join(&mut self, first: usize) {
        let (before, parts) = self.meshes.split_at_mut(first);
        if parts.len() > 1 {
            let last = before.iter().rev().find_map(|part| part.mesh.object);
            let number = last.map_or(0, |last| last + 1);
            for part in parts {
                part.mesh.object = Some(number);
            }
        }
    }
}

/// A node of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The name in the file; may be empty or a duplicate.
    pub name: String,
    /// Index of the parent.
    pub parent: Option<usize>,
    /// Translation in the parent's space, in metres.
    pub translation: Vec3,
    /// Rotation in the parent's space, normalised.
    pub rotation: Quat,
    /// Scale along the node's own axes.
    pub scale: Vec3,
    /// The bone that the file declares for it.
    pub bone: Option<HumanBone>,
    /// The bone whose twist it shares according to the file.
    pub twist: Option<Twist>,
}

impl Node {
    pub(crate) fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A skin.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSkin {
    /// The nodes that the vertices' joint indices refer to.
    pub joints: Vec<usize>,
    /// For each of `joints`, the transform from the mesh's bind space to the node's space.
    pub inverse_bind: Vec<Mat4>,
}

/// A mesh and its node.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelMesh {
    /// The mesh. Its `skin` is an index into the model's skins; without one, positions are in the
    /// node's space.
    pub mesh: Mesh,
    /// Index of the node that shows it.
    pub node: usize,
}

/// The humanoid mapping of a VRM file, unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vrm {
    /// Bones and their nodes in the file's order; node indices may be out of range.
    pub bones: Vec<(HumanBone, usize)>,
    /// Number of expressions with morph targets.
    pub expressions: usize,
    /// The first expression that refers to a missing morph target, if any.
    pub broken_expression: Option<String>,
}
