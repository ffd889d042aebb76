//! Scores: keyframe scripts that define actions in `assets/scores`, written into the motion plan.
//!
//! ```text
//! file ──notation──▶ written ──reading──▶ Score ──timing──▶ moments ──▶ dials, hands, feet of the plan
//! a movement told by a part of the body ──described──▶ Score
//! ```
//! A key pose defines relations ("fingertips at the brow, elbow out"), never joint angles, so that
//! it means the same for every build. What a key does not mention stays as it was; at the end
//! everything returns home. The format is documented in `assets/scores/README.md`.

mod described;
mod ending;
mod footwork;
mod hand_tracks;
mod height;
mod library;
mod notation;
mod places;
mod posture_tracks;
mod postures;
mod reading;
mod row;
mod stride;
mod timing;
mod transitions;

use std::{borrow::Cow, sync::Arc};

use glam::Vec2;
use limber_animation::Side;

use super::{
    acts::{self, Joins, Span},
    motion_plan::{MotionPlan, Posture},
    style::{Style, VariationParams},
};
use crate::{Act, Action, ActionKind, Direction, SideChoice, body_language};
pub(super) use footwork::Homes;
pub(crate) use library::added_scores;
pub(super) use library::faults;
use notation::Sides;
pub(super) use postures::{
    CHAIR, begin, feet_still_into, go, is_like, leaves_hands_free, named, span as span_between,
};
pub(crate) use reading::Score;
pub(super) use row::follow;
pub(super) use stride::{frees_feet, keys_of_arms, run_out_s, run_up};
use timing::{Leading, Moment, Often};

/// Possible durations of an act that is played from a score.
pub(super) fn span(act: &Act, style: &Style) -> Span {
    timing::span(&score_of(act), act.count, style)
}

/// How long before its end an act that is played from a score lets the next one start: while it
/// returns home, unless both need the feet for that. `still_s` is how long the next one leaves the
/// feet where they stand.
pub(super) fn tail_s(act: &Act, style: &Style, still_s: f32) -> f32 {
    let score = score_of(act);
    if score.stays {
        return 0.0;
    }
    let home_s = score.home_s / style.tempo;
    if moves_feet(&score) { home_s.min(still_s) } else { home_s }
}

/// How long after its start an act that is played from a score leaves the feet where they stand,
/// seconds.
pub(super) fn feet_still_s(act: &Act, style: &Style) -> f32 {
    let score = score_of(act);
    let mut keys = score.begin.iter().chain(&score.again).chain(&score.end);
    let mut still_s = 0.0;
    let moves = keys.by_ref().find(|key| {
        let moves = moves_them(key);
        still_s += if moves { 0.0 } else { (key.takes_s + key.hold_s) / style.tempo };
        moves
    });
    moves.map_or(f32::INFINITY, |_| still_s)
}

fn moves_them(key: &reading::Key) -> bool {
    key.feet != [None; 2] || key.leap || key.onward != [0.0; 2]
}

/// Whether an act that is played from a score moves the feet.
pub(super) fn has_feet(act: &Act) -> bool {
    moves_feet(&score_of(act))
}

fn moves_feet(score: &Score) -> bool {
    let mut keys = score.begin.iter().chain(&score.again).chain(&score.end);
    keys.any(moves_them)
}

/// Minimum distance, ahead or aside, that an action travels to count as travelling, metres.
const ONWARD_M: f32 = 0.1;

/// Whether an action leads away from where it starts.
pub(super) fn goes_onward(action: Action) -> bool {
    library::score_of(action).is_some_and(|score| {
        let keys = score.begin.iter().chain(&score.again).chain(&score.end);
        let gone = keys.fold(Vec2::ZERO, |gone, key| gone + Vec2::from(key.onward));
        gone.length() >= ONWARD_M
    })
}

/// Duration of an act's recovery, which is left out if another act follows; zero if it has none.
pub(super) fn recovery_s(act: &Act, style: &Style) -> f32 {
    let score = score_of(act);
    if !score.recovers || score.stays {
        return 0.0;
    }
    score.recovery_s() / style.tempo
}

/// Duration of an act until its first key.
pub(super) fn lead_in_s(act: &Act, style: &Style) -> f32 {
    timing::lead_in_s(&score_of(act), style)
}

/// Whether an act holds the pose in which it finds the body.
fn keeps(act: &Act) -> bool {
    act.action.kind() == ActionKind::Score
        && library::score_of(act.action).is_some_and(|score| score.keeps)
}

