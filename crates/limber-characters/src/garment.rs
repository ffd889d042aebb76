//! Outlines, thickness and hems of clothes.

use glam::Vec3;
use limber_animation::HumanBone as B;

use crate::build::{Cut, Garment};
use crate::fit::{Fit, Region};

/// Width of the hem over which cloth reaches its full thickness, in metres.
pub const HEM_M: f32 = 0.0035;

/// A point this close to the border counts as lying on it, in metres.
const ON_BORDER_M: f32 = 0.0006;

/// Shoes higher than this are boots, in metres of the canonical body.
const BOOT_M: f32 = 0.15;

fn on_left(point: Vec3) -> Vec3 {
    Vec3::new(point.x.abs(), point.y, point.z)
}

/// Returns how far the outfit lifts the surface off a point of the skin, in metres.
#[must_use]
pub fn lift(fit: &Fit, point: Vec3) -> f32 {
    let cover = |piece: &Garment| {
        let inside = -outline(fit, piece.cut, on_left(point));
        piece.thickness_m * (inside / HEM_M).clamp(0.0, 1.0)
    };
    fit.build().outfit.iter().map(cover).sum()
}

/// Returns the normal of a piece of clothing at a point of the skin. On its border the normal is
/// tilted away from the cloth, so that the hem looks rounded.
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

/// Returns the approximate signed distance to the border of a piece of clothing, in metres;
/// negative where it covers the point, which must be in the left half.
#[must_use]
pub fn outline(fit: &Fit, cut: Cut, point: Vec3) -> f32 {
    match cut {
        Cut::Top { hem, sleeve, neckline } => {
            let trunk = fit.canonical(Region::Torso, point);
            let arm = fit.canonical(Region::Arm, point);
            // Around the neck: higher at the sides and the back than in front.
            let beside = 1.2 * trunk.x * trunk.x;
            let neck = trunk.y + 0.35 * (trunk.z + 0.01) - 1.462 - beside + neckline;
            (hem - trunk.y).max(neck).max(arm.x - sleeve)
        }
        Cut::Bottoms { waist, leg } => {
            let trunk = fit.canonical(Region::Torso, point);
            (trunk.y - waist).max(leg - fit.canonical(Region::Leg, point).y)
        }
        Cut::Shoes { top } => {
            // The opening of a shoe rises towards the heel, that of a boot is level.
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
