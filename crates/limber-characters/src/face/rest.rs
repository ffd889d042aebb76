//! Brings the parted lips of the sculpture together.

use glam::Vec3;
use limber_animation::smooth::smoothstep;

use super::Mouth;

/// What is left between closed lips.
const SLIT_M: f32 = 0.00012;

/// How far above and below the lips the skin gives way.
const GIVE_M: f32 = 0.017;

/// How much higher the corners of the mouth are than its middle.
const SMILE_M: f32 = 0.0022;

/// Whether a point of the sculpture belongs to the upper lip and what is above it.
#[must_use]
pub fn is_upper(mouth: &Mouth, sculpted: Vec3) -> bool {
    sculpted.y > mouth.height
}

/// Where a point of the sculpture lies when the mouth is closed.
#[must_use]
pub fn close(mouth: &Mouth, sculpted: Vec3) -> Vec3 {
    let x = sculpted.x.abs();
    let gap = (mouth.parted_at(x) - SLIT_M).max(0.0);
    let off = (sculpted.y - mouth.height).abs();
    let beyond = (off - mouth.parted_at(x)).max(0.0);
    // Not the room behind the lips.
    let near = smoothstep((sculpted.z - (mouth.front - 0.024)) / 0.010);
    let give = gap * near * smoothstep(1.0 - beyond / GIVE_M);
    let down = if is_upper(mouth, sculpted) { -give } else { give };
    // The corners rise a little: a friendly face.
    let wide = (x / mouth.half_width).min(1.6);
    let smile =
        SMILE_M * wide * wide * near * smoothstep(1.0 - off / 0.022) * smoothstep(2.2 - wide);
    sculpted + Vec3::Y * (down + smile)
}
