//! Interpolation of rotations that never takes the long way round.

use glam::Quat;

/// Spherical interpolation along the shorter of the two ways; `q` and `−q` are the same rotation.
#[must_use]
pub(crate) fn shortest(from: Quat, to: Quat, amount: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    from.slerp(to, amount).normalize()
}
