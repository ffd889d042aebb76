//! How each action is written into the motion plan, with one file per family.

mod cartwheel;
mod course;
mod dance;
mod fight;
mod flip;
mod gesture;
mod head;
mod jump;
mod level;
mod locomotion;
mod pirouette;
mod roll;
mod signs;
mod stillness;
mod travel;
mod turn;

use limber_animation::Side;

pub(super) use jump::heights;
pub(super) use travel::runs_ahead;

use super::{
    motion_plan::{MotionPlan, Posture},
    score::{self, Legs},
    style::{Style, VariationParams},
};
use crate::{Act, Action, ActionKind, Amount, Direction, SideChoice};

/// Possible durations of an act, seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Hurried, but still correct.
    pub(super) least: f32,
    /// The usual duration.
    pub(super) usual: f32,
    /// Stretched by holds and repetitions; anything longer looks dull.
    pub(super) most: f32,
}

impl Span {
    const fn new(least: f32, usual: f32, most: f32) -> Self {
        Self { least, usual, most }
    }
}

/// How acts join their neighbours without a stop.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Joins {
    /// Whether the act starts from the stride in which the previous one ends.
    pub(super) enters: bool,
    /// Whether the next act continues from the stride in which it ends.
    pub(super) leaves: bool,
    /// The foot in the air at the end.
    pub(super) aloft: Option<Side>,
    /// Number of key poses at the end that leave the feet to the next act.
    pub(super) free: usize,
    /// Whether the act's recovery is left out, because another act follows.
    pub(super) cut: bool,
}

/// Joins two consecutive acts without a stop if possible: a gait from which an action is performed
/// in passing, or an action that leads into a gait. `joins` are those of the first and of the
/// second act.
pub(super) fn join(before: &Act, after: &Act, variation: &VariationParams, joins: [&mut Joins; 2]) {
    let [first, second] = joins;
    let (own, next) = (Style::of(before, variation), Style::of(after, variation));
    let is_score = before.action.kind() == ActionKind::Score;
    first.cut = is_score && score::recovery_s(before, &own) > 0.0;
    let run_up = || score::run_up(after, &next).filter(|_| travel::strides_along(before));
    if travel::strides_along(before) && travel::strides_along(after) {
        first.leaves = true;
        second.enters = true;
    } else if let Some(run_up) = run_up() {
        *first = Joins { leaves: true, aloft: Some(run_up.first), ..*first };
        second.enters = true;
    } else if travel::strides_along(after) && score::run_out_s(before, &own).is_some() {
        *first = Joins { leaves: true, free: score::keys_of_arms(before), cut: false, ..*first };
        second.enters = true;
    } else if score::frees_feet(before, first.cut) {
        // a fall does not bring the feet back home first
        let needs_feet = matches!(after.action.kind(), ActionKind::Posture | ActionKind::Gait(_));
        first.free = usize::from(needs_feet);
    }
}

/// Time saved by an act that continues from a stride or leads into one, seconds.
pub(super) fn saved_s(act: &Act, variation: &VariationParams, joins: Joins) -> f32 {
    match act.action.kind() {
        ActionKind::Gait(_) => travel::saved_s(act, &Style::of(act, variation), joins),
        ActionKind::Score if joins.cut => score::recovery_s(act, &Style::of(act, variation)),
        _ => 0.0,
    }
}

/// How long before the end of an act the next one starts if it continues from its stride, seconds:
/// hands get ready while the legs still run, and are still busy while they run again.
pub(super) fn overlap_s(act: &Act, next: &Act, variation: &VariationParams) -> f32 {
    let style = Style::of(next, variation);
    match act.action.kind() {
        ActionKind::Gait(_) => score::run_up(next, &style).map_or(0.0, |run_up| run_up.ready_s),
        _ => score::run_out_s(act, &Style::of(act, variation)).unwrap_or(0.0),
    }
}

