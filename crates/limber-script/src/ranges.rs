//! Numbers that are checked against an allowed range.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

/// Why a number is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum OutOfRange {
    /// Too small, or NaN.
    #[error("{value} is below {least}")]
    Below {
        /// The number.
        value: f64,
        /// The smallest allowed number.
        least: f64,
    },
    /// Too large.
    #[error("{value} is above {most}")]
    Above {
        /// The number.
        value: f64,
        /// The largest allowed number.
        most: f64,
    },
    /// A fraction where a whole number is required.
    #[error("{value} is not a whole number")]
    Fraction {
        /// The number.
        value: f64,
    },
}

fn check(value: f64, least: f64, most: f64) -> Result<(), OutOfRange> {
    if value > most {
        return Err(OutOfRange::Above { value, most });
    }
    // NaN fails this comparison
    if value >= least { Ok(()) } else { Err(OutOfRange::Below { value, least }) }
}

/// A whole number within a range. In JSON and its schemas, 3.0 is a whole number too.
pub(crate) fn whole_within(value: f64, least: f64, most: f64) -> Result<u32, OutOfRange> {
    check(value, least, most)?;
    if value.fract() == 0.0 { Ok(value as u32) } else { Err(OutOfRange::Fraction { value }) }
}

/// Declares number types with a unit and a range; those marked `whole` are integers.
macro_rules! ranges {
    ($($(#[$doc:meta])* $name:ident: $kind:tt $number:ty, $least:literal to $most:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
        #[serde(transparent)]
        pub struct $name($number);

        impl $name {
            /// The smallest allowed number.
            pub const LEAST: $number = $least;
            /// The largest allowed number.
            pub const MOST: $number = $most;

            /// Checks that the number is within the range.
            ///
            /// # Errors
            /// [`OutOfRange`] says why it is not.
            pub fn new(value: $number) -> Result<Self, OutOfRange> {
                check(value.into(), Self::LEAST.into(), Self::MOST.into())?;
                Ok(Self(value))
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> $number {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let value = f64::deserialize(from)?;
                let taken = ranges!(@take $kind value, Self::LEAST.into(), Self::MOST.into());
                taken.map(Self).map_err(de::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": ranges!(@json $kind),
                    "minimum": $least,
                    "maximum": $most,
                })
            }
        }
    )+};
    (@json whole) => { "integer" };
    (@json real) => { "number" };
    (@take whole $value:ident, $least:expr, $most:expr) => {
        whole_within($value, $least, $most)
    };
    (@take real $value:ident, $least:expr, $most:expr) => {
        check($value, $least, $most).map(|()| $value)
    };
}

ranges! {
    /// A number of repetitions or steps.
    Count: whole u32, 1 to 200;
    /// A duration in seconds.
    Duration: real f64, 0.03 to 600.0;
    /// A distance along the ground or a height above the floor, metres.
    Distance: real f64, 0.0 to 200.0;
    /// An angle in degrees, always positive; a side or direction gives its sense. At most ten full
    /// turns.
    Angle: real f64, 1.0 to 3600.0;
    /// Beats per minute, of music or of steps.
    BeatsPerMinute: real f64, 20.0 to 300.0;
    /// A factor for size or force: 1 is usual, 0.25 is barely noticeable, 2 is the most a body can
    /// do.
    Factor: real f64, 0.25 to 2.0;
    /// A factor for speed: 1 is usual.
    Speed: real f64, 0.25 to 4.0;
    /// The intensity of a manner: 1 is clear, 0.5 slight, 2 exaggerated.
    Intensity: real f64, 0.1 to 2.0;
}

impl Intensity {
    /// The usual intensity, 1.
    pub const CLEARLY: Self = Self(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_out_of_range_number_says_what_is_allowed() {
        let told =
            |value: f64| Count::deserialize(serde_json::json!(value)).unwrap_err().to_string();
        assert_eq!(told(0.0), "0 is below 1");
        assert_eq!(told(1000.0), "1000 is above 200");
        assert_eq!(told(1.5), "1.5 is not a whole number");
        assert_eq!(Factor::new(f64::NAN).unwrap_err().to_string(), "NaN is below 0.25");
        assert!(Factor::new(f64::INFINITY).is_err());
        assert_eq!(Count::deserialize(serde_json::json!(3.0)).unwrap().get(), 3);
    }
}
