//! Where clothes begin and end.

use glam::Vec3;
use limber_animation::HumanBone as B;

use crate::build::{Cut, Garment};
use crate::fit::{Fit, Region};

/// Width of the edge of a piece of clothing, metres.
pub const HEM_M: f32 = 0.0035;

/// A point this near to a piece's border counts as lying on it.
const ON_BORDER_M: f32 = 0.0006;

/// What reaches higher than this is a boot, metres of the canonical body.
const BOOT_M: f32 = 0.15;

fn on_left(point: Vec3) -> Vec3 {
    Vec3::new(point.x.abs(), point.y, point.z)
}

/// How far the outfit lifts the surface off a point of the skin, metres.
#[must_use]
pub fn lift(fit: &Fit, point: Vec3) -> f32 {
    let cover = |piece: &Garment| {
        let inside = -outline(fit, piece.cut, on_left(point));
        piece.thickness_m * (inside / HEM_M).clamp(0.0, 1.0)
    };
    fit.build().outfit.iter().map(cover).sum()
}

/// The normal of a piece of clothing at a point of the skin: at its border it faces away from the
/// cloth, so that the hem looks rounded.
#[must_use]
pub fn normal(fit: &Fit, paint: usize, point: Vec3, normal: Vec3) -> Vec3 {
    let pieces = fit.build().outfit.iter().filter(|piece| piece.surface == paint);
    for piece in pieces {
        let value = |at: Vec3| outline(fit, piece.cut, on_left(at));
        if piece.thickness_m > 0.0 && value(point).abs() < ON_BORDER_M {
            let along =
                Vec3::AXES.map(|axis| value(point + axis * 0.001) - value(point - axis * 0.001));
            let away = Vec3::from(along).reject_from(normal).normalize_or_zero();
            return (normal + 0.9 * away).normalize_or(normal);
        }
    }
    normal
}

/// Negative where a piece of clothing covers a point of the left half; metres, roughly.
#[must_use]
pub fn outline(fit: &Fit, cut: Cut, point: Vec3) -> f32 {
    match cut {
        Cut::Top { hem, sleeve, neckline } => {
            let trunk = fit.canonical(Region::Torso, point);
            let arm = fit.canonical(Region::Arm, point);
            // Round the neck: higher beside it and behind than in front.
            let beside = 1.2 * trunk.x * trunk.x;
            let neck = trunk.y + 0.35 * (trunk.z + 0.01) - 1.462 - beside + neckline;
            (hem - trunk.y).max(neck).max(arm.x - sleeve)
        }
        Cut::Bottoms { waist, leg } => {
            let trunk = fit.canonical(Region::Torso, point);
            (trunk.y - waist).max(leg - fit.canonical(Region::Leg, point).y)
        }
        Cut::Shoes { top } => {
            // A shoe's opening rises towards the heel, a boot's is level.
            let foot = fit.canonical(Region::Foot, point);
            let low = top < BOOT_M;
            if low {
                foot.y - top + 0.10 * foot.z
            } else {
                fit.canonical(Region::Leg, point).y - top
            }
        }
        Cut::Soles { top } => fit.canonical(Region::Foot, point).y - top,
        Cut::Belt { middle, half } => (fit.canonical(Region::Torso, point).y - middle).abs() - half,
        Cut::Gloves { from } => {
            let arm = fit.canonical(Region::Arm, point);
            if point.x < fit.joint(B::LeftLowerArm).x { 1.0 } else { from - arm.x }
        }
    }
}