/// Possible durations of an act that starts in this posture.
pub(super) fn span(act: &Act, variation: &VariationParams, before: Posture) -> Span {
    let span = own_span(act, variation, before);
    let Some(Amount::Seconds(seconds)) = act.amount else { return span };
    match act.action.kind() {
        // body-part movements, gaits and standing evaluate the duration themselves
        ActionKind::Body | ActionKind::Gait(_) | ActionKind::Sidestep | ActionKind::Idle => span,
        // the duration is that of being down, however long getting there takes
        ActionKind::Posture | ActionKind::SitDown | ActionKind::Crouch => {
            let usual = span.usual + (seconds - STAYS_S).max(0.0);
            Span { least: span.least, usual, most: usual }
        }
        _ => for_as_long_as_told(act, span),
    }
}

/// The span of an act for which a duration may be given.
pub(super) fn for_as_long_as_told(act: &Act, span: Span) -> Span {
    match act.amount {
        Some(Amount::Seconds(seconds)) if act.action.kind() != ActionKind::Body => {
            let usual = seconds.max(span.least);
            Span { least: span.least, usual, most: usual }
        }
        _ => span,
    }
}

/// How long the body stays in a posture by default, seconds.
const STAYS_S: f32 = 1.0;

fn own_span(act: &Act, variation: &VariationParams, before: Posture) -> Span {
    let style = Style::of(act, variation);
    match act.action.kind() {
        ActionKind::Posture => score::span_between(before, aimed_at(act), &style),
        ActionKind::StandUp if matches!(before, Posture::Held(_)) => {
            score::span_between(before, Posture::Standing, &style)
        }
        ActionKind::Gait(_) | ActionKind::Sidestep => travel::span(act, &style),
        ActionKind::Wave => gesture::wave_span(act, &style),
        ActionKind::Idle => stillness::span(act),
        ActionKind::Turn => turn::span(act, &style),
        ActionKind::Jump => jump::span(act, &style),
        ActionKind::Hop => jump::hop_span(act, &style),
        ActionKind::Point => signs::point_span(act, &style),
        ActionKind::Clap => signs::clap_span(act, &style),
        ActionKind::RaiseArms => signs::raise_span(act, &style),
        ActionKind::Punch => fight::punch_span(act, &style),
        ActionKind::Kick => fight::kick_span(act, &style),
        ActionKind::SitDown => level::sit_span(&style),
        ActionKind::StandUp => level::stand_span(&style),
        ActionKind::Crouch => level::crouch_span(act, &style),
        ActionKind::Bow => level::bow_span(act, &style),
        ActionKind::Nod => head::nod_span(act, &style),
        ActionKind::ShakeHead => head::shake_span(act, &style),
        ActionKind::Dance => dance::span(&style),
        ActionKind::Roll => roll::span(act, &style),
        ActionKind::Flip(_) => flip::span(act, &style),
        ActionKind::Cartwheel => cartwheel::span(act, &style),
        ActionKind::Pirouette => pirouette::span(act, &style),
        ActionKind::Score | ActionKind::Body => score::span(act, &style),
    }
}

/// Whether an act continues the previous ones without a stop: a change of gait, a leap out of a
/// run, consecutive key poses. `next` is the act after it.
pub(super) fn flow_together(before: &[Act], after: &Act, next: Option<&Act>) -> bool {
    let follow = before.last().is_some_and(|last| score::follow(last, after));
    follow || travel::flow_together(before, after, next)
}

/// Possible durations of each of several joined acts.
pub(super) fn spans_together(acts: &[Act], variation: &VariationParams) -> Vec<Span> {
    match acts[0].action.kind() {
        ActionKind::Score | ActionKind::Body => score::spans_in_a_row(acts, variation),
        _ => travel::spans_on_the_way(acts, variation),
    }
}

