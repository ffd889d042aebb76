//! Converts score files to scores that can be played; faults are reported in sentences.

mod directions;

use std::collections::BTreeMap;

use glam::Vec3;
use limber_animation::Side;
use limber_script::Rhythm;

use super::{
    notation::{
        Ease, File, Part, Sides, Written, WrittenHand, WrittenKey, WrittenPosture, WrittenWay,
        WrittenWayBetween,
    },
    places::Place,
};
use crate::composer::hands::HandShape;

/// Maximum time to reach a key, and to hold it, seconds.
const LONGEST_S: f32 = 30.0;
/// Minimum time to reach a key, seconds.
const QUICKEST_S: f32 = 0.06;
/// Maximum offset, metres.
const FURTHEST_M: f32 = 2.2;

/// An action as key poses.
#[derive(Debug, Clone)]
pub(crate) struct Score {
    pub(super) sides: Sides,
    pub(super) usual: u32,
    pub(super) most: u32,
    pub(super) grows: f32,
    pub(super) home_s: f32,
    /// Whether it stays in its last pose instead of returning home.
    pub(super) stays: bool,
    /// Whether, after another action, it holds the pose in which it finds the body.
    pub(super) keeps: bool,
    /// Whether `end` is a recovery, which is left out if another action follows.
    pub(super) recovers: bool,
    /// Number of keys of `begin` that are already done after each of these actions.
    pub(super) after: BTreeMap<String, usize>,
    /// Number of keys of `again` in the last repetition, if it is held before its end.
    pub(super) last_round: Option<usize>,
    /// Rhythm of the repetitions.
    pub(super) rhythm: Rhythm,
    pub(super) begin: Vec<Key>,
    pub(super) again: Vec<Key>,
    pub(super) end: Vec<Key>,
}

/// One key pose: what changes, and when. What is not set stays as it was.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) takes_s: f32,
    pub(super) hold_s: f32,
    pub(super) stretch_s: f32,
    pub(super) ease: Ease,
    /// Of the leading side, and of the other.
    pub(super) hands: [Option<HandChange>; 2],
    pub(super) dials: Vec<(PoseParam, f32)>,
    /// Elevation of the shoulders, radians: of the leading side, and of the other.
    pub(super) shoulders: [Option<f32>; 2],
    /// How far the hands of idle arms are closed: of the leading side, and of the other.
    pub(super) grips: [Option<f32>; 2],
    /// Of the leading side, and of the other.
    pub(super) feet: [Option<Footing>; 2],
    pub(super) leap: bool,
    /// Whether a foot in the air passes through this key without stopping.
    pub(super) flows: bool,
    /// Travel of the whole body: out, ahead, metres.
    pub(super) onward: [f32; 2],
}

/// The change of a hand in a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum HandChange {
    Free,
    Goes(HandSpec),
}

/// The settings of a hand, all of which are optional.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct HandSpec {
    pub(super) anchor: Option<Anchor>,
    pub(super) offset: Option<Vec3>,
    pub(super) with: Option<Part>,
    pub(super) elbow: Option<DirectionSpec>,
    pub(super) fingers: Option<DirectionSpec>,
    pub(super) palm: Option<DirectionSpec>,
    pub(super) shape: Option<HandShape>,
}

/// Position and rotation of a hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hand {
    pub(super) anchor: Anchor,
    /// Out, up, ahead, metres.
    pub(super) offset: Vec3,
    pub(super) with: Part,
    pub(super) elbow: DirectionSpec,
    pub(super) fingers: DirectionSpec,
    pub(super) palm: DirectionSpec,
    pub(super) shape: HandShape,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    At(Place),
    /// At the other hand; offsets are towards its thumb, along its fingers, out of its palm.
    OtherHand,
    /// Extended from the shoulder by this share of the arm's length.
    Stretched(DirectionSpec, f32),
    /// The same, but the direction is relative to the upright body, however the trunk bends and
    /// turns, unless the body lies.
    Pointed(DirectionSpec, f32),
}

