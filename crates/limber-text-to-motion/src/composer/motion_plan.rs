//! The motion plan: what all acts so far do, and the state of the body where the next act starts.

use glam::{Quat, Vec2, Vec3};
use limber_animation::Side;

use super::{
    arms::{ArmLayer, HandGoal, Reach},
    channels::{ArmDial, Channel, Channels},
    feet::{FootTrack, Plant, Swing},
    life::{self, JerkyInterval},
    score::Homes,
    style::{Style, VariationParams},
};

/// The support of the body; acts that need another one change it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Posture {
    Standing,
    Sitting,
    Crouching,
    /// A posture defined in `assets/scores`, by its index.
    Held(u8),
}

/// Timing of a step in place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stepping {
    /// Time before take-off at which the heel starts to rise.
    pub(super) rise_s: f32,
    /// Time after landing until the foot is flat.
    pub(super) flat_s: f32,
    /// Time for shifting weight off and onto the foot.
    pub(super) shift_s: f32,
    pub(super) roll_in: f32,
    pub(super) roll_out: f32,
    pub(super) lift: f32,
}

impl Stepping {
    /// A small step in place.
    pub(super) const SMALL: Self = Self {
        rise_s: 0.14,
        flat_s: 0.07,
        shift_s: 0.22,
        roll_in: -0.06,
        roll_out: 0.42,
        lift: 0.035,
    };
}

/// The current stride of a body that moves on without a stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stride {
    /// The foot in the air.
    pub(super) aloft: Side,
    /// Landing time of the other foot.
    pub(super) landed_s: f32,
    pub(super) speed_m_s: f32,
}

/// The motion of all acts so far, and the state at their end.
#[derive(Debug)]
pub(super) struct MotionPlan {
    pub(super) channels: Channels,
    pub(super) feet: [FootTrack; 2],
    /// Path of the body: `(time, position, heading)`.
    pub(super) course: Vec<(f32, Vec2, f32)>,
    /// Height of the floor below the body, if it changes: `(time, height)`.
    pub(super) climb: Vec<(f32, f32)>,
    pub(super) arms: Vec<ArmLayer>,
    pub(super) variation: VariationParams,
    pub(super) posture: Posture,
    /// Indices of arm layers that stay until the posture changes.
    pub(super) resting_arms: Vec<usize>,
    /// The same for postures defined in `assets/scores`, one entry for each that was entered.
    pub(super) held_arms: Vec<Vec<usize>>,
    /// Position and yaw of both feet before such a posture.
    pub(super) homes: Option<Homes>,
    /// How much lower than usual the performer crouches, metres.
    pub(super) crouched_lower: f32,
    /// End time of the plans.
    pub(super) now: f32,
    pub(super) place: Vec2,
    pub(super) heading: f32,
    /// Set in mid-stride, with one foot in the air that the next act puts down.
    pub(super) stride: Option<Stride>,
    /// When the feet are free for the next act, if arms and trunk are busy for longer.
    pub(super) feet_free_s: Option<f32>,
    /// Whether something has already been performed, or the clip starts in the middle of an act, so
    /// that the next act starts without a pause.
    pub(super) is_under_way: bool,
    /// Whether a loop will be cut out of it.
    pub(super) goes_round: bool,
    /// Time ranges in which trunk, head and arms move jerkily.
    pub(super) jerky: Vec<JerkyInterval>,
}

impl MotionPlan {
    /// A body standing over the origin.
    pub(super) fn new(frames: usize, variation: VariationParams) -> Self {
        let stagger = 0.075 * variation.stagger;
        let feet = Side::BOTH.map(|side| {
            let place = Vec2::new(side.sign() * variation.stance_half_m(), side.sign() * stagger);
            FootTrack::new(place, side.sign() * variation.toe_out_rad())
        });
        Self {
            channels: Channels::new(frames),
            feet,
            course: vec![(0.0, Vec2::ZERO, 0.0)],
            climb: vec![(0.0, 0.0)],
            arms: Vec::new(),
            variation,
            posture: Posture::Standing,
            resting_arms: Vec::new(),
            held_arms: Vec::new(),
            homes: None,
            crouched_lower: 0.0,
            now: 0.0,
            place: Vec2::ZERO,
            heading: 0.0,
            stride: None,
            feet_free_s: None,
            is_under_way: false,
            goes_round: false,
            jerky: Vec::new(),
        }
    }

    /// How long the performer waits before starting an act, 0 to 1; zero while under way.
    pub(super) fn patience(&self) -> f32 {
        /// Animators trim whatever stands still before the first movement.
        const MOST: f32 = 0.5;
        if self.is_under_way { 0.0 } else { MOST * self.variation.patience.max(0.0) }
    }

