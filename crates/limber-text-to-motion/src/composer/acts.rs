//! What every action becomes on the stage. One file per family.

mod dance;
mod fight;
mod gesture;
mod head;
mod jump;
mod level;
mod locomotion;
mod signs;
mod stillness;
mod travel;
mod turn;

use limber_animation::Side;

pub(super) use travel::flow_together;

use super::{
    stage::{Posture, Stage},
    style::{Style, Taste},
};
use crate::{Act, Action, SideChoice};

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

/// How long an act takes by itself and may take.
pub(super) fn span(act: &Act, taste: &Taste) -> Span {
    let style = Style::of(act, taste);
    match act.action {
        Action::Walk | Action::Run | Action::Jog | Action::Sneak | Action::Sidestep => {
            travel::span(act, &style)
        }
        Action::Wave => gesture::wave_span(act, &style),
        Action::Idle => stillness::span(act),
        Action::Turn => turn::span(act, &style),
        Action::Jump => jump::span(act, &style),
        Action::Hop => jump::hop_span(act, &style),
        Action::Point => signs::point_span(act, &style),
        Action::Clap => signs::clap_span(act, &style),
        Action::RaiseArms => signs::raise_span(act, &style),
        Action::Punch => fight::punch_span(act, &style),
        Action::Kick => fight::kick_span(act, &style),
        Action::SitDown => level::sit_span(&style),
        Action::StandUp => level::stand_span(&style),
        Action::Crouch => level::crouch_span(act, &style),
        Action::Bow => level::bow_span(act, &style),
        Action::Nod => head::nod_span(act, &style),
        Action::ShakeHead => head::shake_span(act, &style),
        Action::Dance => dance::span(&style),
    }
}

/// Does an act from where the stage's plans end, for so long. Several acts of locomotion flow into
/// each other.
pub(super) fn perform(stage: &mut Stage, acts: &[Act], span_s: f32) {
    let Some(act) = acts.first() else { return };
    let (from_s, to_s) = (stage.now, stage.now + span_s);
    let style = Style::of(act, &stage.taste);
    match act.action {
        Action::Walk | Action::Run | Action::Jog | Action::Sneak | Action::Sidestep => {
            travel::perform(stage, acts, span_s);
        }
        Action::Turn => turn::perform(stage, act, &style, span_s),
        Action::Jump => jump::jump(stage, act, &style, span_s),
        Action::Hop => jump::hop(stage, act, &style, span_s),
        Action::Kick => fight::kick(stage, act, &style, span_s),
        Action::Punch => fight::punch(stage, act, &style, (from_s, to_s), true),
        Action::SitDown if stage.posture != Posture::Sitting => level::sit(stage, &style, span_s),
        Action::StandUp => level::stand(stage, &style, span_s),
        Action::Crouch => level::crouch(stage, act, &style, span_s),
        Action::Dance => dance::dance(stage, &style, span_s),
        Action::Idle if stage.posture == Posture::Standing => {
            stillness::idle(stage, &style, from_s, to_s);
        }
        Action::Nod | Action::ShakeHead if stage.posture == Posture::Standing => {
            stillness::idle(stage, &style, from_s, to_s);
            overlay(stage, act, &style, from_s, to_s);
        }
        _ => overlay(stage, act, &style, from_s, to_s),
    }
    stage.now = to_s;
}

/// Lays an act of arms, trunk or head over whatever the legs do between two times.
pub(super) fn overlay(stage: &mut Stage, act: &Act, style: &Style, from_s: f32, to_s: f32) {
    let window = (from_s, to_s);
    match act.action {
        Action::Wave => gesture::wave(stage, act, style, from_s, to_s),
        Action::Point => signs::point(stage, act, style, window),
        Action::Clap => signs::clap(stage, act, style, window),
        Action::RaiseArms => signs::raise(stage, act, style, window),
        Action::Punch => fight::punch(stage, act, style, window, false),
        Action::Bow => level::bow(stage, act, style, window),
        Action::Crouch => level::stay_low(stage, from_s, to_s),
        Action::Nod => head::nod(stage, act, style, window),
        Action::ShakeHead => head::shake(stage, act, style, window),
        // what needs the legs cannot be laid over other legs
        _ => {}
    }
}

/// Puts the body into the posture a script begins in.
pub(super) fn begin(stage: &mut Stage, posture: Posture) {
    if posture == Posture::Sitting {
        level::begin_seated(stage);
    }
}

/// Spends what is left of the clip: nobody freezes.
pub(super) fn rest(stage: &mut Stage, from_s: f32, to_s: f32) {
    if stage.posture == Posture::Standing {
        let style = Style::of(&Act::new(Action::Idle), &stage.taste);
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