/// How long before its usual end an act lets the next one start, seconds. From then on only arms
/// and trunk are still returning, and they continue into the next act from wherever they are; the
/// feet stand where they stay until the next act moves them.
pub(super) fn tail_s(
    act: &Act,
    next: &Act,
    variation: &VariationParams,
    (before, joins): (Posture, Joins),
) -> f32 {
    let style = Style::of(act, variation);
    let still_s = feet_still_s(next, &Style::of(next, variation));
    // the time for which the feet stand at the end, and that for which anything still moves
    let (stands_s, moves_s) = match act.action.kind() {
        ActionKind::Score | ActionKind::Body => {
            let needs_feet = has_feet(next) && joins.free == 0;
            let still_s = if needs_feet { still_s } else { f32::INFINITY };
            return score::tail_s(act, &style, still_s);
        }
        // down by then, and holding it
        ActionKind::SitDown if before != Posture::Sitting => (0.4, 0.4),
        ActionKind::Posture => (0.7, 0.7),
        ActionKind::Crouch if act.count.is_none_or(|count| count < 2) => (0.8, 0.8),
        ActionKind::Wave => (gesture::LOWER_S, gesture::LOWER_S),
        ActionKind::Point | ActionKind::Clap => (signs::DOWN_S, signs::DOWN_S),
        ActionKind::RaiseArms => (0.4, 0.4),
        // a foot steps home first
        ActionKind::Punch => (0.12, 0.5),
        ActionKind::Kick => (0.4, 0.5),
        ActionKind::Jump => (0.42, 0.5),
        ActionKind::Hop => (0.22, 0.4),
        // the last two steps slow the body down
        ActionKind::Gait(_) => (0.2, 0.8),
        ActionKind::Sidestep => (0.2, 0.4),
        ActionKind::Turn => (0.1, 0.2),
        // the feet stand all the time
        ActionKind::StandUp if before == Posture::Crouching => (0.6, 0.6),
        ActionKind::StandUp | ActionKind::Bow => (0.3, 0.3),
        ActionKind::Roll => (0.2, 0.6),
        ActionKind::Idle => (0.2, 0.2),
        // cutting off part of a nod would be visible
        ActionKind::Nod | ActionKind::ShakeHead => (0.0, 0.0),
        ActionKind::SitDown
        | ActionKind::Crouch
        | ActionKind::Dance
        | ActionKind::Flip(_)
        | ActionKind::Cartwheel
        | ActionKind::Pirouette => (0.0, 0.0),
    };
    (stands_s + style.tempo * still_s).min(moves_s) / style.tempo
}

/// How long after its start an act leaves the feet where they stand, seconds; zero for an act that
/// needs the body at rest.
fn feet_still_s(act: &Act, style: &Style) -> f32 {
    let still_s = match act.action.kind() {
        ActionKind::Score | ActionKind::Body => return score::feet_still_s(act, style),
        ActionKind::Wave | ActionKind::Point | ActionKind::Clap | ActionKind::RaiseArms => {
            f32::INFINITY
        }
        ActionKind::Nod | ActionKind::ShakeHead => f32::INFINITY,
        ActionKind::Bow | ActionKind::Crouch => 0.3,
        ActionKind::Posture => score::feet_still_into(aimed_at(act)),
        // raises the guard first
        ActionKind::Kick => 0.4,
        // crouches first
        ActionKind::Jump | ActionKind::Flip(_) => 0.4,
        ActionKind::Roll => 0.35,
        ActionKind::Punch | ActionKind::Hop => 0.1,
        ActionKind::Idle
        | ActionKind::Gait(_)
        | ActionKind::Sidestep
        | ActionKind::Turn
        | ActionKind::SitDown
        | ActionKind::StandUp
        | ActionKind::Dance
        | ActionKind::Cartwheel
        | ActionKind::Pirouette => 0.0,
    };
    still_s / style.tempo
}

