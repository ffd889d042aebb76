//! Positions of knee and elbow: the triangle by which both legs and arms are solved.
//!
//! `limber_animation::ik` corrects a limb that already has a pose, and eases in before full
//! extension so that no edit snaps a knee. Here there is no pose yet: joints are built from a
//! complete anatomical basis, and a planted foot must be met exactly up to `STRAIGHTEST` of the
//! rig, because easing would let it slide. The two have only this law of cosines in common.

use glam::Vec3;

/// The two segments of a limb with lengths `upper_m` and `lower_m` whose end is at `distance` along
/// the unit vector `axis`. The middle joint deviates from that line in the direction `way`, a unit
/// vector perpendicular to it.
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
