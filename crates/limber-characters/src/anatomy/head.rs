//! Skull, jaw and face.

use super::Clay;
use crate::build::Face;
use crate::field::Axis;
use crate::fit::Region::Head;

pub(super) fn add(clay: &mut Clay<'_>) {
    if let Face::Alive(features) = clay.fit.build().face {
        super::face::add(clay, &features);
        return;
    }
    skull(clay);
    match clay.fit.build().face {
        Face::Human => {
            nose_and_brow(clay);
            eyes(clay);
            mouth(clay);
        }
        Face::Visor => {
            visor(clay);
            mouth(clay);
        }
        Face::Planes => planes(clay),
        Face::Screen | Face::Alive(_) => {}
    }
    ears(clay);
}

fn skull(clay: &mut Clay<'_>) {
    clay.ball(Head, 0.03, [0.0, 1.670, 0.000], [0.0750, 0.080, 0.0945]);
    clay.ball(Head, 0.04, [0.0, 1.625, -0.010], [0.0660, 0.066, 0.0740]);
    #[rustfmt::skip]
    let face = [
        [1.514, 0.010, 0.010, 0.010, 0.020, 0.0, 0.070],
        [1.520, 0.021, 0.021, 0.020, 0.040, 0.0, 0.068],
        [1.534, 0.0325, 0.0325, 0.028, 0.055, 0.0, 0.063],
        [1.560, 0.0515, 0.0515, 0.037, 0.065, 0.0, 0.055],
        [1.592, 0.0610, 0.0610, 0.043, 0.070, 0.0, 0.049],
        [1.625, 0.0630, 0.0630, 0.046, 0.070, 0.0, 0.046],
        [1.655, 0.0640, 0.0640, 0.048, 0.070, 0.0, 0.044],
        [1.685, 0.0580, 0.0580, 0.044, 0.060, 0.0, 0.040],
        [1.712, 0.0400, 0.0400, 0.030, 0.040, 0.0, 0.034],
    ];
    clay.limb(Head, Axis::Y, 0.03, 0.06, &face);
    // Jaw from chin to ear; chin; cheekbones.
    clay.bar(Head, 0.022, [0.014, 1.535, 0.072, 0.012], [0.046, 1.582, 0.014, 0.015]);
    clay.ball(Head, 0.016, [0.0, 1.530, 0.081], [0.015, 0.011, 0.012]);
    clay.ball(Head, 0.030, [0.042, 1.610, 0.052], [0.021, 0.017, 0.023]);
}

fn nose_and_brow(clay: &mut Clay<'_>) {
    clay.bar(Head, 0.016, [0.010, 1.657, 0.0865, 0.0070], [0.050, 1.655, 0.066, 0.0065]);
    clay.bar(Head, 0.012, [0.0, 1.645, 0.0880, 0.0060], [0.0, 1.606, 0.1030, 0.0076]);
    clay.ball(Head, 0.008, [0.0095, 1.599, 0.0965], [0.0062, 0.0056, 0.0085]);
}

fn eyes(clay: &mut Clay<'_>) {
    clay.hollow(Head, 0.014, [0.031, 1.637, 0.102], [0.022, 0.0125, 0.018]);
    clay.ball(Head, 0.003, [0.0310, 1.636, 0.0725], [0.0165, 0.0165, 0.0165]);
}

fn mouth(clay: &mut Clay<'_>) {
    clay.bar(Head, 0.010, [0.0, 1.5745, 0.0885, 0.0055], [0.0200, 1.5715, 0.0800, 0.0040]);
    clay.bar(Head, 0.010, [0.0, 1.5615, 0.0875, 0.0062], [0.0170, 1.5635, 0.0800, 0.0045]);
    clay.hollow(Head, 0.005, [0.0, 1.5685, 0.1010], [0.023, 0.0018, 0.0075]);
}

/// The little that a low-poly mesh can show: a brow and a wedge for a nose.
fn planes(clay: &mut Clay<'_>) {
    clay.bar(Head, 0.016, [0.010, 1.660, 0.0865, 0.0090], [0.050, 1.658, 0.066, 0.0085]);
    clay.bar(Head, 0.010, [0.0, 1.645, 0.0900, 0.0080], [0.0, 1.604, 0.1080, 0.0125]);
}

fn visor(clay: &mut Clay<'_>) {
    clay.bar(Head, 0.014, [0.0, 1.664, 0.086, 0.0075], [0.056, 1.662, 0.056, 0.0075]);
    clay.bar(Head, 0.012, [0.0, 1.622, 0.088, 0.0065], [0.0, 1.604, 0.100, 0.0090]);
    clay.ball(Head, 0.008, [0.0, 1.640, 0.026], [0.072, 0.0170, 0.074]);
}

pub(super) fn ears(clay: &mut Clay<'_>) {
    clay.turned_ball(
        Head,
        0.007,
        [0.0725, 1.628, -0.008],
        [0.0095, 0.0285, 0.0165],
        [0.10, 1.0, -0.22],
    );
    clay.hollow(Head, 0.008, [0.0870, 1.632, -0.003], [0.0060, 0.0160, 0.0085]);
}
