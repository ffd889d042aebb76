//! Converts acts of the composer back to events of a script.

use limber_animation::Side;
use limber_script::{
    Angle, Count, Distance, Duration, End, Event, EventAction, EventIndex, Script, ScriptError,
    Speed, Start, Timing,
};

use super::movements;
use crate::{Act, Amount, Direction, MotionScript, Path, Shape, SideChoice, Tempo};

/// The script of what the composer is going to perform.
///
/// # Errors
/// [`ScriptError`] if there are no acts, or more than a script can hold.
pub fn script_of(steps: &MotionScript) -> Result<Script, ScriptError> {
    let mut events = Vec::new();
    for step in &steps.steps {
        let main = EventIndex(events.len());
        events.push(event_of(&step.main));
        for overlay in &step.overlays {
            events.push(Event { timing: Timing::While(main), ..event_of(overlay) });
        }
    }
    let mut acts =
        steps.steps.iter().flat_map(|step| std::iter::once(&step.main).chain(&step.overlays));
    let end = match steps.steps.last() {
        _ if acts.any(|act| act.measures.stays) => End::Hold,
        Some(last) if last.main.measures.goes_on => End::Action,
        _ => End::default(),
    };
    let at_once = steps.steps.first().is_some_and(|step| step.main.measures.at_once);
    let start = if at_once { Start::Action } else { Start::default() };
    Ok(Script::new(events)?.with_ends(start, end).with_loop(steps.goes_round()))
}

/// Rounds as people would write the number: 0.6 rather than the nearest `f32`.
pub(super) fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e4).round() / 1e4
}

/// An act as an event of a script, without its timing.
pub(crate) fn event_of(act: &Act) -> Event {
    let mut event = Event::new(match act.action.movement() {
        Some((verb, part)) => EventAction::Body { verb, part },
        None => {
            let name = act.action.name().parse();
            EventAction::Action(
                name.expect("actions have the same names as in scripts; a test checks this"),
            )
        }
    });
    event.count = act.count.and_then(|count| Count::new(count).ok());
    event.side = act.side.map(|side| match side {
        SideChoice::Left => limber_script::Side::Left,
        SideChoice::Right => limber_script::Side::Right,
        SideChoice::Both => limber_script::Side::Both,
    });
    event.direction = act.direction.map(|direction| match direction {
        Direction::Forward => limber_script::Direction::Forward,
        Direction::Backward => limber_script::Direction::Backward,
        Direction::Left => limber_script::Direction::Left,
        Direction::Right => limber_script::Direction::Right,
        Direction::Up => limber_script::Direction::Up,
        Direction::Down => limber_script::Direction::Down,
    });
    event.degrees = act.angle_rad.and_then(|angle| Angle::new(rounded(angle.to_degrees())).ok());
    match act.path {
        Path::Straight => {}
        Path::BackAndForth => event.path = Some(limber_script::Path::BackAndForth),
        Path::Drawn { shape, side } => {
            event.path = Some(match shape {
                Shape::Arc => limber_script::Path::Arc,
                Shape::SCurve => limber_script::Path::SCurve,
                Shape::Slalom => limber_script::Path::Between,
                Shape::Zigzag => limber_script::Path::Zigzag,
                Shape::FigureEight => limber_script::Path::FigureEight,
                Shape::Square => limber_script::Path::Square,
                Shape::SpiralInward | Shape::SpiralOutward => limber_script::Path::Spiral,
            });
            if shape == Shape::SpiralOutward {
                event.direction = Some(limber_script::Direction::Outward);
            }
            event.side = Some(match side {
                Side::Left => limber_script::Side::Left,
                Side::Right => limber_script::Side::Right,
            });
        }
        Path::Circle { side, turns } => {
            event.path = Some(limber_script::Path::Circle);
            event.degrees = Angle::new(360.0 * f64::from(turns)).ok();
            event.side = Some(match side {
                Side::Left => limber_script::Side::Left,
                Side::Right => limber_script::Side::Right,
            });
        }
    }
    match act.amount {
        None => {}
        Some(Amount::Metres(meters)) => event.meters = Distance::new(rounded(meters)).ok(),
        Some(Amount::Steps(steps)) => event.steps = Count::new(steps).ok(),
        Some(Amount::Seconds(seconds)) => event.seconds = Duration::new(rounded(seconds)).ok(),
    }
    if act.tempo != Tempo(1.0) {
        event.speed = Speed::new(rounded(act.tempo.0)).ok();
    }
    event.manners.clone_from(&act.manners);
    movements::tell(&mut event, &act.measures);
    event
}
