//! Error codes of failed jobs, as clients know them.

use std::fmt;

/// A numeric error code that clients branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ErrorCode(u16);

/// Whether a retry may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// No: the same input fails again.
    Never,
    /// One retry is worth it.
    Once,
    /// Yes: the cause is external and may go away.
    Yes,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $retry:ident, $sentence:literal;)*) => {
        impl ErrorCode {
            $($(#[$doc])* #[doc = $sentence] pub const $name: Self = Self($number);)*

            /// All codes in ascending order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the meaning of the code as worded in the service's table.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self.0 {
                    $($number => $sentence,)*
                    _ => "Unknown pipeline error",
                }
            }

            /// Returns whether a retry may help.
            #[must_use]
            pub const fn retry(self) -> Retry {
                match self.0 {
                    $($number => Retry::$retry,)*
                    _ => Retry::Never,
                }
            }
        }
    };
}

codes! {
    CREDIT = 101, Never, "Not enough credit";
    INPUT = 494, Never, "Invalid pipeline input";
    UNKNOWN = 498, Yes, "Unknown pipeline error";
    GENERATE = 501, Once, "Error while generating motion";
    GENERATE_PARAMETERS = 502, Never, "Error parsing motion generation parameters";
    GENERATE_TIMEOUT = 599, Once, "Motion generation timeout";
    TRACKING_PARAMETERS = 603, Never, "Error processing pose tracking parameters";
    TRACKING_LOAD = 604, Yes, "Error loading animation data for pose tracking";
    PHYSICS_INCOMPATIBLE = 605, Never, "Physics filter incompatible with the custom character";
    TRACKING = 607, Once, "Error while processing body tracking";
    TRACKING_SAVE = 610, Yes, "Error saving pose tracking intermediate results";
    TRACKING_TIMEOUT = 699, Once, "Pose tracking timeout";
    CORRECTION_PARAMETERS = 703, Never, "Error processing pose correction parameters";
    CORRECTION_LOAD = 704, Yes, "Error loading character animation assets for pose correction";
    CORRECTION_SAVE = 710, Yes, "Error saving pose correction intermediate results";
    CORRECTION_TIMEOUT = 799, Once, "Pose correction timeout";
    BVH_PARAMETERS = 803, Never, "Error processing bvh exporter parameters";
    BVH_LOAD = 804, Yes, "Error loading character animation assets for bvh export";
    BVH_SAVE = 810, Yes, "Error saving bvh results";
    BVH_TIMEOUT = 899, Once, "Bvh export timeout";
    CHARACTER_MESH = 901, Never, "Error loading the mesh of the custom character";
    CHARACTER_SKELETON = 902, Never, "Error loading the BVH custom character";
    RETARGET = 903, Never, "Error copying animations onto the custom character";
    EXPORT = 904, Once, "Error exporting animations for the custom character";
    NO_SKIN = 905, Never, "Custom character has no skinned mesh information";
    FACE_SHAPES = 906, Never, "More than half of the required blendshapes are missing";
    FACE_DEFINITION = 907, Never, "Error loading facial definition of the custom character";
    FACE_TRACKING = 908, Yes, "Error loading facial tracking data";
    CHARACTER_METADATA = 909, Never, "Error loading metadata of the custom character";
    BAKE_TIMEOUT = 999, Once, "Animation baking timeout";
    STUCK = 1101, Yes, "Process stuck";
    RENDER_PARAMETERS = 1102, Never, "Invalid input parameter";
    RENDER_CHARACTER = 1105, Yes, "Failed to load input character";
    RENDER_CLIP = 1106, Never, "Failed to attach animation to character";
    RENDER_BACKDROP = 1107, Never, "Failed to configure backdrop";
}

impl ErrorCode {
    /// Returns the number that clients see.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns the code with this number, if it exists.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.0 == number)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_35_codes_in_order_with_messages() {
        assert_eq!(ErrorCode::ALL.len(), 35);
        assert!(ErrorCode::ALL.windows(2).all(|pair| pair[0] < pair[1]));
        for code in ErrorCode::ALL {
            assert_eq!(ErrorCode::from_number(code.number()), Some(*code));
            assert!(!code.sentence().is_empty());
        }
        assert_eq!(ErrorCode::from_number(500), None);
    }
}