fn score_of(act: &Act) -> Cow<'static, Score> {
    if act.action.kind() == ActionKind::Body {
        return Cow::Owned(described::score(act));
    }
    let score = library::score_of(act.action);
    let score = score.expect("every scored action has a score; a test checks this");
    let stays = act.measures.stays && !score.stays;
    let by_one = by_one_hand(act, score);
    let is_usual = !stays && act.measures.height.is_none() && act.measures.rhythm.is_none();
    if is_usual && !by_one {
        return Cow::Borrowed(score);
    }
    let mut score = score.clone();
    if by_one {
        score.keys_mut().for_each(|key| key.hands[1] = None);
    }
    if stays {
        score.end_in_its_pose();
    }
    score.rhythm = act.measures.rhythm.unwrap_or(score.rhythm);
    if let Some(level) = act.measures.height {
        height::take(&mut score, level);
    }
    Cow::Owned(score)
}

/// Whether an act that both hands perform alike is requested with one hand, so that the other is
/// free.
fn by_one_hand(act: &Act, score: &Score) -> bool {
    let is_told = matches!(act.side, Some(SideChoice::Left | SideChoice::Right));
    let keys = || score.begin.iter().chain(&score.again).chain(&score.end);
    // if the feet move, the side means the leg
    if keys().any(|key| key.feet != [None; 2]) {
        return false;
    }
    let other = || keys().filter(|key| key.hands[1].is_some());
    let alike = other().all(|key| key.hands[0] == key.hands[1] && !key.meets_the_other_hand());
    is_told && score.sides != Sides::Alternate && other().count() > 0 && alike
}

/// Duration of one repetition of a cyclic action.
pub(super) fn round_s(action: Action) -> Option<f32> {
    let score = library::score_of(action).filter(|score| !score.again.is_empty())?;
    Some(score.again.iter().map(|key| key.takes_s + key.hold_s).sum())
}

/// Distance covered by one repetition of a cyclic action that travels, metres.
pub(super) fn round_m(action: Action) -> Option<f32> {
    let score = library::score_of(action)?;
    let gone = score.again.iter().fold(Vec2::ZERO, |gone, key| gone + Vec2::from(key.onward));
    (gone.length() >= ONWARD_M).then_some(gone.length())
}

/// Whether an action defined by a score can be performed at another height than usual.
pub(super) fn has_heights(action: Action) -> bool {
    action.kind() == ActionKind::Score && library::score_of(action).is_some_and(height::is_variable)
}

/// Which act controls the legs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Legs {
    /// The score itself.
    Free,
    /// Another act, such as walking or sitting.
    Taken,
    /// Another act controls the feet, but the score may move the pelvis.
    Shared,
}

/// Plays an act between two times.
pub(super) fn play(
    plan: &mut MotionPlan,
    act: &Act,
    style: &Style,
    window: (f32, f32),
    (legs, joins): (Legs, Joins),
) {
    let mut score = score_of(act);
    if joins.cut {
        score.to_mut().leave_out_recovery();
    }
    let leading = leading(&score, act);
    let mut moments =
        timing::moments(&score, Often::of(act), style, window, &leading, plan.patience());
    moments.iter_mut().for_each(|moment| moment.aim = aim(act.direction));
    join(plan, &mut moments, joins);
    play_moments(plan, act, &moments, legs);
}

/// Possible durations of each of several consecutive acts that do not return home in between.
pub(super) fn spans_in_a_row(acts: &[Act], variation: &VariationParams) -> Vec<Span> {
    spans_of(acts, &row::scores(acts), variation)
}

fn spans_of(acts: &[Act], scores: &[Score], variation: &VariationParams) -> Vec<Span> {
    let each = acts.iter().zip(scores);
    each.map(|(act, score)| {
        let span = timing::span(score, act.count, &Style::of(act, variation));
        acts::for_as_long_as_told(act, span)
    })
    .collect()
}

