//! The trajectory of a foot in the air, relative to the default trajectory.

/// Deviation of a swing from the default trajectory: three amounts, early, in the middle and late,
/// which are weights of the Bernstein polynomials 2 to 4 of degree 6. These start and end at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::composer) struct SwingShape {
    /// Further along, as a share of the distance; negative lags behind.
    pub(in crate::composer) along: [f32; 3],
    /// Additional height, metres.
    pub(in crate::composer) up_m: [f32; 3],
    /// Additional pitch, radians, toes down positive.
    pub(in crate::composer) pitch: [f32; 3],
}

impl SwingShape {
    /// The default trajectory.
    pub(in crate::composer) const EVEN: Self =
        Self { along: [0.0; 3], up_m: [0.0; 3], pitch: [0.0; 3] };

    /// The deviation scaled by `amount`, except along the path.
    pub(in crate::composer) fn times(self, amount: f32) -> Self {
        let times = |values: [f32; 3]| values.map(|value| amount * value);
        Self { along: self.along, up_m: times(self.up_m), pitch: times(self.pitch) }
    }

    /// The value of one of the three curves at share `u` of the swing, 0 to 1.
    pub(super) fn at(amounts: [f32; 3], u: f32) -> f32 {
        let (u, v) = (u.clamp(0.0, 1.0), (1.0 - u).clamp(0.0, 1.0));
        let weights = [15.0 * v * v, 20.0 * u * v, 15.0 * u * u];
        let sum: f32 = amounts.iter().zip(weights).map(|(amount, weight)| amount * weight).sum();
        sum * u * u * v * v
    }
}
