//! Between scripts as they are written and the steps that the composer performs.
//!
//! The composer's steps hold less than a script can say. What they cannot hold is left out and told, one
//! [`LeftOut`] each; what they hold is carried over unchanged in both directions.

mod movements;

use limber_animation::Side;
use limber_script::{
    Angle, Count, Deed, Distance, Duration, End, Event, EventIndex, Intensity, Message, Script,
    ScriptError, Speed, Start, Timing,
};

use crate::{
    Act, Action, Amount, Argument, Body, ClipEnds, Direction, EngineError, Manner, MotionScript,
    Path, Shape, SideChoice, Step, Tempo, Way, composer, language::lay_over,
};

/// Something that a script says and the composer does not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Which event, from 0; `None` for what is said of the whole clip.
    pub event: Option<usize>,
    /// The field that is not looked at; `do` or `move` when the whole event is left out.
    pub field: &'static str,
    /// Why.
    pub why: Why,
}

/// Why something that a script says is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The composer cannot do it yet.
    NotYet,
    /// The part of the body does no such thing: a knee cannot be clenched.
    NoSuchMovement,
    /// The legs do something else at that time.
    LegsAreBusy,
    /// It needs the part of the body that another event has at that time, and follows it.
    SameBodyPart,
}

impl LeftOut {
    /// What to say of it. `script` is the one that it was left out of.
    #[must_use]
    pub fn told(&self, script: &Script) -> Message {
        let Some(index) = self.event else {
            return Message::LeftOut { event: None, field: self.field.to_owned(), action: None };
        };
        let deed = script.events().get(index).map(|event| event.deed.to_string());
        let action = deed.unwrap_or_default();
        let event = u32::try_from(index).unwrap_or(u32::MAX);
        match (self.field, self.why) {
            (_, Why::NoSuchMovement) => Message::NoSuchMovement { event, action },
            (_, Why::LegsAreBusy) => Message::LegsAreBusy { event, action },
            (_, Why::SameBodyPart) => {
                let first = match script.events().get(index).map(|event| event.timing) {
                    Some(Timing::While(EventIndex(other))) => {
                        script.events().get(other).map(|event| event.deed.to_string())
                    }
                    _ => None,
                };
                Message::SameBodyPart { first: first.unwrap_or_default(), second: action }
            }
            ("do" | "move", Why::NotYet) => {
                Message::EventNotPerformedYet { event, action, nearest: Vec::new() }
            }
            (field, Why::NotYet) => Message::LeftOut {
                event: Some(event),
                field: field.to_owned(),
                action: Some(action),
            },
        }
    }
}

/// The steps of a script, and what of it they leave out; no steps when nothing of it can be performed.
#[must_use]
pub fn performable(script: &Script) -> (MotionScript, Vec<LeftOut>) {
    let mut steps: Vec<Step> = Vec::new();
    let mut left_out = Vec::new();
    // the step in which each event is done, where it is
    let mut places: Vec<Option<usize>> = Vec::new();
    for (index, event) in script.events().iter().enumerate() {
        let mut leave = |field, why| left_out.push(LeftOut { event: Some(index), field, why });
        let Some(action) = action_of(&event.deed) else {
            match event.deed {
                Deed::Body { .. } => leave("move", Why::NoSuchMovement),
                Deed::Action(_) => leave("do", Why::NotYet),
            }
            places.push(None);
            continue;
        };
        let beside = match event.timing {
            Timing::While(EventIndex(other)) => places.get(other).copied().flatten(),
            _ => None,
        };
        let mut not_yet = |field| leave(field, Why::NotYet);
        let mut act = match action.movement() {
            Some(_) => movements::act_of(action, event, &mut not_yet),
            None => act_of(action, event, &mut not_yet),
        };
        act.measures.force = event.force.map(|force| force.get() as f32);
        set_posture(&mut act, event, &mut not_yet);
        if beside.is_some_and(|place| movements::legs_are_busy(&act, &steps[place])) {
            let field = if action.movement().is_some() { "move" } else { "do" };
            leave(field, Why::LegsAreBusy);
            places.push(None);
            continue;
        }
        let same_part = |place: usize| act.action.body() == Body::Whole && has_whole(&steps[place]);
        if script.is_loop() && beside.is_some_and(same_part) {
            // a round holds what is done all along; what would follow it would end it
            leave("do", Why::LegsAreBusy);
            places.push(None);
            continue;
        }
        let after = match beside {
            Some(place) if act.action.movement().is_some() => {
                steps[place].overlays.push(act);
                Ok(place)
            }
            Some(place) => lay_over(&mut steps[place], act).map(|()| place),
            None => Err(act),
        };
        places.push(Some(after.unwrap_or_else(|act| {
            if beside.is_some() {
                leave("while", Why::SameBodyPart);
            }
            steps.push(Step { main: act, overlays: Vec::new() });
            steps.len() - 1
        })));
    }
    let mut steps = MotionScript { steps };
    let ends = ClipEnds {
        start: Some(script.start()),
        end: Some(script.end()),
        is_loop: Some(script.is_loop()),
    };
    left_out.extend(set_ends(&mut steps, ends));
    (steps, left_out)
}

