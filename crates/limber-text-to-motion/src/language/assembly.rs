//! Assembles clauses into a script: what happens in sequence, and what at the same time.

use limber_animation::Side;
use limber_script::Message;

use super::{
    clauses::{Clause, Spoken},
    description::{Description, Words},
    lexicon::{Join, Meaning},
    modifiers,
};
use crate::{
    Act, Action, ActionKind, Amount, Body, Pace, Path, SideChoice, Step, Tempo,
    performable::contradictions,
};

/// Maximum number of steps in a script.
const MOST_STEPS: u32 = 30;

/// Arranges all clauses in time. Each step comes with the words from which each of its acts was
/// read, the main act first. The result is empty if no clause contains an action.
pub(super) fn assemble(
    clauses: Vec<Clause>,
    warnings: &mut Vec<Message>,
) -> (Vec<Step>, Vec<Words>) {
    let mut laying = Laying { lines: Vec::new(), ahead: Vec::new(), warnings };
    for clause in in_order(clauses) {
        laying.clause(clause);
    }
    let mut lines = laying.lines;
    if lines.len() > MOST_STEPS as usize {
        lines.truncate(MOST_STEPS as usize);
        warnings.push(Message::MostActions { most: MOST_STEPS });
    }
    let (mut steps, mut words) = (Vec::new(), Vec::new());
    for line in lines {
        if line.step.main.action.is_done_afoot() {
            // an implied walk comes from the same words
            words.extend(line.words.first().cloned());
        }
        words.extend(line.words);
        steps.push(line.step);
    }
    settle(&mut steps, warnings);
    (steps, words)
}

/// Resolves what depends on the complete script.
pub(super) fn settle(steps: &mut [Step], warnings: &mut Vec<Message>) {
    for step in steps {
        set_afoot(step);
        modifiers::settle(&mut step.main, warnings);
        for act in &mut step.overlays {
            modifiers::settle(act, warnings);
        }
    }
}

/// Moves a leading clause to where it belongs: "before sitting down, he waves".
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

/// A step, and the words from which each of its acts was read: first the main act, then the
/// overlays.
struct Line {
    step: Step,
    words: Vec<Words>,
}

impl Line {
    fn new(act: Act, words: Words) -> Self {
        Self { step: Step { main: act, overlays: Vec::new() }, words: vec![words] }
    }

    /// The most recently added act, and its words.
    fn last(&mut self) -> (&mut Act, &mut Words) {
        let act = self.step.overlays.last_mut().unwrap_or(&mut self.step.main);
        (act, self.words.last_mut().expect("every act has words"))
    }

    /// Records the words of an act that was added to the step.
    fn note(&mut self, laid: Laid, words: Words) {
        let main = &mut self.words[0];
        match laid {
            Laid::Over => self.words.push(words),
            Laid::Under => self.words.insert(0, words),
            Laid::Instead => {
                let standing = std::mem::replace(main, words);
                main.last_as_long(standing);
            }
            Laid::Implied => {}
            Laid::Bending => main.bend(words),
            Laid::Bent => {
                let turn = std::mem::replace(main, words);
                main.bend(turn);
            }
        }
    }
}

struct Laying<'a> {
    lines: Vec<Line>,
    /// Descriptions before any action: "slowly, a person walks".
    ahead: Vec<Description>,
    warnings: &'a mut Vec<Message>,
}

