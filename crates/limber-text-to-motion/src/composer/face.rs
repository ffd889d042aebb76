//! Facial animation: expressions of acts and manners, blinks, and eyes that lead the head.
//!
//! The expressions are defined in `assets/faces/expressions.toml`. The body never depends on the
//! face.

mod expressions;

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use limber_animation::{
    ARKIT_SHAPES, Face, HumanBone, Pose, arkit_shape, canonical_skeleton,
    ik::standing,
    maths::{asin, atan2, sin},
    smooth::smoothstep,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use expressions::{Expression, expressions};

use super::{frames::FRAME_S, schedule::Schedule};
use crate::{Act, Seed};

/// Default time for an expression to fade in and out, seconds.
const SWELL_S: f32 = 0.35;
/// Number of frames by which the eyes lead the head.
const AHEAD: usize = 6;
/// Eye rotation at weight 1, radians.
const EYE_TURN_RAD: f32 = 0.52;

type Weights = [f32; ARKIT_SHAPES.len()];

/// An expression with its time range, seconds.
struct Worn {
    expression: &'static Expression,
    from_s: f32,
    to_s: f32,
}

/// Gives every pose its face. The seed only determines when the eyes blink.
pub(super) fn wear(poses: &mut [Pose], schedule: &Schedule, seed: Seed) {
    let worn = all_worn(schedule);
    let blinks = blinks(poses.len(), seed);
    let gaze = gaze(poses);
    let shapes = EyeShapes::new();
    for (frame, pose) in poses.iter_mut().enumerate() {
        let time_s = frame as f32 * FRAME_S;
        let mut weights: Weights = [0.0; ARKIT_SHAPES.len()];
        for worn in &worn {
            worn.add(time_s, &mut weights);
        }
        shapes.look(gaze[frame], &mut weights);
        for lid in shapes.blink {
            weights[lid] = weights[lid].max(blinks[frame]);
        }
        pose.face = Face::new(weights);
    }
}

/// The expressions of all acts, in the schedule's order.
fn all_worn(schedule: &Schedule) -> Vec<Worn> {
    let mut worn = Vec::new();
    let mut now_s = 0.0;
    for group in &schedule.groups {
        now_s -= group.overlap_s;
        for (place, act) in group.acts.iter().enumerate() {
            worn.extend(of_act(act, group.window(place, now_s)));
        }
        for overlay in &group.overlays {
            worn.extend(of_act(&overlay.act, group.window_of(overlay, now_s)));
        }
        now_s += group.span_s;
    }
    worn
}

fn of_act(act: &Act, (from_s, to_s): (f32, f32)) -> Vec<Worn> {
    expressions()
        .iter()
        .filter(|expression| expression.fits(act.action, &act.manners))
        .map(|expression| Worn { expression, from_s, to_s })
        .collect()
}

impl Worn {
    /// Blends the expression at a time into the face.
    fn add(&self, time_s: f32, weights: &mut Weights) {
        let length_s = self.to_s - self.from_s;
        let swell_s = SWELL_S.min(length_s / 3.0).max(FRAME_S);
        let edge_s = (time_s - self.from_s).min(self.to_s - time_s);
        let strength = smoothstep(edge_s / swell_s);
        if strength <= 0.0 {
            return;
        }
        let mut own = self.expression.look((time_s - self.from_s) / length_s.max(FRAME_S));
        if let Some(pulse) = &self.expression.pulse {
            let beat = sin(PI * pulse.hertz * (time_s - self.from_s)).powi(2);
            for (shape, most) in &pulse.shapes {
                own[*shape] += beat * most;
            }
        }
        for (weight, own) in weights.iter_mut().zip(own) {
            *weight = weight.max(strength * own.min(1.0));
        }
    }
}

/// How far the lids are closed in each frame: a blink every few seconds, which closes faster than
/// it opens. Source: Bentivoglio et al. 1997, *Analysis of blink rate patterns in normal subjects*:
/// 17 per minute at rest.
fn blinks(frames: usize, seed: Seed) -> Vec<f32> {
    const CLOSING_S: f32 = 0.08;
    const OPENING_S: f32 = 0.17;
    let mut rng = Pcg64Mcg::seed_from_u64(seed.0 ^ 0x0B11_4B11);
    let mut closed = vec![0.0_f32; frames];
    let mut at_s = rng.random_range(0.4..3.0_f32);
    while at_s < frames as f32 * FRAME_S {
        for (frame, closed) in closed.iter_mut().enumerate() {
            let after_s = frame as f32 * FRAME_S - at_s;
            let open = if after_s < 0.0 { -after_s / CLOSING_S } else { after_s / OPENING_S };
            *closed = closed.max(1.0 - smoothstep(open));
        }
        at_s += rng.random_range(2.0..5.5_f32);
    }
    closed
}

/// Gaze relative to the head: left and up, radians. The eyes point where the head will point a
/// moment later.
fn gaze(poses: &[Pose]) -> Vec<[f32; 2]> {
    let skeleton = canonical_skeleton();
    let Some(head) = skeleton.find(HumanBone::Head) else { return vec![[0.0; 2]; poses.len()] };
    let turns: Vec<Quat> = poses.iter().map(|pose| standing(&skeleton, pose, head).1).collect();
    (0..turns.len())
        .map(|frame| {
            let later = turns[(frame + AHEAD).min(turns.len() - 1)];
            let seen = turns[frame].inverse() * later * Vec3::Z;
            let most = 0.45;
            [
                atan2(seen.x, seen.z).clamp(-most, most),
                asin(seen.y.clamp(-1.0, 1.0)).clamp(-most, most),
            ]
        })
        .collect()
}

/// Indices of the blend shapes that move eyes and lids.
struct EyeShapes {
    blink: [usize; 2],
    to_left: [usize; 2],
    to_right: [usize; 2],
    up: [usize; 2],
    down: [usize; 2],
}

impl EyeShapes {
    fn new() -> Self {
        let pair = |names: [&str; 2]| names.map(|name| arkit_shape(name).expect("ARKit has it"));
        Self {
            blink: pair(["eyeBlinkLeft", "eyeBlinkRight"]),
            to_left: pair(["eyeLookOutLeft", "eyeLookInRight"]),
            to_right: pair(["eyeLookInLeft", "eyeLookOutRight"]),
            up: pair(["eyeLookUpLeft", "eyeLookUpRight"]),
            down: pair(["eyeLookDownLeft", "eyeLookDownRight"]),
        }
    }

    fn look(&self, [left_rad, up_rad]: [f32; 2], weights: &mut Weights) {
        let mut draw = |shapes: [usize; 2], radians: f32| {
            for shape in shapes {
                weights[shape] = weights[shape].max(radians / EYE_TURN_RAD);
            }
        };
        draw(self.to_left, left_rad);
        draw(self.to_right, -left_rad);
        draw(self.up, up_rad);
        draw(self.down, -up_rad);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eyes_blink_now_and_then_and_are_open_most_of_the_time() {
        for seed in 0..40 {
            let closed = blinks(300, Seed(seed));
            let shut = closed.iter().filter(|closed| **closed > 0.5).count();
            assert!((3..60).contains(&shut), "{shut} of 300 frames");
            assert!(closed.iter().any(|closed| *closed > 0.9));
        }
    }
}