/// Whether an act moves the feet.
fn has_feet(act: &Act) -> bool {
    match act.action.kind() {
        ActionKind::Score | ActionKind::Body => score::has_feet(act),
        ActionKind::Wave | ActionKind::Point | ActionKind::Clap | ActionKind::RaiseArms => false,
        ActionKind::Nod | ActionKind::ShakeHead | ActionKind::Bow | ActionKind::Idle => false,
        _ => true,
    }
}

/// The posture that an act leads to or is performed in.
pub(super) fn aimed_at(act: &Act) -> Posture {
    let own = act.action.posture().and_then(score::named);
    own.or_else(|| act.measures.posture.and_then(posture_of)).unwrap_or(Posture::Standing)
}

/// The composer's posture for a script's posture, if it has one.
pub(super) fn posture_of(posture: limber_script::Posture) -> Option<Posture> {
    use limber_script::Posture as Said;
    match posture {
        Said::Standing => Some(Posture::Standing),
        Said::Crouched => Some(Posture::Crouching),
        Said::SeatedOnFloor => score::named("floor-sitting"),
        Said::CrossLegged => score::named("cross-legged").or_else(|| score::named("floor-sitting")),
        Said::SeatedOnChair => score::named(score::CHAIR),
        Said::KneelingOnBoth => score::named("kneeling"),
        Said::KneelingOnOne => score::named("half-kneeling").or_else(|| score::named("kneeling")),
        Said::LyingOnBack => score::named("lying-back"),
        Said::LyingOnFront => score::named("lying-front"),
        Said::AllFours => score::named("hands-and-knees"),
        Said::LyingOnSide => score::named("lying-side"),
        Said::Hanging => score::named("hanging"),
        Said::Airborne => None,
    }
}

/// Duration of an act's lead-in: the transition to its first pose, or the acceleration to its
/// speed.
pub(super) fn lead_in_s(act: &Act, style: &Style) -> Option<f32> {
    match act.action.kind() {
        ActionKind::Score | ActionKind::Body => Some(score::lead_in_s(act, style)),
        ActionKind::Gait(_) => Some(travel::lead_in_s(act, style)),
        ActionKind::Wave => Some(gesture::lead_in_s(style)),
        // nothing leads into a posture in which the body already is
        ActionKind::Idle | ActionKind::Posture | ActionKind::SitDown | ActionKind::Crouch => {
            Some(0.0)
        }
        _ => None,
    }
}

/// Duration of an act's ending, such as coming to a stop, which is cut off if the clip ends in the
/// middle of it.
pub(super) fn lead_out_s(act: &Act, style: &Style) -> Option<f32> {
    match act.action.kind() {
        ActionKind::Gait(_) => travel::lead_out_s(act, style),
        _ => None,
    }
}

/// Performs acts from where the plan ends, for this duration. Several acts are joined.
pub(super) fn perform(plan: &mut MotionPlan, acts: &[Act], span_s: f32, joins: Joins) {
    let Some(act) = acts.first() else { return };
    let (from_s, to_s) = (plan.now, plan.now + span_s);
    let style = Style::of(act, &plan.variation);
    match act.action.kind() {
        ActionKind::Gait(_) | ActionKind::Sidestep => {
            travel::perform(plan, acts, span_s, joins);
        }
        ActionKind::Turn => turn::perform(plan, act, &style, span_s),
        ActionKind::Jump => jump::jump(plan, act, &style, span_s),
        ActionKind::Hop => jump::hop(plan, act, &style, span_s),
        ActionKind::Kick => fight::kick(plan, act, &style, span_s),
        ActionKind::Punch => fight::punch(plan, act, &style, (from_s, to_s), true),
        ActionKind::Posture => score::go(plan, aimed_at(act), &style, (from_s, to_s)),
        ActionKind::StandUp if matches!(plan.posture, Posture::Held(_)) => {
            score::go(plan, Posture::Standing, &style, (from_s, to_s));
        }
        ActionKind::SitDown if plan.posture != Posture::Sitting => level::sit(plan, &style, span_s),
        ActionKind::StandUp => level::stand(plan, &style, span_s),
        ActionKind::Crouch => level::crouch(plan, act, &style, span_s),
        ActionKind::Dance => dance::dance(plan, &style, span_s),
        ActionKind::Roll => roll::roll(plan, act, &style, span_s),
        ActionKind::Flip(direction) => flip::flip(plan, act, direction, &style, span_s),
        ActionKind::Cartwheel => cartwheel::cartwheel(plan, act, &style, span_s),
        ActionKind::Pirouette => pirouette::pirouette(plan, act, &style, span_s),
        ActionKind::Score | ActionKind::Body if acts.len() > 1 => {
            score::play_in_a_row(plan, acts, (from_s, to_s), joins);
        }
        ActionKind::Score | ActionKind::Body => {
            score::play(plan, act, &style, (from_s, to_s), (Legs::Free, joins));
        }
        ActionKind::Clap => signs::clap(plan, act, &style, (from_s, to_s), Legs::Free),
        ActionKind::Idle if plan.posture == Posture::Standing => {
            stillness::idle(plan, &style, from_s, to_s);
        }
        ActionKind::Nod | ActionKind::ShakeHead if plan.posture == Posture::Standing => {
            stillness::idle(plan, &style, from_s, to_s);
            overlay(plan, act, &style, from_s, to_s);
        }
        _ => overlay(plan, act, &style, from_s, to_s),
    }
    plan.now = to_s;
}

