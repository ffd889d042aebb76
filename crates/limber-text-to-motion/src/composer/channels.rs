//! Animation channels of the body: one number per channel and frame. Acts add curves to them;
//! curves of different acts are summed, so that acts need not know about each other.

use limber_animation::{Side, smooth::minimum_jerk};

use super::frames::{FRAME_S, first_frame};

/// A channel. Angles in radians, lengths in metres. Relative to the body: x to its left, y up, z
/// ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// Pelvis offset to the left of the root's position on the ground.
    PelvisX,
    /// Pelvis offset above its rest position.
    PelvisY,
    /// Pelvis offset ahead of the root's position on the ground.
    PelvisZ,
    /// Pelvis pitch, forwards positive.
    PelvisPitch,
    /// Pelvis yaw, left positive.
    PelvisYaw,
    /// Pelvis roll, left hip up positive.
    PelvisRoll,
    /// Spine flexion from pelvis to upper chest, forwards positive.
    SpinePitch,
    /// Spine twist, left positive.
    SpineYaw,
    /// Lateral bend of the spine to the right: left shoulder up.
    SpineRoll,
    /// Head pitch, down positive.
    HeadPitch,
    /// Head yaw, left positive.
    HeadYaw,
    /// Head roll, to the right positive.
    HeadRoll,
    /// How far the head follows the chest: 0 looks steadily ahead, 1 is fixed to it.
    HeadFollow,
    /// How far the pelvis moves over the weight-bearing foot: 0 not at all, 1 fully.
    Balance,
    /// A channel of an arm without a goal.
    Arm(Side, ArmDial),
}

/// The channels of an arm that hangs or swings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArmDial {
    /// Shoulder flexion: upper arm forwards.
    Flex,
    /// Abduction: upper arm away from the body.
    Out,
    /// Internal rotation of the upper arm.
    Twist,
    /// Elbow flexion.
    Elbow,
    /// Pronation: thumb towards the body.
    Pronate,
    /// Wrist flexion towards the palm.
    Wrist,
    /// Shoulder elevation.
    Shrug,
    /// Closing of the fingers: 0 relaxed, 1 fist.
    Grip,
    /// Shoulder elevation that also applies while the hand has a goal.
    Lift,
}

const BODY: usize = 14;
const ARM: usize = 9;
const COUNT: usize = BODY + 2 * ARM;

impl Channel {
    const fn index(self) -> usize {
        match self {
            Self::PelvisX => 0,
            Self::PelvisY => 1,
            Self::PelvisZ => 2,
            Self::PelvisPitch => 3,
            Self::PelvisYaw => 4,
            Self::PelvisRoll => 5,
            Self::SpinePitch => 6,
            Self::SpineYaw => 7,
            Self::SpineRoll => 8,
            Self::HeadPitch => 9,
            Self::HeadYaw => 10,
            Self::HeadRoll => 11,
            Self::HeadFollow => 12,
            Self::Balance => 13,
            Self::Arm(Side::Left, dial) => BODY + dial as usize,
            Self::Arm(Side::Right, dial) => BODY + ARM + dial as usize,
        }
    }
}

/// All channels over all frames.
#[derive(Debug)]
pub(super) struct Channels {
    frames: Vec<[f32; COUNT]>,
}

impl Channels {
    pub(super) fn new(frames: usize) -> Self {
        Self { frames: vec![[0.0; COUNT]; frames] }
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn get(&self, frame: usize, channel: Channel) -> f32 {
        self.frames[frame][channel.index()]
    }

    /// Adds a curve through `(time, value)` keys with minimum-jerk interpolation. Before the first
    /// and after the last key, their values hold.
    pub(super) fn add(&mut self, channel: Channel, keys: &[(f32, f32)]) {
        let index = channel.index();
        for (frame, row) in self.frames.iter_mut().enumerate() {
            row[index] += between_keys(keys, frame as f32 * FRAME_S);
        }
    }

    /// Adds `value`, faded in over `fade_in` and out over `fade_out`.
    pub(super) fn add_held(
        &mut self,
        channel: Channel,
        value: f32,
        fade_in: (f32, f32),
        fade_out: (f32, f32),
    ) {
        let keys = [(fade_in.0, 0.0), (fade_in.1, value), (fade_out.0, value), (fade_out.1, 0.0)];
        self.add(channel, &keys);
    }

    /// Adds a function of time between two times.
    pub(super) fn add_with(
        &mut self,
        channel: Channel,
        from_s: f32,
        to_s: f32,
        value: impl Fn(f32) -> f32,
    ) {
        let index = channel.index();
        let first = first_frame(from_s);
        for (frame, row) in self.frames.iter_mut().enumerate().skip(first) {
            let time_s = frame as f32 * FRAME_S;
            if time_s > to_s {
                break;
            }
            row[index] += value(time_s);
        }
    }

    /// Retimes trunk, head and arms: each frame gets the values of the time that `time_s` returns
    /// for it.
    pub(super) fn retime_upper_body(&mut self, time_s: impl Fn(f32) -> f32) {
        let upper = [
            Channel::SpinePitch,
            Channel::SpineYaw,
            Channel::SpineRoll,
            Channel::HeadPitch,
            Channel::HeadYaw,
            Channel::HeadRoll,
        ];
        let arms = BODY..COUNT;
        let places: Vec<usize> = upper.into_iter().map(Channel::index).chain(arms).collect();
        let before = self.frames.clone();
        for (frame, row) in self.frames.iter_mut().enumerate() {
            let at =
                (time_s(frame as f32 * FRAME_S) / FRAME_S).clamp(0.0, before.len() as f32 - 1.0);
            let (first, share) = (at.floor() as usize, at.fract());
            let next = (first + 1).min(before.len() - 1);
            for place in &places {
                let (from, to) = (before[first][*place], before[next][*place]);
                row[*place] = from + (to - from) * share;
            }
        }
    }

    /// Adds to one channel in one frame.
    pub(super) fn nudge(&mut self, frame: usize, channel: Channel, value: f32) {
        self.frames[frame][channel.index()] += value;
    }
}

/// The value of a keyed curve at a time, with minimum-jerk interpolation.
pub(super) fn between_keys(keys: &[(f32, f32)], time_s: f32) -> f32 {
    let Some(first) = keys.first() else { return 0.0 };
    if time_s <= first.0 {
        return first.1;
    }
    for pair in keys.windows(2) {
        let ((from_s, from), (to_s, to)) = (pair[0], pair[1]);
        if time_s < to_s {
            let amount = (time_s - from_s) / (to_s - from_s).max(1e-4);
            return from + (to - from) * minimum_jerk(amount);
        }
    }
    keys[keys.len() - 1].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_of_different_acts_add_up_and_hold_their_last_value() {
        let mut channels = Channels::new(60);
        channels.add(Channel::SpinePitch, &[(0.5, 0.0), (1.0, 0.4)]);
        channels.add(Channel::SpinePitch, &[(0.5, 0.0), (1.0, 0.2), (1.5, 0.0)]);
        assert_eq!(channels.get(0, Channel::SpinePitch), 0.0);
        assert!((channels.get(30, Channel::SpinePitch) - 0.6).abs() < 1e-5);
        assert!((channels.get(59, Channel::SpinePitch) - 0.4).abs() < 1e-5);
    }
}
