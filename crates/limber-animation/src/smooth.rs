//! Easing curves. All map 0..1 to 0..1 and clamp their argument.

/// Hermite smoothstep: zero velocity at both ends.
#[must_use]
pub fn smoothstep(amount: f32) -> f32 {
    let x = amount.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Minimum-jerk profile of human reaching (Flash & Hogan 1985): zero velocity and acceleration at
/// both ends.
#[must_use]
pub fn minimum_jerk(amount: f32) -> f32 {
    let x = amount.clamp(0.0, 1.0);
    x * x * x * (10.0 + x * (6.0 * x - 15.0))
}
