//! Scores: actions told as key poses in `assets/scores`, played on the stage.
//!
//! ```text
//! file ──notation──▶ written ──reading──▶ Score ──timing──▶ moments ──▶ dials, hands, feet of the stage
//! a movement told by a part of the body ──described──▶ Score
//! ```
//! A key pose tells relations ("fingertips at the brow, elbow out"), never angles of joints, so that it
//! means the same for every build. What a key does not tell stays as it was; at the end everything
//! goes home. What a score holds is explained in `assets/scores/README.md`.

mod described;
mod footwork;
mod hand_tracks;
mod library;
mod notation;
mod places;
mod posture_tracks;
mod postures;
mod reading;
mod timing;

use std::{borrow::Cow, sync::Arc};

use limber_animation::Side;

use super::{
    acts::Span,
    stage::{Posture, Stage},
    style::Style,
};
use crate::{Act, Direction, SideChoice, Way, body_language};
pub(super) use footwork::Homes;
pub(super) use library::faults;
use notation::Sides;
pub(super) use postures::{begin, go, leaves_hands_free, named, span as span_between};
use reading::Score;
use timing::{Leading, Moment};

/// How long an act that is played from a score takes.
pub(super) fn span(act: &Act, style: &Style) -> Span {
    timing::span(&score_of(act), act.count, style)
}

fn score_of(act: &Act) -> Cow<'static, Score> {
    if act.action.way() == Way::Body {
        return Cow::Owned(described::score(act));
    }
    let score = library::score_of(act.action);
    Cow::Borrowed(score.expect("every action done by a score has one; a test looks"))
}

/// Who has the legs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Legs {
    /// The score itself.
    Free,
    /// Somebody else: they walk, or the body sits.
    Taken,
    /// Somebody else has the feet, but the pelvis may take part.
    Shared,
}

/// Plays an act between two times.
pub(super) fn play(stage: &mut Stage, act: &Act, style: &Style, window: (f32, f32), legs: Legs) {
    let score = score_of(act);
    let leading = leading(&score, act);
    let moments = timing::moments(&score, act.count, style, window, &leading, stage.taste);
    let home = act.action.posture().and_then(named).unwrap_or(Posture::Standing);
    let legs = if stage.posture == home { legs } else { Legs::Taken };
    let aim = aim(act.direction);
    posture_tracks::play(stage, &moments, aim, legs);
    if legs == Legs::Free {
        footwork::play(stage, &moments);
    }
    let tracks = Side::BOTH.map(|side| Arc::new(hand_tracks::track(&moments, side)));
    for side in Side::BOTH {
        let own = &tracks[side as usize];
        let other = &tracks[side.opposite() as usize];
        hand_tracks::play(stage, side, (own, other), aim);
    }
}

/// Which side leads in each repeat.
fn leading(score: &Score, act: &Act) -> Leading {
    // a movement leads with the side it goes to
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
        _ => Leading::One(first),
    }
}

/// Where the prompt says, seen from the body: left, up, ahead; of unit length.
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

/// What a side is in a moment: the index of its hand and foot in a key, or both lead.
fn role(moment: &Moment<'_>, side: Side) -> usize {
    usize::from(!moment.both_lead && side != moment.lead)
}
