//! Targets of movements: hands at a body part, an object or a height, feet at a height.

use glam::Vec3;
use limber_animation::Side;
use limber_script::{BodyPart, Side as ScriptSide, Target, Verb};

use crate::{
    Act, AimedAt, SideChoice,
    body_language::{self, Limb, Plan, Thing, limb},
    composer::{
        feet::ANKLE_HEIGHT,
        hands::HandShape,
        score::{
            height::{ARM_M, BENT_BELOW_M, SHOULDER_M, go_down, metres},
            notation::{Ease, Part},
            places::Place,
            reading::{
                Anchor, DirectionSpec, Footing, HandChange, HandSpec, Key, PoseParam, Score,
            },
        },
    },
};

const UPPER_ARM_M: f32 = 0.285;
const FOREARM_M: f32 = 0.255;
/// Height of the hip joint, length of the thigh, and distance from knee to ankle of a nearly
/// straight leg, metres.
const HIP_M: f32 = 0.92;
const THIGH_M: f32 = 0.425;
const SHIN_M: f32 = 0.40;
const LEG_M: f32 = 0.80;
/// Distance by which a hand moves back before it taps or pats again.
const BACK_M: f32 = 0.07;
/// Amplitude of a rubbing hand.
const RUB_M: f32 = 0.035;

/// Aims a score as the act requests.
pub(super) fn take(score: &mut Score, plan: &Plan, act: &Act) {
    if let Some(key) = plan.place.and_then(|place| on_the_body(place, plan, act)) {
        go_for(score, plan.verb, key);
    } else if let Some((target, thing)) = &plan.thing {
        go_for(score, plan.verb, at_thing(*target, thing, plan.verb));
    }
    let told = !plan.unsupported_fields.contains(&"height");
    let Some(height_m) = act.measures.height.map(metres).filter(|_| told) else { return };
    match limb(plan.part) {
        Limb::Hand => raise_hand(score, plan.part, height_m),
        Limb::Foot => raise_foot(score, plan.part, height_m),
        Limb::Head | Limb::Trunk => {}
    }
}

fn on_the_body(place: usize, plan: &Plan, act: &Act) -> Option<Key> {
    let mut key = super::library().places.get(place)?.clone()?;
    let told = match act.measures.aim {
        Some(AimedAt::Part(_, side)) => side,
        _ => None,
    };
    let own = if plan.side == Some(SideChoice::Left) { Side::Left } else { Side::Right };
    let crosses = match told {
        Some(ScriptSide::Left) => own != Side::Left,
        Some(ScriptSide::Right) => own != Side::Right,
        Some(ScriptSide::Both | ScriptSide::Alternating) => false,
        None => body_language::places()[place].crossing,
    };
    if crosses {
        for change in key.hands.iter_mut().flatten() {
            if let HandChange::Goes(HandSpec { anchor: Some(Anchor::At(place)), .. }) = change {
                *place = place.opposite();
            }
        }
    }
    Some(key)
}

/// Replaces the key poses of a row by one at a place, with the movement of the verb there.
fn go_for(score: &mut Score, verb: Verb, key: Key) {
    let away = |by: &dyn Fn(&HandSpec) -> Vec3, takes_s: f32, ease: Ease| {
        let hands = key.hands.clone().map(|change| match change {
            Some(HandChange::Goes(words)) => {
                let offset = words.offset.unwrap_or(Vec3::ZERO) + by(&words);
                Some(HandChange::Goes(HandSpec { offset: Some(offset), ..HandSpec::default() }))
            }
            _ => None,
        });
        Key { hands, ease, ..Key::still(takes_s) }
    };
    score.again = match verb {
        Verb::Tap | Verb::Pat => vec![
            away(&|words: &HandSpec| -BACK_M * palm(words), 0.2, Ease::Smooth),
            away(&|_: &HandSpec| Vec3::ZERO, 0.17, Ease::Hit),
        ],
        Verb::Rub => vec![
            away(&|words: &HandSpec| RUB_M * along(words), 0.3, Ease::Swing),
            away(&|words: &HandSpec| -RUB_M * along(words), 0.3, Ease::Swing),
        ],
        _ => Vec::new(),
    };
    score.usual = if score.again.is_empty() { 1 } else { 3 };
    score.most = score.usual;
    score.end.clear();
    score.begin = vec![key];
}

/// Direction that the palm faces: out, up, ahead.
fn palm(words: &HandSpec) -> Vec3 {
    match words.palm {
        Some(DirectionSpec::Vector(way)) => way,
        _ => Vec3::Z,
    }
}

/// Direction along the touched skin, as the fingers point.
fn along(words: &HandSpec) -> Vec3 {
    match words.fingers {
        Some(DirectionSpec::Vector(way)) => way,
        _ => Vec3::Y,
    }
}

