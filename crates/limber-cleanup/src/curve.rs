//! Zero-phase smoothing of values over frames.

use glam::Vec3;
use limber_animation::maths::exp;

/// Half-width in frames of a Gaussian window with this standard deviation.
fn reach(sigma: f32) -> usize {
    (4.0 * sigma).ceil() as usize
}

/// Gaussian weights around one frame. Near the ends of the clip the window is truncated
/// symmetrically, so that the result has no phase shift.
pub(crate) fn window(
    frame: usize,
    count: usize,
    sigma: f32,
) -> impl Iterator<Item = (usize, f32)> + Clone {
    let half = reach(sigma).min(frame).min(count - 1 - frame);
    let weight = move |distance: f32| exp(-0.5 * (distance / sigma.max(1e-6)).powi(2));
    let total: f32 =
        (0..=2 * half).map(|place| weight(place as f32 - half as f32)).sum::<f32>().max(1e-6);
    (0..=2 * half)
        .map(move |place| (frame - half + place, weight(place as f32 - half as f32) / total))
}

/// Minimum-snap polynomial from 0 to 1: velocity, acceleration and jerk are zero at both ends, so
/// that joins with other movement do not show.
pub(crate) fn least_snap(amount: f32) -> f32 {
    let x = amount.clamp(0.0, 1.0);
    x.powi(4) * (35.0 + x * (-84.0 + x * (70.0 - 20.0 * x)))
}

/// Polynomial that starts at 0 with slope 1 and ends at 0, otherwise with the same end conditions
/// as [`least_snap`].
pub(crate) fn momentum(amount: f32) -> f32 {
    let x = amount.clamp(0.0, 1.0);
    x + x.powi(4) * (-20.0 + x * (45.0 + x * (-36.0 + 10.0 * x)))
}

/// The points smoothed with a Gaussian.
pub(crate) fn smoothed(points: &[Vec3], sigma: f32) -> Vec<Vec3> {
    (0..points.len())
        .map(|frame| {
            window(frame, points.len(), sigma)
                .fold(Vec3::ZERO, |sum, (place, weight)| sum + points[place] * weight)
        })
        .collect()
}

/// A smooth curve that is nowhere below the given one: the maximum over a neighbourhood, then the
/// mean over the same neighbourhood.
pub(crate) fn smooth_cover(values: &[f32], half: usize) -> Vec<f32> {
    let around = |frame: usize| frame.saturating_sub(half)..(frame + half + 1).min(values.len());
    let greatest: Vec<f32> = (0..values.len())
        .map(|frame| values[around(frame)].iter().copied().fold(0.0, f32::max))
        .collect();
    (0..values.len())
        .map(|frame| {
            let near = &greatest[around(frame)];
            near.iter().sum::<f32>() / near.len() as f32
        })
        .collect()
}

/// The median; 0 if there are no values.
pub(crate) fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn momentum_begins_with_slope_one_and_both_curves_end_at_rest() {
        assert!((momentum(1e-2) / 1e-2 - 1.0).abs() < 1e-4);
        assert_eq!((momentum(0.0), least_snap(0.0), least_snap(1.0)), (0.0, 0.0, 1.0));
        assert!(momentum(1.0).abs() < 1e-5 && momentum(0.99).abs() < 1e-5);
        assert!(least_snap(0.01) < 1e-6 && 1.0 - least_snap(0.99) < 1e-5);
    }

    proptest! {
        #[test]
        fn an_envelope_covers_its_curve(values in prop::collection::vec(0.0f32..1.0, 1..60)) {
            let cover = smooth_cover(&values, 2);
            for (value, cover) in values.iter().zip(cover) {
                prop_assert!(cover >= value - 1e-6);
            }
        }

        #[test]
        fn weights_sum_to_one(frame in 0usize..40, sigma in 0.01f32..6.0) {
            let sum: f32 = window(frame, 40, sigma).map(|(_, weight)| weight).sum();
            prop_assert!((sum - 1.0).abs() < 1e-4);
        }
    }
}
