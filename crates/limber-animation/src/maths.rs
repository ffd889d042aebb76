//! The functions of mathematics whose last digits differ from one C library to the next.
//!
//! The standard library takes these from the system, so that a clip made on Windows would differ from the
//! same clip made on Linux. These come from Rust's own `libm`, which is compiled along: the same argument
//! gives the same bits on every system. What moves or measures a body calls them from here; `glam` calls
//! the same ones. Square roots and powers with whole exponents are the processor's and the same everywhere.
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

/// Sine and cosine of an angle, in less time than both take one after the other.
#[inline]
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// The angle in `-π/2 ..= π/2` with this sine; not a number beyond `-1 ..= 1`.
#[inline]
#[must_use]
pub fn asin(sine: f32) -> f32 {
    libm::asinf(sine)
}

/// The angle in `0 ..= π` with this cosine; not a number beyond `-1 ..= 1`.
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

/// e to the power of `exponent`.
#[inline]
#[must_use]
pub fn exp(exponent: f32) -> f32 {
    libm::expf(exponent)
}

/// The natural logarithm; not a number below zero.
#[inline]
#[must_use]
pub fn ln(number: f32) -> f32 {
    libm::logf(number)
}

/// `base` to the power of `exponent`.
#[inline]
#[must_use]
pub fn powf(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// The length of the hypotenuse over two legs.
#[inline]
#[must_use]
pub fn hypot(one: f32, other: f32) -> f32 {
    libm::hypotf(one, other)
}