    /// Adds a curve to a channel.
    pub(super) fn turn(&mut self, channel: Channel, keys: &[(f32, f32)]) {
        self.channels.add(channel, keys);
    }

    /// Adds a curve to the same channel of both arms.
    pub(super) fn turn_arms(&mut self, dial: ArmDial, keys: &[(f32, f32)]) {
        for side in Side::BOTH {
            self.channels.add(Channel::Arm(side, dial), keys);
        }
    }

    /// Gives an arm a goal between two fades.
    pub(super) fn hold(
        &mut self,
        side: Side,
        fade_in: (f32, f32),
        fade_out: (f32, f32),
        goal: impl Fn(f32, &Reach) -> HandGoal + Send + 'static,
    ) {
        self.arms.push(ArmLayer { side, fade_in, fade_out, goal: Box::new(goal) });
    }

    /// Adds a point to the body's path.
    pub(super) fn go(&mut self, time_s: f32, place: Vec2, heading: f32) {
        self.course.push((time_s, place, heading));
        self.place = place;
        self.heading = heading;
    }

    /// Position of a foot when the body stands at `place`, facing `heading`.
    pub(super) fn home(
        &self,
        side: Side,
        place: Vec2,
        heading: f32,
        half_width: f32,
    ) -> (Vec2, f32) {
        let offset = rotated(Vec2::new(side.sign() * half_width, 0.0), heading);
        (place + offset, heading + side.sign() * self.variation.toe_out_rad())
    }

    /// One step of one foot, which is off the floor between two times.
    pub(super) fn step(
        &mut self,
        side: Side,
        (off_s, on_s): (f32, f32),
        (place, yaw): (Vec2, f32),
        how: Stepping,
    ) {
        let track = &mut self.feet[side as usize];
        track.leave(off_s - how.rise_s, off_s, how.roll_out, how.shift_s);
        track.land(Plant {
            on_s,
            flat_s: on_s + how.flat_s,
            roll_in: how.roll_in,
            load_s: how.shift_s,
            arrival: Swing::low(how.lift),
            ..Plant::standing(place, yaw)
        });
    }

    /// Applies the posture of a style between two times.
    pub(super) fn wear(&mut self, style: &Style, from_s: f32, to_s: f32) {
        let fade = 0.45_f32.min(0.4 * (to_s - from_s));
        let around = |time_s: f32| (time_s - 0.5 * fade, time_s + 0.5 * fade);
        let (fade_in, fade_out) = (around(from_s), around(to_s));
        let mut add = |channel, value| {
            if value != 0.0 {
                self.channels.add_held(channel, value, fade_in, fade_out);
            }
        };
        add(Channel::SpinePitch, 0.8 * style.hunch);
        add(Channel::PelvisPitch, 0.2 * style.hunch);
        add(Channel::PelvisZ, -0.10 * style.hunch);
        add(Channel::HeadPitch, style.head);
        add(Channel::PelvisY, -style.sink);
        for side in Side::BOTH {
            add(Channel::Arm(side, ArmDial::Shrug), style.shrug);
            add(Channel::Arm(side, ArmDial::Out), style.out);
            add(Channel::Arm(side, ArmDial::Flex), style.arms);
            add(Channel::Arm(side, ArmDial::Elbow), style.elbow);
            add(Channel::Arm(side, ArmDial::Grip), style.grip);
        }
        if style.tremor > 0.0 {
            life::tremble(self, style.tremor, (from_s, to_s));
        }
        if style.jerk > 0.0 {
            self.jerky.push(JerkyInterval { from_s, to_s, much: style.jerk });
        }
    }

    /// A position on the floor relative to the body: left, ahead.
    pub(super) fn ahead(&self, left: f32, ahead: f32) -> Vec2 {
        self.place + rotated(Vec2::new(left, ahead), self.heading)
    }

    /// A position relative to the body: left, height, ahead.
    pub(super) fn in_front(&self, left: f32, height: f32, ahead: f32) -> Vec3 {
        let ground = self.ahead(left, ahead);
        Vec3::new(ground.x, height, ground.y)
    }
}

/// A horizontal vector (x, z) rotated to the left by an angle.
pub(super) fn rotated(vector: Vec2, yaw: f32) -> Vec2 {
    let turned = Quat::from_rotation_y(yaw) * Vec3::new(vector.x, 0.0, vector.y);
    Vec2::new(turned.x, turned.z)
}
