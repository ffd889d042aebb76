//! Scales movements, within the limits of the body.

use glam::{Quat, Vec3};

use crate::{
    Act,
    body_language::{self, Plan},
    composer::score::reading::{
        Anchor, DirectionSpec, Footing, HandChange, HandSpec, Key, PoseParam, Score,
    },
};

/// Ranges of motion of healthy adults: degrees for angles (after Norkin & White, *Measurement of
/// Joint Motion*, 5th ed. 2016, for neck and trunk as a whole), metres for the pelvis over standing
/// feet.
const LIMITS: [(PoseParam, f32, f32); 13] = [
    (PoseParam::HeadNod, -50.0, 45.0),
    (PoseParam::HeadTurn, -72.0, 72.0),
    (PoseParam::HeadTilt, -38.0, 38.0),
    (PoseParam::TrunkBend, -25.0, 80.0),
    (PoseParam::TrunkTurn, -45.0, 45.0),
    (PoseParam::TrunkLean, -32.0, 32.0),
    (PoseParam::PelvisTip, -20.0, 62.0),
    (PoseParam::PelvisTurn, -35.0, 35.0),
    (PoseParam::PelvisHike, -16.0, 16.0),
    (PoseParam::Shoulders, -8.0, 26.0),
    (PoseParam::PelvisDown, -0.09, 0.46),
    (PoseParam::PelvisAhead, -0.20, 0.16),
    (PoseParam::PelvisAside, -0.14, 0.14),
];
/// The range of one shoulder, degrees.
const SHOULDER: (f32, f32) = (-8.0, 26.0);
/// Maximum angle of an arm from hanging down, radians.
const FURTHEST_ARM: f32 = 3.05;
/// Maximum distance by which a foot is lifted or moved from home, metres.
const FURTHEST_FOOT_M: f32 = 0.85;

/// Scales all key poses as the act requests, but no further than a body can go.
pub(super) fn grow(score: &mut Score, plan: &Plan, act: &Act) {
    let degrees = body_language::rows()[plan.row].degrees();
    let turned = act.angle_rad.zip(degrees).map(|(angle, usual)| angle.to_degrees() / usual);
    // an angle or height determines the size
    let size = turned.or(act.measures.size).unwrap_or(1.0);
    let arms = if act.measures.height.is_some() { 1.0 } else { size };
    let middle = middle(&score.again);
    for key in score.begin.iter_mut().chain(&mut score.end) {
        grow_body(key, size);
        grow_limbs(key, arms, Middle::default());
    }
    for key in &mut score.again {
        grow_body(key, size);
        grow_limbs(key, arms, middle);
    }
}

/// The centre of a cycle, for the leading hand and foot.
#[derive(Debug, Clone, Copy, Default)]
struct Middle {
    hand: Option<Vec3>,
    foot: Option<Vec3>,
}

fn middle(keys: &[Key]) -> Middle {
    let mean = |places: Vec<Vec3>| {
        (places.len() > 1).then(|| places.iter().sum::<Vec3>() / places.len() as f32)
    };
    let hands = keys.iter().filter_map(|key| match &key.hands[0] {
        Some(HandChange::Goes(words)) => words.offset,
        _ => None,
    });
    let feet = keys.iter().filter_map(|key| match key.feet[0] {
        Some(Footing::Lift(place, ..)) => Some(place),
        _ => None,
    });
    Middle { hand: mean(hands.collect()), foot: mean(feet.collect()) }
}

fn grow_body(key: &mut Key, size: f32) {
    for (dial, value) in &mut key.dials {
        if *dial == PoseParam::HeadFollow {
            continue;
        }
        *value *= size;
        if let Some((_, least, most)) = LIMITS.iter().find(|(limited, ..)| *limited == *dial) {
            let is_length = matches!(
                dial,
                PoseParam::PelvisDown | PoseParam::PelvisAhead | PoseParam::PelvisAside
            );
            let unit = if is_length { 1.0 } else { 1_f32.to_radians() };
            *value = value.clamp(unit * least, unit * most);
        }
    }
    for shoulder in key.shoulders.iter_mut().flatten() {
        *shoulder = (*shoulder * size).clamp(SHOULDER.0.to_radians(), SHOULDER.1.to_radians());
    }
}

fn grow_limbs(key: &mut Key, size: f32, middle: Middle) {
    if size == 1.0 {
        return;
    }
    for change in key.hands.iter_mut().flatten() {
        if let HandChange::Goes(words) = change {
            grow_hand(words, size, middle.hand);
        }
    }
    for footing in key.feet.iter_mut().flatten() {
        match footing {
            Footing::Lift(place, ..) => {
                let from = middle.foot.unwrap_or(Vec3::ZERO);
                let grown = from + size * (*place - from);
                *place = grown.clamp_length_max(FURTHEST_FOOT_M).max(Vec3::new(-2.0, 0.0, -2.0));
            }
            Footing::Step([out, ahead], turn) => {
                let most = FURTHEST_FOOT_M;
                (*out, *ahead) =
                    ((*out * size).clamp(-most, most), (*ahead * size).clamp(-most, most));
                *turn *= size.min(1.5);
            }
            Footing::Rise(heel) => *heel = (*heel * size).min(50_f32.to_radians()),
        }
    }
}

fn grow_hand(words: &mut HandSpec, size: f32, middle: Option<Vec3>) {
    if let Some(Anchor::Stretched(DirectionSpec::Vector(way), _)) = &mut words.anchor {
        let (axis, angle) = Quat::from_rotation_arc(Vec3::NEG_Y, *way).to_axis_angle();
        let further = (size * angle).min(FURTHEST_ARM);
        *way = (Quat::from_axis_angle(axis, further) * Vec3::NEG_Y).normalize_or(*way);
    }
    if let (Some(offset), Some(middle)) = (&mut words.offset, middle) {
        *offset = middle + size * (*offset - middle);
    }
}
