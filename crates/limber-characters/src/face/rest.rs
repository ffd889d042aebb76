//! Closes the parted lips of the modelled face.

use glam::Vec3;
use limber_animation::smooth::smoothstep;

use super::Mouth;

/// Gap that remains between the closed lips.
const SLIT_M: f32 = 0.00012;

/// Height of the skin above and below the lips that moves along.
const GIVE_M: f32 = 0.017;

/// Height of the corners of the mouth above its centre.
const SMILE_M: f32 = 0.0022;

/// Whether a point of the modelled face belongs to the upper lip or the skin above it.
#[must_use]
pub fn is_upper(mouth: &Mouth, sculpted: Vec3) -> bool {
    sculpted.y > mouth.height
}

/// Returns the position of a point of the modelled face when the mouth is closed.
#[must_use]
pub fn close(mouth: &Mouth, sculpted: Vec3) -> Vec3 {
    let x = sculpted.x.abs();
    let gap = (mouth.parted_at(x) - SLIT_M).max(0.0);
    let off = (sculpted.y - mouth.height).abs();
    let beyond = (off - mouth.parted_at(x)).max(0.0);
    // The mouth cavity stays.
    let near = smoothstep((sculpted.z - (mouth.front - 0.024)) / 0.010);
    let give = gap * near * smoothstep(1.0 - beyond / GIVE_M);
    let down = if is_upper(mouth, sculpted) { -give } else { give };
    // Raise the corners a little for a friendly expression.
    let wide = (x / mouth.half_width).min(1.6);
    let smile =
        SMILE_M * wide * wide * near * smoothstep(1.0 - off / 0.022) * smoothstep(2.2 - wide);
    sculpted + Vec3::Y * (down + smile)
}
