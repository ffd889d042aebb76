//! What every action becomes on the stage. One file per family.

mod gesture;
mod locomotion;
mod stillness;
mod travel;

use limber_animation::Side;

pub(super) use travel::flow_together;

use super::{
    stage::{Posture, Stage},
    style::{Style, Taste},
};
use crate::{Act, Action, Body, SideChoice};

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

/// The parts of the body an action needs.
pub(super) const fn body(action: Action) -> Body {
    match action {
        Action::Walk | Action::Run | Action::Jog | Action::Sneak | Action::Sidestep => {
            Body::Locomotion
        }
        Action::Turn | Action::Jump | Action::Hop | Action::Kick => Body::Whole,
        Action::SitDown | Action::StandUp | Action::Crouch | Action::Dance => Body::Whole,
        Action::Idle | Action::Wave | Action::Point | Action::Clap => Body::Upper,
        Action::Punch | Action::Bow | Action::RaiseArms => Body::Upper,
        Action::Nod | Action::ShakeHead => Body::Head,
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
        _ => Span::new(0.2, 3.0, 120.0),
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
        _ => overlay(stage, act, &style, from_s, to_s),
    }
    stage.now = to_s;
}

/// Lays an act of arms, trunk or head over whatever the legs do between two times.
pub(super) fn overlay(stage: &mut Stage, act: &Act, style: &Style, from_s: f32, to_s: f32) {
    match act.action {
        Action::Wave => gesture::wave(stage, act, style, from_s, to_s),
        Action::Idle => stillness::idle(stage, style, from_s, to_s),
        _ => {}
    }
}

/// Puts the body into the posture a script begins in.
pub(super) fn begin(stage: &mut Stage, posture: Posture) {
    stage.posture = posture;
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
        Some(SideChoice::Both) => Side::BOTH.to_vec(),
        Some(SideChoice::Right) | None => vec![Side::Right],
    }
}
