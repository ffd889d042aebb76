//! Converts scripts to the steps that the composer performs, and back.
//!
//! The composer's steps can express less than a script. What they cannot express is left out and
//! reported as a [`LeftOut`]; everything else is carried over unchanged in both directions.

mod act;
pub(crate) mod contradictions;
mod event;
mod left_out;
mod movements;
mod props;

use limber_script::{
    ClipEnds, End, Event, EventAction, EventIndex, Posture, Script, Start, Timing,
};

pub(crate) use self::event::event_of;
pub use self::event::script_of;
use crate::{
    Act, Action, ActionKind, Body, Direction, EngineError, MotionScript, Pace, Path, SideChoice,
    Step, composer,
    language::{lay_over, set_afoot},
    vocabulary::Repertoire,
};
pub use left_out::{LeftOut, OmissionReason, Rival};

/// The steps of a script, and what they leave out; no steps if nothing of it can be performed.
#[must_use]
pub fn performable(script: &Script) -> (MotionScript, Vec<LeftOut>) {
    performable_with(&Repertoire::default(), script)
}

/// [`performable`] with another set of actions.
pub(crate) fn performable_with(
    repertoire: &Repertoire,
    script: &Script,
) -> (MotionScript, Vec<LeftOut>) {
    let (steps, places, left_out) = (Vec::new(), Vec::new(), Vec::new());
    let mut laying = Laying { repertoire, script, steps, places, left_out };
    for index in 0..script.events().len() {
        let place = laying.event(index);
        laying.places.push(place);
    }
    // carrying something implies walking with it
    let goes = |act: &Act| act.action.body() == Body::Locomotion;
    laying.steps.iter_mut().filter(|step| !step.acts().any(goes)).for_each(set_afoot);
    let mut left_out = laying.left_out;
    let mut steps = MotionScript { steps: laying.steps };
    let ends = ClipEnds {
        start: Some(script.start()),
        end: Some(script.end()),
        is_loop: Some(script.is_loop()),
    };
    left_out.extend(set_ends(&mut steps, ends));
    (steps, left_out)
}

/// State of the conversion from events to steps.
struct Laying<'a> {
    repertoire: &'a Repertoire,
    script: &'a Script,
    steps: Vec<Step>,
    /// For each event so far, the index of its step; `None` if it is left out.
    places: Vec<Option<usize>>,
    left_out: Vec<LeftOut>,
}

