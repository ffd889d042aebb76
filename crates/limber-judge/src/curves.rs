//! Analyses curves: turning points, peaks, stretches.

use std::ops::Range;

/// The points where a curve turns from rising to falling (`true`) or back, with a prominence of at
/// least `least` on each side.
pub(crate) fn turning_points(values: &[f32], least: f32) -> Vec<(usize, bool)> {
    let mut found: Vec<(usize, bool)> = Vec::new();
    let Some(first) = values.first() else { return found };
    let (mut highest, mut lowest) = ((0, *first), (0, *first));
    let mut rising: Option<bool> = None;
    for (frame, value) in values.iter().copied().enumerate() {
        if value > highest.1 {
            highest = (frame, value);
        }
        if value < lowest.1 {
            lowest = (frame, value);
        }
        if rising != Some(false) && highest.1 - value >= least {
            if rising.is_some() {
                found.push((highest.0, true));
            }
            rising = Some(false);
            lowest = (frame, value);
        } else if rising != Some(true) && value - lowest.1 >= least {
            if rising.is_some() {
                found.push((lowest.0, false));
            }
            rising = Some(true);
            highest = (frame, value);
        }
    }
    found
}

/// The frames of maxima with a prominence of at least `least` on both sides; the values before the
/// first and after the last frame count as low.
pub(crate) fn peaks(values: &[f32], least: f32) -> Vec<usize> {
    let lowest = values.iter().copied().fold(f32::INFINITY, f32::min);
    let mut framed = vec![lowest, lowest];
    framed.extend_from_slice(values);
    framed.push(lowest);
    let first_rises = values.first().is_some_and(|first| first - lowest >= least);
    let mut found: Vec<usize> = turning_points(&framed, least)
        .into_iter()
        .filter(|(_, top)| *top)
        .map(|(frame, _)| frame.saturating_sub(2).min(values.len() - 1))
        .collect();
    // turning_points does not report the rise from the padding as a turn, but the first frame is a
    // maximum
    if found.is_empty() && first_rises {
        found.push(0);
    }
    found
}

/// Runs of at least `shortest` frames in which a condition holds.
pub(crate) fn stretches(
    count: usize,
    shortest: usize,
    holds: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for frame in (0..count).filter(|frame| holds(*frame)) {
        match found.last_mut() {
            Some(stretch) if stretch.end == frame => stretch.end += 1,
            _ => found.push(frame..frame + 1),
        }
    }
    found.retain(|stretch| stretch.len() >= shortest);
    found
}

/// Moving average over `half` frames on either side.
pub(crate) fn smoothed(values: &[f32], half: usize) -> Vec<f32> {
    (0..values.len())
        .map(|frame| {
            let near = &values[frame.saturating_sub(half)..(frame + half + 1).min(values.len())];
            near.iter().sum::<f32>() / near.len() as f32
        })
        .collect()
}
