//! From clauses to the script: what follows what, and what happens at the same time.

use limber_animation::Side;
use limber_script::Message;

use super::{
    clauses::{Clause, Spoken},
    lexicon::{Join, Meaning},
    modifiers,
};
use crate::{Act, Action, Amount, Body, Pace, Path, SideChoice, Step, Tempo, Way};

/// The most steps a script may have.
const MOST_STEPS: u32 = 30;

/// Lays all clauses out in time. May be empty when no clause holds an action.
pub(super) fn assemble(clauses: Vec<Clause>, warnings: &mut Vec<Message>) -> Vec<Step> {
    let mut laying = Laying { steps: Vec::new(), ahead: Vec::new(), warnings };
    for clause in in_order(clauses) {
        laying.clause(clause);
    }
    let mut steps = laying.steps;
    if steps.len() > MOST_STEPS as usize {
        steps.truncate(MOST_STEPS as usize);
        warnings.push(Message::MostActions { most: MOST_STEPS });
    }
    settle(&mut steps, warnings);
    steps
}

/// Settles what can only be settled when all is said.
pub(super) fn settle(steps: &mut [Step], warnings: &mut Vec<Message>) {
    for step in steps {
        set_afoot(step);
        modifiers::settle(&mut step.main, warnings);
        for act in &mut step.overlays {
            modifiers::settle(act, warnings);
        }
    }
}

/// "Before sitting down, he waves": a leading clause tells where it belongs itself.
fn in_order(mut clauses: Vec<Clause>) -> Vec<Clause> {
    let leads = clauses.first().and_then(|clause| clause.join);
    let second_follows = clauses
        .get(1)
        .is_some_and(|clause| matches!(clause.join, Some(Join::Comma | Join::And | Join::Then)));
    if clauses.len() < 2 || !second_follows {
        return clauses;
    }
    match leads {
        Some(Join::Before) => {
            clauses.swap(0, 1);
            clauses[1].join = Some(Join::Then);
        }
        Some(Join::After) => clauses[1].join = Some(Join::Then),
        Some(Join::While) => clauses[1].join = Some(Join::While),
        _ => return clauses,
    }
    clauses[0].join = Some(Join::Start);
    clauses
}

struct Laying<'a> {
    steps: Vec<Step>,
    /// Descriptions that came before any action: "slowly, a person walks".
    ahead: Vec<Meaning>,
    warnings: &'a mut Vec<Message>,
}

impl Laying<'_> {
    fn clause(&mut self, mut clause: Clause) {
        if clause.acts.is_empty() {
            self.description(&clause);
            return;
        }
        for meaning in self.ahead.drain(..) {
            modifiers::apply(&mut clause.acts[0].act, &meaning);
        }
        let join = clause.join.unwrap_or(Join::Start);
        let together = clause.together;
        let place = match join {
            Join::After => self.steps.len().saturating_sub(1),
            _ => self.steps.len(),
        };
        for (index, spoken) in clause.acts.into_iter().enumerate() {
            let link = match join {
                _ if together && index > 0 => Join::While,
                _ if index > 0 && spoken.beside => Join::And,
                _ if index > 0 => Join::Then,
                _ if together => Join::While,
                Join::Comma if spoken.beside => Join::And,
                join => join,
            };
            self.act(spoken, link, place);
        }
    }

    fn act(&mut self, spoken: Spoken, link: Join, place: usize) {
        let act = spoken.act;
        match (link, self.steps.last_mut()) {
            (Join::While, Some(step)) => {
                if let Err(act) = lay_over(step, act) {
                    self.warnings.push(Message::SameBodyPart {
                        first: step.main.action.phrase(),
                        second: act.action.phrase(),
                    });
                    self.steps.push(Step { main: act, overlays: Vec::new() });
                }
            }
            (Join::And, Some(step))
                if goes_along(step, &act) || spoken.beside && !is_bounded(&step.main) =>
            {
                if let Err(act) = lay_over(step, act) {
                    self.steps.push(Step { main: act, overlays: Vec::new() });
                }
            }
            (Join::After, Some(_)) => {
                self.steps.insert(place, Step { main: act, overlays: Vec::new() });
            }
            _ => self.steps.push(Step { main: act, overlays: Vec::new() }),
        }
    }

    /// A clause without an action: "…, then right", "…, slowly", "takes two steps back".
    fn description(&mut self, clause: &Clause) {
        if clause.loose.is_empty() {
            if clause.together {
                self.warnings.push(Message::NothingMeanwhile);
            }
            return;
        }
        if let Some(walk) = self.steps_on_foot(clause) {
            self.steps.push(Step { main: walk, overlays: Vec::new() });
            return;
        }
        let Some(last) = self.steps.last_mut() else {
            self.ahead.extend(clause.loose.iter().cloned());
            return;
        };
        let sided = clause.loose.iter().any(|meaning| {
            matches!(meaning, Meaning::Lateral(_) | Meaning::Limb(_) | Meaning::Toward(_))
        });
        let act = last.overlays.last_mut().unwrap_or(&mut last.main);
        let had_side = act.side.is_some() || act.direction.is_some();
        let again = clause.join == Some(Join::Then) || sided && had_side;
        if !again {
            for meaning in &clause.loose {
                modifiers::apply(act, meaning);
            }
            return;
        }
        let mut act = act.clone();
        if clause.loose.iter().any(|meaning| matches!(meaning, Meaning::Tempo(_))) {
            act.tempo = Tempo(1.0);
        }
        for meaning in &clause.loose {
            modifiers::apply(&mut act, meaning);
        }
        self.steps.push(Step { main: act, overlays: Vec::new() });
    }

    /// "two steps back" is a walk even without a verb, unless it tells how far a walk goes.
    fn steps_on_foot(&self, clause: &Clause) -> Option<Act> {
        let on_foot = |meaning: &Meaning| matches!(meaning, Meaning::Amount(Amount::Steps(_)));
        if !clause.loose.iter().any(on_foot) {
            return None;
        }
        let last = self.steps.last().map(|step| &step.main);
        let describes_last = clause.join == Some(Join::Comma)
            && last
                .is_some_and(|act| act.action.body() == Body::Locomotion && act.amount.is_none());
        if describes_last {
            return None;
        }
        let lateral = |meaning: &Meaning| {
            matches!(meaning, Meaning::Lateral(_) | Meaning::Toward(_) | Meaning::Sideways)
        };
        let sideways = clause.loose.iter().any(lateral);
        let way = if sideways { Way::Sidestep } else { Way::Gait(Pace::Walk) };
        let mut act = Act::new(Action::done(way));
        for meaning in &clause.loose {
            modifiers::apply(&mut act, meaning);
        }
        Some(act)
    }
}

