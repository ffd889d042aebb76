//! The composer's script: the meaning of a prompt before any motion is made.

use std::collections::BTreeMap;

use crate::{Action, Intensity, Manner};

/// The side that performs an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SideChoice {
    /// The character's own left.
    Left,
    /// The character's own right.
    Right,
    /// Both at once, or alternating where both at once is impossible.
    Both,
}

/// Direction of a movement, relative to the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Direction {
    Forward,
    Backward,
    Left,
    Right,
    Up,
    Down,
}

/// Path of locomotion over the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Path {
    /// A straight line.
    Straight,
    /// One or more full circles.
    Circle {
        /// The side to which the path turns.
        side: limber_animation::Side,
        /// Number of rounds.
        turns: f32,
    },
    /// There and back, turning around in between.
    BackAndForth,
    /// A shape.
    Drawn {
        /// The shape.
        shape: Shape,
        /// The side to which it bends first.
        side: limber_animation::Side,
    },
}

/// Shape of a path seen from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Shape {
    Arc,
    SCurve,
    /// Around objects in a row.
    Slalom,
    Zigzag,
    FigureEight,
    Square,
    SpiralInward,
    SpiralOutward,
}

impl Shape {
    /// All shapes with their names in the text form of scripts.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Arc, "arc"),
        (Self::SCurve, "s-curve"),
        (Self::Slalom, "slalom"),
        (Self::Zigzag, "zigzag"),
        (Self::FigureEight, "figure-eight"),
        (Self::Square, "square"),
        (Self::SpiralInward, "spiral-inward"),
        (Self::SpiralOutward, "spiral-outward"),
    ];
}

/// Speed relative to the usual: 1 is usual, 0.6 slow, 1.5 fast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempo(pub f32);

/// A distance or duration given in the prompt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// Metres along the ground.
    Metres(f32),
    /// Number of steps.
    Steps(u32),
    /// Duration in seconds.
    Seconds(f32),
}

/// The body region that an act needs, which determines what can be layered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// Legs and root motion; the arms only swing along.
    Locomotion,
    /// The whole body, in place.
    Whole,
    /// Arms and torso; the legs are free.
    Upper,
    /// The head only.
    Head,
}

/// The height that a body part goes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// A height relative to the body.
    Mark(limber_script::Height),
    /// A height above the floor, metres.
    Metres(f32),
}

/// The target of a body part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AimedAt {
    /// A part of the character's own body, with its side.
    Part(limber_script::BodyPart, Option<limber_script::Side>),
    /// An object in the world.
    Thing(limber_script::Target),
}

/// Details of an act in terms of motion scripts; most of them apply to body-part movements.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    /// The direction, where [`Direction`] is too coarse.
    pub direction: Option<limber_script::Direction>,
    /// The target.
    pub aim: Option<AimedAt>,
    /// The height.
    pub height: Option<Level>,
    /// The size; 1 is usual.
    pub size: Option<f32>,
    /// The force; 1 is usual.
    pub force: Option<f32>,
    /// Whether the sides alternate.
    pub alternates: bool,
    /// The posture during the action, if the action itself has none.
    pub posture: Option<limber_script::Posture>,
    /// The rhythm of repetitions; `None` is even.
    pub rhythm: Option<limber_script::Rhythm>,
    /// Whether the clip starts in the middle of the act, without a lead-in.
    pub at_once: bool,
    /// Whether the clip loops; set on the first act.
    pub goes_round: bool,
    /// Whether the clip ends holding the act's last pose.
    pub stays: bool,
    /// Whether the clip ends in the middle of the act.
    pub goes_on: bool,
}

/// An action with everything that the prompt says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    /// The action.
    pub action: Action,
    /// Number of repetitions; `None` if the prompt does not say.
    pub count: Option<u32>,
    /// The side; `None` lets the seed choose.
    pub side: Option<SideChoice>,
    /// The direction; `None` is the action's usual direction.
    pub direction: Option<Direction>,
    /// Angle of a turn, radians, always positive; the side gives its sense (left is
    /// counter-clockwise as seen from above). `None` is the usual quarter turn.
    pub angle_rad: Option<f32>,
    /// The path of locomotion.
    pub path: Path,
    /// The distance or duration.
    pub amount: Option<Amount>,
    /// The speed.
    pub tempo: Tempo,
    /// The manners, each with its intensity.
    pub manners: BTreeMap<Manner, Intensity>,
    /// Further details, mainly of body-part movements.
    pub measures: Measures,
}

impl Act {
    /// The action without any details.
    #[must_use]
    pub const fn new(action: Action) -> Self {
        Self {
            action,
            count: None,
            side: None,
            direction: None,
            angle_rad: None,
            path: Path::Straight,
            amount: None,
            tempo: Tempo(1.0),
            manners: BTreeMap::new(),
            measures: Measures {
                direction: None,
                aim: None,
                height: None,
                size: None,
                force: None,
                alternates: false,
                posture: None,
                rhythm: None,
                at_once: false,
                goes_round: false,
                stays: false,
                goes_on: false,
            },
        }
    }
}

/// Simultaneous acts: a main act with overlays ("walks while waving").
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The act that controls the legs.
    pub main: Act,
    /// Acts of other body parts at the same time.
    pub overlays: Vec<Act>,
}

impl Step {
    /// All acts, the main one first.
    pub(crate) fn acts(&self) -> impl Iterator<Item = &Act> {
        std::iter::once(&self.main).chain(&self.overlays)
    }
}

/// The meaning of a prompt: a sequence of steps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionScript {
    /// In order; never empty.
    pub steps: Vec<Step>,
}

impl MotionScript {
    /// Whether the clip loops.
    #[must_use]
    pub fn goes_round(&self) -> bool {
        self.steps.first().is_some_and(|step| step.main.measures.goes_round)
    }
}