impl Laying<'_> {
    fn clause(&mut self, mut clause: Clause) {
        let Some(first) = clause.acts.first_mut() else {
            self.description(&clause);
            return;
        };
        for said in self.ahead.drain(..) {
            first.apply(said, self.warnings);
        }
        let join = clause.join.unwrap_or(Join::Start);
        let together = clause.together;
        let place = match join {
            Join::After => self.lines.len().saturating_sub(1),
            _ => self.lines.len(),
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
        let Spoken { act, words, beside } = spoken;
        let Some(line) = self.lines.last_mut() else {
            self.lines.push(Line::new(act, words));
            return;
        };
        let is_beside = link == Join::While
            || link == Join::And
                && (goes_along(&line.step, &act) || beside && !is_bounded(&line.step.main));
        if !is_beside {
            let at = if link == Join::After { place } else { self.lines.len() };
            self.lines.insert(at, Line::new(act, words));
            return;
        }
        let rival = contradictions::rival(&line.step, &act);
        let laid = if rival.is_some() { Err(act) } else { lay_over(&mut line.step, act) };
        match (laid, rival) {
            (Ok(laid), _) => line.note(laid, words),
            (Err(act), rival) => {
                // after locomotion, standing can be a separate step: "walks to the door and waits"
                let is_meant = line.step.main.action.kind() != ActionKind::Idle && !beside;
                let told = match rival {
                    Some(_) if link == Join::And && is_meant => None,
                    Some(rival) => Some(line.words[rival].in_turn(&words)),
                    None => (link == Join::While).then(|| Message::SameBodyPart {
                        first: line.step.main.action.phrase(),
                        second: act.action.phrase(),
                    }),
                };
                self.warnings.extend(told);
                self.lines.push(Line::new(act, words));
            }
        }
    }

    /// Applies a clause without an action: "…, then right", "…, slowly", "takes two steps back".
    fn description(&mut self, clause: &Clause) {
        if clause.loose.is_empty() {
            if clause.together {
                self.warnings.push(Message::NothingMeanwhile);
            }
            return;
        }
        if let Some(line) = self.steps_on_foot(clause) {
            self.lines.push(line);
            return;
        }
        let Some(last) = self.lines.last_mut() else {
            self.ahead.extend(clause.loose.iter().cloned());
            return;
        };
        let sided = clause.loose.iter().any(|said| {
            matches!(said.meaning, Meaning::Lateral(_) | Meaning::Limb(_) | Meaning::Toward(_))
        });
        let (act, words) = last.last();
        let had_side = act.side.is_some() || act.direction.is_some();
        let mut again = clause.join == Some(Join::Then) || sided && had_side;
        // directions and speeds can follow each other, but a mood applies to the whole
        let can_follow = |said: &&Description| !matches!(said.meaning, Meaning::Manner(..));
        let mut others = clause.loose.iter().filter(can_follow);
        let rival = others.find_map(|said| Some((words.rival(act, said)?, said)));
        if let Some((rival, said)) = rival.filter(|_| !again) {
            self.warnings.push(rival.in_turn(said));
            again = true;
        }
        if !again {
            for said in &clause.loose {
                words.apply(act, said.clone(), self.warnings);
            }
            return;
        }
        let (mut act, mut words) = (act.clone(), words.clone());
        if clause.loose.iter().any(|said| matches!(said.meaning, Meaning::Tempo(_))) {
            act.tempo = Tempo(1.0);
        }
        for said in &clause.loose {
            words.forget_rivals(&act, said);
            words.apply(&mut act, said.clone(), self.warnings);
        }
        self.lines.push(Line::new(act, words));
    }

    /// "two steps back" is a walk even without a verb, unless it gives the length of a walk.
    fn steps_on_foot(&self, clause: &Clause) -> Option<Line> {
        let on_foot =
            |said: &&Description| matches!(said.meaning, Meaning::Amount(Amount::Steps(_)));
        let steps = clause.loose.iter().find(on_foot)?;
        let last = self.lines.last().map(|line| &line.step.main);
        let describes_last = clause.join == Some(Join::Comma)
            && last
                .is_some_and(|act| act.action.body() == Body::Locomotion && act.amount.is_none());
        if describes_last {
            return None;
        }
        let lateral = |said: &Description| {
            matches!(said.meaning, Meaning::Lateral(_) | Meaning::Toward(_) | Meaning::Sideways)
        };
        let sideways = clause.loose.iter().any(lateral);
        let way = if sideways { ActionKind::Sidestep } else { ActionKind::Gait(Pace::Walk) };
        let (mut act, mut words) = (Act::new(Action::done(way)), Words::new(steps.clone()));
        for said in &clause.loose {
            modifiers::apply(&mut act, &said.meaning);
            if !std::ptr::eq(said, steps) {
                words.add(said.clone());
            }
        }
        Some(Line::new(act, words))
    }
}

