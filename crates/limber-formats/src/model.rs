//! What a character file of any format holds, before anybody has said which joint is which bone.
//!
//! Readers bring units and axes into Limber's space (metres, Y up, facing +Z as far as the file says)
//! and drop what cannot be a character's: lights, cameras, curves. They check what they hand on: every
//! number is finite and every reference points inside.

mod bind;
mod names;
mod tree;

use glam::{Mat4, Quat, Vec3};
use limber_animation::{AvatarPart, HumanBone, Image, Material, Mesh, Twist};

pub(crate) use bind::{Bound, bind, move_mesh};
pub(crate) use names::plain_text;
pub(crate) use tree::{Tree, turn_of};

/// The largest file that is read, bytes.
pub const MAX_FILE_BYTES: usize = 200 * 1024 * 1024;
/// The most vertices a file may hold.
pub const MAX_VERTICES: usize = 500_000;
/// The most triangles a file may hold.
pub const MAX_TRIANGLES: usize = 1_000_000;
/// The most nodes a file may hold.
pub const MAX_NODES: usize = 20_000;
/// The most shapes one mesh may have.
pub const MAX_MORPHS: usize = 1_000;
/// The most offsets of shapes a file may hold, over all meshes.
pub const MAX_MORPH_ROWS: usize = 20_000_000;
/// The most that the pictures of a file may take together, packed and unpacked, bytes; four for each
/// pixel.
pub const MAX_UNPACKED_BYTES: usize = 1 << 30;
/// The largest width or height of a picture, pixels.
pub const MAX_IMAGE_SIDE: u32 = 8192;

/// Gives the pictures that lie beside a file, by where the file says they lie: anything that somebody
/// wrote there, with `/` or `\\`, relative or not. Whoever opens files decides what may be opened.
pub type Beside<'a> = dyn Fn(&str) -> Option<Vec<u8>> + 'a;

/// Nothing lies beside the file.
pub(crate) fn nothing_beside(_: &str) -> Option<Vec<u8>> {
    None
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not begin as a binary glTF 2.0 file does.
    #[error("this is not a binary glTF 2.0 file; export the character as .glb again")]
    NotGlb,
    /// It is no format a character can come in.
    #[error("{0}")]
    NotCharacterFile(&'static str),
    /// A limit is exceeded.
    #[error("the file has too many {0}, at most {1} are read; simplify it and export again")]
    TooLarge(&'static str, usize),
    /// The contents contradict themselves.
    #[error("the file is damaged: {0}; export it again")]
    Damaged(String),
    /// It refers to something outside itself, which is never opened.
    #[error(
        "the file refers to another file{}, which is not opened: only one file can be given; \
         export it with everything inside, for example as .glb", named(.0)
    )]
    ExternalReference(String),
    /// It demands an extension that is not supported.
    #[error("the file needs the extension `{0}`, which is not supported; export it without")]
    UnsupportedExtension(String),
    /// The parts are readable but make no character.
    #[error("the file holds no usable character: {0}")]
    NoCharacter(String),
}

fn named(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" (`{name}`)") }
}

pub(crate) fn damaged(what: impl Into<String>) -> ReadError {
    ReadError::Damaged(what.into())
}

/// Which format a file is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Binary glTF 2.0.
    Glb,
    /// glTF 2.0 as text, with all data inside.
    Gltf,
    /// VRM 0.x, turned to face +Z.
    Vrm0,
    /// VRM 1.0.
    Vrm1,
    /// FBX, binary or text.
    Fbx {
        /// For example 7400.
        version: u32,
    },
}

/// A character file's contents. Lists refer to each other by place.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// What the file is.
    pub format: FileFormat,
    /// Shown to people; may be empty.
    pub name: String,
    /// Everything that stands somewhere: a forest, in any order.
    pub nodes: Vec<Node>,
    /// Which nodes move vertices, and from where.
    pub skins: Vec<ModelSkin>,
    /// Triangles; each with the node that shows it.
    pub meshes: Vec<ModelMesh>,
    /// Surfaces that meshes refer to.
    pub materials: Vec<Material>,
    /// Pictures that materials refer to.
    pub images: Vec<Image>,
    /// What a VRM file says of the body.
    pub vrm: Option<Vrm>,
    /// What a VRM file says beyond the body. Numbers of nodes are places in `nodes`, also where a mesh is
    /// meant: it is the one that the node shows; numbers of textures are places in `images`.
    pub avatar: Vec<AvatarPart>,
    /// How many vertices of skinned meshes carry no weight in the file.
    pub unheld: usize,
    /// Metres per unit, as the file declares it; places are in metres already.
    pub unit_m: f32,
    /// How many animations the file holds.
    pub animations: usize,
    /// What was left out or put right, in plain words.
    pub warnings: Vec<String>,
}

impl Model {
    /// Makes the meshes from place `first` on parts of one object, where there are several.
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

/// A node of a file: a place that others can hang on.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// As in the file; may be empty or like others.
    pub name: String,
    /// Place of the node it hangs on.
    pub parent: Option<usize>,
    /// In the parent's space, metres.
    pub translation: Vec3,
    /// In the parent's space, of unit length.
    pub rotation: Quat,
    /// Along the node's own axes.
    pub scale: Vec3,
    /// Which bone the file itself says this is.
    pub bone: Option<HumanBone>,
    /// Whose twist the file itself says this takes part of.
    pub twist: Option<Twist>,
}

impl Node {
    pub(crate) fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// The nodes a mesh is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSkin {
    /// What vertices' joint numbers refer to.
    pub joints: Vec<usize>,
    /// For each of `joints`: from the mesh's bind space to the node's space.
    pub inverse_bind: Vec<Mat4>,
}

/// A mesh and the node that shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelMesh {
    /// `skin` is a place in the model's skins. Without one, positions are in the node's space.
    pub mesh: Mesh,
    /// Which node shows it.
    pub node: usize,
}

/// What a VRM file says of the body, unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vrm {
    /// Bones and the nodes they are said to be, in the file's order; nodes may be out of range.
    pub bones: Vec<(HumanBone, usize)>,
    /// How many expressions move shapes.
    pub expressions: usize,
    /// The first expression whose shape is not there, if any.
    pub broken_expression: Option<String>,
}
