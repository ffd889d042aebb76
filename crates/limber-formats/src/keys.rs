//! Key reduction.

/// Returns the frames whose keys are kept, so that `error(from, to, frame)` never exceeds `bound`.
/// `error` is the deviation at `frame` of a straight line between the keys at `from` and `to`. The
/// first and the last key are always kept.
pub(crate) fn kept(
    frames: usize,
    bound: f64,
    error: impl Fn(usize, usize, usize) -> f64,
) -> Vec<usize> {
    let Some(last) = frames.checked_sub(1) else { return Vec::new() };
    let mut kept = vec![0];
    // intervals that are still to be checked, the earliest on top
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let worst = (from + 1..to)
            .map(|frame| (frame, error(from, to, frame)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        match worst {
            Some((frame, off)) if !off.is_finite() || off > bound => {
                open.push((frame, to));
                open.push((from, frame));
            }
            _ if to > from => kept.push(to),
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64], (from, to): (usize, usize), frame: usize) -> f64 {
        let share = (frame - from) as f64 / (to - from) as f64;
        values[from] + (values[to] - values[from]) * share
    }

    #[test]
    fn key_reduction_keeps_the_ends_of_lines_and_corners() {
        let straight: Vec<f64> = (0..50).map(f64::from).collect();
        let off = |a, b, i| (line(&straight, (a, b), i) - straight[i]).abs();
        assert_eq!(kept(50, 1e-9, off), [0, 49]);
        let corner: Vec<f64> = (0..50).map(|i| f64::from((i - 20_i32).abs())).collect();
        let off = |a, b, i| (line(&corner, (a, b), i) - corner[i]).abs();
        assert_eq!(kept(50, 1e-9, off), [0, 20, 49]);
        assert_eq!(kept(1, 0.0, |_, _, _| 0.0), [0]);
        assert!(kept(0, 0.0, |_, _, _| 0.0).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn key_reduction_stays_within_the_error_bound(
            values in proptest::collection::vec(-1.0..1.0_f64, 1..60),
            bound in 0.0..0.5_f64,
        ) {
            let off = |a: usize, b: usize, i: usize| (line(&values, (a, b), i) - values[i]).abs();
            let kept = kept(values.len(), bound, off);
            proptest::prop_assert_eq!(kept.first(), Some(&0));
            proptest::prop_assert_eq!(kept.last(), Some(&(values.len() - 1)));
            for pair in kept.windows(2) {
                proptest::prop_assert!(pair[0] < pair[1]);
                for frame in pair[0] + 1..pair[1] {
                    proptest::prop_assert!(off(pair[0], pair[1], frame) <= bound);
                }
            }
        }
    }
}
