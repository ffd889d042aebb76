//! Estimates the height of the floor below each foot, so that stairs are recognised.

use std::ops::Range;

use crate::{ContactPoint, ContactTrack, Side};

/// Smallest height difference between two stances that counts as a step, metres, for an adult.
pub const LEAST_STEP_M: f32 = 0.10;
/// Stances whose heights differ by less than this share of a step are treated as equally high.
const EQUAL: f32 = 0.4;

/// Estimates the height of the floor below each foot in every frame: left, right; metres.
///
/// On level ground all heights are zero, wherever the clip's floor is; on stairs they rise by the
/// height of each step. While a foot swings between two stances, the lower of the two heights
/// applies.
///
/// `soles_m` holds the heights of the lowest point of each sole in every frame, `contacts` says
/// when the feet are on the floor, and `step_m` is the lowest height of a step: [`LEAST_STEP_M`]
/// times the size of the body.
#[must_use]
pub fn footholds(soles_m: [&[f32]; 2], contacts: &ContactTrack, step_m: f32) -> [Vec<f32>; 2] {
    let frames = contacts.len().min(soles_m[0].len()).min(soles_m[1].len());
    let stances: Vec<Stance> = Side::BOTH
        .into_iter()
        .zip(soles_m)
        .flat_map(|(side, soles)| stances(side, &soles[..frames], contacts))
        .collect();
    let lowest = stances.iter().map(|stance| stance.height_m).fold(f32::MAX, f32::min);
    let is_step = |stance: &&Stance| stance.height_m >= lowest + step_m;
    let mut steps: Vec<Stance> = stances.iter().filter(is_step).cloned().collect();
    let mut levels = [vec![0.0; frames], vec![0.0; frames]];
    if steps.is_empty() {
        return levels;
    }
    let floor = {
        let on_floor = stances.iter().filter(|stance| !is_step(stance));
        median(on_floor.map(|stance| stance.height_m).collect())
    };
    level_out(&mut steps, EQUAL * step_m);
    for (side, levels) in Side::BOTH.into_iter().zip(&mut levels) {
        let mut stood: Option<(usize, f32)> = None;
        for stance in stances.iter().filter(|stance| stance.side == side) {
            let step = steps.iter().find(|step| step.side == side && step.frames == stance.frames);
            let level = step.map_or(0.0, |step| step.height_m - floor);
            let (from, between) =
                stood.map_or((0, level), |(frame, before)| (frame, before.min(level)));
            levels[from..stance.frames.start].fill(between);
            levels[stance.frames.clone()].fill(level);
            stood = Some((stance.frames.end, level));
        }
        if let Some((from, level)) = stood {
            levels[from..].fill(level);
        }
    }
    levels
}

/// A stance: a run of frames in which a foot is on the floor, with the median height of its sole.
#[derive(Debug, Clone)]
struct Stance {
    side: Side,
    frames: Range<usize>,
    height_m: f32,
}

fn stances(side: Side, soles: &[f32], contacts: &ContactTrack) -> Vec<Stance> {
    let points = [ContactPoint::Heel(side), ContactPoint::Toe(side)];
    let stands = |frame: usize| points.iter().any(|point| contacts[frame].has(*point));
    let mut found: Vec<Range<usize>> = Vec::new();
    for frame in (0..soles.len()).filter(|frame| stands(*frame)) {
        match found.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => found.push(frame..frame + 1),
        }
    }
    let stance = |frames: Range<usize>| Stance {
        side,
        height_m: median(soles[frames.clone()].to_vec()),
        frames,
    };
    found.into_iter().map(stance).collect()
}

/// Sets stances of about the same height to their mean height.
fn level_out(steps: &mut [Stance], equal_m: f32) {
    steps.sort_by(|a, b| a.height_m.total_cmp(&b.height_m));
    let same = |a: &Stance, b: &Stance| b.height_m - a.height_m < equal_m;
    for group in steps.chunk_by_mut(same) {
        let mean = group.iter().map(|step| step.height_m).sum::<f32>() / group.len() as f32;
        group.iter_mut().for_each(|step| step.height_m = mean);
    }
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Contacts;

    /// The heights of a sole that stands for some frames at each of `heights`, with four frames of
    /// swing in between; marks the stances in `track`.
    fn climbing(heights: &[f32], side: Side, track: &mut ContactTrack) -> Vec<f32> {
        let mut soles = Vec::new();
        for (i, height) in heights.iter().enumerate() {
            if i > 0 {
                soles.extend([height + 0.1; 4]);
            }
            for _ in 0..6 {
                if let Some(contacts) = track.get_mut(soles.len()) {
                    contacts.set(ContactPoint::Heel(side), true);
                }
                soles.push(*height);
            }
        }
        soles
    }

    #[test]
    fn level_ground_has_height_zero_at_any_offset() {
        let mut track = vec![Contacts::NONE; 26];
        let left = climbing(&[0.31, 0.34, 0.30], Side::Left, &mut track);
        let right = climbing(&[0.30, 0.38, 0.31], Side::Right, &mut track);
        let levels = footholds([&left, &right], &track, LEAST_STEP_M);
        assert_eq!(levels, [vec![0.0; 26], vec![0.0; 26]]);
    }

    #[test]
    fn stairs_rise_by_the_height_of_each_step() {
        let mut track = vec![Contacts::NONE; 26];
        let left = climbing(&[0.02, 0.19, 0.52], Side::Left, &mut track);
        let right = climbing(&[0.02, 0.36, 0.54], Side::Right, &mut track);
        let [left, right] = footholds([&left, &right], &track, LEAST_STEP_M);
        assert!((left[12] - 0.17).abs() < 1e-5 && (right[12] - 0.34).abs() < 1e-5);
        // both feet stand on the last step; during a swing the lower step counts
        assert!((left[25] - 0.51).abs() < 1e-5 && left[25] == right[25]);
        assert_eq!((left[0], left[7], left[17]), (0.0, 0.0, left[12]));
    }

    #[test]
    fn feet_without_stances_are_on_level_ground() {
        let track = vec![Contacts::NONE; 3];
        let levels = footholds([&[2.0; 3], &[3.0; 3]], &track, LEAST_STEP_M);
        assert_eq!(levels, [vec![0.0; 3], vec![0.0; 3]]);
    }
}
