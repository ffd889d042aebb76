//! Definitions of the stock characters: proportions, face, clothes and colours.

mod game;
mod maker;

pub use game::{BOLT, FACET};
pub use maker::{ATLAS, MANNEQUIN, MILO, NOVA, PIP, ROWAN};

/// The body's construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Flesh under a smooth skin.
    Flesh,
    /// Hard shells around soft joints.
    Shells,
}

/// Proportions of an animated face, relative to an average adult (1).
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "each field scales what its name says")]
pub struct Features {
    /// Radius of the eyeball.
    pub eye: f32,
    /// Height of the opening between the eyelids.
    pub lids: f32,
    pub nose: f32,
    pub jaw: f32,
    pub lips: f32,
    pub brows: f32,
    pub cheeks: f32,
}

/// The type of face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Face {
    /// A mannequin's static eyes, nose and lips.
    Human,
    /// A dark visor across the eyes.
    Visor,
    /// Animated eyes, lids, brows and mouth.
    Alive(Features),
    /// A robot's screen with two lights for eyes.
    Screen,
    /// A low-poly face of few, flat planes.
    Planes,
}

/// Hairstyles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hair {
    /// No hair.
    Bald,
    /// Short at the sides, longer on top.
    Short,
    /// Swept back into a bun.
    Bun,
    /// A child's mop of hair.
    Mop,
    /// A big wave above the forehead.
    Wave,
}

/// The area that a piece of clothing covers, in metres of the canonical body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    /// A top: from the hem up to the neck, with sleeves.
    Top {
        /// Height of the hem.
        hem: f32,
        /// End of the sleeve, as the x coordinate along the arm.
        sleeve: f32,
        /// Depth of the neckline below the base of the neck; negative for a collar.
        neckline: f32,
    },
    /// Trousers or shorts: from the waist down to the hem of the leg.
    Bottoms {
        /// Height of the waistband.
        waist: f32,
        /// Height of the leg's hem.
        leg: f32,
    },
    /// Shoes or boots: the foot up to a height.
    Shoes {
        /// Height at the ankle.
        top: f32,
    },
    /// Soles: the part of the foot that touches the floor.
    Soles {
        /// Thickness of the sole.
        top: f32,
    },
    /// A belt around the trunk.
    Belt {
        /// Height of its centre line.
        middle: f32,
        /// Half its width.
        half: f32,
    },
    /// Gloves: the hand, from a point along the arm.
    Gloves {
        /// Start of the glove, as the x coordinate along the arm.
        from: f32,
    },
}

/// A piece of clothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Garment {
    /// The area it covers.
    pub cut: Cut,
    /// Index into the surfaces of the build.
    pub surface: usize,
    /// Thickness of the cloth, in metres.
    pub thickness_m: f32,
}

/// A material: linear RGB with glTF roughness and metalness.
#[derive(Debug, Clone, Copy)]
pub struct Surface {
    /// Display name.
    pub name: &'static str,
    /// Linear red, green and blue, 0 to 1.
    pub color: [f32; 3],
    /// Roughness from 0 (mirror) to 1 (chalk).
    pub roughness: f32,
    /// Metalness from 0 (dielectric) to 1 (metal).
    pub metallic: f32,
}

impl Surface {
    const fn new(name: &'static str, color: [f32; 3], roughness: f32) -> Self {
        Self { name, color, roughness, metallic: 0.0 }
    }
}

/// Mesh density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grain {
    /// Edge length on the trunk, in metres.
    pub step_m: f32,
    /// How many times shorter edges are on the head than on the trunk.
    pub head: f32,
    /// How many times shorter edges are on the feet than on the trunk.
    pub foot: f32,
    /// How many times shorter edges are on the hands than on the trunk.
    pub hand: f32,
    /// Maximum edge length after simplification, as a multiple of the local step.
    pub growth: f32,
    /// Target number of triangles after simplification, before painting splits some.
    pub triangles: usize,
    /// Whether to use one normal per triangle (flat shading).
    pub flat: bool,
}

/// A stock character: proportions relative to the canonical body, and appearance. Widths and depths
/// of the torso are given at heights of the canonical body in metres.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each field scales what its name says")]
pub struct Build {
    /// Display name.
    pub name: &'static str,
    /// File name without `.glb`.
    pub file_stem: &'static str,
    pub frame: Frame,
    pub spine_stretch: f32,
    pub neck_stretch: f32,
    pub shoulder_stretch: f32,
    pub hip_stretch: f32,
    pub upper_arm_stretch: f32,
    pub forearm_stretch: f32,
    pub thigh_stretch: f32,
    pub shin_stretch: f32,
    pub head_scale: f32,
    pub hand_scale: f32,
    pub foot_scale: f32,
    pub torso_width: &'static [(f32, f32)],
    pub torso_depth: &'static [(f32, f32)],
    pub upper_arm_girth: f32,
    pub forearm_girth: f32,
    pub thigh_girth: f32,
    pub shin_girth: f32,
    /// Strength of the muscles; 1 for the mannequin.
    pub muscle: f32,
    /// Size of the bust from 0 (flat chest) to 1 (a woman's).
    pub bust: f32,
    pub face: Face,
    /// Whether the face has the 52 ARKit blend shapes; needs [`Face::Alive`].
    pub shapes: bool,
    pub hair: Hair,
    /// Clothes from the innermost to the outermost.
    pub outfit: &'static [Garment],
    pub grain: Grain,
    /// Materials. For dressed bodies: first those listed in [`dressed`], then the outfit's.
    pub surfaces: &'static [Surface],
}

/// Indices of the surfaces that all dressed bodies share.
pub mod dressed {
    /// The skin.
    pub const SKIN: usize = 0;
    /// The lips.
    pub const LIPS: usize = 1;
    /// The mouth cavity and the tongue.
    pub const MOUTH: usize = 2;
    /// Hair, brows and lashes.
    pub const HAIR: usize = 3;
    /// Eyeballs and teeth.
    pub const WHITE: usize = 4;
    /// The iris.
    pub const IRIS: usize = 5;
    /// The pupil.
    pub const PUPIL: usize = 6;
    /// The first index that the outfit may use freely.
    pub const OUTFIT: usize = 7;
}

/// All stock characters; the first is the default.
pub const STOCK: [Build; 8] = [MANNEQUIN, ATLAS, NOVA, ROWAN, MILO, PIP, BOLT, FACET];
