//! The words of scripts: closed lists, each word with one spelling in JSON and text.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de, de::IntoDeserializer};

/// A word that its list does not contain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is unknown")]
pub struct UnknownWord(String);

/// Reads a word from a string only: serde would also take `{"hold": null}` for `"hold"`, which the
/// schema does not allow.
pub(crate) fn from_text<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let word: de::value::StringDeserializer<D::Error> =
        String::deserialize(from)?.into_deserializer();
    T::deserialize(word)
}

/// Declares a closed list of words as an enum.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
        #[expect(missing_docs, reason = "the words are self-explanatory")]
        pub enum $name {
            $(#[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// All words of the list.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The spelling in JSON and text.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = String::deserialize(from)?;
                word.parse().map_err(|_| de::Error::unknown_variant(&word, &[$($word),+]))
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().find(|word| word.name() == text);
                found.copied().ok_or_else(|| UnknownWord(text.chars().take(60).collect()))
            }
        }
    )+};
}

words! {
    /// Side of the body.
    Side { Left = "left", Right = "right", Both = "both", Alternating = "alternating" }

    /// Direction, relative to the character; rotation directions are as seen from above.
    Direction {
        Forward = "forward",
        Backward = "backward",
        Left = "left",
        Right = "right",
        ForwardLeft = "forward-left",
        ForwardRight = "forward-right",
        BackwardLeft = "backward-left",
        BackwardRight = "backward-right",
        Up = "up",
        Down = "down",
        Clockwise = "clockwise",
        Counterclockwise = "counterclockwise",
        Inward = "inward",
        Outward = "outward",
    }

    /// Height relative to the body.
    Height {
        Floor = "floor",
        Knee = "knee",
        Hip = "hip",
        Chest = "chest",
        Head = "head",
        Overhead = "overhead",
    }

    /// Posture: what supports the body.
    Posture {
        Standing = "standing",
        Crouched = "crouched",
        SeatedOnChair = "seated-on-chair",
        SeatedOnFloor = "seated-on-floor",
        CrossLegged = "cross-legged",
        KneelingOnOne = "kneeling-on-one",
        KneelingOnBoth = "kneeling-on-both",
        LyingOnBack = "lying-on-back",
        LyingOnFront = "lying-on-front",
        LyingOnSide = "lying-on-side",
        AllFours = "all-fours",
        Hanging = "hanging",
        Airborne = "airborne",
    }

    /// Path over the ground.
    Path {
        Straight = "straight",
        Arc = "arc",
        Circle = "circle",
        FigureEight = "figure-eight",
        Zigzag = "zigzag",
        SCurve = "s-curve",
        Square = "square",
        Spiral = "spiral",
        BackAndForth = "back-and-forth",
        Around = "around",
        Between = "between",
        Uphill = "uphill",
        Downhill = "downhill",
        AlongLine = "along-line",
    }

    /// Spacing of repetitions in time.
    Rhythm { Even = "even", Accelerating = "accelerating", Slowing = "slowing", Irregular = "irregular" }

    /// Change of speed within an event.
    SpeedCurve { Steady = "steady", SpeedingUp = "speeding-up", SlowingDown = "slowing-down" }

    /// Size of an object.
    SizeClass { Small = "small", Medium = "medium", Large = "large" }

    /// Style of a movement: a mood, a state or a type of body.
    Manner {
        Happy = "happy",
        Sad = "sad",
        Tired = "tired",
        Angry = "angry",
        Scared = "scared",
        Surprised = "surprised",
        Proud = "proud",
        Shy = "shy",
        Nervous = "nervous",
        Bored = "bored",
        Confident = "confident",
        Playful = "playful",
        Elegant = "elegant",
        Awkward = "awkward",
        Relaxed = "relaxed",
        Tense = "tense",
        Energetic = "energetic",
        Careful = "careful",
        Gentle = "gentle",
        Sneaky = "sneaky",
        Stiff = "stiff",
        Loose = "loose",
        Bouncy = "bouncy",
        Jerky = "jerky",
        Smooth = "smooth",
        Heavy = "heavy",
        Light = "light",
        Drunk = "drunk",
        Dizzy = "dizzy",
        Sick = "sick",
        Hurt = "hurt",
        Limping = "limping",
        Cold = "cold",
        Old = "old",
        Child = "child",
        Robot = "robot",
        Zombie = "zombie",
        Cartoon = "cartoon",
        Military = "military",
        Feminine = "feminine",
        Masculine = "masculine",
        Animal = "animal",
    }

    /// Body part; a side distinguishes left and right.
    BodyPart {
        Head = "head",
        Face = "face",
        Eyes = "eyes",
        Mouth = "mouth",
        Chin = "chin",
        Ear = "ear",
        Neck = "neck",
        Shoulder = "shoulder",
        Arm = "arm",
        UpperArm = "upper-arm",
        Elbow = "elbow",
        Forearm = "forearm",
        Wrist = "wrist",
        Hand = "hand",
        Fist = "fist",
        Fingers = "fingers",
        Thumb = "thumb",
        IndexFinger = "index-finger",
        UpperBody = "upper-body",
        Chest = "chest",
        Back = "back",
        Belly = "belly",
        Waist = "waist",
        Hips = "hips",
        Buttocks = "buttocks",
        Leg = "leg",
        Thigh = "thigh",
        Knee = "knee",
        Shin = "shin",
        Ankle = "ankle",
        Foot = "foot",
        Heel = "heel",
        Toes = "toes",
        WholeBody = "whole-body",
    }

    /// Movement of a body part, where the action has no name of its own.
    Verb {
        Raise = "raise",
        Lower = "lower",
        Stretch = "stretch",
        Bend = "bend",
        Straighten = "straighten",
        Turn = "turn",
        Twist = "twist",
        Tilt = "tilt",
        Lean = "lean",
        Arch = "arch",
        Round = "round",
        Swing = "swing",
        Shake = "shake",
        Tremble = "tremble",
        Circle = "circle",
        Tap = "tap",
        Press = "press",
        Push = "push",
        Pull = "pull",
        Place = "place",
        Hold = "hold",
        Spread = "spread",
        Close = "close",
        Open = "open",
        Clench = "clench",
        Cross = "cross",
        Reach = "reach",
        Touch = "touch",
        Rub = "rub",
        Pat = "pat",
        Point = "point",
        Follow = "follow",
        Look = "look",
        Shrug = "shrug",
        Shift = "shift",
        Sway = "sway",
        Rock = "rock",
        Bounce = "bounce",
        Drag = "drag",
        Slide = "slide",
        Roll = "roll",
        Tuck = "tuck",
        Relax = "relax",
        Tense = "tense",
        Drop = "drop",
    }

    /// Object that a movement is aimed at.
    Target {
        Box = "box",
        Wall = "wall",
        Chair = "chair",
        Bench = "bench",
        Table = "table",
        Bed = "bed",
        Ladder = "ladder",
        Ledge = "ledge",
        Stairs = "stairs",
        Rail = "rail",
        Fence = "fence",
        Rope = "rope",
        Bar = "bar",
        Pole = "pole",
        Tree = "tree",
        Rock = "rock",
        Gap = "gap",
        Door = "door",
        Window = "window",
        Shelf = "shelf",
        Button = "button",
        Lever = "lever",
        Wheel = "wheel",
        Screen = "screen",
        Instrument = "instrument",
        Cart = "cart",
        Ball = "ball",
        Item = "item",
        Person = "person",
        Animal = "animal",
        Opponent = "opponent",
        Camera = "camera",
        Audience = "audience",
        Floor = "floor",
        Ceiling = "ceiling",
        Sky = "sky",
        Water = "water",
        Horizon = "horizon",
    }

    /// Object in the hands, which determines their shape.
    Prop {
        Rifle = "rifle",
        Pistol = "pistol",
        Bow = "bow",
        Crossbow = "crossbow",
        Sword = "sword",
        Greatsword = "greatsword",
        Dagger = "dagger",
        Spear = "spear",
        Staff = "staff",
        Axe = "axe",
        Hammer = "hammer",
        Club = "club",
        Shield = "shield",
        Whip = "whip",
        Wand = "wand",
        Grenade = "grenade",
        Phone = "phone",
        Book = "book",
        Paper = "paper",
        Pen = "pen",
        Cup = "cup",
        Bottle = "bottle",
        Plate = "plate",
        Cutlery = "cutlery",
        Tray = "tray",
        Food = "food",
        Bag = "bag",
        Backpack = "backpack",
        Suitcase = "suitcase",
        Box = "box",
        Baby = "baby",
        Umbrella = "umbrella",
        Cane = "cane",
        Crutch = "crutch",
        Broom = "broom",
        Shovel = "shovel",
        Rake = "rake",
        Saw = "saw",
        Wrench = "wrench",
        Brush = "brush",
        Cloth = "cloth",
        Rope = "rope",
        Chain = "chain",
        Torch = "torch",
        Flag = "flag",
        Camera = "camera",
        Microphone = "microphone",
        Guitar = "guitar",
        Violin = "violin",
        Drumsticks = "drumsticks",
        Racket = "racket",
        Bat = "bat",
        GolfClub = "golf-club",
        Ball = "ball",
        Dumbbell = "dumbbell",
        Barbell = "barbell",
        Oar = "oar",
        FishingRod = "fishing-rod",
        Hat = "hat",
        Coat = "coat",
        Key = "key",
        Coin = "coin",
        Ring = "ring",
        Flower = "flower",
        Bucket = "bucket",
        Hose = "hose",
        Steering = "steering-wheel",
        Reins = "reins",
        Other = "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back() {
        for prop in Prop::ALL {
            assert_eq!(prop.name().parse::<Prop>(), Ok(*prop));
            assert_eq!(serde_json::to_value(prop).unwrap(), prop.name());
        }
        assert_eq!("saber".parse::<Prop>().unwrap_err().to_string(), "\"saber\" is unknown");
    }
}
