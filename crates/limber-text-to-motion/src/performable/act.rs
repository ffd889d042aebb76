//! Converts events of a script to acts of the composer.

use limber_animation::Side;
use limber_script::{Aim, BodyPart, Count, Event, EventIndex, Height, Rhythm, SpeedCurve, Timing};

use super::movements;
use crate::{
    Act, Action, ActionKind, Amount, Argument, Body, Direction, Level, Pace, Path, Shape,
    SideChoice, Tempo,
    body_language::{Limb, limb},
    composer,
};

/// An act with the fields that apply to every event in the same way.
pub(super) fn begun(action: Action, event: &Event) -> Act {
    let mut act = Act::new(action);
    act.count = event.count.map(Count::get);
    act.side = event.side.map(side_of);
    act.tempo = Tempo(event.speed.map_or(1.0, |speed| speed.get() as f32));
    act.angle_rad = event.degrees.map(|degrees| degrees.get().to_radians() as f32);
    act.manners.clone_from(&event.manners);
    act.measures.size = event.size.map(|size| size.get() as f32);
    act
}

/// The act of an event with a named action.
pub(super) fn act_of(
    action: Action,
    event: &Event,
    index: usize,
    leave: &mut impl FnMut(&'static str),
) -> Act {
    let mut act = begun(action, event);
    if action.kind() == ActionKind::Hop && act.side == Some(SideChoice::Both) {
        hop_on_both_feet(&mut act);
    }
    if !takes_target(&mut act, event) {
        leave("target");
    }
    match event.direction.map(direction_of) {
        None => {}
        Some(Course::To(direction)) => match action.toward(direction) {
            Some(other) => {
                act.action = other;
                act.side = act.side.or(sideways(direction));
            }
            None => head_for(&mut act, direction, leave),
        },
        Some(Course::Turning(side)) => act.side = Some(side),
        // into a spiral or out of it
        Some(Course::Unknown) if event.path == Some(limber_script::Path::Spiral) => {}
        Some(Course::Unknown) => leave("direction"),
    }
    set_path(&mut act, event, leave);
    set_amount(&mut act, event, leave);
    set_height(&mut act, event, leave);
    leave_the_rest(&mut act, event, index, leave);
    act
}

/// A hop on both feet is a small jump.
fn hop_on_both_feet(act: &mut Act) {
    /// Height of such a hop relative to a jump.
    const LOWER: f32 = 0.4;
    act.action = Action::done(ActionKind::Jump);
    act.side = None;
    act.measures.size = Some(LOWER * act.measures.size.unwrap_or(1.0));
}

/// Replaces the action by its variant for the target, if that looks different. Returns false if
/// there is a target that makes no difference.
fn takes_target(act: &mut Act, event: &Event) -> bool {
    let Some(aim) = event.aim else { return true };
    let other = act.action.at(aim);
    if let Some(other) = other {
        act.action = other;
        if let Aim::Part { side: Some(side), .. } = aim {
            act.side = act.side.or(Some(side_of(side)));
        }
    }
    other.is_some()
}

/// Sets the height, for actions that reach for something in the air or can be done at several
/// heights.
fn set_height(act: &mut Act, event: &Event, leave: &mut impl FnMut(&'static str)) {
    let Some((field, level)) = movements::level_of(event) else { return };
    if composer::has_heights(act.action) {
        act.measures.height = Some(level);
        return;
    }
    let steep = match level {
        Level::Mark(Height::Head | Height::Overhead) => Some(Direction::Up),
        Level::Mark(Height::Floor | Height::Knee) => Some(Direction::Down),
        // an action without a target is performed at hip or chest height anyway
        Level::Mark(Height::Hip | Height::Chest) => return,
        Level::Metres(_) => None,
    };
    match steep {
        Some(steep) if act.direction.is_none() && act.action.goes(steep) => {
            act.direction = Some(steep);
        }
        _ => leave(field),
    }
}

/// Sets the direction. For one-sided actions, left and right select the side.
fn head_for(act: &mut Act, direction: Direction, leave: &mut impl FnMut(&'static str)) {
    let side = sideways(direction);
    let turns = act.action.kind() == ActionKind::Turn;
    match side {
        Some(side) if turns => act.side = Some(side),
        // the direction around a circle is set together with the path
        Some(_) if act.action.takes(Argument::Path) => act.direction = Some(direction),
        _ if act.action.goes(direction) => act.direction = Some(direction),
        Some(side) if act.action.takes(Argument::Side) && act.side.is_none() => {
            act.side = Some(side);
        }
        // forward is the default
        None if direction == Direction::Forward => {}
        _ => leave("direction"),
    }
}

const fn sideways(direction: Direction) -> Option<SideChoice> {
    match direction {
        Direction::Left => Some(SideChoice::Left),
        Direction::Right => Some(SideChoice::Right),
        _ => None,
    }
}

/// Leaves out what the composer's acts cannot express. `index` is the event's index.
pub(super) fn leave_the_rest(
    act: &mut Act,
    event: &Event,
    index: usize,
    leave: &mut impl FnMut(&'static str),
) {
    set_rhythm(act, event, leave);
    let is_one_after_the_other = |first: usize, second: usize| first + 1 == second;
    for (field, is_left_out) in [
        // an event that follows the beginning of another one follows that event
        (
            "as_soon_as",
            matches!(event.timing, Timing::AsSoonAs(EventIndex(other)) if !is_one_after_the_other(other, index)),
        ),
        ("beat_of", matches!(event.timing, Timing::OnBeat { .. })),
        ("until", event.until.is_some_and(|EventIndex(next)| !is_one_after_the_other(index, next))),
        ("speed_curve", event.speed_curve.is_some_and(|curve| curve != SpeedCurve::Steady)),
        ("still", !event.still.iter().all(|part| stays(act, *part))),
        ("avoid", event.avoid.iter().any(|name| name.as_str() == act.action.name())),
    ] {
        if is_left_out {
            leave(field);
        }
    }
}

/// Whether an act does not move a part of the body anyway.
fn stays(act: &Act, part: BodyPart) -> bool {
    match act.action.body() {
        Body::Head => matches!(limb(part), Limb::Hand | Limb::Foot),
        Body::Upper => limb(part) == Limb::Foot,
        Body::Whole | Body::Locomotion => false,
    }
}

/// Sets the rhythm: how regular repetitions are, and how many there are per minute.
fn set_rhythm(act: &mut Act, event: &Event, leave: &mut impl FnMut(&'static str)) {
    match event.rhythm {
        None | Some(Rhythm::Even) => {}
        Some(rhythm) if composer::has_rounds(act.action) => act.measures.rhythm = Some(rhythm),
        Some(_) => leave("rhythm"),
    }
    let Some(bpm) = event.bpm else { return };
    match composer::tempo_at(act, bpm.get() as f32) {
        Some(tempo) => act.tempo = Tempo(tempo),
        None => leave("bpm"),
    }
}

pub(super) fn side_of(side: limber_script::Side) -> SideChoice {
    match side {
        limber_script::Side::Left => SideChoice::Left,
        limber_script::Side::Right => SideChoice::Right,
        limber_script::Side::Both | limber_script::Side::Alternating => SideChoice::Both,
    }
}

/// The meaning of a direction for the composer.
enum Course {
    To(Direction),
    /// Around, to this side.
    Turning(SideChoice),
    Unknown,
}

fn direction_of(direction: limber_script::Direction) -> Course {
    use limber_script::Direction as Said;
    match direction {
        Said::Forward => Course::To(Direction::Forward),
        Said::Backward => Course::To(Direction::Backward),
        Said::Left => Course::To(Direction::Left),
        Said::Right => Course::To(Direction::Right),
        Said::Up => Course::To(Direction::Up),
        Said::Down => Course::To(Direction::Down),
        // seen from above, turning left is counterclockwise
        Said::Counterclockwise => Course::Turning(SideChoice::Left),
        Said::Clockwise => Course::Turning(SideChoice::Right),
        Said::ForwardLeft
        | Said::ForwardRight
        | Said::BackwardLeft
        | Said::BackwardRight
        | Said::Inward
        | Said::Outward => Course::Unknown,
    }
}

fn set_path(act: &mut Act, event: &Event, leave: &mut impl FnMut(&'static str)) {
    match event.path {
        None | Some(limber_script::Path::Straight) => {}
        Some(limber_script::Path::BackAndForth) => act.path = Path::BackAndForth,
        Some(path) if path == limber_script::Path::Circle || goes_all_around(path, event) => {
            let side = if act.side == Some(SideChoice::Right) { Side::Right } else { Side::Left };
            let around = event.degrees.map(|degrees| degrees.get() as f32 / 360.0);
            let turns = around.or(act.count.map(|count| count as f32)).unwrap_or(1.0);
            act.path = Path::Circle { side, turns };
            // direction and side select the circle, not a hand or a turn
            (act.side, act.angle_rad) = (None, None);
        }
        Some(path) => match drawn(path, event) {
            Some(shape) if matches!(act.action.kind(), ActionKind::Gait(_)) => {
                let right = event.side == Some(limber_script::Side::Right)
                    || event.direction == Some(limber_script::Direction::Right);
                let side = if right { Side::Right } else { Side::Left };
                act.path = Path::Drawn { shape, side };
                // the side selects which way the path bends
                act.side = None;
                if matches!(act.direction, Some(Direction::Left | Direction::Right)) {
                    act.direction = None;
                }
            }
            _ => leave("path"),
        },
    }
}

/// Whether somebody walks around something at least back to where they started.
fn goes_all_around(path: limber_script::Path, event: &Event) -> bool {
    let degrees = event.degrees.map_or(0.0, limber_script::Angle::get);
    path == limber_script::Path::Around && degrees >= 300.0
}

/// The shape of a path seen from above, if the composer has one.
fn drawn(path: limber_script::Path, event: &Event) -> Option<Shape> {
    use limber_script::Path as Said;
    match path {
        Said::Arc | Said::Around => Some(Shape::Arc),
        Said::FigureEight => Some(Shape::FigureEight),
        Said::Zigzag => Some(Shape::Zigzag),
        Said::SCurve => Some(Shape::SCurve),
        Said::Between => Some(Shape::Slalom),
        Said::Square => Some(Shape::Square),
        Said::Spiral if event.direction == Some(limber_script::Direction::Outward) => {
            Some(Shape::SpiralOutward)
        }
        Said::Spiral => Some(Shape::SpiralInward),
        _ => None,
    }
}

fn set_amount(act: &mut Act, event: &Event, leave: &mut impl FnMut(&'static str)) {
    let amounts = [
        ("steps", event.steps.map(|steps| Amount::Steps(steps.get()))),
        ("meters", event.meters.map(|meters| Amount::Metres(meters.get() as f32))),
        ("seconds", event.seconds.map(|seconds| Amount::Seconds(seconds.get() as f32))),
    ];
    for (field, amount) in amounts {
        match (amount, act.amount) {
            (Some(amount), None) => match rounds_in(amount, act) {
                Some(rounds) => act.count = Some(rounds),
                None => act.amount = Some(amount),
            },
            (Some(_), Some(_)) => leave(field),
            (None, _) => {}
        }
    }
}

/// The number of repetitions of a cyclic action that cover this distance or take this many steps;
/// `None` if the action is not cyclic or its count is given.
fn rounds_in(amount: Amount, act: &Act) -> Option<u32> {
    let by_score = act.action.kind() == ActionKind::Score && act.count.is_none();
    match amount {
        Amount::Metres(metres) if by_score => {
            let round_m = composer::round_m(act.action)?;
            Some((metres / round_m).round().clamp(1.0, 50.0) as u32)
        }
        Amount::Steps(steps) if by_score && composer::has_rounds(act.action) => Some(steps),
        Amount::Metres(_) | Amount::Steps(_) | Amount::Seconds(_) => None,
    }
}

/// Sets the posture during the action, if the legs are free.
pub(super) fn set_posture(act: &mut Act, event: &Event, leave: &mut impl FnMut(&'static str)) {
    let Some(posture) = event.posture else { return };
    let own = act.action.posture().is_some() || act.action.kind() == ActionKind::Posture;
    let legs_are_free = matches!(act.action.body(), Body::Upper | Body::Head)
        || matches!(act.action.kind(), ActionKind::Idle | ActionKind::Body);
    let stands = posture == limber_script::Posture::Standing;
    if posture == limber_script::Posture::Crouched {
        match act.action.kind() {
            ActionKind::Gait(Pace::CrouchWalk | Pace::Sneak) => return,
            ActionKind::Gait(_) | ActionKind::Sidestep | ActionKind::Turn => {
                act.measures.posture = Some(posture);
                return;
            }
            _ => {}
        }
    }
    if stands || own && composer::can_be_in(posture) {
        return;
    }
    if legs_are_free && composer::can_be_in(posture) {
        act.measures.posture = Some(posture);
    } else {
        leave("posture");
    }
}
