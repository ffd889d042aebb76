//! Frame times, and smoothing over frames.

use limber_animation::{Fps, maths::exp};

/// Frame rate of the composer.
pub(super) const FPS: f32 = 30.0;
/// Duration of one frame, seconds.
pub(super) const FRAME_S: f32 = 1.0 / FPS;
/// Maximum length of a clip, seconds.
pub(super) const LONGEST_S: f32 = 120.0;

/// Number of frames of a duration.
pub(super) fn frame_count(duration_s: f32) -> usize {
    debug_assert_eq!(f32::from(Fps::DEFAULT.get()), FPS);
    (duration_s * FPS).round().max(1.0) as usize
}

/// The first frame at or after a time.
pub(super) fn first_frame(time_s: f32) -> usize {
    (time_s * FPS - 1e-3).ceil().max(0.0) as usize
}

/// Smooths values over frames with a Gaussian of standard deviation `sigma_s`, without delay.
/// Beyond the ends, the first and last values continue.
pub(super) fn smooth(values: &mut [f32], sigma_s: f32) {
    let bell = bell(sigma_s);
    let reach = bell.len() as isize / 2;
    let source = values.to_vec();
    let last = source.len() as isize - 1;
    for (frame, value) in values.iter_mut().enumerate() {
        *value = bell
            .iter()
            .enumerate()
            .map(|(tap, weight)| {
                let at = (frame as isize + tap as isize - reach).clamp(0, last);
                weight * source[at as usize]
            })
            .sum();
    }
}

/// A smooth curve that is nowhere below the given one: the maximum over a neighbourhood, smoothed
/// over the same neighbourhood.
pub(super) fn smooth_above(values: &mut [f32], sigma_s: f32) {
    let reach = bell(sigma_s).len() / 2;
    let source = values.to_vec();
    for (frame, value) in values.iter_mut().enumerate() {
        let window = &source[frame.saturating_sub(reach)..(frame + reach + 1).min(source.len())];
        *value = window.iter().copied().fold(f32::MIN, f32::max);
    }
    smooth(values, sigma_s);
}

fn bell(sigma_s: f32) -> Vec<f32> {
    let sigma = (sigma_s * FPS).max(1e-3);
    let reach = (2.6 * sigma).ceil() as isize;
    let mut weights: Vec<f32> =
        (-reach..=reach).map(|tap| exp(-0.5 * (tap as f32 / sigma).powi(2))).collect();
    let sum: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

#[cfg(test)]
mod tests {
    use limber_animation::maths::sin;

    use super::*;

    #[test]
    fn smoothing_above_never_falls_below_the_curve() {
        let mut values: Vec<f32> =
            (0..90).map(|i| if i % 17 == 3 { 0.05 } else { sin(i as f32 * 0.3) * 0.01 }).collect();
        let before = values.clone();
        smooth_above(&mut values, 0.08);
        for (after, before) in values.iter().zip(&before) {
            assert!(after >= &(before - 1e-6));
        }
    }
}
