//! What distinguishes one stock character from another: proportions, face, clothes and colours.

mod game;
mod maker;

pub use game::{BOLT, FACET};
pub use maker::{ATLAS, MANNEQUIN, MILO, NOVA, PIP, ROWAN};

/// What a body is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Flesh under one smooth skin.
    Flesh,
    /// Hard shells around soft joints.
    Shells,
}

/// The traits of a face with eyes that close and a mouth that opens; 1 is the average adult's.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "each field multiplies what its name says")]
pub struct Features {
    /// Radius of the eyeball.
    pub eye: f32,
    /// Height of the gap between the lids.
    pub lids: f32,
    pub nose: f32,
    pub jaw: f32,
    pub lips: f32,
    pub brows: f32,
    pub cheeks: f32,
}

/// How a face looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Face {
    /// A mannequin's eyes, nose and lips.
    Human,
    /// A dark visor across the eyes.
    Visor,
    /// Eyes, lids, brows and a mouth that move.
    Alive(Features),
    /// A robot's screen with two lights.
    Screen,
    /// Few, flat planes.
    Planes,
}

/// How hair falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hair {
    /// None.
    Bald,
    /// Short sides, more on top.
    Short,
    /// Swept back into a knot.
    Bun,
    /// A child's mop.
    Mop,
    /// A big wave over the forehead.
    Wave,
}

/// What a piece of clothing covers, in metres of the canonical body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    /// From a hem at this height up to the neck, with sleeves to this place along the arm.
    Top {
        /// Height of the hem.
        hem: f32,
        /// Along the arm.
        sleeve: f32,
        /// How much deeper than at the neck it is cut out; negative for a collar.
        neckline: f32,
    },
    /// From the waist down to this height of the leg.
    Bottoms {
        /// Height of the waistband.
        waist: f32,
        /// Height of the leg's hem.
        leg: f32,
    },
    /// The foot up to this height.
    Shoes {
        /// Height at the ankle.
        top: f32,
    },
    /// What touches the floor, up to this height.
    Soles {
        /// Height.
        top: f32,
    },
    /// A band around the trunk.
    Belt {
        /// Height of its middle.
        middle: f32,
        /// Half its height.
        half: f32,
    },
    /// The hand from this place along the arm on.
    Gloves {
        /// Along the arm.
        from: f32,
    },
}

/// A piece of clothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Garment {
    /// What it covers.
    pub cut: Cut,
    /// Its place in the build's surfaces.
    pub surface: usize,
    /// How much it adds to the body, metres.
    pub thickness_m: f32,
}

/// A painted surface: linear RGB and glTF's roughness.
#[derive(Debug, Clone, Copy)]
pub struct Surface {
    /// Shown to people.
    pub name: &'static str,
    /// Linear red, green and blue.
    pub color: [f32; 3],
    /// 0 mirror, 1 chalk.
    pub roughness: f32,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
}

impl Surface {
    const fn new(name: &'static str, color: [f32; 3], roughness: f32) -> Self {
        Self { name, color, roughness, metallic: 0.0 }
    }
}

/// How fine the skin's triangles are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grain {
    /// Between neighbours on the trunk, metres.
    pub step_m: f32,
    /// How many times finer the head is.
    pub head: f32,
    /// How many times finer the feet are.
    pub foot: f32,
    /// How many times finer the hands are.
    pub hand: f32,
    /// When the skin is thinned, an edge may grow to this many steps.
    pub growth: f32,
    /// How many triangles the skin has before it is painted.
    pub triangles: usize,
    /// One normal per triangle instead of smooth shading.
    pub flat: bool,
}

/// A stock character's proportions, all as multiples of the canonical body's, and its looks.
/// Widths and depths of the torso are given at heights of the canonical body, metres.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each field multiplies what its name says")]
pub struct Build {
    /// Shown to people.
    pub name: &'static str,
    /// The file's name without `.glb`.
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
    /// How far muscles stand out; 1 for the mannequin.
    pub muscle: f32,
    /// 0 for a flat chest, 1 for a woman's.
    pub bust: f32,
    pub face: Face,
    /// A living face has the 52 shapes.
    pub shapes: bool,
    pub hair: Hair,
    /// From the innermost to the outermost.
    pub outfit: &'static [Garment],
    pub grain: Grain,
    /// Dressed bodies: skin first, then the rest as [`dressed`] numbers them, then the outfit's.
    pub surfaces: &'static [Surface],
}

/// Places of the surfaces that all dressed bodies share.
pub mod dressed {
    /// Skin.
    pub const SKIN: usize = 0;
    /// Lips.
    pub const LIPS: usize = 1;
    /// The mouth's inside and the tongue.
    pub const MOUTH: usize = 2;
    /// Hair, brows and lashes.
    pub const HAIR: usize = 3;
    /// Eyeballs and teeth.
    pub const WHITE: usize = 4;
    /// Iris.
    pub const IRIS: usize = 5;
    /// Pupil.
    pub const PUPIL: usize = 6;
    /// The first that an outfit may use as it likes.
    pub const OUTFIT: usize = 7;
}

/// All stock characters; the first is the default.
pub const STOCK: [Build; 8] = [MANNEQUIN, ATLAS, NOVA, ROWAN, MILO, PIP, BOLT, FACET];