impl Laying<'_> {
    fn leave(&mut self, index: usize, field: &'static str, why: OmissionReason) {
        self.left_out.push(LeftOut { event: Some(index), field, why });
    }

    /// Converts an event and returns the index of its step; `None` if it is left out.
    fn event(&mut self, index: usize) -> Option<usize> {
        let mut event = self.script.events()[index].clone();
        let Some(action) = action_of(self.repertoire, &event.deed) else {
            match event.deed {
                EventAction::Body { .. } => {
                    self.leave(index, "move", OmissionReason::NoSuchMovement);
                }
                EventAction::Action(_) => self.leave(index, "do", OmissionReason::NotYet),
            }
            return None;
        };
        for (field, rival) in contradictions::take_out(&mut event, action) {
            self.leave(index, field, OmissionReason::Contradicts(rival));
        }
        let mut act = self.act(index, action, &event);
        if let Some(way) = event.posture_after.and_then(|wanted| plain_way_to(wanted, action)) {
            act.action = way;
        }
        act.action = props::with_both_hands(act.action, &self.steps);
        act.action = props::with_prop(act.action, &event);
        let beside = match event.timing {
            Timing::While(EventIndex(other)) => self.places.get(other).copied().flatten(),
            _ => None,
        };
        let mut not_yet = |field| self.leave(index, field, OmissionReason::NotYet);
        let held = props::in_hand(&act, &event, &mut not_yet);
        let then = ends_in(&act, &event, &mut not_yet);
        let place = match beside {
            Some(place) => self.beside(index, place, act),
            None => {
                // nobody runs sideways: the body turns, then runs
                self.steps.extend(turned_into(&mut act));
                Some(self.step(act))
            }
        };
        if let (Some(held), Some(place)) = (held, place) {
            props::hold(&mut self.steps[place], held);
        }
        self.steps.extend(then.map(|act| Step { main: act, overlays: Vec::new() }));
        place
    }

    fn act(&mut self, index: usize, action: Action, event: &Event) -> Act {
        let mut not_yet = |field| self.leave(index, field, OmissionReason::NotYet);
        let mut act = match action.movement() {
            Some(_) => movements::act_of(action, event, index, &mut not_yet),
            None => act::act_of(action, event, index, &mut not_yet),
        };
        act.measures.force = event.force.map(|force| force.get() as f32);
        act::set_posture(&mut act, event, &mut not_yet);
        act
    }

    /// Appends a step with only this act.
    fn step(&mut self, act: Act) -> usize {
        self.steps.push(Step { main: act, overlays: Vec::new() });
        self.steps.len() - 1
    }

    /// Adds an act to a step, or appends a new step if the two cannot be done at once.
    fn beside(&mut self, index: usize, place: usize, act: Act) -> Option<usize> {
        let is_movement = act.action.movement().is_some();
        let all = if is_movement { "move" } else { "do" };
        // a loop contains everything at once; a step that follows would end it
        let is_round = self.script.is_loop();
        if let Some(other) = self.rival(place, &act) {
            let field = if is_round { all } else { "while" };
            self.leave(index, field, OmissionReason::Contradicts(Rival::Event(other)));
            return (!is_round).then(|| self.step(act));
        }
        let step = &mut self.steps[place];
        let is_whole = act.action.body() == Body::Whole && has_whole(step);
        if movements::legs_are_busy(&act, step) || is_round && is_whole {
            self.leave(index, all, OmissionReason::LegsAreBusy);
            return None;
        }
        if is_movement {
            step.overlays.push(act);
            return Some(place);
        }
        match lay_over(step, act) {
            Ok(_) => Some(place),
            Err(act) => {
                self.leave(index, "while", OmissionReason::SameBodyPart);
                Some(self.step(act))
            }
        }
    }

    /// The event of a step that contradicts an act.
    fn rival(&self, place: usize, act: &Act) -> Option<usize> {
        let step = &self.steps[place];
        let rival = step.acts().nth(contradictions::rival(step, act)?)?.action;
        let mut events = self.script.events().iter().zip(&self.places);
        let is_rival = |(event, at): (&Event, &Option<usize>)| {
            *at == Some(place) && action_of(self.repertoire, &event.deed) == Some(rival)
        };
        events.position(is_rival)
    }
}

/// Applies how a clip starts, ends and loops, and returns what could not be applied.
pub(crate) fn set_ends(steps: &mut MotionScript, ends: ClipEnds) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    let mut leave = |field, why| left_out.push(LeftOut { event: None, field, why });
    let mut is_loop = ends.loops().unwrap_or_else(|| steps.goes_round());
    if is_loop && let Some(once) = contradictions::done_once(steps) {
        is_loop = false;
        leave("loop", OmissionReason::Contradicts(Rival::Once(once)));
    }
    if let Some(last) = steps.steps.last_mut() {
        set_end(last, ends.end, is_loop, &mut leave);
    }
    let Some(first) = steps.steps.first_mut() else { return left_out };
    if let Some(start) = ends.start {
        let at_once = start == Start::Action;
        first.main.measures.at_once = at_once && composer::can_begin_in(&first.main);
        if at_once && !first.main.measures.at_once {
            leave("start", OmissionReason::NotYet);
        }
    }
    first.main.measures.goes_round = is_loop;
    left_out
}