/// A direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum DirectionSpec {
    /// A unit vector: out, up, ahead.
    Vector(Vec3),
    /// Along the forearm.
    Along,
    /// In the requested direction.
    Aim,
}

/// The target of a foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Footing {
    /// Out, ahead, metres; yaw of the toes outwards, radians.
    Step([f32; 2], f32),
    /// Out, up, ahead, metres; toes outwards and down, radians.
    Lift(Vec3, f32, f32),
    /// On the toes at its initial position; the heel raised by this angle, radians.
    Rise(f32),
}

impl Footing {
    /// The foot's initial position.
    pub(super) const HOME: Self = Self::Step([0.0; 2], 0.0);
}

/// A parameter of the body's posture. Lengths in metres, angles in radians; sides relative to the
/// leading one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PoseParam {
    HeadNod,
    HeadTurn,
    HeadTilt,
    HeadFollow,
    HeadAim,
    TrunkBend,
    TrunkTurn,
    TrunkLean,
    TrunkAim,
    PelvisDown,
    PelvisAhead,
    PelvisAside,
    PelvisTip,
    PelvisTurn,
    PelvisHike,
    Shoulders,
    /// Elevation of one shoulder.
    Shoulder(Side),
    /// How far the hand of an idle arm is closed.
    Grip(Side),
}

impl PoseParam {
    /// All dials.
    pub(super) const ALL: [Self; 20] = [
        Self::HeadNod,
        Self::HeadTurn,
        Self::HeadTilt,
        Self::HeadFollow,
        Self::HeadAim,
        Self::TrunkBend,
        Self::TrunkTurn,
        Self::TrunkLean,
        Self::TrunkAim,
        Self::PelvisDown,
        Self::PelvisAhead,
        Self::PelvisAside,
        Self::PelvisTip,
        Self::PelvisTurn,
        Self::PelvisHike,
        Self::Shoulders,
        Self::Shoulder(Side::Left),
        Self::Shoulder(Side::Right),
        Self::Grip(Side::Left),
        Self::Grip(Side::Right),
    ];

    /// Whether keys have separate values for the leading and the other arm.
    pub(super) const fn is_of_an_arm(self) -> bool {
        matches!(self, Self::Shoulder(_) | Self::Grip(_))
    }
}

/// The contents of a file.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Scores with the names of their actions.
    pub(super) scores: Vec<(String, Score)>,
    pub(super) postures: Vec<PostureKeys>,
    pub(super) ways: Vec<TransitionKeys>,
    /// Faults with the name of the action or posture.
    pub(super) faults: Vec<(String, String)>,
}

/// A posture with the keys of its transitions.
#[derive(Debug)]
pub(super) struct PostureKeys {
    pub(super) name: String,
    pub(super) from: Option<String>,
    pub(super) like: Option<String>,
    pub(super) hands_free: bool,
    pub(super) enter: Vec<Key>,
    /// Empty if `enter` is reversed instead.
    pub(super) leave: Vec<Key>,
}

/// A direct transition between postures.
#[derive(Debug)]
pub(super) struct TransitionKeys {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) keys: Vec<Key>,
}