/// "Carries a box to the left" walks there with it.
fn set_afoot(step: &mut Step) {
    if !step.main.action.is_done_afoot() {
        return;
    }
    let carried = Act { manners: step.main.manners.clone(), ..Act::new(step.main.action) };
    step.main.action = Action::done(Way::Gait(Pace::Walk));
    step.main.side = None;
    step.main.count = None;
    step.overlays.insert(0, carried);
}

/// Whether "A and B" means both at once: a walk without an end goes along with gestures, and
/// gestures of other parts of the body with each other.
fn goes_along(step: &Step, act: &Act) -> bool {
    if step.main.action.way() == Way::Idle || act.action.way() == Way::Idle {
        return step.main.action != act.action;
    }
    match (step.main.action.body(), act.action.body()) {
        (Body::Locomotion, Body::Upper | Body::Head) => !is_bounded(&step.main),
        (Body::Upper, Body::Head) | (Body::Head, Body::Upper) => true,
        _ => false,
    }
}

/// Whether the act has an end of its own before which nothing else fits in well.
fn is_bounded(act: &Act) -> bool {
    act.action.way() == Way::Turn
        || matches!(act.amount, Some(Amount::Metres(_) | Amount::Steps(_)))
}

/// Puts an act into a step, or gives it back when a part of the body would have two masters.
pub(crate) fn lay_over(step: &mut Step, act: Act) -> Result<(), Act> {
    if bends_the_path(step, &act) {
        return Ok(());
    }
    if act.action.way() == Way::Idle && step.main.action.way() != Way::Idle {
        return Ok(());
    }
    if step.main.action.way() == Way::Idle
        && step.overlays.is_empty()
        && !act.action.is_done_afoot()
    {
        let amount = step.main.amount;
        step.main = act;
        step.main.amount = step.main.amount.or(amount);
        return Ok(());
    }
    let carries = |body| matches!(body, Body::Locomotion | Body::Whole);
    let free = |other: &Act| may_share(other, &act);
    if !step.overlays.iter().all(free) || !free(&step.main) {
        return Err(act);
    }
    if carries(act.action.body()) {
        let before = std::mem::replace(&mut step.main, act);
        step.overlays.insert(0, before);
    } else {
        step.overlays.push(act);
    }
    Ok(())
}

/// "walks while turning left", "turns left while walking": an arc.
fn bends_the_path(step: &mut Step, act: &Act) -> bool {
    let walks = |act: &Act| {
        act.action.body() == Body::Locomotion
            && act.action.way() != Way::Turn
            && act.path == Path::Straight
    };
    let (mut walk, turn) = match (&step.main, act) {
        (walk, turn) if walks(walk) && turn.action.way() == Way::Turn => (walk.clone(), turn),
        (turn, walk) if walks(walk) && turn.action.way() == Way::Turn => (walk.clone(), turn),
        _ => return false,
    };
    let angle = turn.angle_rad.unwrap_or(std::f32::consts::FRAC_PI_2);
    let side = if turn.side == Some(SideChoice::Right) { Side::Right } else { Side::Left };
    modifiers::set_circle(&mut walk, Some(angle / std::f32::consts::TAU), Some(side));
    step.main = walk;
    true
}

fn may_share(one: &Act, other: &Act) -> bool {
    let (a, b) = (one.action.body(), other.action.body());
    let carries = |body| matches!(body, Body::Locomotion | Body::Whole);
    if carries(a) && carries(b) {
        return false;
    }
    if a != b {
        return true;
    }
    // two arms may do two things
    let arms = (one.side, other.side);
    a == Body::Upper
        && matches!(
            arms,
            (Some(SideChoice::Left), Some(SideChoice::Right))
                | (Some(SideChoice::Right), Some(SideChoice::Left))
        )
}
