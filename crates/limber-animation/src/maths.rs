//! Transcendental functions that give the same result on every system.
//!
//! The standard library takes these functions from the system's C library, where the last digits
//! differ, so that a clip made on Windows would differ from the same clip made on Linux. The
//! functions here come from the `libm` crate, which is compiled into the program: the same argument
//! gives the same bits everywhere. Code that moves or measures a body calls them from here; `glam`
//! calls the same ones. Square roots and integer powers are exact on every processor and need no
//! replacement.
//!
//! Angles are in radians.

/// Sine of an angle.
#[inline]
#[must_use]
pub fn sin(angle: f32) -> f32 {
    libm::sinf(angle)
}

/// Cosine of an angle.
#[inline]
#[must_use]
pub fn cos(angle: f32) -> f32 {
    libm::cosf(angle)
}

/// Sine and cosine of an angle, faster than two separate calls.
#[inline]
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// The angle in `-π/2 ..= π/2` with this sine; NaN outside `-1 ..= 1`.
#[inline]
#[must_use]
pub fn asin(sine: f32) -> f32 {
    libm::asinf(sine)
}

/// The angle in `0 ..= π` with this cosine; NaN outside `-1 ..= 1`.
#[inline]
#[must_use]
pub fn acos(cosine: f32) -> f32 {
    libm::acosf(cosine)
}

/// The angle in `-π/2 ..= π/2` with this tangent.
#[inline]
#[must_use]
pub fn atan(tangent: f32) -> f32 {
    libm::atanf(tangent)
}

/// The angle in `-π ..= π` from the x axis to the point (`x`, `y`).
#[inline]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// e raised to the power of `exponent`.
#[inline]
#[must_use]
pub fn exp(exponent: f32) -> f32 {
    libm::expf(exponent)
}

/// The natural logarithm; NaN below zero.
#[inline]
#[must_use]
pub fn ln(number: f32) -> f32 {
    libm::logf(number)
}

/// `base` raised to the power of `exponent`.
#[inline]
#[must_use]
pub fn powf(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// The length of the hypotenuse of a right triangle with these legs.
#[inline]
#[must_use]
pub fn hypot(one: f32, other: f32) -> f32 {
    libm::hypotf(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checksums of the bits of 300,000 results, recorded on Linux (x86-64) and equal on Windows.
    /// With the standard library, all except that of `hypot` differ between the two.
    #[test]
    fn results_are_bit_identical_on_every_system() {
        let found = [
            sum(|a, _| sin(a)),
            sum(|a, _| cos(a)),
            sum(|a, _| asin(a / 4.0)),
            sum(|a, _| acos(a / 4.0)),
            sum(|a, _| atan(a)),
            sum(atan2),
            sum(|a, _| exp(a)),
            sum(|a, _| ln(a.abs())),
            sum(|a, b| powf(a.abs(), b)),
            sum(hypot),
        ];
        let kept = [
            0xf9f4_8837_4319_f8f9,
            0x3d22_7161_64e5_3f3b,
            0x742b_a03d_5318_5cda,
            0xef73_ba48_99b6_de4d,
            0x9f1b_e143_2afe_173b,
            0x79ac_470d_5f48_547a,
            0x6b5c_d10f_8fcd_97f7,
            0x1116_40f9_fcbc_96d5,
            0x82f4_00dc_1c96_1bed,
            0x89e1_2e5e_9288_b794,
        ];
        assert_eq!(found, kept);
    }

    /// FNV-1a-style checksum of the results for pairs of numbers between −4 and 4.
    fn sum(of: impl Fn(f32, f32) -> f32) -> u64 {
        let mut draw = 12_345_u32;
        let mut number = || {
            draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (draw >> 8) as f32 / (1 << 24) as f32 * 8.0 - 4.0
        };
        (0..300_000).fold(0xcbf2_9ce4_8422_2325, |sum, _| {
            let (one, other) = (number(), number());
            let bits = u64::from(of(one, other).to_bits());
            (sum ^ bits).wrapping_mul(0x100_0000_01b3)
        })
    }

    #[test]
    fn sin_cos_equals_separate_sine_and_cosine() {
        for step in -400..400 {
            let angle = step as f32 * 0.01;
            assert_eq!(sin_cos(angle), (sin(angle), cos(angle)));
        }
    }
}
