//! Feet that pivot while they carry weight.

use glam::{Quat, Vec3};
use limber_animation::smooth::smoothstep;

use super::{ANKLE_HEIGHT, BALL, FootPose, Plant};

/// A foot that pivots about its ball while it carries weight, or only stands on it.
#[derive(Debug, Clone)]
pub(in crate::composer) struct Spin {
    pub(in crate::composer) from_s: f32,
    /// Angle turned to the left, sampled every 1/120 s.
    pub(in crate::composer) turned: Vec<f32>,
    /// Pitch during the spin, toes down positive, and the time to reach it.
    pub(in crate::composer) on_toes: f32,
    pub(in crate::composer) rise_s: f32,
}

impl Spin {
    /// Samples per second.
    pub(in crate::composer) const STEPS_S: f32 = 120.0;

    pub(super) fn turned(&self, time_s: f32) -> f32 {
        let step = ((time_s - self.from_s) * Self::STEPS_S).max(0.0);
        let last = self.turned.len() - 1;
        let at = |step: usize| self.turned[step.min(last)];
        at(step as usize) + (at(step as usize + 1) - at(step as usize)) * step.fract()
    }

    /// How far the foot is on its toes, 0 to 1.
    pub(super) fn risen(&self, time_s: f32) -> f32 {
        let to_s = self.from_s + self.turned.len() as f32 / Self::STEPS_S;
        smoothstep((time_s - self.from_s) / self.rise_s)
            .min(smoothstep((to_s - time_s) / self.rise_s))
    }
}

impl Plant {
    /// The pose of a foot on its toes that pivots about its stationary ball. While it turns it has
    /// no contact, so that foot lock does not hold it.
    pub(super) fn spinning(&self, spin: &Spin, pitch: f32, time_s: f32) -> FootPose {
        let pitch = pitch.max(spin.on_toes * spin.risen(time_s));
        let yaw = self.yaw + spin.turned(time_s);
        let flat = Vec3::new(self.place.x, self.level + ANKLE_HEIGHT, self.place.y);
        let ball = flat + Quat::from_rotation_y(self.yaw) * BALL;
        let turn = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch);
        FootPose {
            ankle: ball - turn * BALL,
            yaw,
            pitch,
            toe_bend: -pitch,
            heel_down: false,
            // without rotation it stays in contact
            ball_down: spin.turned.iter().all(|turned| *turned == 0.0),
            bearing: 1.0,
            limp: 0.0,
            knee_out: 0.0,
        }
    }
}