/// Lets a clip begin, end and go round as told; what of that cannot be is left out.
pub(crate) fn set_ends(steps: &mut MotionScript, ends: ClipEnds) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    let mut leave = |field| left_out.push(LeftOut { event: None, field, why: Why::NotYet });
    if let (Some(end), Some(last)) = (ends.end, steps.steps.last_mut()) {
        let mut is_held = false;
        for act in std::iter::once(&mut last.main).chain(&mut last.overlays) {
            let can_stay = matches!(act.action.way(), Way::Body | Way::Score);
            act.measures.stays = end == End::Hold && can_stay;
            is_held |= act.measures.stays || composer::stays_by_itself(act.action);
        }
        if end == End::Action || end == End::Hold && !is_held {
            leave("end");
        }
    }
    let Some(first) = steps.steps.first_mut() else { return left_out };
    if let Some(start) = ends.start {
        let at_once = start == Start::Action;
        first.main.measures.at_once = at_once && composer::can_begin_in(&first.main);
        if at_once && !first.main.measures.at_once {
            leave("start");
        }
    }
    if let Some(is_loop) = ends.is_loop {
        first.main.measures.goes_round = is_loop;
    }
    left_out
}

fn has_whole(step: &Step) -> bool {
    matches!(step.main.action.body(), Body::Whole | Body::Locomotion)
}

/// [`performable`], for who wants something to be performed.
///
/// # Errors
/// [`EngineError::UnknownAction`] when nothing of it can be performed.
pub(crate) fn steps_of(script: &Script) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
    let (steps, left_out) = performable(script);
    if steps.steps.is_empty() {
        let messages = left_out.iter().map(|left| left.told(script)).collect();
        return Err(EngineError::UnknownAction { messages });
    }
    Ok((steps, left_out))
}

fn action_of(deed: &Deed) -> Option<Action> {
    match deed {
        Deed::Action(name) => Action::named(name.as_str()),
        Deed::Body { verb, part } => Action::moving(*verb, *part),
    }
}

