//! The format of the files in `assets/scores`.

use limber_animation::maths::cos;
use std::collections::BTreeMap;

use serde::Deserialize;

/// A file of scores and postures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) score: Vec<Written>,
    #[serde(default)]
    pub(super) posture: Vec<WrittenPosture>,
    #[serde(default)]
    pub(super) way: Vec<WrittenWayBetween>,
}

/// A posture that a body can stay in, and the transition to it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPosture {
    pub(super) name: String,
    /// The posture from which it is entered; standing by default.
    pub(super) from: Option<String>,
    /// Whether arms are free for other actions in it.
    #[serde(default)]
    pub(super) hands_free: bool,
    /// The posture to which it is equivalent: after falling on the back, a body gets up as after
    /// lying down.
    pub(super) like: Option<String>,
    pub(super) enter: Vec<WrittenKey>,
    /// The transition back; by default, `enter` reversed.
    #[serde(default)]
    pub(super) leave: Vec<WrittenKey>,
}

/// A direct transition between postures neither of which is entered from the other.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenWayBetween {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) keys: Vec<WrittenKey>,
}

/// An action as key poses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) action: String,
    #[serde(default)]
    pub(super) sides: Sides,
    /// Default number of repetitions of `again`.
    #[serde(default = "once")]
    pub(super) usual: u32,
    /// Maximum number of repetitions to fill time.
    pub(super) most: Option<u32>,
    /// Growth factor from each repetition to the next.
    #[serde(default = "unchanged")]
    pub(super) grows: f32,
    /// Time for returning home, seconds.
    #[serde(default = "home_s")]
    pub(super) home: f32,
    /// Whether, after another action, it holds the pose in which it finds the body.
    #[serde(default)]
    pub(super) keeps: bool,
    /// Whether `end` is a recovery, which is left out if another action follows.
    #[serde(default)]
    pub(super) recovers: bool,
    /// Number of keys of `begin` that are already done after each of these actions.
    #[serde(default)]
    pub(super) after: BTreeMap<String, usize>,
    #[serde(default)]
    pub(super) begin: Vec<WrittenKey>,
    #[serde(default)]
    pub(super) again: Vec<WrittenKey>,
    #[serde(default)]
    pub(super) end: Vec<WrittenKey>,
}

fn once() -> u32 {
    1
}

fn unchanged() -> f32 {
    1.0
}

fn home_s() -> f32 {
    0.7
}

/// The meaning of sides for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sides {
    /// One side leads. "Both" alternates if the action repeats, and otherwise uses both hands.
    #[default]
    One,
    /// Sides alternate unless one is given.
    Alternate,
    /// Both hands do the same at once if both are requested.
    Mirror,
    /// Both sides take part as defined; a given side only selects which leads.
    Together,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenKey {
    /// Time from the previous key, seconds.
    pub(super) takes: f32,
    #[serde(default)]
    pub(super) hold: f32,
    /// By how much the hold may be extended to fill time, seconds.
    #[serde(default)]
    pub(super) stretch: f32,
    #[serde(default)]
    pub(super) ease: Ease,
    pub(super) lead: Option<WrittenHand>,
    pub(super) other: Option<WrittenHand>,
    pub(super) both: Option<WrittenHand>,
    pub(super) head: Option<WrittenHead>,
    pub(super) trunk: Option<WrittenTrunk>,
    pub(super) pelvis: Option<WrittenPelvis>,
    /// Elevation of both shoulders, degrees.
    pub(super) shoulders: Option<f32>,
    /// Elevation of the leading shoulder, degrees.
    pub(super) shoulder: Option<f32>,
    /// How far the leading hand is closed while its arm hangs or swings: 0 relaxed, 1 fist.
    pub(super) grip: Option<f32>,
    pub(super) lead_foot: Option<WrittenFoot>,
    pub(super) other_foot: Option<WrittenFoot>,
    /// Whether it is reached by a leap from both feet onto both feet.
    #[serde(default)]
    pub(super) leap: bool,
    /// Travel of the whole body: out, ahead, centimetres.
    #[serde(default)]
    pub(super) onward: [f32; 2],
}

