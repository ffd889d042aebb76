//! What every action becomes on the stage. One file per family.

mod cartwheel;
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
pub(super) use travel::flow_together;

use super::{
    score::{self, Legs},
    stage::{Posture, Stage},
    style::{Style, Taste},
};
use crate::{Act, Action, Direction, SideChoice, Way};

/// How long an act may take, seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Hurried, but right.
    pub(super) least: f32,
    /// Left to itself.
    pub(super) usual: f32,
    /// Stretched by holds and repeats; longer looks dull.
    pub(super) most: f32,
}

impl Span {
    const fn new(least: f32, usual: f32, most: f32) -> Self {
        Self { least, usual, most }
    }
}

/// How long an act takes by itself and may take, for somebody in this posture.
pub(super) fn span(act: &Act, taste: &Taste, before: Posture) -> Span {
    let style = Style::of(act, taste);
    match act.action.way() {
        Way::Posture => score::span_between(before, aimed_at(act.action), &style),
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

/// The posture an action leads to, or in which it is done.
pub(super) fn aimed_at(action: Action) -> Posture {
    action.posture().and_then(score::named).unwrap_or(Posture::Standing)
}

/// Does an act from where the stage's plans end, for so long. Several acts of locomotion flow into
/// each other.
pub(super) fn perform(stage: &mut Stage, acts: &[Act], span_s: f32) {
    let Some(act) = acts.first() else { return };
    let (from_s, to_s) = (stage.now, stage.now + span_s);
    let style = Style::of(act, &stage.taste);
    match act.action.way() {
        Way::Gait(_) | Way::Sidestep => {
            travel::perform(stage, acts, span_s);
        }
        Way::Turn => turn::perform(stage, act, &style, span_s),
        Way::Jump => jump::jump(stage, act, &style, span_s),
        Way::Hop => jump::hop(stage, act, &style, span_s),
        Way::Kick => fight::kick(stage, act, &style, span_s),
        Way::Punch => fight::punch(stage, act, &style, (from_s, to_s), true),
        Way::Posture => score::go(stage, aimed_at(act.action), &style, (from_s, to_s)),
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
        Way::Score | Way::Body => score::play(stage, act, &style, (from_s, to_s), Legs::Free),
        Way::Clap => signs::clap(stage, act, &style, (from_s, to_s), Legs::Free),
        Way::Idle if stage.posture == Posture::Standing => {
            stillness::idle(stage, &style, from_s, to_s);
        }
        Way::Nod | Way::ShakeHead if stage.posture == Posture::Standing => {
            stillness::listen(stage, act, &style, from_s, to_s);
            overlay(stage, act, &style, from_s, to_s);
        }
        _ => overlay(stage, act, &style, from_s, to_s),
    }
    stage.now = to_s;
}

/// Lays an act of arms, trunk or head over whatever the legs do between two times.
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
        Way::Score => score::play(stage, act, style, window, Legs::Taken),
        Way::Body => score::play(stage, act, style, window, Legs::Shared),
        // what needs the legs cannot be laid over other legs
        _ => {}
    }
}

/// Puts the body into the posture a script begins in.
pub(super) fn begin(stage: &mut Stage, posture: Posture) {
    match posture {
        Posture::Sitting => level::begin_seated(stage),
        Posture::Held(_) => score::begin(stage, posture),
        Posture::Standing | Posture::Crouching => {}
    }
}

/// Spends what is left of the clip: nobody freezes.
pub(super) fn rest(stage: &mut Stage, from_s: f32, to_s: f32) {
    if stage.posture == Posture::Standing {
        let style = Style::of(&Act::new(Action::idle()), &stage.taste);
        stillness::idle(stage, &style, from_s, to_s);
    }
}

/// The sides an act is done with. An open side is the right one: the composer mirrors the whole
/// clip when the seed wants the other.
fn sides(act: &Act) -> Vec<Side> {
    match act.side {
        Some(SideChoice::Left) => vec![Side::Left],
        Some(SideChoice::Both) => vec![Side::Right, Side::Left],
        Some(SideChoice::Right) | None => vec![Side::Right],
    }
}

/// The side an act goes or turns to: the direction it is told, or else the side it is done with.
fn side_to(act: &Act) -> Side {
    match act.direction {
        Some(Direction::Left) => Side::Left,
        Some(Direction::Right) => Side::Right,
        _ => sides(act)[0],
    }
}
