//! Shoulder, arm, palm and five fingers. The palm faces down.

use limber_animation::{Finger, HumanBone, Phalanx, Side};

use super::Clay;
use crate::field::Axis;
use crate::fit::Region::{Arm, Hand};

pub(super) fn add(clay: &mut Clay<'_>) {
    // Across the arm, u is z (+ is to the front, where the elbow folds) and v is y.
    #[rustfmt::skip]
    let arm = [
        [0.130, 0.046, 0.046, 0.040, 0.048, -0.022, 1.396],
        [0.175, 0.050, 0.050, 0.046, 0.052, -0.022, 1.398],
        [0.215, 0.050, 0.049, 0.046, 0.050, -0.022, 1.399],
        [0.260, 0.048, 0.046, 0.043, 0.046, -0.021, 1.400],
        [0.310, 0.047, 0.044, 0.041, 0.043, -0.021, 1.400],
        [0.360, 0.044, 0.041, 0.039, 0.041, -0.021, 1.400],
        [0.410, 0.040, 0.038, 0.037, 0.038, -0.022, 1.400],
        [0.455, 0.039, 0.036, 0.037, 0.037, -0.022, 1.400],
        [0.495, 0.042, 0.036, 0.038, 0.038, -0.021, 1.400],
        [0.540, 0.042, 0.036, 0.037, 0.037, -0.021, 1.400],
        [0.590, 0.037, 0.033, 0.033, 0.033, -0.022, 1.400],
        [0.640, 0.032, 0.030, 0.028, 0.028, -0.023, 1.400],
        [0.685, 0.0285, 0.028, 0.0235, 0.0235, -0.024, 1.400],
        [0.715, 0.0285, 0.028, 0.0215, 0.0215, -0.024, 1.400],
        [0.730, 0.0295, 0.029, 0.0205, 0.0205, -0.024, 1.400],
    ];
    clay.limb(Arm, Axis::X, 0.055, 0.0, &arm);
    let bulk = 0.5 * (1.0 + clay.muscle());
    // Deltoid; tip of the elbow.
    clay.turned_ball(
        Arm,
        0.04,
        [0.186, 1.404, -0.022],
        [0.046 * bulk, 0.072, 0.052],
        [1.0, -0.28, 0.0],
    );
    clay.ball(Arm, 0.022, [0.457, 1.400, -0.050], [0.022, 0.018, 0.014]);
    hand(clay);
}

pub(super) fn hand(clay: &mut Clay<'_>) {
    #[rustfmt::skip]
    let palm = [
        [0.700, 0.0270, 0.0270, 0.0190, 0.0190, -0.024, 1.400],
        [0.722, 0.0300, 0.0290, 0.0175, 0.0185, -0.024, 1.400],
        [0.745, 0.0345, 0.0335, 0.0155, 0.0180, -0.025, 1.399],
        [0.770, 0.0385, 0.0380, 0.0140, 0.0165, -0.027, 1.399],
        [0.790, 0.0400, 0.0400, 0.0122, 0.0145, -0.028, 1.399],
        [0.804, 0.0390, 0.0380, 0.0098, 0.0115, -0.029, 1.399],
        [0.812, 0.0340, 0.0330, 0.0060, 0.0070, -0.029, 1.399],
    ];
    clay.limb(Hand, Axis::X, 0.016, 0.25, &palm);
    // Ball of the thumb; edge of the hand.
    clay.turned_ball(
        Hand,
        0.016,
        [0.748, 1.390, 0.008],
        [0.017, 0.034, 0.014],
        [0.75, -0.08, 0.62],
    );
    clay.ball(Hand, 0.014, [0.752, 1.391, -0.046], [0.030, 0.012, 0.014]);
    finger(clay, Finger::Thumb, 0.016, [0.0150, 0.0122, 0.0106, 0.0080], [0.017, -0.001, 0.015]);
    finger(clay, Finger::Index, 0.009, [0.0096, 0.0086, 0.0079, 0.0064], [0.018, 0.0, 0.0]);
    finger(clay, Finger::Middle, 0.009, [0.0098, 0.0087, 0.0080, 0.0065], [0.020, 0.0, 0.0]);
    finger(clay, Finger::Ring, 0.009, [0.0094, 0.0083, 0.0077, 0.0062], [0.019, 0.0, 0.0]);
    finger(clay, Finger::Little, 0.009, [0.0084, 0.0074, 0.0069, 0.0056], [0.016, 0.0, 0.0]);
}

/// Adds a finger of three bones with the given radii at the joints and the tip, which lies `beyond`
/// the last joint.
fn finger(clay: &mut Clay<'_>, finger: Finger, blend_m: f32, radii: [f32; 4], beyond: [f32; 3]) {
    let [a, b, c] = Phalanx::ALL
        .map(|phalanx| clay.fit.canonical_joint(HumanBone::finger(Side::Left, finger, phalanx)));
    let tip = c + glam::Vec3::from(beyond);
    let ends = [a, b, c, tip];
    for (i, blend_m) in [blend_m, 0.001, 0.001].into_iter().enumerate() {
        let [from, to] = [i, i + 1].map(|at| {
            let place = ends[at];
            [place.x, place.y, place.z, radii[at]]
        });
        clay.bar(Hand, blend_m, from, to);
    }
}
