//! Hand tracks of scores: the position of each hand over time, interpolated between keys.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};
use limber_animation::{
    Side,
    maths::{atan2, hypot},
};

use super::{
    notation::{Ease, Part},
    reading::{Anchor, DirectionSpec, Hand, HandChange},
    role,
    timing::Moment,
};
use crate::composer::{
    arms::{ARM_M, HandGoal, Reach},
    hands::HandShape,
    motion_plan::MotionPlan,
    style::VariationParams,
};

/// Delay of rotation and closing of the hand behind its movement, seconds.
const HAND_LAG_S: f32 = 0.035;
/// Positions of the parts of a hand, from the wrist along the fingers and out of the palm, metres.
const PALM: (f32, f32) = (0.075, 0.022);
const FIST: (f32, f32) = (0.080, 0.032);
const KNUCKLES_M: f32 = 0.105;
const FINGERTIPS_M: f32 = 0.180;
const THUMB_SIDE: (f32, f32) = (0.085, 0.045);

/// The hand in a key.
#[derive(Debug, Clone, Copy)]
struct HandKey {
    from_s: f32,
    at_s: f32,
    ease: Ease,
    hand: Hand,
    /// The requested direction: left, up, ahead of the body.
    aim: Vec3,
}

/// A time range in which a hand has a goal.
#[derive(Debug, Clone, Copy)]
struct Run {
    fade_in: (f32, f32),
    fade_out: (f32, f32),
}

/// All keys of one hand, and the time ranges in which it has a goal.
#[derive(Debug, Default)]
pub(super) struct Track {
    keys: Vec<HandKey>,
    runs: Vec<Run>,
}

