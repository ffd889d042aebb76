//! Which part of the skin has which material.

use glam::Vec3;
use limber_animation::HumanBone as B;

use crate::build::Face;
use crate::field::Field;
use crate::fit::{Fit, Region};
use crate::skin::Skin;

/// Places of the materials in a character's list.
pub const BODY: usize = 0;
/// Joints, soles and seams.
pub const JOINTS: usize = 1;
/// Eyes or visor.
pub const EYES: usize = 2;

/// Paints joints, soles and eyes over the body's material.
pub fn paint(skin: &mut Skin, field: &Field, fit: &Fit) {
    let left = |point: Vec3| Vec3::new(point.x.abs(), point.y, point.z);
    skin.paint_region(field, BODY, JOINTS, |point| joints(fit, left(point)));
    skin.paint_region(field, BODY, EYES, |point| eyes(fit, left(point)));
}

/// Negative where any of the bands is; metres, roughly.
fn joints(fit: &Fit, point: Vec3) -> f32 {
    [neck(fit, point), waist(fit, point), elbow(fit, point), wrist(fit, point)]
        .into_iter()
        .chain([knee(fit, point), ankle(fit, point), sole(fit, point)])
        .fold(f32::MAX, f32::min)
}

/// Only where the region itself is: its stretched metres mean nothing elsewhere.
fn within(applies: bool, value: f32) -> f32 {
    if applies { value } else { 1.0 }
}

fn neck(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Torso, point);
    let beside = 1.2 * at.x * at.x;
    let low = 1.468 + beside - at.y - 0.35 * (at.z + 0.01);
    let head = fit.canonical(Region::Head, point);
    let high = head.y - 1.538 + 0.45 * (head.z - 0.02);
    within(at.y > 1.35 && at.x < 0.12, low.max(high))
}

fn waist(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Torso, point);
    let arch = 1.2 * at.x * at.x;
    let low = 1.060 + arch - at.y;
    let high = at.y - 1.128 - arch;
    within(at.y > 0.95 && at.y < 1.3, low.max(high))
}

fn elbow(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Arm, point) - fit.canonical_joint(B::LeftLowerArm);
    within(at.x > -0.15 && at.x < 0.15, at.x.abs() - 0.030)
}

fn wrist(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Hand, point) - fit.canonical_joint(B::LeftHand);
    within(at.x > -0.1 && at.x < 0.06, (at.x + 0.008).abs() - 0.016)
}

fn knee(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Leg, point) - fit.canonical_joint(B::LeftLowerLeg);
    within(at.y.abs() < 0.2, at.y.abs() - 0.042)
}

fn ankle(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Leg, point);
    within(at.y > 0.07 && at.y < 0.25, (at.y - 0.118 + 0.25 * (at.z + 0.014)).abs() - 0.016)
}

fn sole(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Foot, point);
    at.y - 0.020
}

fn eyes(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Head, point);
    if at.y < 1.55 || at.z < 0.0 {
        return 1.0;
    }
    match fit.build().face {
        Face::Human => {
            // An almond: between two arcs.
            let x = at.x - 0.0305;
            let x = x - 0.0005;
            let high = at.y - 1.6440 + 28.0 * x * x;
            let low = 1.6290 + 22.0 * x * x - at.y;
            high.max(low)
        }
        Face::Visor => (at.y - 1.638 - 0.10 * at.x).abs().max(0.0) - 0.012 + 2.0 * at.x * at.x,
    }
}