/// Reads the contents of a file.
pub(super) fn read(file: File) -> Read {
    let mut faults = Vec::new();
    let mut scores = Vec::new();
    let mut postures = Vec::new();
    for written in file.posture {
        let mut told = Vec::new();
        let WrittenPosture { name, from, like, hands_free, enter, leave } = written;
        let enter = keys("enter", enter, &mut told);
        let leave = keys("leave", leave, &mut told);
        if enter.is_empty() {
            told.push("has no key".to_owned());
        }
        hands_know_where_they_are(enter.iter(), &mut told);
        hands_know_where_they_are(leave.iter(), &mut told);
        faults.extend(told.into_iter().map(|fault| (name.clone(), fault)));
        postures.push(PostureKeys { name, from, like, hands_free, enter, leave });
    }
    let mut ways = Vec::new();
    for written in file.way {
        let WrittenWayBetween { from, to, keys: written } = written;
        let mut told = Vec::new();
        let keys = keys("keys", written, &mut told);
        if keys.is_empty() {
            told.push("has no key".to_owned());
        }
        hands_know_where_they_are(keys.iter(), &mut told);
        faults.extend(told.into_iter().map(|fault| (format!("{from} to {to}"), fault)));
        ways.push(TransitionKeys { from, to, keys });
    }
    for written in file.score {
        let name = written.action.clone();
        let mut told = Vec::new();
        let score = Score::of(written, &mut told);
        faults.extend(told.into_iter().map(|fault| (name.clone(), fault)));
        scores.push((name, score));
    }
    Read { scores, postures, ways, faults }
}

/// Reads the keys of one part; faults name the key's index.
fn keys(part: &str, keys: Vec<WrittenKey>, faults: &mut Vec<String>) -> Vec<Key> {
    let mut read = Vec::new();
    for (place, key) in keys.into_iter().enumerate() {
        let mut told = Vec::new();
        read.push(Key::of(&key, &mut told));
        let at = place + 1;
        faults.extend(told.into_iter().map(|fault| format!("`{part}` key {at}: {fault}")));
    }
    read
}

/// Checks that the first setting of each hand includes its place.
fn hands_know_where_they_are<'a>(keys: impl Iterator<Item = &'a Key>, faults: &mut Vec<String>) {
    let mut placed = [false; 2];
    for key in keys {
        for (hand, change) in key.hands.iter().enumerate() {
            match change {
                Some(HandChange::Free) => placed[hand] = false,
                Some(HandChange::Goes(words)) if words.anchor.is_some() => placed[hand] = true,
                Some(HandChange::Goes(_)) if !placed[hand] => {
                    let which = ["lead", "other"][hand];
                    faults.push(format!("the {which} hand is moved before it has `at` or `way`"));
                }
                _ => {}
            }
        }
    }
}

impl Score {
    pub(super) fn keys_mut(&mut self) -> impl Iterator<Item = &mut Key> {
        self.begin.iter_mut().chain(&mut self.again).chain(&mut self.end)
    }

    pub(super) fn of(written: Written, faults: &mut Vec<String>) -> Self {
        let usual = written.usual.clamp(1, 50);
        let score = Self {
            sides: written.sides,
            usual,
            most: written.most.unwrap_or(usual).clamp(usual, 80),
            grows: written.grows.clamp(0.5, 1.5),
            home_s: written.home.clamp(0.2, 5.0),
            stays: false,
            keeps: written.keeps,
            recovers: written.recovers,
            after: written.after,
            last_round: None,
            rhythm: Rhythm::Even,
            begin: keys("begin", written.begin, faults),
            again: keys("again", written.again, faults),
            end: keys("end", written.end, faults),
        };
        if score.begin.is_empty() && score.again.is_empty() && score.end.is_empty() {
            faults.push("has no key".to_owned());
        }
        if score.recovers && (score.end.is_empty() || score.begin.len() + score.again.len() == 0) {
            faults.push("`recovers` needs keys in `end`, and others before them".to_owned());
        }
        for (action, done) in &score.after {
            if *done == 0 || *done > score.begin.len() {
                faults.push(format!("has no {done} keys in `begin` to leave out after {action}"));
            }
        }
        let all = score.begin.iter().chain(&score.again).chain(&score.end);
        hands_know_where_they_are(all, faults);
        score
    }
}

impl Key {
    /// Whether a hand is placed at the other hand.
    pub(super) fn meets_the_other_hand(&self) -> bool {
        self.hands.iter().flatten().any(|change| {
            matches!(change, HandChange::Goes(words) if words.anchor == Some(Anchor::OtherHand))
        })
    }