/// The track of one hand over all moments.
pub(super) fn track(moments: &[Moment<'_>], side: Side) -> Track {
    let mut track = Track::default();
    let mut hand: Option<Hand> = None;
    for moment in moments {
        let change = match moment.key {
            None => Some(&HandChange::Free),
            Some(key) => key.hands[role(moment, side)].as_ref(),
        };
        match change {
            Some(HandChange::Free) => {
                if hand.take().is_some()
                    && let Some(run) = track.runs.last_mut()
                {
                    run.fade_out = (moment.from_s, moment.at_s);
                }
            }
            Some(HandChange::Goes(words)) => {
                let Some(next) = words.after(hand.as_ref()) else { continue };
                if hand.is_none() {
                    let fade_in = (moment.from_s, moment.at_s);
                    track.runs.push(Run { fade_in, fade_out: (1e5, 1e5 + 1.0) });
                }
                let ease = moment.key.map_or(Ease::Smooth, |key| key.ease);
                let (from_s, at_s) = (moment.from_s, moment.at_s);
                track.keys.push(HandKey { from_s, at_s, ease, hand: next, aim: moment.aim });
                hand = Some(next);
            }
            None => {}
        }
    }
    track
}

/// Lets the arm follow its track.
pub(super) fn play(plan: &mut MotionPlan, side: Side, (own, other): (&Arc<Track>, &Arc<Track>)) {
    let mood = Mood { aim: Vec3::Z, variation: plan.variation };
    for run in &own.runs {
        let (own, other) = (Arc::clone(own), Arc::clone(other));
        let begins = run.fade_in.0;
        plan.hold(side, run.fade_in, run.fade_out, move |time_s, reach| {
            own.goal(time_s, begins, reach, &mood, Some(&other))
        });
    }
}

/// What modifies every goal: the requested direction and the performer.
#[derive(Debug, Clone, Copy)]
struct Mood {
    /// Left, up, ahead of the body.
    aim: Vec3,
    variation: VariationParams,
}

impl Track {
    /// Whether the hand has any goal.
    pub(super) fn moves(&self) -> bool {
        !self.runs.is_empty()
    }

    /// The goal at a time, within the range that starts then.
    fn goal(
        &self,
        time_s: f32,
        begins: f32,
        reach: &Reach,
        mood: &Mood,
        other: Option<&Self>,
    ) -> HandGoal {
        let next = self.keys.partition_point(|key| key.from_s <= time_s + 1e-4).max(1);
        let key = &self.keys[next - 1];
        let solve = |key: &HandKey| {
            let partner = other.map(|track| track.partner(time_s, reach, mood));
            let mood = Mood { aim: key.aim, ..*mood };
            goal(&key.hand, reach, &mood, partner.as_ref())
        };
        let to = solve(key);
        let before = next.checked_sub(2).map(|place| &self.keys[place]);
        let Some(before) = before.filter(|_| key.from_s > begins + 1e-3) else { return to };
        let share = |time_s: f32| (time_s - key.from_s) / (key.at_s - key.from_s).max(1e-4);
        if share(time_s - HAND_LAG_S) >= 1.0 {
            return to;
        }
        let amounts = [time_s, time_s - HAND_LAG_S].map(|time_s| key.ease.at(share(time_s)));
        between(reach, &solve(before), &to, amounts)
    }

    /// The goal of this hand, for the other one that follows it.
    fn partner(&self, time_s: f32, reach: &Reach, mood: &Mood) -> HandGoal {
        let reach = reach.opposite();
        if self.keys.is_empty() {
            let rest = Vec3::new(0.1 * reach.side.sign(), -0.4, 0.1);
            return HandGoal {
                wrist: reach.shoulder() + reach.chest * rest,
                elbow: reach.chest * Vec3::NEG_Z,
                fingers: reach.chest * Vec3::NEG_Y,
                palm: reach.chest_way(-1.0, 0.0, 0.0),
                shape: HandShape::RELAXED,
            };
        }
        self.goal(time_s, f32::MIN, &reach, mood, None)
    }
}

/// Interpolates between two goals: the wrist moves on an arc about the shoulder, and the hand
/// rotates and closes a little later.
fn between(reach: &Reach, from: &HandGoal, to: &HandGoal, [moved, turned]: [f32; 2]) -> HandGoal {
    let shoulder = reach.shoulder();
    let (a, b) = (from.wrist - shoulder, to.wrist - shoulder);
    let arc = match (a.try_normalize(), b.try_normalize()) {
        (Some(from), Some(to)) if a.distance(b) > 0.06 => {
            let way = Quat::IDENTITY.slerp(Quat::from_rotation_arc(from, to), moved) * from;
            way * (a.length() + (b.length() - a.length()) * moved)
        }
        _ => a.lerp(b, moved),
    };
    let hand = held(from).slerp(held(to), turned);
    HandGoal {
        wrist: shoulder + arc,
        elbow: swivelled((a, from.elbow), (b, to.elbow), arc, moved),
        fingers: hand * Vec3::Y,
        palm: hand * Vec3::Z,
        shape: from.shape.blend(to.shape, turned),
    }
}

/// Direction of the elbow between two arm poses, each given as the vectors to the wrist and to the
/// elbow. Both elbows are rotated along to the interpolated arm and then blended about its axis, so
/// that an elbow does not flip when the arm passes through its direction.
fn swivelled(from: (Vec3, Vec3), to: (Vec3, Vec3), at: Vec3, share: f32) -> Vec3 {
    let axis = at.normalize_or(Vec3::NEG_Y);
    let carried = |(arm, elbow): (Vec3, Vec3)| {
        let arm = arm.normalize_or(axis);
        let beside = elbow.reject_from_normalized(arm);
        let beside = beside.try_normalize().unwrap_or_else(|| arm.any_orthonormal_vector());
        Quat::from_rotation_arc(arm, axis) * beside
    };
    let (a, b) = (carried(from), carried(to));
    let angle = atan2(axis.dot(a.cross(b)), a.dot(b));
    Quat::from_axis_angle(axis, share * angle) * a
}

/// Rotation of a hand: Y along the fingers, Z out of the palm.
fn held(goal: &HandGoal) -> Quat {
    let fingers = goal.fingers.normalize_or(Vec3::Y);
    let palm = goal.palm.reject_from_normalized(fingers);
    let palm = palm.try_normalize().unwrap_or_else(|| fingers.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(fingers.cross(palm), fingers, palm)).normalize()
}

/// Axes for out, up, ahead.
#[derive(Debug, Clone, Copy)]
struct Axes([Vec3; 3]);

impl Axes {
    fn turned(turn: Quat, side: Side) -> Self {
        Self([turn * Vec3::X * side.sign(), turn * Vec3::Y, turn * Vec3::Z])
    }

    fn along(&self, way: Vec3) -> Vec3 {
        self.0[0] * way.x + self.0[1] * way.y + self.0[2] * way.z
    }
}

/// Axes towards the thumb, along the fingers, out of the palm.
fn hand_axes(side: Side, fingers: Vec3, palm: Vec3) -> Axes {
    let fingers = fingers.normalize_or(Vec3::Y);
    let palm = palm.reject_from_normalized(fingers).normalize_or(fingers.any_orthonormal_vector());
    Axes([palm.cross(fingers) * side.sign(), fingers, palm])
}

/// The world-space goal for a hand as defined in a key, for the present pose of the body.
fn goal(hand: &Hand, reach: &Reach, mood: &Mood, partner: Option<&HandGoal>) -> HandGoal {
    let side = reach.side;
    let upright = Axes::turned(Quat::from_rotation_y(reach.heading), side);
    let chest = Axes::turned(reach.chest, side);
    let partner = partner.map(|other| {
        let axes = hand_axes(side.opposite(), other.fingers, other.palm);
        (other.wrist + axes.along(Vec3::new(0.0, FIST.0, FIST.1)), axes)
    });
    let (spot, axes, free) = match (hand.anchor, partner) {
        (Anchor::At(place), _) => {
            let spot = place.spot(reach);
            let axes = if place.is_upright() { upright } else { chest };
            let offset = Axes::turned(spot.turn, side).along(hand.offset);
            (spot.at + offset, axes, place.is_free())
        }
        (Anchor::OtherHand, Some((at, axes))) => (at + axes.along(hand.offset), axes, false),
        (Anchor::OtherHand, None) => (reach.near_chest(0.05, 0.0, 0.25), chest, false),
        (Anchor::Stretched(way, share), _) => {
            return stretched(hand, reach, mood, (way, share), chest);
        }
        (Anchor::Pointed(way, share), _) => {
            return stretched(hand, reach, mood, (way, share), standing_axes(reach));
        }
    };
    let spot = if free { spot + axes.along(habit(&mood.variation)) } else { spot };
    let elbow = elbow(hand, mood, chest);
    let mut wrist = spot;
    // the direction of the forearm depends on the wrist, and the wrist on the rotation of the hand
    for _ in 0..3 {
        let fingers = toward(hand.fingers, reach, mood, axes, (wrist, elbow));
        let palm = toward(hand.palm, reach, mood, axes, (wrist, elbow));
        wrist = spot - part(hand.with, hand_axes(side, fingers, palm));
    }
    let fingers = toward(hand.fingers, reach, mood, axes, (wrist, elbow));
    let palm = toward(hand.palm, reach, mood, axes, (wrist, elbow));
    HandGoal { wrist, elbow, fingers, palm, shape: hand.shape }
}

/// Axes of the upright body while it stands, sits or squats, and of the chest while it lies.
fn standing_axes(reach: &Reach) -> Axes {
    /// Height of the chest's upward axis at which the body lies, and at which it is upright.
    const LIES: f32 = 0.15;
    const UPRIGHT: f32 = 0.45;
    let up = (reach.chest * Vec3::Y).y;
    let share = ((up - LIES) / (UPRIGHT - LIES)).clamp(0.0, 1.0);
    // who turns in a dance turns the arms with the chest
    let ahead = reach.chest * Vec3::Z;
    let faces =
        if hypot(ahead.x, ahead.z) > LIES { atan2(ahead.x, ahead.z) } else { reach.heading };
    let turn = reach.chest.slerp(Quat::from_rotation_y(faces), share);
    Axes::turned(turn, reach.side)
}

/// The goal of an arm that is extended by a share of its length.
fn stretched(
    hand: &Hand,
    reach: &Reach,
    mood: &Mood,
    (way, share): (DirectionSpec, f32),
    axes: Axes,
) -> HandGoal {
    let way = match way {
        DirectionSpec::Vector(way) => axes.along(way),
        DirectionSpec::Along => axes.along(Vec3::NEG_Y),
        DirectionSpec::Aim => aimed(reach, mood.aim, 0.05),
    };
    // an arm that is extended raises its shoulder
    let out = way * (share * ARM_M);
    let at = reach.shoulder_for(reach.shoulder() + out) + out + axes.along(hand.offset);
    let elbow = elbow(hand, mood, axes);
    let palm = toward(hand.palm, reach, mood, axes, (at, elbow));
    let fingers = match hand.fingers {
        DirectionSpec::Along => reach.forearm(at, elbow).normalize_or(way),
        told => toward(told, reach, mood, axes, (at, elbow)),
    };
    HandGoal { wrist: at, elbow, fingers, palm, shape: hand.shape }
}

/// The performer's habitual offset of a hand in the air: out, up, ahead.
fn habit(variation: &VariationParams) -> Vec3 {
    Vec3::new(0.024 * variation.out, 0.028 * variation.head, 0.026 * variation.elbow)
}

fn elbow(hand: &Hand, mood: &Mood, chest: Axes) -> Vec3 {
    let told = match hand.elbow {
        DirectionSpec::Vector(way) => way,
        DirectionSpec::Along | DirectionSpec::Aim => Vec3::new(0.5, -0.85, -0.25),
    };
    let told = told + Vec3::new(0.16 * mood.variation.out, 0.0, 0.10 * mood.variation.elbow);
    chest.along(told.normalize_or(Vec3::NEG_Y))
}

/// The requested direction from the shoulder; `out` keeps both arms apart.
fn aimed(reach: &Reach, aim: Vec3, out: f32) -> Vec3 {
    let out = reach.body_way(out, 0.0, 0.0);
    (Quat::from_rotation_y(reach.heading) * aim + out).normalize_or(Vec3::Z)
}

fn toward(
    told: DirectionSpec,
    reach: &Reach,
    mood: &Mood,
    axes: Axes,
    (wrist, elbow): (Vec3, Vec3),
) -> Vec3 {
    match told {
        DirectionSpec::Vector(way) => axes.along(way),
        DirectionSpec::Along => reach.forearm(wrist, elbow).normalize_or(axes.along(Vec3::Z)),
        DirectionSpec::Aim => aimed(reach, mood.aim, 0.0),
    }
}

/// Offset from the wrist to a part of the hand.
fn part(part: Part, axes: Axes) -> Vec3 {
    let (thumb, fingers, palm) = match part {
        Part::Wrist => (0.0, 0.0, 0.0),
        Part::Palm => (0.0, PALM.0, PALM.1),
        Part::Fist => (0.0, FIST.0, FIST.1),
        Part::Knuckles => (0.0, KNUCKLES_M, 0.0),
        Part::Fingertips => (0.0, FINGERTIPS_M, 0.0),
        Part::Pinch => (0.02, 0.115, 0.038),
        Part::ThumbSide => (THUMB_SIDE.1, THUMB_SIDE.0, 0.0),
        Part::Back => (0.0, PALM.0, -PALM.1),
    };
    axes.along(Vec3::new(thumb, fingers, palm))
}
