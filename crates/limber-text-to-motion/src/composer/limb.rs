//! Where knee and elbow go: the one triangle both legs and arms are solved by.
//!
//! `limber_animation::ik` bends a limb that already stands somewhere, and eases in before full
//! stretch so that no edit can snap a knee. Here nothing stands yet: joints are built from a whole
//! anatomical basis, and a planted foot must be met exactly up to `STRAIGHTEST` of the rig,
//! because easing would let it slide. What both share is only this law of cosines.

use glam::Vec3;

/// Both segments of a limb of lengths `upper_m` and `lower_m` whose end is `distance` along the unit
/// vector `axis`. The middle joint leaves that line along `way`, a unit vector square to it.
pub(super) fn segments(
    (upper_m, lower_m): (f32, f32),
    (axis, distance): (Vec3, f32),
    way: Vec3,
) -> (Vec3, Vec3) {
    let along = (upper_m * upper_m + distance * distance - lower_m * lower_m) / (2.0 * distance);
    let beside = (upper_m * upper_m - along * along).max(0.0).sqrt();
    let upper = axis * along + way * beside;
    (upper, axis * distance - upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_keep_their_lengths_and_end_where_told() {
        for distance in [0.2, 0.5, 0.8] {
            let (upper, lower) = segments((0.425, 0.41), (Vec3::NEG_Y, distance), Vec3::Z);
            assert!((upper.length() - 0.425).abs() < 1e-5 && (lower.length() - 0.41).abs() < 1e-5);
            assert!((upper + lower).distance(Vec3::NEG_Y * distance) < 1e-5 && upper.z > 0.0);
        }
    }
}