/// Adds walking for actions performed on foot: "carries a box to the left".
pub(crate) fn set_afoot(step: &mut Step) {
    if !step.main.action.is_done_afoot() || step.main.measures.posture.is_some() {
        return;
    }
    let carried = Act { manners: step.main.manners.clone(), ..Act::new(step.main.action) };
    step.main.action = Action::done(ActionKind::Gait(Pace::Walk));
    step.main.side = None;
    step.main.count = None;
    step.overlays.insert(0, carried);
}

/// Whether "A and B" means that both happen at once: an unbounded walk goes with gestures, and
/// gestures of different body parts go with each other.
fn goes_along(step: &Step, act: &Act) -> bool {
    if step.main.action.kind() == ActionKind::Idle || act.action.kind() == ActionKind::Idle {
        return step.main.action != act.action;
    }
    match (step.main.action.body(), act.action.body()) {
        (Body::Locomotion, Body::Upper | Body::Head) => !is_bounded(&step.main),
        (Body::Upper, Body::Head) | (Body::Head, Body::Upper) => true,
        _ => false,
    }
}

/// Whether the act has a definite end, so that other acts do not fit within it.
fn is_bounded(act: &Act) -> bool {
    act.action.kind() == ActionKind::Turn
        || matches!(act.amount, Some(Amount::Metres(_) | Amount::Steps(_)))
}

/// How an act was added to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Laid {
    /// As the last overlay.
    Over,
    /// As the main act; the previous main act became the first overlay.
    Under,
    /// In place of standing, which was the only act.
    Instead,
    /// Not at all, because it is standing, which other acts imply.
    Implied,
    /// As a turn that bends the path of the main act.
    Bending,
    /// As the main act, with its path bent by the turn that was the main act.
    Bent,
}

/// Adds an act to a step, or returns it if a body part would be needed twice. Contradictions
/// between acts must be checked before.
pub(crate) fn lay_over(step: &mut Step, act: Act) -> Result<Laid, Act> {
    if let Some(laid) = bends_the_path(step, &act) {
        return Ok(laid);
    }
    if act.action.kind() == ActionKind::Idle && step.main.action.kind() != ActionKind::Idle {
        return Ok(Laid::Implied);
    }
    if step.main.action.kind() == ActionKind::Idle
        && step.overlays.is_empty()
        && !act.action.is_done_afoot()
    {
        let amount = step.main.amount;
        step.main = act;
        step.main.amount = step.main.amount.or(amount);
        return Ok(Laid::Instead);
    }
    let carries = |body| matches!(body, Body::Locomotion | Body::Whole);
    let free = |other: &Act| may_share(other, &act);
    if !step.acts().all(free) {
        return Err(act);
    }
    if carries(act.action.body()) {
        let before = std::mem::replace(&mut step.main, act);
        step.overlays.insert(0, before);
        Ok(Laid::Under)
    } else {
        step.overlays.push(act);
        Ok(Laid::Over)
    }
}

/// Combines a walk and a turn into an arc: "walks while turning left", "turns left while walking".
fn bends_the_path(step: &mut Step, act: &Act) -> Option<Laid> {
    let walks = |act: &Act| {
        act.action.body() == Body::Locomotion
            && act.action.kind() != ActionKind::Turn
            && act.path == Path::Straight
    };
    let (mut walk, turn, laid) = match (&step.main, act) {
        (walk, turn) if walks(walk) && turn.action.kind() == ActionKind::Turn => {
            (walk.clone(), turn, Laid::Bending)
        }
        (turn, walk) if walks(walk) && turn.action.kind() == ActionKind::Turn => {
            (walk.clone(), turn, Laid::Bent)
        }
        _ => return None,
    };
    let angle = turn.angle_rad.unwrap_or(std::f32::consts::FRAC_PI_2);
    let side = if turn.side == Some(SideChoice::Right) { Side::Right } else { Side::Left };
    modifiers::set_circle(&mut walk, Some(angle / std::f32::consts::TAU), Some(side));
    step.main = walk;
    Some(laid)
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
    // two arms can do two things
    let arms = (one.side, other.side);
    a == Body::Upper
        && matches!(
            arms,
            (Some(SideChoice::Left), Some(SideChoice::Right))
                | (Some(SideChoice::Right), Some(SideChoice::Left))
        )
}
