//! Time alignment of two clips.

use glam::Vec3;
use limber_animation::{Clip, HumanBone, maths::atan2};

/// Maximum distance between matched frames, seconds.
const REACH_S: f32 = 0.5;
/// Bones whose positions relative to the hips are compared.
const TELLING: [HumanBone; 8] = [
    HumanBone::LeftHand,
    HumanBone::RightHand,
    HumanBone::LeftLowerArm,
    HumanBone::RightLowerArm,
    HumanBone::LeftFoot,
    HumanBone::RightFoot,
    HumanBone::Head,
    HumanBone::LeftLowerLeg,
];

/// Matches every frame of `source` to the most similar frame of `other`, which is equally long. The
/// match is monotonic, stays within a band (dynamic time warping: Sakoe & Chiba 1978) and is
/// smoothed.
pub(super) fn alignment(source: &Clip, other: &Clip) -> Vec<f32> {
    let (a, b) = (features(source), features(other));
    let count = a.len().min(b.len());
    let band = ((REACH_S * source.fps().per_second()) as usize).max(1);
    let width = 2 * band + 1;
    let apart = |i: usize, j: usize| -> f32 {
        a[i].iter().zip(&b[j]).map(|(a, b)| a.distance_squared(*b)).sum()
    };
    let column = |i: usize, k: usize| (i + k).checked_sub(band).filter(|j| *j < count);
    let mut costs = vec![f32::INFINITY; count * width];
    let mut from = vec![0_u8; count * width];
    for i in 0..count {
        for k in 0..width {
            let Some(j) = column(i, k) else { continue };
            // steps: advance in both, only in the source, only in the other
            let earlier = [
                (i > 0 && j > 0).then(|| costs[(i - 1) * width + k]),
                (i > 0 && k + 1 < width).then(|| costs[(i - 1) * width + k + 1]),
                (j > 0 && k > 0).then(|| costs[i * width + k - 1]),
            ];
            let best = (0..3)
                .filter_map(|way| earlier[way].map(|cost| (way, cost)))
                .min_by(|x, y| x.1.total_cmp(&y.1));
            let (way, before) = match best {
                Some(best) => best,
                None if i == 0 && j == 0 => (0, 0.0),
                None => continue,
            };
            costs[i * width + k] = before + apart(i, j);
            from[i * width + k] = way as u8;
        }
    }
    smooth(&traced(&from, count, width, band))
}

/// Traces the cheapest path from the last frames back to the first; the result is the mean of the
/// partners of each frame.
fn traced(from: &[u8], count: usize, width: usize, band: usize) -> Vec<f32> {
    let mut sums = vec![(0.0_f32, 0.0_f32); count];
    let (mut i, mut k) = (count - 1, band);
    loop {
        let j = i + k - band;
        sums[i].0 += j as f32;
        sums[i].1 += 1.0;
        if i == 0 && j == 0 {
            break;
        }
        match from[i * width + k] {
            0 => i -= 1,
            1 => {
                i -= 1;
                k += 1;
            }
            _ => k -= 1,
        }
    }
    sums.into_iter().map(|(sum, number)| sum / number.max(1.0)).collect()
}

/// Mean over 0.2 s on either side; the order and both ends are kept.
fn smooth(path: &[f32]) -> Vec<f32> {
    let last = path.len() - 1;
    (0..path.len())
        .map(|frame| {
            let reach = 6.min(frame).min(last - frame);
            let near = &path[frame - reach..=frame + reach];
            near.iter().sum::<f32>() / near.len() as f32
        })
        .collect()
}

fn features(clip: &Clip) -> Vec<Vec<Vec3>> {
    let skeleton = clip.skeleton();
    let joints: Vec<_> = TELLING.into_iter().filter_map(|bone| skeleton.find(bone)).collect();
    clip.frames()
        .iter()
        .map(|pose| {
            let world = skeleton.world(pose);
            let at = world.position(skeleton.hips());
            let forward = world.rotation(skeleton.hips()) * Vec3::Z;
            let back = glam::Quat::from_rotation_y(-atan2(forward.x, forward.z));
            joints.iter().map(|joint| back * (world.position(*joint) - at)).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment_of_equal_frames_is_diagonal() {
        let count = 40;
        let path = traced(&vec![0; count * 7], count, 7, 3);
        assert_eq!(smooth(&path), (0..count).map(|i| i as f32).collect::<Vec<_>>());
    }
}
