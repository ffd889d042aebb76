//! How a score is written: the shapes of the files in `assets/scores`.

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

/// A posture somebody stays in, and the way there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPosture {
    pub(super) name: String,
    /// The posture it is entered from; standing when left out.
    pub(super) from: Option<String>,
    /// Whether arms may do something else meanwhile.
    #[serde(default)]
    pub(super) hands_free: bool,
    /// The posture that it is as good as: who fell on the back gets up like who lies there.
    pub(super) like: Option<String>,
    pub(super) enter: Vec<WrittenKey>,
    /// Back again; when left out, the way there backwards.
    #[serde(default)]
    pub(super) leave: Vec<WrittenKey>,
}

/// A way from one posture straight to another that is not entered from it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenWayBetween {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) keys: Vec<WrittenKey>,
}

/// One action as key poses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) action: String,
    #[serde(default)]
    pub(super) sides: Sides,
    /// How often `again` is played when nothing says so.
    #[serde(default = "once")]
    pub(super) usual: u32,
    /// The most when there is time to fill.
    pub(super) most: Option<u32>,
    /// Each repeat is this much larger than the one before.
    #[serde(default = "unchanged")]
    pub(super) grows: f32,
    /// How long it takes to go home, seconds.
    #[serde(default = "home_s")]
    pub(super) home: f32,
    /// Behind another action it holds the pose that it finds.
    #[serde(default)]
    pub(super) keeps: bool,
    /// Behind these actions so many keys of `begin` are done already.
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

/// What sides mean for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sides {
    /// One side leads; "both" takes turns where it repeats and is done by both hands else.
    #[default]
    One,
    /// Sides take turns unless one is told.
    Alternate,
    /// Both hands do the same at once when both are told.
    Mirror,
    /// Both sides take part, each as it is told; whichever is named only leads.
    Together,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenKey {
    /// From the key before, seconds.
    pub(super) takes: f32,
    #[serde(default)]
    pub(super) hold: f32,
    /// How much longer it may be held when there is time, seconds.
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
    /// Both shoulders up, degrees.
    pub(super) shoulders: Option<f32>,
    /// The leading shoulder up, degrees.
    pub(super) shoulder: Option<f32>,
    /// How far the leading hand is closed while its arm hangs or swings: 0 relaxed, 1 a fist.
    pub(super) grip: Option<f32>,
    pub(super) lead_foot: Option<WrittenFoot>,
    pub(super) other_foot: Option<WrittenFoot>,
    /// Reached through the air, from both feet onto both feet.
    #[serde(default)]
    pub(super) leap: bool,
    /// How far everything goes on meanwhile: out, ahead, centimetres.
    #[serde(default)]
    pub(super) onward: [f32; 2],
}

/// How a key is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ease {
    /// As people reach: minimum jerk.
    #[default]
    Smooth,
    /// Speeds up most of the way and stops hard: a blow.
    Hit,
    /// Speeds up all the way and arrives at full speed: a throw. `follow` comes next.
    Strike,
    /// Comes on at full speed and slows down: what follows a `strike`.
    Follow,
    /// Sets off at once and arrives gently.
    Snap,
    /// To and fro, as a pendulum.
    Swing,
    /// With the same speed all along.
    Even,
}

impl Ease {
    /// How much of the way is gone after this share of the time.
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
    /// Stretched out this way from the shoulder, instead of a place.
    pub(super) way: Option<WrittenWay>,
    /// How far, as a share of the arm.
    pub(super) reach: Option<f32>,
    /// From the place: out, up, ahead, centimetres.
    pub(super) offset: Option<[f32; 3]>,
    /// Which part of the hand is there.
    pub(super) with: Option<Part>,
    pub(super) elbow: Option<WrittenWay>,
    pub(super) fingers: Option<WrittenWay>,
    pub(super) palm: Option<WrittenWay>,
    pub(super) shape: Option<String>,
    /// Lets go of everything: the arm hangs or swings.
    #[serde(default)]
    pub(super) free: bool,
}

/// A direction: words joined by hyphens, or out, up, ahead.
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
    /// The middle of a closed hand.
    Fist,
    Knuckles,
    Fingertips,
    /// Where thumb and index meet.
    Pinch,
    /// The back of the hand.
    Back,
    /// The side of the index finger and the thumb.
    ThumbSide,
}

/// Degrees.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenHead {
    /// Down.
    pub(super) nod: Option<f32>,
    /// Towards the leading side.
    pub(super) turn: Option<f32>,
    /// Ear to the leading shoulder.
    pub(super) tilt: Option<f32>,
    /// How far it goes along with the chest: 0 to 1.
    pub(super) follow: Option<f32>,
    /// How far it looks where the prompt says: 0 to 1.
    pub(super) aim: Option<f32>,
}

/// Degrees.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenTrunk {
    /// Forwards.
    pub(super) bend: Option<f32>,
    /// Towards the leading side.
    pub(super) turn: Option<f32>,
    /// To the leading side.
    pub(super) lean: Option<f32>,
    /// How far it turns where the prompt says: 0 to 1.
    pub(super) aim: Option<f32>,
}

/// Centimetres and degrees.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPelvis {
    pub(super) down: Option<f32>,
    pub(super) ahead: Option<f32>,
    /// Towards the leading side.
    pub(super) aside: Option<f32>,
    /// Forwards.
    pub(super) tip: Option<f32>,
    /// Towards the leading side.
    pub(super) turn: Option<f32>,
    /// The leading hip up.
    pub(super) hike: Option<f32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenFoot {
    /// Steps here: out, ahead of where it stood first, centimetres.
    pub(super) step: Option<[f32; 2]>,
    /// Is lifted here: out, up, ahead of where it stood first, centimetres.
    pub(super) lift: Option<[f32; 3]>,
    /// Stands on the toes, the heel up by this angle, degrees.
    pub(super) heel: Option<f32>,
    /// Toes outwards, degrees.
    #[serde(default)]
    pub(super) turn: f32,
    /// Toes down, degrees.
    #[serde(default)]
    pub(super) toes: f32,
    /// Steps where it stood first.
    #[serde(default)]
    pub(super) home: bool,
}
