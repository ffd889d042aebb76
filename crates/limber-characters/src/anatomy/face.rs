//! A head with eyelids that close over eyeballs, and lips that part.

use super::{Clay, head};
use crate::build::Features;
use crate::face::{GAP_M, LID_M, Layout};
use crate::field::Axis;
use crate::fit::Region::Head;

pub(super) fn add(clay: &mut Clay<'_>, features: &Features) {
    let Some(layout) = Layout::of(clay.fit.build()) else { return };
    skull(clay, features);
    nose(clay, &layout);
    brow(clay, &layout);
    lips(clay, &layout);
    eyes(clay, &layout);
    head::ears(clay);
}

fn skull(clay: &mut Clay<'_>, features: &Features) {
    clay.ball(Head, 0.03, [0.0, 1.670, 0.000], [0.0755, 0.081, 0.0955]);
    clay.ball(Head, 0.04, [0.0, 1.625, -0.010], [0.0670, 0.066, 0.0740]);
    let (jaw, cheek) = (features.jaw, features.cheeks);
    let full = 0.011 * (cheek - 0.9);
    #[rustfmt::skip]
    let face = [
        [1.514, 0.010 * jaw, 0.010 * jaw, 0.010, 0.020, 0.0, 0.070],
        [1.520, 0.022 * jaw, 0.022 * jaw, 0.020, 0.040, 0.0, 0.067],
        [1.534, 0.0360 * jaw, 0.0360 * jaw, 0.0275, 0.055, 0.0, 0.062],
        [1.560, 0.0535 * jaw + full, 0.0535 * jaw + full, 0.0355, 0.065, 0.0, 0.055],
        [1.592, 0.0620 + full, 0.0620 + full, 0.0415, 0.070, 0.0, 0.049],
        [1.625, 0.0640 + 0.5 * full, 0.0640 + 0.5 * full, 0.0445, 0.070, 0.0, 0.046],
        [1.655, 0.0650, 0.0650, 0.0470, 0.070, 0.0, 0.044],
        [1.685, 0.0600, 0.0600, 0.0440, 0.060, 0.0, 0.041],
        [1.712, 0.0420, 0.0420, 0.0300, 0.040, 0.0, 0.036],
    ];
    clay.limb(Head, Axis::Y, 0.03, 0.06, &face);
    // Jaw from chin to ear; chin; cheeks.
    clay.bar(Head, 0.026, [0.014 * jaw, 1.535, 0.071, 0.012], [0.047 * jaw, 1.582, 0.014, 0.014]);
    clay.ball(Head, 0.018, [0.0, 1.531, 0.080], [0.015 * jaw, 0.011, 0.012]);
    clay.ball(Head, 0.042, [0.038, 1.600, 0.052], [0.022 * cheek, 0.021 * cheek, 0.024 * cheek]);
}

fn nose(clay: &mut Clay<'_>, layout: &Layout) {
    let features = &layout.features;
    let size = features.nose;
    let tip = 0.0905 + 0.0125 * size;
    clay.bar(
        Head,
        0.014,
        [0.0, layout.eye.centre.y + 0.012, 0.0865, 0.0060],
        [0.0, 1.6075, tip, 0.0085 * size],
    );
    clay.ball(
        Head,
        0.010,
        [0.0105 * size, 1.6005, tip - 0.0075],
        [0.0068 * size, 0.0058 * size, 0.0085 * size],
    );
}

/// The brow ridge and the eye sockets.
fn brow(clay: &mut Clay<'_>, layout: &Layout) {
    let ridge = 0.0040 + 0.0020 * layout.features.brows;
    let eye = layout.eye;
    let y = eye.centre.y + 0.020 + 0.6 * (eye.radius - 0.0165);
    clay.bar(Head, 0.018, [0.010, y, 0.0850, ridge], [0.050, y - 0.002, 0.0640, ridge]);
    let radius = eye.radius;
    clay.hollow(
        Head,
        0.012,
        [eye.centre.x, eye.centre.y + 0.001, eye.centre.z + 1.72 * radius],
        [1.28 * radius, 0.80 * radius, 1.02 * radius],
    );
}

fn eyes(clay: &mut Clay<'_>, layout: &Layout) {
    let eye = layout.eye;
    let [x, y, z] = eye.centre.to_array();
    let lid = eye.radius + LID_M;
    clay.ball(Head, 0.006, [x, y, z], [lid; 3]);
    let opening = [x, y + eye.raised, z + eye.radius];
    clay.hollow(Head, 0.0030, opening, [eye.half_width, eye.half_height, 1.1 * eye.radius]);
    clay.hollow(Head, 0.0008, [x, y, z], [eye.radius + GAP_M; 3]);
}

fn lips(clay: &mut Clay<'_>, layout: &Layout) {
    let mouth = layout.mouth;
    let (line, full, parted) = (mouth.height, mouth.lips, mouth.parted);
    let corner = mouth.half_width - 0.003;
    // The slight bulge under the lips.
    clay.ball(Head, 0.016, [0.0, line - 0.001, 0.0765], [0.024, 0.020, 0.0145]);
    clay.bar(
        Head,
        0.009,
        [0.0, line + parted + 0.0042 * full, mouth.front - 0.0025, 0.0048 * full],
        [corner, line + 0.0030, 0.0795, 0.0030],
    );
    clay.bar(
        Head,
        0.009,
        [0.0, line - parted - 0.0046 * full, mouth.front - 0.0035, 0.0057 * full],
        [corner - 0.002, line - 0.0024, 0.0790, 0.0034],
    );
    // The gap between the lips; the mouth cavity.
    clay.hollow(Head, 0.0015, [0.0, line, mouth.front - 0.002], [mouth.half_width, parted, 0.026]);
    clay.hollow(Head, 0.003, [0.0, line - 0.001, 0.0600], [0.0215, 0.0165, 0.0230]);
}
