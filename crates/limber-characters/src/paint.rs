//! Assigns materials to the parts of the skin.

mod living;
mod shells;

use glam::Vec3;
use limber_animation::HumanBone as B;

use crate::anatomy::Sculpture;
use crate::build::{Face, Frame};
use crate::field::Field;
use crate::fit::{Fit, Region};
use crate::skin::Skin;

/// Material index of the body on undressed characters.
pub const BODY: usize = 0;
/// Material index of joints, soles and seams.
pub const JOINTS: usize = 1;
/// Material index of eyes or visor.
pub const EYES: usize = 2;

/// Paints everything that is not the body's first material.
pub fn paint(skin: &mut Skin, sculpture: &Sculpture, fit: &Fit) {
    let build = fit.build();
    match (build.frame, build.outfit.is_empty()) {
        (Frame::Shells, _) => shells::paint(skin, &sculpture.whole, fit),
        (Frame::Flesh, false) => living::paint(skin, sculpture, fit),
        (Frame::Flesh, true) => paint_mannequin(skin, &sculpture.whole, fit),
    }
}

/// Paints joints, soles and eyes.
fn paint_mannequin(skin: &mut Skin, field: &Field, fit: &Fit) {
    let left = |point: Vec3| Vec3::new(point.x.abs(), point.y, point.z);
    skin.paint_region(field, BODY, JOINTS, false, |point| joints(fit, left(point)));
    // Mouth and corners of the eyes are thinner than a triangle. So cut along their centre lines
    // first, without changing the paint.
    skin.paint_region(field, BODY, BODY, true, |point| eye_middle(fit, left(point)).unwrap_or(1.0));
    skin.paint_region(field, BODY, EYES, true, |point| eyes(fit, left(point)));
    let middle = |point| mouth_middle(fit, left(point)).unwrap_or(1.0);
    skin.paint_region(field, BODY, BODY, true, middle);
    skin.paint_region(field, BODY, JOINTS, true, |point| mouth(fit, left(point)));
}

/// Returns the approximate signed distance to the joint bands in metres; negative inside any of
/// them.
fn joints(fit: &Fit, point: Vec3) -> f32 {
    [neck(fit, point), waist(fit, point), elbow(fit, point), wrist(fit, point)]
        .into_iter()
        .chain([knee(fit, point), ankle(fit, point), sole(fit, point)])
        .fold(f32::MAX, f32::min)
}

/// Returns 1 outside a region, where its stretched coordinates are meaningless.
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
            // An almond shape between two arcs.
            let x = at.x - 0.0320;
            let high = at.y - 1.6450 + 26.0 * x * x;
            let low = 1.6285 + 20.0 * x * x + 0.06 * x - at.y;
            high.max(low)
        }
        Face::Visor => {
            let rise = at.y - 1.640 - 0.06 * at.x;
            let high = rise - 0.0135;
            let low = -rise - 0.0145 + 1.6 * at.x * at.x;
            high.max(low).max(0.010 - at.z)
        }
        Face::Alive(_) | Face::Screen | Face::Planes => 1.0,
    }
}

/// Returns the height above the line through both corners of the eye; `None` away from the eye or
/// for a visor.
fn eye_middle(fit: &Fit, point: Vec3) -> Option<f32> {
    let at = fit.canonical(Region::Head, point);
    let x = at.x - 0.0320;
    let near = x.abs() < 0.026 && at.z > 0.03 && (at.y - 1.637).abs() < 0.012;
    (near && fit.build().face == Face::Human).then_some(at.y - 1.63675 + 3.0 * x * x - 0.03 * x)
}

/// Returns the height above the centre line of the mouth; `None` away from the mouth.
fn mouth_middle(fit: &Fit, point: Vec3) -> Option<f32> {
    let at = fit.canonical(Region::Head, point);
    let near = at.x < 0.034 && at.z > 0.04 && at.y > 1.545 && at.y < 1.59;
    near.then_some(at.y - 1.5685 - 3.0 * at.x * at.x)
}

fn mouth(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Head, point);
    let taper = 1.0 - (at.x / 0.0225) * (at.x / 0.0225);
    mouth_middle(fit, point).map_or(1.0, |height| height.abs() - 0.0016 * taper)
}