/// A key with a hand that reaches for an object.
fn at_thing(target: Target, thing: &Thing, verb: Verb) -> Key {
    let mut key = Key::still(0.8);
    let words = if verb == Verb::Point {
        pointed(target, thing)
    } else {
        let place = Vec3::new(0.14, thing.height, thing.ahead);
        let (with, shape) = match verb {
            Verb::Press | Verb::Tap => (Part::Fingertips, HandShape::POINT),
            Verb::Reach => (Part::Palm, HandShape::OPEN),
            _ => (Part::Palm, HandShape::FLAT),
        };
        let (fingers, palm) = if with == Part::Fingertips || verb == Verb::Reach {
            (DirectionSpec::Along, toward(0.0, -1.0, 0.2))
        } else if thing.height > 1.0 {
            (toward(-0.1, 0.85, 0.5), toward(0.0, -0.45, 0.9))
        } else {
            (toward(-0.1, -0.2, 1.0), toward(0.0, -1.0, 0.0))
        };
        HandSpec {
            anchor: floor(),
            offset: Some(place),
            with: Some(with),
            elbow: Some(toward(0.5, -0.8, -0.2)),
            fingers: Some(fingers),
            palm: Some(palm),
            shape: Some(shape),
        }
    };
    key.hands[0] = Some(HandChange::Goes(words));
    if verb != Verb::Point {
        go_down(&mut key, thing.height);
        let pushes = matches!(verb, Verb::Push | Verb::Press) && thing.height > BENT_BELOW_M;
        if pushes {
            key.dials.push((PoseParam::TrunkBend, 0.14));
        }
    }
    if thing.height > SHOULDER_M {
        key.dials.push((PoseParam::HeadNod, -0.2));
    }
    key
}

fn pointed(target: Target, thing: &Thing) -> HandSpec {
    // the pitch of the arm for a distant target comes from its height
    let up = match target {
        Target::Sky => 0.8,
        _ => (thing.height - SHOULDER_M) / (thing.ahead + 0.6),
    };
    HandSpec {
        anchor: Some(Anchor::Stretched(toward(0.05, up, 0.8), 0.96)),
        offset: None,
        with: Some(Part::Wrist),
        elbow: Some(toward(0.5, -0.8, -0.2)),
        fingers: Some(DirectionSpec::Along),
        palm: Some(toward(-0.6, -0.8, 0.0)),
        shape: Some(HandShape::POINT),
    }
}

fn toward(out: f32, up: f32, ahead: f32) -> DirectionSpec {
    DirectionSpec::Vector(Vec3::new(out, up, ahead).normalize_or(Vec3::Z))
}

/// The floor below the body: positions beside it are upright, by their height.
fn floor() -> Option<Anchor> {
    Place::named("floor").map(Anchor::At)
}

/// Sets the height of the hand, or the elbow, in the last pose.
fn raise_hand(score: &mut Score, part: BodyPart, height_m: f32) {
    let Some(key) = score.begin.last_mut() else { return };
    let Some(HandChange::Goes(words)) = &mut key.hands[0] else { return };
    if matches!(part, BodyPart::Elbow | BodyPart::UpperArm) {
        let up = ((height_m - SHOULDER_M) / UPPER_ARM_M).clamp(-0.95, 0.95);
        let level = (1.0 - up * up).sqrt();
        let upper = Vec3::new(0.92 * level, up, 0.39 * level);
        let fore = Vec3::new(-0.75, -0.05, 0.66).normalize();
        words.anchor = Place::named("shoulder").map(Anchor::At);
        words.offset = Some(UPPER_ARM_M * upper + FOREARM_M * fore);
        words.with = Some(Part::Wrist);
        words.elbow = Some(DirectionSpec::Vector(upper));
        return;
    }
    let way = match words.anchor {
        Some(Anchor::Stretched(DirectionSpec::Vector(way), _)) => way.with_y(0.0),
        _ => Vec3::new(0.3, 0.0, 1.0),
    };
    let level = way.try_normalize().unwrap_or(Vec3::Z);
    if height_m < BENT_BELOW_M - 0.1 {
        words.anchor = floor();
        words.offset = Some(Vec3::new(0.14, height_m, 0.0) + 0.28 * level);
        words.with = Some(Part::Fingertips);
        words.fingers = Some(toward(0.0, -1.0, 0.3));
        words.palm = Some(toward(0.0, -0.3, -1.0));
        go_down(key, height_m);
        return;
    }
    let up = ((height_m - SHOULDER_M) / ARM_M).clamp(-0.97, 0.98);
    let way = level * (1.0 - up * up).sqrt() + Vec3::Y * up;
    words.anchor = Some(Anchor::Stretched(DirectionSpec::Vector(way.normalize_or(Vec3::Y)), 0.96));
    words.offset = None;
}

/// Sets the height of the knee, or the foot, in the last pose; the thigh moves in the row's
/// direction.
fn raise_foot(score: &mut Score, part: BodyPart, height_m: f32) {
    let Some(key) = score.begin.last_mut() else { return };
    let Some(Footing::Lift(place, turn, toes)) = key.feet[0] else { return };
    let level = place.with_y(0.0).try_normalize().unwrap_or(Vec3::Z);
    let (reach, ankle_m) = if matches!(part, BodyPart::Knee | BodyPart::Thigh) {
        // no thigh reaches the chest by itself
        let down = ((HIP_M - height_m) / THIGH_M).clamp(-0.4, 0.98);
        let knee_m = HIP_M - THIGH_M * down;
        (0.92 * THIGH_M * (1.0 - down * down).sqrt(), knee_m - SHIN_M)
    } else {
        let down = ((HIP_M - height_m - ANKLE_HEIGHT) / LEG_M).clamp(0.05, 0.99);
        (LEG_M * (1.0 - down * down).sqrt(), HIP_M - LEG_M * down)
    };
    let up = (ankle_m - ANKLE_HEIGHT).max(0.02);
    key.feet[0] = Some(Footing::Lift(reach * level + Vec3::Y * up, turn, toes));
}