fn act_of(action: Action, event: &Event, leave: &mut impl FnMut(&'static str)) -> Act {
    let mut act = Act::new(action);
    act.count = event.count.map(Count::get);
    act.side = event.side.map(side_of);
    act.tempo = Tempo(event.speed.map_or(1.0, |speed| speed.get() as f32));
    act.angle_rad = event.degrees.map(|degrees| degrees.get().to_radians() as f32);
    match event.direction.map(direction_of) {
        None => {}
        Some(Course::To(direction)) => head_for(&mut act, direction, leave),
        Some(Course::Turning(side)) => act.side = Some(side),
        // into a spiral or out of it
        Some(Course::Unknown) if event.path == Some(limber_script::Path::Spiral) => {}
        Some(Course::Unknown) => leave("direction"),
    }
    set_path(&mut act, event, leave);
    set_amount(&mut act, event, leave);
    set_manners(&mut act, event, leave);
    act.measures.size = event.size.map(|size| size.get() as f32);
    for (field, is_said) in [
        ("target", event.aim.is_some()),
        ("height", event.height.is_some()),
        ("height_m", event.height_m.is_some()),
    ] {
        if is_said {
            leave(field);
        }
    }
    leave_the_rest(event, leave);
    act
}

/// Sets where it goes; of what is done with one side, left and right are the side.
fn head_for(act: &mut Act, direction: Direction, leave: &mut impl FnMut(&'static str)) {
    let side = match direction {
        Direction::Left => Some(SideChoice::Left),
        Direction::Right => Some(SideChoice::Right),
        _ => None,
    };
    let turns = act.action.way() == Way::Turn;
    match side {
        Some(side) if turns => act.side = Some(side),
        // which way around a circle leads is settled with its path
        Some(_) if act.action.takes(Argument::Path) => act.direction = Some(direction),
        _ if act.action.goes(direction) => act.direction = Some(direction),
        Some(side) if act.action.takes(Argument::Side) && act.side.is_none() => {
            act.side = Some(side);
        }
        // ahead is where everything goes that is not told otherwise
        None if direction == Direction::Forward => {}
        _ => leave("direction"),
    }
}

/// Leaves out what no act of the composer holds.
fn leave_the_rest(event: &Event, leave: &mut impl FnMut(&'static str)) {
    for (field, is_said) in [
        ("as_soon_as", matches!(event.timing, Timing::AsSoonAs(_))),
        ("beat_of", matches!(event.timing, Timing::OnBeat { .. })),
        ("until", event.until.is_some()),
        ("continues", event.continues.is_some()),
        ("prop", event.prop.is_some()),
        ("bpm", event.bpm.is_some()),
        ("rhythm", event.rhythm.is_some()),
        ("speed_curve", event.speed_curve.is_some()),
        ("posture_after", event.posture_after.is_some()),
        ("still", !event.still.is_empty()),
        ("avoid", !event.avoid.is_empty()),
    ] {
        if is_said {
            leave(field);
        }
    }
}

fn side_of(side: limber_script::Side) -> SideChoice {
    match side {
        limber_script::Side::Left => SideChoice::Left,
        limber_script::Side::Right => SideChoice::Right,
        limber_script::Side::Both | limber_script::Side::Alternating => SideChoice::Both,
    }
}

/// Where a direction leads.
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
        // seen from above, who turns left turns counterclockwise
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
        Some(limber_script::Path::Circle) => {
            let side = if act.side == Some(SideChoice::Right) { Side::Right } else { Side::Left };
            let turns = event.degrees.map_or(1.0, |degrees| degrees.get() as f32 / 360.0);
            act.path = Path::Circle { side, turns };
            // they say which circle, not which hand or what turn
            (act.side, act.angle_rad) = (None, None);
        }
        Some(path) => match drawn(path, event) {
            Some(shape) if matches!(act.action.way(), Way::Gait(_)) => {
                let right = event.side == Some(limber_script::Side::Right)
                    || event.direction == Some(limber_script::Direction::Right);
                let side = if right { Side::Right } else { Side::Left };
                act.path = Path::Drawn { shape, side };
                // they say which way it bends
                act.side = None;
                if matches!(act.direction, Some(Direction::Left | Direction::Right)) {
                    act.direction = None;
                }
            }
            _ => leave("path"),
        },
    }
}

/// What a path looks like from above, where that is all there is to it.
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
            (Some(amount), None) => act.amount = Some(amount),
            (Some(_), Some(_)) => leave(field),
            (None, _) => {}
        }
    }
}

fn set_manners(act: &mut Act, event: &Event, leave: &mut impl FnMut(&'static str)) {
    let mut all = true;
    for (manner, much) in &event.manners {
        match Manner::ALL.iter().find(|(_, name)| *name == manner.name()) {
            Some((manner, _)) => act.manners.push(*manner),
            None => all = false,
        }
        all &= *much == clearly();
    }
    if !all {
        leave("manners");
    }
}

/// Sets the posture that it is done in, where the legs have nothing else to do.
fn set_posture(act: &mut Act, event: &Event, leave: &mut impl FnMut(&'static str)) {
    let Some(posture) = event.posture else { return };
    let own = act.action.posture().is_some() || act.action.way() == Way::Posture;
    let legs_are_free = matches!(act.action.body(), Body::Upper | Body::Head)
        || matches!(act.action.way(), Way::Idle | Way::Body);
    let stands = posture == limber_script::Posture::Standing;
    if stands || own && composer::can_be_in(posture) {
        return;
    }
    if legs_are_free && composer::can_be_in(posture) {
        act.measures.posture = Some(posture);
    } else {
        leave("posture");
    }
}

/// As much of a manner as the composer knows.
fn clearly() -> Intensity {
    Intensity::new(1.0).expect("1 is in the range")
}

/// The script of what the composer is going to perform.
///
/// # Errors
/// [`ScriptError`] when there are more acts than a script holds, or none.
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
    let end = if acts.any(|act| act.measures.stays) { End::Hold } else { End::default() };
    let at_once = steps.steps.first().is_some_and(|step| step.main.measures.at_once);
    let start = if at_once { Start::Action } else { Start::default() };
    Ok(Script::new(events)?.with_ends(start, end).with_loop(steps.goes_round()))
}

/// As people would write it: 0.6, not the nearest number that the composer has.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e4).round() / 1e4
}

