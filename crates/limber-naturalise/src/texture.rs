//! What people do quicker than about 2 Hz. Its size is predicted, its course drawn: next to nothing of it
//! follows from what they do slowly. Must stay the same as `Texture` of `training/limber_prior/ideas.py`.

use limber_animation::{BODY_JOINT_COUNT, Clip};

use crate::{
    apply::TURNED,
    features::{self, smooth},
    ridge::Ridge,
    weights::{Matrix, ModelError, Weights},
};

/// Numbers per frame: the hips' sway and a turn vector per joint that is turned.
pub(crate) const NUMBERS: usize = 3 + 3 * TURNED;
/// Rows of noise before the first frame and after the last: half of the filter.
pub(crate) const REACH: usize = 15;
/// Deviation of the smoothing that leaves what is slow, frames.
const SLOW_FRAMES: f32 = 2.5;
/// The same, of squares, frames.
const SQUARE_FRAMES: f32 = 6.0;
/// Of people's own size: with more, jerk passes people's where little is done.
const AMOUNT: f32 = 0.3;
/// Squares in logarithms that are believed.
const LOGARITHMS: std::ops::RangeInclusive<f32> = -9.0..=1.4;

/// What training found about quick movement.
#[derive(Debug, Clone)]
pub struct Texture {
    size: Ridge,
    /// How large every number usually is, metres and radians.
    deviation: Vec<f32>,
    /// Turns white numbers into such that go together as people's do.
    together: Matrix,
    /// Turns white noise into noise with people's spectrum.
    kernel: Vec<f32>,
}

impl Texture {
    /// Reads weights in the safetensors format.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let weights = Weights::read(bytes)?;
        Ok(Self {
            size: Ridge::read(&weights, NUMBERS)?,
            deviation: weights.row("deviation", NUMBERS)?,
            together: weights.matrix("together")?.shaped("together", [NUMBERS, NUMBERS])?,
            kernel: weights.row("kernel", 2 * REACH + 1)?,
        })
    }

    /// The texture of a clip from white noise, which is asked for by row and column; `REACH` rows more
    /// than there are frames at either end.
    pub(crate) fn drawn(&self, clip: &Clip, noise: &dyn Fn(usize, usize) -> f32) -> Vec<Vec<f32>> {
        let slow = slow(clip);
        let mut drawn = self.shaped(clip.len(), noise);
        for (row, expected) in drawn.iter_mut().zip(self.expected(&slow)) {
            for (value, size) in row.iter_mut().zip(expected) {
                *value *= AMOUNT * size;
            }
        }
        let own = smooth(&squares(&features::between(&slow, clip)), SQUARE_FRAMES);
        let wanted = smooth(&squares(&drawn), SQUARE_FRAMES);
        for (row, (own, wanted)) in drawn.iter_mut().zip(own.iter().zip(&wanted)) {
            // nothing where the clip itself is as quick as people are
            for (part, (own, wanted)) in row.chunks_exact_mut(3).zip(own.iter().zip(wanted)) {
                let lacks = (1.0 - own / wanted.max(1e-12)).clamp(0.0, 1.0).sqrt();
                part.iter_mut().for_each(|value| *value *= lacks);
            }
        }
        drawn
    }

    /// How large it is on average in every frame.
    fn expected(&self, slow: &Clip) -> Vec<Vec<f32>> {
        let mut sizes = smooth(&self.size.answer(&features::of(slow)), SLOW_FRAMES);
        for row in &mut sizes {
            for (size, deviation) in row.iter_mut().zip(&self.deviation) {
                let square = size.clamp(*LOGARITHMS.start(), *LOGARITHMS.end());
                *size = deviation * (0.5 * square).exp();
            }
        }
        sizes
    }

    /// Noise with people's spectrum and people's joints moving together.
    fn shaped(&self, frames: usize, noise: &dyn Fn(usize, usize) -> f32) -> Vec<Vec<f32>> {
        let rows: Vec<Vec<f32>> = (0..frames + 2 * REACH)
            .map(|row| (0..NUMBERS).map(|column| noise(row, column)).collect())
            .collect();
        let filtered = rows.windows(2 * REACH + 1).map(|around| {
            let mut sums = vec![0.0; NUMBERS];
            for (row, weight) in around.iter().zip(&self.kernel) {
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += weight * value;
                }
            }
            self.together.times(&sums)
        });
        filtered.collect()
    }
}

/// The clip without what is quick in it.
fn slow(clip: &Clip) -> Clip {
    let mut rows: Vec<Vec<f32>> = Vec::with_capacity(clip.len());
    for pose in clip.frames() {
        let mut row = pose.hips_translation.to_array().to_vec();
        for (joint, turn) in pose.rotations.iter().take(BODY_JOINT_COUNT).enumerate() {
            let four = turn.to_array();
            let at = 3 + 4 * joint;
            // of both signs of a quaternion the one that is nearer to the frame before
            let before = rows.last().map_or(four.as_slice(), |before| &before[at..at + 4]);
            let alike: f32 = before.iter().zip(four).map(|(a, b)| a * b).sum();
            row.extend(four.map(|value| if alike < 0.0 { -value } else { value }));
        }
        rows.push(row);
    }
    let mut slow = clip.clone();
    for (pose, row) in slow.frames_mut().iter_mut().zip(smooth(&rows, SLOW_FRAMES)) {
        pose.hips_translation = glam::Vec3::from_slice(&row);
        for (turn, four) in pose.rotations.iter_mut().zip(row[3..].chunks_exact(4)) {
            *turn = glam::Quat::from_slice(four).normalize();
        }
    }
    slow
}

/// Square size of every joint's part, the hips' way first.
fn squares(rows: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let square = |part: &[f32]| part.iter().map(|value| value * value).sum();
    rows.iter().map(|row| row.chunks_exact(3).map(square).collect()).collect()
}
