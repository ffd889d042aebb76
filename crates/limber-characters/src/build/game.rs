//! Game-style characters.

use super::{Build, Cut, Face, Frame, Garment, Grain, Hair, MANNEQUIN, Surface, dressed};

/// A robot, 1.8 m tall: hard shells around dark joints, a screen for a face.
pub const BOLT: Build = Build {
    name: "Bolt",
    file_stem: "bolt",
    frame: Frame::Shells,
    spine_stretch: 1.0,
    neck_stretch: 0.95,
    shoulder_stretch: 1.14,
    hip_stretch: 1.16,
    upper_arm_stretch: 1.05,
    forearm_stretch: 1.06,
    thigh_stretch: 0.99,
    shin_stretch: 1.02,
    head_scale: 1.10,
    hand_scale: 1.18,
    foot_scale: 1.20,
    torso_width: &[
        (0.85, 1.08),
        (1.05, 1.08),
        (1.18, 1.14),
        (1.3, 1.20),
        (1.42, 1.16),
        (1.5, 1.08),
    ],
    torso_depth: &[(0.85, 1.06), (1.1, 1.06), (1.3, 1.12), (1.5, 1.05)],
    upper_arm_girth: 1.16,
    forearm_girth: 1.22,
    thigh_girth: 1.06,
    shin_girth: 1.12,
    face: Face::Screen,
    grain: Grain {
        step_m: 0.0130,
        head: 2.6,
        foot: 1.5,
        hand: 3.0,
        growth: 3.6,
        triangles: 13_500,
        flat: false,
    },
    surfaces: &[
        Surface::new("shell", [0.66, 0.66, 0.64], 0.34),
        Surface { metallic: 0.4, ..Surface::new("joints", [0.030, 0.033, 0.038], 0.45) },
        Surface::new("lights", [0.10, 0.80, 0.85], 0.25),
        Surface::new("trim", [0.78, 0.27, 0.035], 0.36),
        Surface::new("screen", [0.006, 0.010, 0.014], 0.10),
    ],
    ..MANNEQUIN
};

const TOP: usize = dressed::OUTFIT;
const BOTTOMS: usize = dressed::OUTFIT + 1;
const BOOTS: usize = dressed::OUTFIT + 2;
const BELT: usize = dressed::OUTFIT + 3;

const fn garment(cut: Cut, surface: usize, thickness_m: f32) -> Garment {
    Garment { cut, surface, thickness_m }
}

/// A low-poly hero of at most 3000 flat-shaded triangles.
pub const FACET: Build = Build {
    name: "Facet",
    file_stem: "facet",
    spine_stretch: 0.90,
    neck_stretch: 0.85,
    shoulder_stretch: 1.07,
    hip_stretch: 1.0,
    upper_arm_stretch: 0.88,
    forearm_stretch: 0.88,
    thigh_stretch: 0.80,
    shin_stretch: 0.80,
    head_scale: 1.22,
    hand_scale: 1.22,
    foot_scale: 1.18,
    torso_width: &[(0.85, 0.98), (1.0, 0.94), (1.10, 0.93), (1.30, 0.98), (1.42, 1.0), (1.5, 0.95)],
    torso_depth: &[(0.85, 0.94), (1.1, 0.90), (1.30, 0.98), (1.5, 0.95)],
    upper_arm_girth: 1.08,
    forearm_girth: 1.14,
    thigh_girth: 0.89,
    shin_girth: 0.87,
    face: Face::Planes,
    hair: Hair::Short,
    outfit: &[
        garment(Cut::Bottoms { waist: 1.10, leg: 0.22 }, BOTTOMS, 0.003),
        garment(Cut::Shoes { top: 0.24 }, BOOTS, 0.005),
        garment(Cut::Top { hem: 1.0, sleeve: 0.30, neckline: 0.0 }, TOP, 0.006),
        garment(Cut::Belt { middle: 1.02, half: 0.026 }, BELT, 0.007),
        garment(Cut::Gloves { from: 0.655 }, BELT, 0.004),
    ],
    grain: Grain {
        step_m: 0.041,
        head: 2.0,
        foot: 1.5,
        hand: 4.1,
        growth: 3.2,
        triangles: 2_150,
        flat: true,
    },
    surfaces: &[
        Surface::new("skin", [0.56, 0.31, 0.20], 0.8),
        Surface::new("lips", [0.40, 0.17, 0.12], 0.8),
        Surface::new("mouth", [0.20, 0.05, 0.05], 0.8),
        Surface::new("hair", [0.42, 0.17, 0.035], 0.8),
        Surface::new("white", [0.80, 0.79, 0.77], 0.5),
        Surface::new("iris", [0.03, 0.10, 0.16], 0.4),
        Surface::new("pupil", [0.01, 0.01, 0.012], 0.4),
        Surface::new("tunic", [0.075, 0.25, 0.115], 0.85),
        Surface::new("trousers", [0.20, 0.165, 0.12], 0.85),
        Surface::new("boots", [0.085, 0.045, 0.024], 0.8),
        Surface::new("leather", [0.19, 0.075, 0.026], 0.75),
    ],
    ..MANNEQUIN
};