/// The easing with which a key is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ease {
    /// Minimum jerk, as in human reaching.
    #[default]
    Smooth,
    /// Accelerates most of the way and stops hard, as in a blow.
    Hit,
    /// Accelerates all the way and arrives at full speed, as in a throw. `follow` comes next.
    Strike,
    /// Starts at full speed and decelerates, after `strike`.
    Follow,
    /// Starts at once and arrives gently.
    Snap,
    /// Like a pendulum.
    Swing,
    /// At constant speed.
    Even,
}

impl Ease {
    /// Share of the distance covered after this share of the time.
    pub(super) fn at(self, share: f32) -> f32 {
        let x = share.clamp(0.0, 1.0);
        match self {
            Self::Smooth => limber_animation::smooth::minimum_jerk(x),
            Self::Hit => x * x * x * (4.0 - 3.0 * x),
            Self::Strike => x * x,
            Self::Follow => x * (2.0 - x),
            Self::Snap => {
                let left = 1.0 - x;
                1.0 - left * left * left * (1.0 + 3.0 * x)
            }
            Self::Swing => 0.5 - 0.5 * cos(std::f32::consts::PI * x),
            Self::Even => x,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenHand {
    pub(super) at: Option<String>,
    /// Direction from the shoulder in which the arm is extended, instead of a place.
    pub(super) way: Option<WrittenWay>,
    /// Extension as a share of the arm's length.
    pub(super) reach: Option<f32>,
    /// Offset from the place: out, up, ahead, centimetres.
    pub(super) offset: Option<[f32; 3]>,
    /// The part of the hand that is at the place.
    pub(super) with: Option<Part>,
    pub(super) elbow: Option<WrittenWay>,
    pub(super) fingers: Option<WrittenWay>,
    pub(super) palm: Option<WrittenWay>,
    pub(super) shape: Option<String>,
    /// Releases the hand from all goals: the arm hangs or swings.
    #[serde(default)]
    pub(super) free: bool,
}

/// A direction: words joined by hyphens, or a vector out, up, ahead.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum WrittenWay {
    Words(String),
    Vector([f32; 3]),
}

/// A part of the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Part {
    Wrist,
    #[default]
    Palm,
    /// The centre of a closed hand.
    Fist,
    Knuckles,
    Fingertips,
    /// Where thumb and index finger meet.
    Pinch,
    /// The back of the hand.
    Back,
    /// The side of the index finger and thumb.
    ThumbSide,
}

/// Head rotations, degrees.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenHead {
    /// Pitch, down positive.
    pub(super) nod: Option<f32>,
    /// Yaw towards the leading side.
    pub(super) turn: Option<f32>,
    /// Roll: ear to the leading shoulder.
    pub(super) tilt: Option<f32>,
    /// How far it follows the chest: 0 to 1.
    pub(super) follow: Option<f32>,
    /// How far it turns in the requested direction: 0 to 1.
    pub(super) aim: Option<f32>,
}

/// Trunk rotations, degrees.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenTrunk {
    /// Forward flexion.
    pub(super) bend: Option<f32>,
    /// Twist towards the leading side.
    pub(super) turn: Option<f32>,
    /// Lateral bend to the leading side.
    pub(super) lean: Option<f32>,
    /// How far it turns in the requested direction: 0 to 1.
    pub(super) aim: Option<f32>,
}

/// Pelvis offsets in centimetres and rotations in degrees.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPelvis {
    pub(super) down: Option<f32>,
    pub(super) ahead: Option<f32>,
    /// Offset towards the leading side.
    pub(super) aside: Option<f32>,
    /// Forward tilt.
    pub(super) tip: Option<f32>,
    /// Yaw towards the leading side.
    pub(super) turn: Option<f32>,
    /// Roll: leading hip up.
    pub(super) hike: Option<f32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenFoot {
    /// Steps to this position: out, ahead of its initial position, centimetres.
    pub(super) step: Option<[f32; 2]>,
    /// Is lifted to this position: out, up, ahead of its initial position, centimetres.
    pub(super) lift: Option<[f32; 3]>,
    /// Stands on the toes with the heel raised by this angle, degrees.
    pub(super) heel: Option<f32>,
    /// Yaw of the toes outwards, degrees.
    #[serde(default)]
    pub(super) turn: f32,
    /// Pitch, toes down, degrees.
    #[serde(default)]
    pub(super) toes: f32,
    /// Whether it steps back to its initial position.
    #[serde(default)]
    pub(super) home: bool,
}