    /// A key without changes.
    pub(super) const fn still(takes_s: f32) -> Self {
        Self {
            takes_s,
            hold_s: 0.0,
            stretch_s: 0.0,
            ease: Ease::Smooth,
            hands: [None, None],
            dials: Vec::new(),
            shoulders: [None; 2],
            grips: [None; 2],
            feet: [None; 2],
            leap: false,
            flows: false,
            onward: [0.0; 2],
        }
    }

    pub(super) fn of(written: &WrittenKey, faults: &mut Vec<String>) -> Self {
        if !(QUICKEST_S..=LONGEST_S).contains(&written.takes) {
            faults.push(format!(
                "`takes` {} is not within {QUICKEST_S} to {LONGEST_S} s",
                written.takes
            ));
        }
        for (name, value) in [("hold", written.hold), ("stretch", written.stretch)] {
            if !(0.0..=LONGEST_S).contains(&value) {
                faults.push(format!("`{name}` {value} is not within 0 to {LONGEST_S} s"));
            }
        }
        if !written.onward.iter().all(|cm| cm.abs() <= 100.0 * FURTHEST_M) {
            faults.push("`onward` is too far; it is in centimetres".to_owned());
        }
        let dials = dials(written);
        for (dial, value) in &dials {
            if !value.is_finite() || value.abs() > 3.5 {
                faults.push(format!("{dial:?} is too far: angles are in degrees, lengths in cm"));
            }
        }
        if written.both.is_some() && (written.lead.is_some() || written.other.is_some()) {
            faults.push("`both` and a single hand in one key; set each hand once".to_owned());
        }
        let both = written.both.as_ref();
        let hands = [written.lead.as_ref().or(both), written.other.as_ref().or(both)];
        let feet = [written.lead_foot.as_ref(), written.other_foot.as_ref()];
        Self {
            takes_s: written.takes,
            hold_s: written.hold,
            stretch_s: written.stretch,
            ease: written.ease,
            hands: hands.map(|hand| hand.map(|hand| HandChange::of(hand, faults))),
            dials,
            shoulders: [written.shoulder.map(f32::to_radians), None],
            grips: [written.grip.map(|grip| grip.clamp(0.0, 1.0)), None],
            feet: feet.map(|foot| foot.and_then(|foot| directions::footing(foot, faults))),
            leap: written.leap,
            flows: false,
            onward: written.onward.map(|cm| cm / 100.0),
        }
    }
}

fn dials(key: &WrittenKey) -> Vec<(PoseParam, f32)> {
    let angle = |dial, value: Option<f32>| value.map(|degrees| (dial, degrees.to_radians()));
    let length = |dial, value: Option<f32>| value.map(|cm| (dial, cm / 100.0));
    let plain = |dial, value: Option<f32>| value.map(|value| (dial, value));
    let mut found = vec![angle(PoseParam::Shoulders, key.shoulders)];
    if let Some(head) = &key.head {
        found.extend([
            angle(PoseParam::HeadNod, head.nod),
            angle(PoseParam::HeadTurn, head.turn),
            angle(PoseParam::HeadTilt, head.tilt),
            plain(PoseParam::HeadFollow, head.follow),
            plain(PoseParam::HeadAim, head.aim),
        ]);
    }
    if let Some(trunk) = &key.trunk {
        found.extend([
            angle(PoseParam::TrunkBend, trunk.bend),
            angle(PoseParam::TrunkTurn, trunk.turn),
            angle(PoseParam::TrunkLean, trunk.lean),
            plain(PoseParam::TrunkAim, trunk.aim),
        ]);
    }
    if let Some(pelvis) = &key.pelvis {
        found.extend([
            length(PoseParam::PelvisDown, pelvis.down),
            length(PoseParam::PelvisAhead, pelvis.ahead),
            length(PoseParam::PelvisAside, pelvis.aside),
            angle(PoseParam::PelvisTip, pelvis.tip),
            angle(PoseParam::PelvisTurn, pelvis.turn),
            angle(PoseParam::PelvisHike, pelvis.hike),
        ]);
    }
    found.into_iter().flatten().collect()
}

