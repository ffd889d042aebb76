//! The script: what a prompt means, before anything moves.

use std::collections::BTreeMap;

use crate::{Action, Intensity, Manner};

/// Which side an action is done with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SideChoice {
    /// The character's own left.
    Left,
    /// The character's own right.
    Right,
    /// Both at once, or alternating where both at once is impossible.
    Both,
}

/// Where a movement goes, seen from the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of directions say it all")]
pub enum Direction {
    Forward,
    Backward,
    Left,
    Right,
    Up,
    Down,
}

/// The course of a locomotion over the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Path {
    /// Along a line.
    Straight,
    /// Around a full circle (`turns` of them), turning to this side.
    Circle {
        /// Which way the path bends.
        side: limber_animation::Side,
        /// How many times around.
        turns: f32,
    },
    /// There and back, turning around in between.
    BackAndForth,
    /// Along a shape.
    Drawn {
        /// The shape.
        shape: Shape,
        /// Which way it bends first.
        side: limber_animation::Side,
    },
}

/// What a way over the ground looks like from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of shapes say it all")]
pub enum Shape {
    Arc,
    SCurve,
    /// Around things in a row.
    Slalom,
    Zigzag,
    FigureEight,
    Square,
    SpiralInward,
    SpiralOutward,
}

impl Shape {
    /// All of them with their names in a script's text form.
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

/// Speed relative to how people usually do it: 1 is usual, 0.6 slow, 1.5 quick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempo(pub f32);

/// How far or how much, when the prompt says so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// Metres along the ground.
    Metres(f32),
    /// Steps on foot.
    Steps(u32),
    /// Seconds.
    Seconds(f32),
}

/// The part of the body an act needs, which decides what can be layered over what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// Legs and travel; arms only swing along.
    Locomotion,
    /// The whole body in place.
    Whole,
    /// Arms and torso; legs are free.
    Upper,
    /// The head only.
    Head,
}

/// How high a part of the body goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// Told by a mark of the body.
    Mark(limber_script::Height),
    /// Metres above the floor.
    Metres(f32),
}

/// What a part of the body goes for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AimedAt {
    /// A part of the own body, and which of two.
    Part(limber_script::BodyPart, Option<limber_script::Side>),
    /// Something in the world.
    Thing(limber_script::Target),
}

/// What is said of an act in the words of motion scripts; most of it suits movements that are told by a part of the
/// body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    /// Whereto, in more words than an act has.
    pub direction: Option<limber_script::Direction>,
    /// What it goes for.
    pub aim: Option<AimedAt>,
    /// How high.
    pub height: Option<Level>,
    /// How large; 1 is usual.
    pub size: Option<f32>,
    /// How forceful; 1 is usual.
    pub force: Option<f32>,
    /// Both sides, one after the other.
    pub alternates: bool,
    /// The posture it is done in, where its action does not say.
    pub posture: Option<limber_script::Posture>,
    /// How its repetitions follow each other; evenly where nothing is said.
    pub rhythm: Option<limber_script::Rhythm>,
    /// The clip begins in it: nothing leads to it.
    pub at_once: bool,
    /// The clip goes round: told of the act it begins with.
    pub goes_round: bool,
    /// It does not go back: the clip ends in it.
    pub stays: bool,
    /// It does not stop: the clip ends in the middle of it.
    pub goes_on: bool,
}

/// One action with everything the prompt said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    /// What is done.
    pub action: Action,
    /// How often; `None` when the prompt does not say.
    pub count: Option<u32>,
    /// With which side; `None` leaves it to the seed.
    pub side: Option<SideChoice>,
    /// Whereto; `None` means the action's usual direction.
    pub direction: Option<Direction>,
    /// By how much to turn, radians, always positive; the side says whereto (left = anticlockwise
    /// seen from above). Where a turn is asked for, `None` means the usual quarter turn.
    pub angle_rad: Option<f32>,
    /// The course of a locomotion.
    pub path: Path,
    /// How far.
    pub amount: Option<Amount>,
    /// How fast.
    pub tempo: Tempo,
    /// How, and how much so.
    pub manners: BTreeMap<Manner, Intensity>,
    /// What else is said where the action is a movement told by a part of the body.
    pub measures: Measures,
}

impl Act {
    /// The action, done as usual.
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

/// What happens at one time: a main act, and others laid over it ("walks while waving").
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Decides what the legs do.
    pub main: Act,
    /// Done at the same time by other parts of the body.
    pub overlays: Vec<Act>,
}

impl Step {
    /// All of them, the main one first.
    pub(crate) fn acts(&self) -> impl Iterator<Item = &Act> {
        std::iter::once(&self.main).chain(&self.overlays)
    }
}

/// A prompt's meaning: steps, one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionScript {
    /// In the order they happen; never empty.
    pub steps: Vec<Step>,
}

impl MotionScript {
    /// Whether its last frame leads to its first.
    #[must_use]
    pub fn goes_round(&self) -> bool {
        self.steps.first().is_some_and(|step| step.main.measures.goes_round)
    }
}
