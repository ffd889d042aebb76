//! How each action is performed on the stage, with one file per family.

mod cartwheel;
mod course;
mod dance;
mod fight;
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

use super::{
    score::{self, Legs},
    stage::{Posture, Stage},
    style::{Style, Taste},
};
use crate::{Act, Action, Amount, Direction, SideChoice, Way};

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
}

/// Joins two consecutive acts without a stop if possible: a gait from which an action is performed
/// in passing, or an action that leads into a gait. `joins` are those of the first and of the
/// second act.
pub(super) fn join(before: &Act, after: &Act, taste: &Taste, joins: [&mut Joins; 2]) {
    let [first, second] = joins;
    let (own, next) = (Style::of(before, taste), Style::of(after, taste));
    let run_up = || score::run_up(after, &next).filter(|_| travel::strides_along(before));
    if travel::strides_along(before) && travel::strides_along(after) {
        first.leaves = true;
        second.enters = true;
    } else if let Some(run_up) = run_up() {
        *first = Joins { leaves: true, aloft: Some(run_up.first), ..*first };
        second.enters = true;
    } else if travel::strides_along(after) && score::run_out_s(before, &own).is_some() {
        *first = Joins { leaves: true, free: score::keys_of_arms(before), ..*first };
        second.enters = true;
    } else if score::frees_feet(before) {
        // a fall does not bring the feet back home first
        let needs_feet = matches!(after.action.way(), Way::Posture | Way::Gait(_));
        first.free = usize::from(needs_feet);
    }
}

/// Time saved by an act that continues from a stride or leads into one, seconds.
pub(super) fn saved_s(act: &Act, taste: &Taste, joins: Joins) -> f32 {
    match act.action.way() {
        Way::Gait(_) => travel::saved_s(act, &Style::of(act, taste), joins),
        _ => 0.0,
    }
}

/// How long before the end of an act the next one starts if it continues from its stride, seconds:
/// hands get ready while the legs still run, and are still busy while they run again.
pub(super) fn overlap_s(act: &Act, next: &Act, taste: &Taste) -> f32 {
    let style = Style::of(next, taste);
    match act.action.way() {
        Way::Gait(_) => score::run_up(next, &style).map_or(0.0, |run_up| run_up.ready_s),
        _ => score::run_out_s(act, &Style::of(act, taste)).unwrap_or(0.0),
    }
}

/// Possible durations of an act that starts in this posture.
pub(super) fn span(act: &Act, taste: &Taste, before: Posture) -> Span {
    let span = own_span(act, taste, before);
    let Some(Amount::Seconds(seconds)) = act.amount else { return span };
    match act.action.way() {
        // body-part movements, gaits and standing evaluate the duration themselves
        Way::Body | Way::Gait(_) | Way::Sidestep | Way::Idle => span,
        // the duration is that of being down, however long getting there takes
        Way::Posture | Way::SitDown | Way::Crouch => {
            let usual = span.usual + (seconds - STAYS_S).max(0.0);
            Span { least: span.least, usual, most: usual }
        }
        _ => for_as_long_as_told(act, span),
    }
}

/// The span of an act for which a duration may be given.
pub(super) fn for_as_long_as_told(act: &Act, span: Span) -> Span {
    match act.amount {
        Some(Amount::Seconds(seconds)) if act.action.way() != Way::Body => {
            let usual = seconds.max(span.least);
            Span { least: span.least, usual, most: usual }
        }
        _ => span,
    }
}

/// How long the body stays in a posture by default, seconds.
const STAYS_S: f32 = 1.0;

