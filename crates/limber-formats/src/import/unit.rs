//! Determines the unit of a character.

use super::ImportError;

/// Returns the factor that converts the body to metres, given its height in the declared unit, and
/// a warning if the unit had to be guessed.
pub(super) fn scale(height: f32) -> Result<(f32, Option<String>), ImportError> {
    let (scale, meant) = match height {
        0.3..=10.0 => return Ok((1.0, None)),
        30.0..=1_000.0 => (0.01, "centimetres"),
        1_000.0.. => (0.001, "millimetres"),
        0.003..=0.03 => (100.0, "hundreds of metres"),
        _ => return Err(ImportError::UnknownUnit((height * 1_000.0).round() / 1_000.0)),
    };
    let made = height * scale;
    if !(0.3..=10.0).contains(&made) {
        return Err(ImportError::UnknownUnit(height));
    }
    let text = format!(
        "the character would be {height:.3} m tall, so its numbers were read as {meant}, which \
         makes it {made:.2} m tall"
    );
    Ok((scale, Some(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plausible_heights_are_kept_and_wrong_units_corrected() {
        for (height, factor) in
            [(0.3, 1.0), (1.7, 1.0), (10.0, 1.0), (170.0, 0.01), (1_700.0, 0.001), (0.017, 100.0)]
        {
            let (scale, warning) = scale(height).expect("the height is that of a person");
            assert_eq!(scale, factor, "{height}");
            assert_eq!(warning.is_some(), factor != 1.0);
        }
    }

    #[test]
    fn heights_that_fit_no_unit_are_rejected() {
        for height in [0.0, 0.001, 0.1, 20.0, 20_000.0, f32::NAN, f32::INFINITY] {
            let error = scale(height).expect_err("no person is that tall");
            assert_eq!(error.code(), 909, "{height}");
        }
    }
}