/// Layers an act of arms, trunk or head over the legs' act between two times.
pub(super) fn overlay(plan: &mut MotionPlan, act: &Act, style: &Style, from_s: f32, to_s: f32) {
    let window = (from_s, to_s);
    match act.action.kind() {
        ActionKind::Wave => gesture::wave(plan, act, style, from_s, to_s),
        ActionKind::Point => signs::point(plan, act, style, window),
        ActionKind::Clap => signs::clap(plan, act, style, window, Legs::Taken),
        ActionKind::RaiseArms => signs::raise(plan, act, style, window),
        ActionKind::Punch => fight::punch(plan, act, style, window, false),
        ActionKind::Bow => level::bow(plan, act, style, window),
        ActionKind::Crouch => level::stay_low(plan, from_s, to_s),
        ActionKind::Nod => head::nod(plan, act, style, window),
        ActionKind::ShakeHead => head::shake(plan, act, style, window),
        ActionKind::Score => {
            score::play(plan, act, style, window, (Legs::Taken, Joins::default()));
        }
        ActionKind::Body => {
            score::play(plan, act, style, window, (Legs::Shared, Joins::default()));
        }
        // acts that need the legs cannot be layered
        _ => {}
    }
}

/// Puts the body into the posture in which a script starts.
pub(super) fn begin(plan: &mut MotionPlan, posture: Posture) {
    match posture {
        Posture::Sitting => level::begin_seated(plan),
        Posture::Held(_) => score::begin(plan, posture),
        Posture::Crouching => level::begin_crouched(plan),
        Posture::Standing => {}
    }
}

/// Fills the rest of the clip, so that the body never freezes.
pub(super) fn rest(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    if plan.posture == Posture::Standing {
        let style = Style::of(&Act::new(Action::idle()), &plan.variation);
        stillness::idle(plan, &style, from_s, to_s);
    }
}

/// The sides that perform an act. An unspecified side is the right one; if the seed prefers the
/// left, the composer mirrors the whole clip.
fn sides(act: &Act) -> Vec<Side> {
    match act.side {
        Some(SideChoice::Left) => vec![Side::Left],
        Some(SideChoice::Both) => vec![Side::Right, Side::Left],
        Some(SideChoice::Right) | None => vec![Side::Right],
    }
}

/// The side that an act moves or turns to: that of its direction, or else that of its side.
fn side_to(act: &Act) -> Side {
    match act.direction {
        Some(Direction::Left) => Side::Left,
        Some(Direction::Right) => Side::Right,
        _ => sides(act)[0],
    }
}