fn own_span(act: &Act, taste: &Taste, before: Posture) -> Span {
    let style = Style::of(act, taste);
    match act.action.way() {
        Way::Posture => score::span_between(before, aimed_at(act), &style),
        Way::StandUp if matches!(before, Posture::Held(_)) => {
            score::span_between(before, Posture::Standing, &style)
        }
        Way::Gait(_) | Way::Sidestep => travel::span(act, &style),
        Way::Wave => gesture::wave_span(act, &style),
        Way::Idle => stillness::span(act),
        Way::Turn => turn::span(act, &style),
        Way::Jump => jump::span(act, &style),
        Way::Hop => jump::hop_span(act, &style),
        Way::Point => signs::point_span(act, &style),
        Way::Clap => signs::clap_span(act, &style),
        Way::RaiseArms => signs::raise_span(act, &style),
        Way::Punch => fight::punch_span(act, &style),
        Way::Kick => fight::kick_span(act, &style),
        Way::SitDown => level::sit_span(&style),
        Way::StandUp => level::stand_span(&style),
        Way::Crouch => level::crouch_span(act, &style),
        Way::Bow => level::bow_span(act, &style),
        Way::Nod => head::nod_span(act, &style),
        Way::ShakeHead => head::shake_span(act, &style),
        Way::Dance => dance::span(&style),
        Way::Roll => roll::span(act, &style),
        Way::Cartwheel => cartwheel::span(act, &style),
        Way::Pirouette => pirouette::span(act, &style),
        Way::Score | Way::Body => score::span(act, &style),
    }
}

/// Whether an act continues the previous ones without a stop: a change of gait, a leap out of a
/// run, consecutive key poses. `next` is the act after it.
pub(super) fn flow_together(before: &[Act], after: &Act, next: Option<&Act>) -> bool {
    let follow = before.last().is_some_and(|last| score::follow(last, after));
    follow || travel::flow_together(before, after, next)
}

/// Possible durations of each of several joined acts.
pub(super) fn spans_together(acts: &[Act], taste: &Taste) -> Vec<Span> {
    match acts[0].action.way() {
        Way::Score | Way::Body => score::spans_in_a_row(acts, taste),
        _ => acts.iter().map(|act| travel::span_on_the_way(act, &Style::of(act, taste))).collect(),
    }
}

/// How long before its usual end an act lets the next one start, seconds. From then on both feet
/// are on the floor and only arms and trunk are still returning; they continue into the next act
/// from wherever they are.
pub(super) fn tail_s(
    act: &Act,
    next: &Act,
    taste: &Taste,
    (before, joins): (Posture, Joins),
) -> f32 {
    let style = Style::of(act, taste);
    let tail_s = match act.action.way() {
        Way::Score | Way::Body => {
            return score::tail_s(act, &style, has_feet(next) && joins.free == 0);
        }
        // down by then, and holding it
        Way::SitDown if before != Posture::Sitting => return 0.4,
        Way::Posture => return 0.7,
        Way::Crouch if act.count.is_none_or(|count| count < 2) => return 0.8,
        Way::Wave => gesture::LOWER_S,
        Way::Point | Way::Clap => signs::DOWN_S,
        Way::RaiseArms => 0.4,
        // a foot steps home first
        Way::Punch => 0.12,
        Way::Kick => 0.4,
        Way::Jump => 0.42,
        Way::Hop => 0.22,
        Way::Gait(_) | Way::Sidestep => 0.2,
        Way::Turn => 0.1,
        Way::StandUp | Way::Bow => 0.3,
        Way::Idle => 0.2,
        // cutting off part of a nod would be visible
        Way::Nod | Way::ShakeHead => 0.0,
        Way::SitDown | Way::Crouch | Way::Dance | Way::Roll | Way::Cartwheel | Way::Pirouette => {
            0.0
        }
    };
    tail_s / style.tempo
}