impl HandChange {
    fn of(written: &WrittenHand, faults: &mut Vec<String>) -> Self {
        if written.free {
            return Self::Free;
        }
        let mut toward = |way: Option<&WrittenWay>| {
            way.and_then(|way| match DirectionSpec::of(way) {
                Ok(toward) => Some(toward),
                Err(fault) => {
                    faults.push(fault);
                    None
                }
            })
        };
        let (elbow, fingers) = (toward(written.elbow.as_ref()), toward(written.fingers.as_ref()));
        let (palm, way) = (toward(written.palm.as_ref()), toward(written.way.as_ref()));
        let stretched =
            way.map(|way| Anchor::Stretched(way, written.reach.unwrap_or(0.95).clamp(0.1, 0.998)));
        let at = written.at.as_deref().and_then(|name| {
            let place = match name {
                "other-hand" => Some(Anchor::OtherHand),
                _ => Place::named(name).map(Anchor::At),
            };
            if place.is_none() {
                faults.push(format!("\"{name}\" is not a place on the body"));
            }
            place
        });
        if at.is_some() && stretched.is_some() {
            faults.push("`at` and `way` are both set for one hand".to_owned());
        }
        let offset = written.offset.map(|cm| Vec3::from_array(cm) / 100.0);
        if offset.is_some_and(|offset| !offset.is_finite() || offset.length() > FURTHEST_M) {
            faults.push("an `offset` is too far; it is in centimetres".to_owned());
        }
        let shape = written.shape.as_deref().and_then(|name| {
            let shape = HandShape::named(name);
            if shape.is_none() {
                faults.push(format!("\"{name}\" is not a hand shape"));
            }
            shape
        });
        let anchor = at.or(stretched);
        Self::Goes(HandSpec { anchor, offset, with: written.with, elbow, fingers, palm, shape })
    }
}

impl From<Hand> for HandSpec {
    fn from(hand: Hand) -> Self {
        Self {
            anchor: Some(hand.anchor),
            offset: Some(hand.offset),
            with: Some(hand.with),
            elbow: Some(hand.elbow),
            fingers: Some(hand.fingers),
            palm: Some(hand.palm),
            shape: Some(hand.shape),
        }
    }
}

impl HandSpec {
    /// The hand after the change. A new place resets the offset.
    pub(super) fn after(&self, before: Option<&Hand>) -> Option<Hand> {
        let anchor = self.anchor.or_else(|| before.map(|hand| hand.anchor))?;
        let kept = before.filter(|_| self.anchor.is_none());
        let usual_elbow = DirectionSpec::Vector(Vec3::new(0.5, -0.85, -0.25).normalize());
        Some(Hand {
            anchor,
            offset: self.offset.or_else(|| kept.map(|hand| hand.offset)).unwrap_or(Vec3::ZERO),
            with: self.with.or_else(|| before.map(|hand| hand.with)).unwrap_or_default(),
            elbow: self.elbow.or_else(|| before.map(|hand| hand.elbow)).unwrap_or(usual_elbow),
            fingers: self
                .fingers
                .or_else(|| before.map(|hand| hand.fingers))
                .unwrap_or(DirectionSpec::Along),
            palm: self
                .palm
                .or_else(|| before.map(|hand| hand.palm))
                .unwrap_or(DirectionSpec::Vector(Vec3::new(-1.0, -0.6, 0.0).normalize())),
            shape: self
                .shape
                .or_else(|| before.map(|hand| hand.shape))
                .unwrap_or(HandShape::RELAXED),
        })
    }
}
