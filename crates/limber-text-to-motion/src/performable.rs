//! Between scripts as they are written and the steps that the composer performs.
//!
//! The composer's steps hold less than a script can say. What they cannot hold is left out and told, one
//! [`LeftOut`] each; what they hold is carried over unchanged in both directions.

mod act;
mod event;
mod movements;
mod props;

use limber_script::{ClipEnds, Deed, End, Event, EventIndex, Message, Posture, Script, Start, Timing};

pub use self::event::script_of;
use crate::{
    Act, Action, Body, EngineError, MotionScript, Step, Way, composer, language::lay_over,
    vocabulary::Repertoire,
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
        let Some(index) = self.event else { return self.told_of_whole() };
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

    /// The same of what is said of the whole clip.
    pub(crate) fn told_of_whole(&self) -> Message {
        Message::LeftOut { event: None, field: self.field.to_owned(), action: None }
    }
}

/// The steps of a script, and what of it they leave out; no steps when nothing of it can be performed.
#[must_use]
pub fn performable(script: &Script) -> (MotionScript, Vec<LeftOut>) {
    performable_with(&Repertoire::default(), script)
}

/// [`performable`] by who has these actions.
pub(crate) fn performable_with(
    repertoire: &Repertoire,
    script: &Script,
) -> (MotionScript, Vec<LeftOut>) {
    let mut steps: Vec<Step> = Vec::new();
    let mut left_out = Vec::new();
    // the step in which each event is done, where it is
    let mut places: Vec<Option<usize>> = Vec::new();
    for (index, event) in script.events().iter().enumerate() {
        let mut leave = |field, why| left_out.push(LeftOut { event: Some(index), field, why });
        let Some(action) = action_of(repertoire, &event.deed) else {
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
            Some(_) => movements::act_of(action, event, index, &mut not_yet),
            None => act::act_of(action, event, index, &mut not_yet),
        };
        act.measures.force = event.force.map(|force| force.get() as f32);
        act::set_posture(&mut act, event, &mut not_yet);
        let held = props::in_hand(&act, event, &mut not_yet);
        let then = ends_in(&act, event, &mut not_yet);
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
        if let (Some(held), Some(place)) = (held, places.last().copied().flatten()) {
            props::hold(&mut steps[place], held);
        }
        steps.extend(then.map(|act| Step { main: act, overlays: Vec::new() }));
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
    let goes_round = ends.loops().unwrap_or_else(|| steps.goes_round());
    if let (Some(end), Some(last)) = (ends.end, steps.steps.last_mut()) {
        let mut is_held = false;
        for act in std::iter::once(&mut last.main).chain(&mut last.overlays) {
            let can_stay = matches!(act.action.way(), Way::Body | Way::Score);
            act.measures.stays = end == End::Hold && can_stay;
            is_held |= act.measures.stays || composer::stays_by_itself(act.action);
        }
        // a loop ends in the middle of what is done
        if end == End::Action && !goes_round || end == End::Hold && !is_held {
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
    first.main.measures.goes_round = goes_round;
    left_out
}

/// What leads to the posture that an event leaves behind, where its own action leads to none.
fn ends_in(act: &Act, event: &Event, leave: &mut impl FnMut(&'static str)) -> Option<Act> {
    let wanted = event.posture_after?;
    if act.action.posture().is_some() || composer::leads_to(act.action, wanted) {
        return None;
    }
    let legs_are_free = matches!(event.timing, Timing::Then);
    let way = composer::way_to(wanted).filter(|_| legs_are_free);
    if way.is_none() && wanted != Posture::Standing {
        leave("posture_after");
    }
    way.map(Act::new)
}

fn has_whole(step: &Step) -> bool {
    matches!(step.main.action.body(), Body::Whole | Body::Locomotion)
}

/// [`performable`], for who wants something to be performed.
///
/// # Errors
/// [`EngineError::UnknownAction`] when nothing of it can be performed.
pub(crate) fn steps_of(
    repertoire: &Repertoire,
    script: &Script,
) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
    let (steps, left_out) = performable_with(repertoire, script);
    if steps.steps.is_empty() {
        let messages = left_out.iter().map(|left| left.told(script)).collect();
        return Err(EngineError::UnknownAction { messages });
    }
    Ok((steps, left_out))
}

fn action_of(repertoire: &Repertoire, deed: &Deed) -> Option<Action> {
    match deed {
        Deed::Action(name) => repertoire.named(name.as_str()),
        Deed::Body { verb, part } => Action::moving(*verb, *part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Prompt, understand};

    #[test]
    fn actions_are_named_as_in_scripts() {
        for action in Action::all() {
            assert_eq!(
                action.name().parse::<limber_script::ActionName>().unwrap().as_str(),
                action.name()
            );
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
            "v2 walk rhythm:irregular > close.knee > moonwalk-on-mars target:box > wave \
                              while:0 meters:2 steps:3 | loop:true start:action end:hold"
                .parse()
                .unwrap();
        let (steps, left_out) = performable(&script);
        let told: Vec<_> = left_out.iter().map(|left| (left.event, left.field)).collect();
        let of_events = [(0, "rhythm"), (1, "move"), (2, "do"), (3, "meters")].into_iter();
        let of_events = of_events.map(|(event, field)| (Some(event), field));
        let of_whole = [(None, "end")];
        assert_eq!(told, of_events.chain(of_whole).collect::<Vec<_>>());
        assert_eq!(left_out[1].why, Why::NoSuchMovement);
        let messages = left_out.iter().map(|left| left.told(&script)).collect::<Vec<_>>();
        let (field, action) = ("rhythm".to_owned(), Some("walk".to_owned()));
        assert_eq!(messages[0], Message::LeftOut { event: Some(0), field, action });
        let action = "close knee".to_owned();
        assert_eq!(messages[1], Message::NoSuchMovement { event: 1, action });
        let field = "end".to_owned();
        assert_eq!(messages[4], Message::LeftOut { event: None, field, action: None });
        assert_eq!(steps.to_string(), "walk start:action loop:true + wave for:3steps");
        let unknown: Script = "v2 close.knee > moonwalk-on-mars".parse().unwrap();
        let refused = steps_of(&Repertoire::default(), &unknown).unwrap_err().to_string();
        assert_eq!(
            refused,
            "events[0]: \"close knee\" is no movement of that part of the body. events[1]: Limber cannot \
             perform \"moonwalk on mars\" yet."
        );
    }
}
