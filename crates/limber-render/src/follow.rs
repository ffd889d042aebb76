//! A point that follows another without oscillating.

use glam::Vec3;
use limber_animation::Seconds;

/// A critically damped spring: approaches a resting goal as fast as possible without overshooting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Follow {
    position: Vec3,
    velocity: Vec3,
    stiffness: f32,
}

impl Follow {
    /// Starts at rest. Comes within 10 % of the distance to a resting goal after about `settle_s`.
    #[must_use]
    pub fn new(position: Vec3, settle_s: Seconds) -> Self {
        // (1 + ωt) e^(−ωt) = 0.1 at ωt ≈ 3.9
        Self { position, velocity: Vec3::ZERO, stiffness: 3.9 / settle_s.max(1e-3) }
    }

    /// Returns the current position.
    #[must_use]
    pub const fn position(&self) -> Vec3 {
        self.position
    }

    /// Follows `goal` for `duration_s` and returns the new position. Uses the exact solution, which
    /// is stable for any step length.
    pub fn step(&mut self, goal: Vec3, duration_s: Seconds) -> Vec3 {
        let duration_s = duration_s.max(0.0);
        let away = self.position - goal;
        let pull = self.velocity + away * self.stiffness;
        let decay = (-self.stiffness * duration_s).exp();
        self.position = goal + (away + pull * duration_s) * decay;
        self.velocity = (self.velocity - pull * (self.stiffness * duration_s)) * decay;
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reaches_a_still_target_without_overshoot() {
        let mut follow = Follow::new(Vec3::ZERO, 0.5);
        let mut before = 0.0;
        for _ in 0..120 {
            let x = follow.step(Vec3::X, 1.0 / 60.0).x;
            assert!(x >= before && x <= 1.0 + 1e-5, "{x}");
            before = x;
        }
        assert!(before > 0.999);
    }

    #[test]
    fn one_long_step_equals_many_short_ones() {
        let mut long = Follow::new(Vec3::ZERO, 0.5);
        let mut short = long;
        long.step(Vec3::Z, 0.4);
        for _ in 0..40 {
            short.step(Vec3::Z, 0.01);
        }
        assert!(long.position().abs_diff_eq(short.position(), 1e-4));
    }
}