fn event_of(act: &Act) -> Event {
    let mut event = Event::new(match act.action.movement() {
        Some((verb, part)) => Deed::Body { verb, part },
        None => {
            let name = act.action.name().parse();
            Deed::Action(name.expect("actions are named as scripts name them; a test looks"))
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
    for (manner, name) in Manner::ALL {
        if let (true, Ok(known)) = (act.manners.contains(&manner), name.parse()) {
            event.manners.insert(known, clearly());
        }
    }
    movements::tell(&mut event, &act.measures);
    event
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Prompt, understand};

    #[test]
    fn actions_and_manners_are_named_as_in_scripts() {
        for action in Action::all() {
            assert_eq!(
                action.name().parse::<limber_script::ActionName>().unwrap().as_str(),
                action.name()
            );
        }
        for (_, name) in Manner::ALL {
            assert!(name.parse::<limber_script::Manner>().is_ok(), "{name}");
        }
    }

    #[test]
    fn what_is_performed_today_goes_through_a_script_unchanged() {
        for text in [
            "a person walks forward slowly for three meters, then waves with the left hand four times",
            "someone runs in a circle to the right twice while clapping",
            "turns around and sits down sadly",
            "walks back and forth, then jumps high",
            "turns left by 45 degrees, kicks to the side and marches backward for five steps",
        ] {
            let steps = understand(&Prompt::parse(text).unwrap()).unwrap().script;
            let script = script_of(&steps).unwrap();
            let (again, left_out) = performable(&script);
            assert_eq!(again.to_string(), steps.to_string(), "{text}: {script}");
            assert_eq!(left_out, [], "{text}");
        }
    }

    #[test]
    fn what_the_composer_cannot_do_is_told() {
        let script: Script =
            "v2 walk rhythm:irregular manners:robot=1 > close.knee > moonwalk-on-mars target:box > wave \
                              while:0 meters:2 steps:3 | loop:true start:action end:hold"
                .parse()
                .unwrap();
        let (steps, left_out) = performable(&script);
        let told: Vec<_> = left_out.iter().map(|left| (left.event, left.field)).collect();
        let of_events =
            [(0, "manners"), (0, "rhythm"), (1, "move"), (2, "do"), (3, "meters")].into_iter();
        let of_events = of_events.map(|(event, field)| (Some(event), field));
        let of_whole = [(None, "end")];
        assert_eq!(told, of_events.chain(of_whole).collect::<Vec<_>>());
        assert_eq!(left_out[2].why, Why::NoSuchMovement);
        let messages = left_out.iter().map(|left| left.told(&script)).collect::<Vec<_>>();
        let (field, action) = ("rhythm".to_owned(), Some("walk".to_owned()));
        assert_eq!(messages[1], Message::LeftOut { event: Some(0), field, action });
        let action = "close knee".to_owned();
        assert_eq!(messages[2], Message::NoSuchMovement { event: 1, action });
        let field = "end".to_owned();
        assert_eq!(messages[5], Message::LeftOut { event: None, field, action: None });
        assert_eq!(steps.to_string(), "walk start:action loop:true + wave for:3steps");
        let unknown: Script = "v2 close.knee > moonwalk-on-mars".parse().unwrap();
        let refused = steps_of(&unknown).unwrap_err().to_string();
        assert_eq!(
            refused,
            "events[0]: \"close knee\" is no movement of that part of the body. events[1]: Limber cannot \
             perform \"moonwalk on mars\" yet."
        );
    }
}
