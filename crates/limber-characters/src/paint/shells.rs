//! Paints a robot's joints, trim, screen and lights.

use glam::Vec3;

use super::within;
use crate::field::Field;
use crate::fit::{Fit, Region};
use crate::skin::Skin;

const SHELL: usize = 0;
const JOINTS: usize = 1;
const LIGHTS: usize = 2;
const TRIM: usize = 3;
const SCREEN: usize = 4;

pub(super) fn paint(skin: &mut Skin, field: &Field, fit: &Fit) {
    let left = |point: Vec3| Vec3::new(point.x.abs(), point.y, point.z);
    let over = |skin: &mut Skin, over: usize, with: usize, outline: fn(&Fit, Vec3) -> f32| {
        skin.paint_region(field, over, with, false, |point| outline(fit, left(point)));
    };
    over(skin, SHELL, JOINTS, joints);
    over(skin, SHELL, TRIM, trim);
    over(skin, SHELL, SCREEN, screen);
    over(skin, SCREEN, LIGHTS, eyes);
    over(skin, SHELL, LIGHTS, chest_light);
}

fn band(place: f32, from: f32, to: f32) -> f32 {
    (from - place).max(place - to)
}

fn joints(fit: &Fit, point: Vec3) -> f32 {
    let trunk = fit.canonical(Region::Torso, point);
    let arm = fit.canonical(Region::Arm, point);
    let leg = fit.canonical(Region::Leg, point);
    let head = fit.canonical(Region::Head, point);
    let hand = fit.canonical(Region::Hand, point);
    let above_hands = trunk.y > 1.25;
    let neck = within(trunk.x < 0.12 && above_hands, (1.4545 - trunk.y).max(head.y - 1.5155));
    let waist = within(trunk.x < 0.2, band(trunk.y, 1.040, 1.179));
    let hip = within(trunk.x < 0.3, band(leg.y, 0.829, 0.880).max(0.062 - trunk.x));
    let arms = [band(arm.x, 0.404, 0.506), band(arm.x, 0.688, 0.735)];
    let fingers = within(hand.x > 0.6, 0.800 - hand.x)
        .min(within(hand.x > 0.72, 0.034 + 0.3 * (hand.x - 0.745).abs() - hand.z - 0.024));
    let legs = [band(leg.y, 0.440, 0.559), band(leg.y, 0.102, 0.151)];
    let arms = within(
        above_hands && point.x > fit.joint(limber_animation::HumanBone::LeftUpperArm).x,
        arms[0].min(arms[1]).min(fingers),
    );
    let cap = fit.canonical(Region::Leg, point) - Vec3::new(0.092, 0.500, 0.034);
    let legs = legs[0].min(legs[1]).max(if cap.z > -0.01 {
        0.036 - cap.truncate().length()
    } else {
        -1.0
    });
    neck.min(waist).min(hip).min(arms).min(legs)
}

fn trim(fit: &Fit, point: Vec3) -> f32 {
    let trunk = fit.canonical(Region::Torso, point);
    let arm = fit.canonical(Region::Arm, point);
    let foot = fit.canonical(Region::Foot, point);
    let head = fit.canonical(Region::Head, point);
    let leg = fit.canonical(Region::Leg, point);
    let shoulder = within(trunk.y > 1.2, (arm - Vec3::new(0.182, 1.401, -0.022)).length() - 0.0625)
        .max(0.150 - arm.x);
    let ears = within(head.y > 1.56, 0.0855 - head.x);
    let knee = within(leg.z > 0.02, (leg - Vec3::new(0.092, 0.500, leg.z)).length() - 0.0365);
    let cuff = within(trunk.y > 1.2, band(arm.x, 0.628, 0.652));
    shoulder.min(ears).min(knee).min(cuff).min(foot.y - 0.022)
}

fn screen(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Head, point);
    within(at.z > 0.05, rounded(at.x, at.y - 1.645, 0.0600, 0.0370))
}

fn eyes(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Head, point);
    within(at.z > 0.05, rounded(at.x - 0.0290, at.y - 1.648, 0.0105, 0.0175))
}

fn chest_light(fit: &Fit, point: Vec3) -> f32 {
    let at = fit.canonical(Region::Torso, point);
    within(at.z > 0.05, (at.x * at.x + (at.y - 1.345) * (at.y - 1.345)).sqrt() - 0.024)
}

/// Signed distance to a rounded rectangle around the origin.
fn rounded(x: f32, y: f32, half_width: f32, half_height: f32) -> f32 {
    let round = 0.7 * half_width.min(half_height);
    let dx = (x.abs() - half_width + round).max(0.0);
    let dy = (y.abs() - half_height + round).max(0.0);
    (dx * dx + dy * dy).sqrt() - round
}
