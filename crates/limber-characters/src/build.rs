//! What distinguishes one stock character from another: proportions, face and colours.

/// How a face looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// Eyes, nose and lips.
    Human,
    /// A dark visor across the eyes.
    Visor,
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
    pub face: Face,
    /// Skin, joints and soles, eyes or visor.
    pub surfaces: [Surface; 3],
}

/// A neutral adult of 1.75 m with the canonical skeleton's proportions.
pub const MANNEQUIN: Build = Build {
    name: "Mannequin",
    file_stem: "mannequin",
    spine_stretch: 1.0,
    neck_stretch: 1.0,
    shoulder_stretch: 1.0,
    hip_stretch: 1.0,
    upper_arm_stretch: 1.0,
    forearm_stretch: 1.0,
    thigh_stretch: 1.0,
    shin_stretch: 1.0,
    head_scale: 1.0,
    hand_scale: 1.0,
    foot_scale: 1.0,
    torso_width: &[(0.8, 1.0), (1.6, 1.0)],
    torso_depth: &[(0.8, 1.0), (1.6, 1.0)],
    upper_arm_girth: 1.0,
    forearm_girth: 1.0,
    thigh_girth: 1.0,
    shin_girth: 1.0,
    muscle: 1.0,
    face: Face::Human,
    surfaces: [
        Surface { name: "body", color: [0.62, 0.60, 0.57], roughness: 0.62 },
        Surface { name: "joints", color: [0.045, 0.052, 0.062], roughness: 0.5 },
        Surface { name: "eyes", color: [0.010, 0.045, 0.060], roughness: 0.12 },
    ],
};

/// A giant of 1.90 m: broad chest, short legs, large hands and head.
pub const ATLAS: Build = Build {
    name: "Atlas",
    file_stem: "atlas",
    spine_stretch: 1.18,
    neck_stretch: 0.95,
    shoulder_stretch: 1.46,
    hip_stretch: 1.22,
    upper_arm_stretch: 1.12,
    forearm_stretch: 1.14,
    thigh_stretch: 0.92,
    shin_stretch: 0.94,
    head_scale: 1.12,
    hand_scale: 1.36,
    foot_scale: 1.25,
    torso_width: &[
        (0.85, 1.26),
        (0.96, 1.25),
        (1.10, 1.30),
        (1.28, 1.40),
        (1.40, 1.42),
        (1.50, 1.32),
    ],
    torso_depth: &[
        (0.85, 1.26),
        (1.0, 1.25),
        (1.10, 1.28),
        (1.30, 1.40),
        (1.42, 1.35),
        (1.5, 1.28),
    ],
    upper_arm_girth: 1.38,
    forearm_girth: 1.46,
    thigh_girth: 1.22,
    shin_girth: 1.26,
    muscle: 1.5,
    face: Face::Visor,
    surfaces: [
        Surface { name: "body", color: [0.105, 0.195, 0.240], roughness: 0.6 },
        Surface { name: "joints", color: [0.035, 0.038, 0.043], roughness: 0.5 },
        Surface { name: "visor", color: [0.80, 0.34, 0.06], roughness: 0.2 },
    ],
};

/// All stock characters.
pub const STOCK: [Build; 2] = [MANNEQUIN, ATLAS];
