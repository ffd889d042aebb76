//! Interpolation of rotations along the shorter arc.

use glam::Quat;

/// Slerp along the shorter arc; `q` and `−q` are the same rotation.
#[must_use]
pub(crate) fn shortest(from: Quat, to: Quat, amount: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    from.slerp(to, amount).normalize()
}
