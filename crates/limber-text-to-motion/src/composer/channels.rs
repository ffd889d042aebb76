//! Channels: the body's dials, one number per dial and frame. Acts add curves to them; curves of
//! different acts sum up, so nothing needs to know what else is going on.

use limber_animation::{Side, smooth::minimum_jerk};

use super::frames::{FRAME_S, first_frame};

/// A dial. Angles in radians, lengths in metres. Seen from the body: x to its left, y up, z ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// Pelvis beside the root's place on the ground.
    PelvisX,
    /// Pelvis above its place at rest.
    PelvisY,
    /// Pelvis ahead of the root's place on the ground.
    PelvisZ,
    /// Pelvis tipped forwards.
    PelvisPitch,
    /// Pelvis turned to the left.
    PelvisYaw,
    /// Left hip up.
    PelvisRoll,
    /// Spine bent forwards, from pelvis to upper chest.
    SpinePitch,
    /// Spine twisted to the left.
    SpineYaw,
    /// Spine bent to the right: left shoulder up.
    SpineRoll,
    /// Head bowed.
    HeadPitch,
    /// Head turned to the left.
    HeadYaw,
    /// Head tilted to the right.
    HeadRoll,
    /// How far the head goes along with the chest: 0 looks steadily ahead, 1 is fixed to it.
    HeadFollow,
    /// How far the pelvis moves over the foot that bears: 0 not at all, 1 fully.
    Balance,
    /// One dial of an arm that does nothing in particular.
    Arm(Side, ArmDial),
}

/// The dials of an arm that hangs or swings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArmDial {
    /// Upper arm forwards.
    Flex,
    /// Upper arm away from the body.
    Out,
    /// Upper arm rolled inwards about itself.
    Twist,
    /// Elbow bent.
    Elbow,
    /// Thumb rolled towards the body.
    Pronate,
    /// Wrist bent towards the palm.
    Wrist,
    /// Shoulder up.
    Shrug,
    /// Fingers closed: 0 relaxed, 1 fist.
    Grip,
    /// Shoulder up, also while the hand goes for a goal.
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

/// All dials over all frames.
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

    /// Adds a curve through `(time, value)` keys, minimum-jerk in between. Before the first key
    /// its value holds, after the last the last one's.
    pub(super) fn add(&mut self, channel: Channel, keys: &[(f32, f32)]) {
        let index = channel.index();
        for (frame, row) in self.frames.iter_mut().enumerate() {
            row[index] += between_keys(keys, frame as f32 * FRAME_S);
        }
    }

    /// Adds `value` that fades in over `fade_in`, and out over `fade_out`.
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

    /// Lets trunk, head and arms be at each frame's time where they would be at another one.
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

    /// Adds to one dial in one frame.
    pub(super) fn nudge(&mut self, frame: usize, channel: Channel, value: f32) {
        self.frames[frame][channel.index()] += value;
    }
}

/// The value of a keyed curve at a time, minimum-jerk between keys.
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
    fn curves_of_different_acts_sum_up_and_hold_their_last_value() {
        let mut channels = Channels::new(60);
        channels.add(Channel::SpinePitch, &[(0.5, 0.0), (1.0, 0.4)]);
        channels.add(Channel::SpinePitch, &[(0.5, 0.0), (1.0, 0.2), (1.5, 0.0)]);
        assert_eq!(channels.get(0, Channel::SpinePitch), 0.0);
        assert!((channels.get(30, Channel::SpinePitch) - 0.6).abs() < 1e-5);
        assert!((channels.get(59, Channel::SpinePitch) - 0.4).abs() < 1e-5);
    }
}
