//! Smoothing of values over frames without delay.

use glam::Vec3;

/// Half the width, in frames, of a Gaussian window with this standard deviation.
fn reach(sigma: f32) -> usize {
    (4.0 * sigma).ceil() as usize
}

/// Weights of a Gaussian window around one frame. The window is cut to the same width on both
/// sides near the ends, so that nothing is pulled forwards or back.
pub(crate) fn window(
    frame: usize,
    count: usize,
    sigma: f32,
) -> impl Iterator<Item = (usize, f32)> + Clone {
    let half = reach(sigma).min(frame).min(count - 1 - frame);
    let weight = move |distance: f32| (-0.5 * (distance / sigma.max(1e-6)).powi(2)).exp();
    let total: f32 =
        (0..=2 * half).map(|place| weight(place as f32 - half as f32)).sum::<f32>().max(1e-6);
    (0..=2 * half)
        .map(move |place| (frame - half + place, weight(place as f32 - half as f32) / total))
}

/// Each point replaced by the Gaussian mean around it.
pub(crate) fn smoothed(points: &[Vec3], sigma: f32) -> Vec<Vec3> {
    (0..points.len())
        .map(|frame| {
            window(frame, points.len(), sigma)
                .fold(Vec3::ZERO, |sum, (place, weight)| sum + points[place] * weight)
        })
        .collect()
}

/// A smooth curve that is nowhere below the given one: the greatest value nearby, then a mean
/// over the same neighbourhood.
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

/// The middle value; 0 of none.
pub(crate) fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cover_is_never_below_what_it_covers(values in prop::collection::vec(0.0f32..1.0, 1..60)) {
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
