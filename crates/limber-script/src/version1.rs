//! Reads version 1 of the text form, which clips stored by earlier versions contain: consecutive
//! steps, `walk path:left-circle:1 + wave x3 side:left > sit-down`.

use crate::{
    ActionName, Angle, Count, Distance, Duration, Event, EventAction, EventIndex, Intensity,
    InvalidActionName, OutOfRange, Path, Script, ScriptError, Side, Speed, Timing,
};

/// Reads a script in version 1 of the text form.
pub(crate) fn read(line: &str) -> Result<Script, ScriptError> {
    let mut events: Vec<Event> = Vec::new();
    for step in line.split('>') {
        let main = EventIndex(events.len());
        for (place, act) in step.split('+').enumerate() {
            let at = format!("events[{}]", events.len());
            let mut event = act_of(act).map_err(|reason| ScriptError::new(at, &reason))?;
            if place > 0 {
                event.timing = Timing::While(main);
            }
            events.push(event);
        }
    }
    Script::new(events)
}

fn act_of(text: &str) -> Result<Event, String> {
    let mut words = text.split_whitespace();
    let action = words.next().ok_or("there is nothing between two joins")?;
    let action: ActionName =
        action.parse().map_err(|error: InvalidActionName| error.to_string())?;
    let mut event = Event::new(EventAction::Action(action));
    for word in words {
        add(&mut event, word)
            .transpose()
            .ok_or_else(|| {
                format!("`{}` is not part of a script", word.chars().take(60).collect::<String>())
            })?
            .map_err(|error| error.to_string())?;
    }
    Ok(event)
}

/// Adds what one word says to an event; `None` if version 1 does not have the word.
fn add(event: &mut Event, word: &str) -> Result<Option<()>, OutOfRange> {
    if let Some(count) = word.strip_prefix('x').and_then(|count| count.parse().ok()) {
        event.count = Some(Count::new(count)?);
        return Ok(Some(()));
    }
    let Some((field, value)) = word.split_once(':') else { return Ok(None) };
    let known = match field {
        "side" => set(&mut event.side, value.parse().ok()),
        "dir" => set(&mut event.direction, value.parse().ok()),
        "manner" => value.parse().is_ok_and(|manner| {
            Intensity::new(1.0).is_ok_and(|clearly| event.manners.insert(manner, clearly).is_none())
        }),
        "angle" => set(&mut event.degrees, degrees(value)?),
        "tempo" => set(&mut event.speed, value.parse().ok().map(Speed::new).transpose()?),
        "for" => return amount(event, value),
        "path" => path(event, value)?,
        _ => false,
    };
    Ok(known.then_some(()))
}

fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let known = value.is_some();
    *field = value;
    known
}

fn degrees(value: &str) -> Result<Option<Angle>, OutOfRange> {
    let number =
        |unit| value.strip_suffix(unit).and_then(|number: &str| number.parse::<f64>().ok());
    number("deg").or_else(|| number("rad").map(f64::to_degrees)).map(Angle::new).transpose()
}

fn amount(event: &mut Event, value: &str) -> Result<Option<()>, OutOfRange> {
    if let Some(steps) = value.strip_suffix("steps") {
        let steps = steps.parse().ok().map(Count::new).transpose()?;
        return Ok(set(&mut event.steps, steps).then_some(()));
    }
    if let Some(meters) = value.strip_suffix('m') {
        let meters = meters.parse().ok().map(Distance::new).transpose()?;
        return Ok(set(&mut event.meters, meters).then_some(()));
    }
    let seconds = value.strip_suffix('s').and_then(|seconds| seconds.parse().ok());
    Ok(set(&mut event.seconds, seconds.map(Duration::new).transpose()?).then_some(()))
}

fn path(event: &mut Event, value: &str) -> Result<bool, OutOfRange> {
    if value == "back-and-forth" {
        return Ok(set(&mut event.path, Some(Path::BackAndForth)));
    }
    let side = [("left-circle:", Side::Left), ("right-circle:", Side::Right)];
    for (prefix, side) in side {
        if let Some(turns) = value.strip_prefix(prefix).and_then(|turns| turns.parse::<f64>().ok())
        {
            event.path = Some(Path::Circle);
            event.side = Some(side);
            event.degrees = Some(Angle::new(turns * 360.0)?);
            return Ok(true);
        }
    }
    Ok(false)
}