/// Applies the requested end to the last step, or the step's own end if none is requested.
fn set_end(
    last: &mut Step,
    end: Option<End>,
    is_loop: bool,
    leave: &mut impl FnMut(&'static str, OmissionReason),
) {
    let stays = last.acts().any(|act| act.measures.stays);
    let is_to_hold = end.map_or(stays, |end| end == End::Hold);
    if is_to_hold && is_loop {
        leave("end", OmissionReason::Contradicts(Rival::Loop));
    }
    if end.is_none() && !is_loop {
        return;
    }
    let mut is_held = false;
    for act in std::iter::once(&mut last.main).chain(&mut last.overlays) {
        let can_stay = matches!(act.action.kind(), ActionKind::Body | ActionKind::Score);
        act.measures.stays = is_to_hold && can_stay && !is_loop;
        is_held |= act.measures.stays || composer::stays_by_itself(act.action);
    }
    // a loop ends in the middle of its action
    let is_to_go_on = end.map_or(last.main.measures.goes_on, |end| end == End::Action) && !is_loop;
    last.main.measures.goes_on = is_to_go_on && composer::can_go_on(&last.main);
    let is_left = is_to_go_on && !last.main.measures.goes_on;
    if is_left || is_to_hold && !is_held && !is_loop {
        leave("end", OmissionReason::NotYet);
    }
}

/// The action that leads to a posture, as a replacement for one that only leads to another posture:
/// kneeling on one knee does not start with kneeling on both.
fn plain_way_to(wanted: Posture, action: Action) -> Option<Action> {
    let leads_somewhere = |posture: &Posture| composer::way_to(*posture) == Some(action);
    let is_plain = Posture::ALL.iter().any(leads_somewhere);
    let way = composer::way_to(wanted)?;
    (is_plain && !composer::leads_to(action, wanted)).then_some(way)
}

/// The action that leads to an event's final posture, if its own action does not.
fn ends_in(act: &Act, event: &Event, leave: &mut impl FnMut(&'static str)) -> Option<Act> {
    let wanted = event.posture_after?;
    // a landing goes through a crouch by itself
    if composer::way_to(wanted).is_some_and(|way| act.action.stages().contains(&way)) {
        return None;
    }
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

/// The turn before a run to the side, which then goes straight ahead.
fn turned_into(act: &mut Act) -> Option<Step> {
    let runs = matches!(act.action.kind(), ActionKind::Gait(Pace::Run | Pace::Jog));
    let side = match act.direction {
        Some(Direction::Left) => SideChoice::Left,
        Some(Direction::Right) => SideChoice::Right,
        _ => return None,
    };
    if !runs || act.path != Path::Straight {
        return None;
    }
    act.direction = None;
    let mut turn = Act::new(Action::done(ActionKind::Turn));
    turn.side = Some(side);
    Some(Step { main: turn, overlays: Vec::new() })
}

fn has_whole(step: &Step) -> bool {
    matches!(step.main.action.body(), Body::Whole | Body::Locomotion)
}

/// [`performable`] that fails if there is nothing to perform.
///
/// # Errors
/// [`EngineError::UnknownAction`] if nothing of the script can be performed.
pub(crate) fn steps_of(
    repertoire: &Repertoire,
    script: &Script,
) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
    let (steps, left_out) = performable_with(repertoire, script);
    if steps.steps.is_empty() {
        let messages = left_out.iter().map(|left| left.message(script)).collect();
        return Err(EngineError::UnknownAction { messages });
    }
    Ok((steps, left_out))
}

fn action_of(repertoire: &Repertoire, deed: &EventAction) -> Option<Action> {
    match deed {
        EventAction::Action(name) => repertoire.named(name.as_str()),
        EventAction::Body { verb, part } => Action::moving(*verb, *part),
    }
}

#[cfg(test)]
mod tests {
    use limber_script::{Message, message::Kept};

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
    fn performed_events_survive_a_script_round_trip() {
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
    fn what_the_composer_cannot_do_is_reported() {
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
        assert_eq!(left_out[1].why, OmissionReason::NoSuchMovement);
        let messages = left_out.iter().map(|left| left.message(&script)).collect::<Vec<_>>();
        let (field, action) = ("rhythm".to_owned(), Some("walk".to_owned()));
        assert_eq!(messages[0], Message::LeftOut { event: Some(0), field, action });
        let action = "close knee".to_owned();
        assert_eq!(messages[1], Message::NoSuchMovement { event: 1, action });
        let (first, second) = ("loop".to_owned(), "hold".to_owned());
        let looped = Message::Contradiction { event: None, first, second, kept: Kept::First };
        assert_eq!(messages[4], looped);
        assert_eq!(steps.to_string(), "walk start:action loop:true + wave for:3steps");
        let unknown: Script = "v2 close.knee > moonwalk-on-mars".parse().unwrap();
        let refused = steps_of(&Repertoire::default(), &unknown).unwrap_err().to_string();
        assert_eq!(
            refused,
            "events[0]: \"close knee\" is not a movement of that body part. events[1]: Limber cannot \
             perform \"moonwalk on mars\" yet."
        );
    }
}