/// Whether an act moves the feet.
fn has_feet(act: &Act) -> bool {
    match act.action.way() {
        Way::Score | Way::Body => score::has_feet(act),
        Way::Wave | Way::Point | Way::Clap | Way::RaiseArms => false,
        Way::Nod | Way::ShakeHead | Way::Bow | Way::Idle => false,
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
    match act.action.way() {
        Way::Score | Way::Body => Some(score::lead_in_s(act, style)),
        Way::Gait(_) => Some(travel::lead_in_s(act, style)),
        Way::Wave => Some(gesture::lead_in_s(style)),
        // nothing leads into a posture in which the body already is
        Way::Idle | Way::Posture | Way::SitDown | Way::Crouch => Some(0.0),
        _ => None,
    }
}

/// Duration of an act's ending, such as coming to a stop, which is cut off if the clip ends in the
/// middle of it.
pub(super) fn lead_out_s(act: &Act, style: &Style) -> Option<f32> {
    match act.action.way() {
        Way::Gait(_) => travel::lead_out_s(act, style),
        _ => None,
    }
}

/// Performs acts from where the stage's plans end, for this duration. Several acts are joined.
pub(super) fn perform(stage: &mut Stage, acts: &[Act], span_s: f32, joins: Joins) {
    let Some(act) = acts.first() else { return };
    let (from_s, to_s) = (stage.now, stage.now + span_s);
    let style = Style::of(act, &stage.taste);
    match act.action.way() {
        Way::Gait(_) | Way::Sidestep => {
            travel::perform(stage, acts, span_s, joins);
        }
        Way::Turn => turn::perform(stage, act, &style, span_s),
        Way::Jump => jump::jump(stage, act, &style, span_s),
        Way::Hop => jump::hop(stage, act, &style, span_s),
        Way::Kick => fight::kick(stage, act, &style, span_s),
        Way::Punch => fight::punch(stage, act, &style, (from_s, to_s), true),
        Way::Posture => score::go(stage, aimed_at(act), &style, (from_s, to_s)),
        Way::StandUp if matches!(stage.posture, Posture::Held(_)) => {
            score::go(stage, Posture::Standing, &style, (from_s, to_s));
        }
        Way::SitDown if stage.posture != Posture::Sitting => level::sit(stage, &style, span_s),
        Way::StandUp => level::stand(stage, &style, span_s),
        Way::Crouch => level::crouch(stage, act, &style, span_s),
        Way::Dance => dance::dance(stage, &style, span_s),
        Way::Roll => roll::roll(stage, act, &style, span_s),
        Way::Cartwheel => cartwheel::cartwheel(stage, act, &style, span_s),
        Way::Pirouette => pirouette::pirouette(stage, act, &style, span_s),
        Way::Score | Way::Body if acts.len() > 1 => {
            score::play_in_a_row(stage, acts, (from_s, to_s), joins);
        }
        Way::Score | Way::Body => {
            score::play(stage, act, &style, (from_s, to_s), (Legs::Free, joins));
        }
        Way::Clap => signs::clap(stage, act, &style, (from_s, to_s), Legs::Free),
        Way::Idle if stage.posture == Posture::Standing => {
            stillness::idle(stage, &style, from_s, to_s);
        }
        Way::Nod | Way::ShakeHead if stage.posture == Posture::Standing => {
            stillness::idle(stage, &style, from_s, to_s);
            overlay(stage, act, &style, from_s, to_s);
        }
        _ => overlay(stage, act, &style, from_s, to_s),
    }
    stage.now = to_s;
}

/// Layers an act of arms, trunk or head over the legs' act between two times.
pub(super) fn overlay(stage: &mut Stage, act: &Act, style: &Style, from_s: f32, to_s: f32) {
    let window = (from_s, to_s);
    match act.action.way() {
        Way::Wave => gesture::wave(stage, act, style, from_s, to_s),
        Way::Point => signs::point(stage, act, style, window),
        Way::Clap => signs::clap(stage, act, style, window, Legs::Taken),
        Way::RaiseArms => signs::raise(stage, act, style, window),
        Way::Punch => fight::punch(stage, act, style, window, false),
        Way::Bow => level::bow(stage, act, style, window),
        Way::Crouch => level::stay_low(stage, from_s, to_s),
        Way::Nod => head::nod(stage, act, style, window),
        Way::ShakeHead => head::shake(stage, act, style, window),
        Way::Score => {
            score::play(stage, act, style, window, (Legs::Taken, Joins::default()));
        }
        Way::Body => {
            score::play(stage, act, style, window, (Legs::Shared, Joins::default()));
        }
        // acts that need the legs cannot be layered
        _ => {}
    }
}

/// Puts the body into the posture in which a script starts.
pub(super) fn begin(stage: &mut Stage, posture: Posture) {
    match posture {
        Posture::Sitting => level::begin_seated(stage),
        Posture::Held(_) => score::begin(stage, posture),
        Posture::Crouching => level::begin_crouched(stage),
        Posture::Standing => {}
    }
}

/// Fills the rest of the clip, so that the body never freezes.
pub(super) fn rest(stage: &mut Stage, from_s: f32, to_s: f32) {
    if stage.posture == Posture::Standing {
        let style = Style::of(&Act::new(Action::idle()), &stage.taste);
        stillness::idle(stage, &style, from_s, to_s);
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