/// Plays several consecutive acts between two times, without returning home in between.
pub(super) fn play_in_a_row(
    plan: &mut MotionPlan,
    acts: &[Act],
    (from_s, to_s): (f32, f32),
    joins: Joins,
) {
    let mut scores = row::scores(acts);
    if let Some(last) = scores.last_mut().filter(|_| joins.cut) {
        last.leave_out_recovery();
    }
    let spans = spans_of(acts, &scores, &plan.variation);
    let pace = (to_s - from_s) / spans.iter().map(|span| span.usual).sum::<f32>().max(1e-3);
    let mut now = from_s;
    let mut moments = Vec::new();
    for ((act, score), span) in acts.iter().zip(&scores).zip(&spans) {
        let window = (now, now + pace * span.usual);
        let style = Style::of(act, &plan.variation);
        let patience = if moments.is_empty() { plan.patience() } else { 0.0 };
        let leading = leading(score, act);
        let often = Often::of(act);
        let own = timing::moments(score, often, &style, window, &leading, patience);
        moments.extend(own.into_iter().map(|own| Moment { aim: aim(act.direction), ..own }));
        now = window.1;
    }
    join(plan, &mut moments, joins);
    play_moments(plan, &acts[0], &moments, Legs::Free);
}

/// Lets moments start from the current stride, and leave the feet alone at their end.
fn join(plan: &MotionPlan, moments: &mut [Moment<'_>], joins: Joins) {
    if let Some(stride) = plan.stride.as_ref().filter(|_| joins.enters) {
        stride::go_on_from(moments, stride);
    }
    let from = moments.len().saturating_sub(joins.free);
    moments[from..].iter_mut().for_each(|moment| moment.has_feet = false);
}

fn play_moments(plan: &mut MotionPlan, act: &Act, moments: &[Moment<'_>], legs: Legs) {
    let home = act.action.posture().and_then(named).unwrap_or(Posture::Standing);
    let legs = if plan.posture == home { legs } else { Legs::Taken };
    posture_tracks::play(plan, moments, legs);
    if legs == Legs::Free {
        footwork::play(plan, moments);
    } else if act.action.kind() == ActionKind::Body && plan.posture == Posture::Sitting {
        footwork::play_seated(plan, moments);
    }
    let mut tracks = Side::BOTH.map(|side| Arc::new(hand_tracks::track(moments, side)));
    if plan.posture != home && !leaves_hands_free(plan.posture) {
        bear(&mut tracks);
    }
    for side in Side::BOTH {
        let own = &tracks[side as usize];
        let other = &tracks[side.opposite() as usize];
        hand_tracks::play(plan, side, (own, other));
    }
}

/// Keeps weight-bearing hands on the floor: one may be lifted, but not both.
fn bear(tracks: &mut [Arc<hand_tracks::Track>; 2]) {
    if tracks.iter().all(|track| track.moves()) {
        *tracks = [Arc::default(), Arc::default()];
    }
}

/// Whether each repetition is a step onwards.
fn steps_on(score: &Score) -> bool {
    score.again.iter().any(|key| key.onward != [0.0; 2] && key.feet != [None; 2])
}

/// The leading side of each repetition.
fn leading(score: &Score, act: &Act) -> Leading {
    // a movement leads with the side to which it goes
    let side = body_language::plan(act).map_or(act.side, |plan| plan.side);
    let first = match side {
        Some(SideChoice::Left) => Side::Left,
        _ => Side::Right,
    };
    let repeats = !score.again.is_empty();
    match (side, score.sides) {
        (_, Sides::Together) => Leading::One(first),
        (Some(SideChoice::Both), Sides::Mirror) => Leading::Both,
        (Some(SideChoice::Both), Sides::One) if !repeats => Leading::Both,
        (Some(SideChoice::Both), _) | (None, Sides::Alternate) => Leading::InTurns(first),
        // an action that travels step by step starts with the requested side
        (_, Sides::Alternate) if steps_on(score) => Leading::InTurns(first),
        _ => Leading::One(first),
    }
}

/// The requested direction relative to the body: left, up, ahead; a unit vector.
fn aim(direction: Option<Direction>) -> glam::Vec3 {
    let (left, up, ahead) = match direction {
        Some(Direction::Left) => (1.0, 0.03, 0.32),
        Some(Direction::Right) => (-1.0, 0.03, 0.32),
        Some(Direction::Up) => (0.0, 1.0, 0.45),
        Some(Direction::Down) => (0.0, -0.62, 0.8),
        Some(Direction::Forward | Direction::Backward) | None => (0.0, 0.03, 1.0),
    };
    glam::Vec3::new(left, up, ahead).normalize()
}

/// The role of a side in a moment: the index of its hand and foot in a key; 0 for both if both
/// lead.
fn role(moment: &Moment<'_>, side: Side) -> usize {
    usize::from(!moment.both_lead && side != moment.lead)
}
