//! Applies descriptions to actions.

use std::f32::consts::{FRAC_PI_2, TAU};

use limber_animation::Side;
use limber_script::{Message, message::Measure};

use super::{description::Description, lexicon::Meaning};
use crate::{
    Act, Action, ActionKind, Amount, Argument, Body, Direction, Intensity, Manner, Path,
    SideChoice, Tempo, performable::contradictions, vocabulary::Lateral,
};

/// Maximum number of repetitions, steps, metres and seconds of one action.
const MOST: u32 = 50;
/// Range of tempos that still look human.
const TEMPO_RANGE: std::ops::RangeInclusive<f32> = 0.35..=2.2;

/// Whether a meaning only describes an action.
pub(super) fn describes(meaning: &Meaning) -> bool {
    use Meaning as M;
    matches!(
        meaning,
        M::Count(_)
            | M::Number(_)
            | M::Angle(_)
            | M::Amount(_)
            | M::Direction(_)
            | M::Sideways
            | M::Circle(_)
            | M::BackAndForth
            | M::Clockwise(_)
            | M::OnTheSpot
            | M::Lateral(_)
            | M::Limb(_)
            | M::Toward(_)
            | M::Tempo(_)
            | M::Manner(..)
    )
}

/// Whether an amount is zero: zero times, 0 degrees.
pub(super) fn is_nothing(meaning: &Meaning) -> bool {
    match *meaning {
        Meaning::Count(count) | Meaning::Amount(Amount::Steps(count)) => count == 0,
        Meaning::Angle(size) | Meaning::Amount(Amount::Metres(size) | Amount::Seconds(size)) => {
            size <= 0.0
        }
        _ => false,
    }
}

/// Whether two descriptions of an act contradict each other. Up and down do not, nor left and
/// right, because one may be that of an arm and the other that of a leg, or one a limb and the
/// other a direction.
pub(super) fn oppose(act: &Act, one: &Description, other: &Description) -> bool {
    match (&one.meaning, &other.meaning) {
        (Meaning::Direction(a), Meaning::Direction(b)) => {
            let ways = [Direction::Forward, Direction::Backward];
            // "back" alone may be a part of the body
            let is_way = |said: &Description| {
                ["forward", "ahead", "backward"].iter().any(|way| said.text.starts_with(way))
            };
            let both = ways.contains(a) && ways.contains(b) && a != b;
            both && is_way(one) && is_way(other) && ways.iter().all(|way| act.action.goes(*way))
        }
        (Meaning::Tempo(a), Meaning::Tempo(b)) => {
            // "gently" and "suddenly" mean more than a speed
            let is_slow =
                |said: &Description, factor: f32| factor < 1.0 && said.text.contains("slow");
            let is_fast = |said: &Description, factor: f32| factor > 1.0 && said.text != "suddenly";
            is_slow(one, *a) && is_fast(other, *b) || is_fast(one, *a) && is_slow(other, *b)
        }
        (Meaning::Manner(a, _), Meaning::Manner(b, _)) => contradictions::are_opposite(*a, *b),
        (Meaning::Clockwise(a), Meaning::Clockwise(b)) => a != b,
        _ => false,
    }
}

/// Applies a meaning to an act. Meanings that do not apply to it are ignored.
pub(super) fn apply(act: &mut Act, meaning: &Meaning) {
    let travels = act.action.body() == Body::Locomotion;
    match *meaning {
        Meaning::Count(count) => act.count = Some(count),
        Meaning::Number(value) if act.action.kind() == ActionKind::Turn && value >= 30.0 => {
            act.angle_rad = Some(value.to_radians());
        }
        // "a figure eight" in a walk is not a count
        Meaning::Number(_) if travels && act.action.kind() != ActionKind::Turn => {}
        Meaning::Number(value) if (1.0..1000.0).contains(&value) => {
            act.count = Some(value.round() as u32);
        }
        Meaning::Angle(angle) if act.action.kind() == ActionKind::Turn => {
            act.angle_rad = Some(angle);
        }
        Meaning::Angle(angle) if travels => set_circle(act, Some(angle / TAU), None),
        Meaning::Amount(amount) if travels || fits_in_place(act.action, amount) => {
            act.amount = Some(amount);
        }
        Meaning::Direction(direction) if act.action.goes(direction) => {
            act.direction = Some(direction);
        }
        Meaning::Sideways => sideways(act),
        Meaning::Circle(share) if act.action.takes(Argument::Path) => {
            set_circle(act, Some(share), None);
        }
        Meaning::BackAndForth if act.action.takes(Argument::Path) => act.path = Path::BackAndForth,
        Meaning::Clockwise(side) => match act.action.kind() {
            ActionKind::Turn => act.side = Some(choice(side)),
            _ => set_circle(act, None, Some(side)),
        },
        Meaning::Lateral(side) => lateral(act, side, act.action.lateral()),
        Meaning::Limb(side) => act.side = Some(side),
        Meaning::Toward(side) => lateral(act, side, Lateral::Direction),
        Meaning::Tempo(factor) => speed_up(act, factor),
        Meaning::Manner(manner, factor) => add_manner(act, manner, factor),
        _ => {}
    }
}

fn fits_in_place(action: Action, amount: Amount) -> bool {
    match amount {
        Amount::Seconds(_) => true,
        Amount::Metres(_) => action.takes(Argument::Distance),
        Amount::Steps(_) => action.is_done_afoot(),
    }
}

fn sideways(act: &mut Act) {
    match act.action.kind() {
        ActionKind::Gait(_) => act.action = Action::done(ActionKind::Sidestep),
        ActionKind::Jump | ActionKind::Hop if act.direction.is_none() => {
            act.direction = Some(Direction::Left);
        }
        _ => {}
    }
}

/// Makes the path a circle, or changes the circle that it is.
pub(super) fn set_circle(act: &mut Act, turns: Option<f32>, side: Option<Side>) {
    let (old_side, old_turns) = match act.path {
        Path::Circle { side, turns } => (side, turns),
        Path::Straight | Path::BackAndForth | Path::Drawn { .. } => (Side::Left, 1.0),
    };
    act.path = Path::Circle { side: side.unwrap_or(old_side), turns: turns.unwrap_or(old_turns) };
}

fn lateral(act: &mut Act, side: Side, means: Lateral) {
    let direction = match side {
        Side::Left => Direction::Left,
        Side::Right => Direction::Right,
    };
    if matches!(act.path, Path::Circle { .. }) {
        set_circle(act, None, Some(side));
    } else if act.action.kind() == ActionKind::Turn || means == Lateral::Side {
        act.side = Some(choice(side));
    } else if act.action.goes(direction) {
        act.direction = Some(direction);
    }
}

const fn choice(side: Side) -> SideChoice {
    match side {
        Side::Left => SideChoice::Left,
        Side::Right => SideChoice::Right,
    }
}

fn speed_up(act: &mut Act, factor: f32) {
    let tempo = (act.tempo.0 * factor).clamp(*TEMPO_RANGE.start(), *TEMPO_RANGE.end());
    // thousandths are finer than anybody can see, and print well
    act.tempo = Tempo((tempo * 1000.0).round() / 1000.0);
}

fn add_manner(act: &mut Act, manner: Manner, factor: f32) {
    if act.manners.insert(manner, Intensity::CLEARLY).is_none() {
        speed_up(act, factor);
    }
}

/// Resolves what depends on the complete description, and reports what had to be cut.
pub(super) fn settle(act: &mut Act, warnings: &mut Vec<Message>) {
    let name = act.action.phrase();
    if let Path::Circle { .. } = act.path {
        match act.direction {
            Some(Direction::Left) => set_circle(act, None, Some(Side::Left)),
            Some(Direction::Right) => set_circle(act, None, Some(Side::Right)),
            _ => {}
        }
        if matches!(act.direction, Some(Direction::Left | Direction::Right)) {
            act.direction = None;
        }
        if let (Path::Circle { side, turns }, Some(count)) = (act.path, act.count) {
            act.path = Path::Circle { side, turns: turns * count.min(10) as f32 };
            act.count = None;
        }
    }
    if act.action.kind() == ActionKind::Turn
        && let Some(count) = act.count.take()
    {
        act.angle_rad = Some(act.angle_rad.unwrap_or(FRAC_PI_2) * count.min(MOST) as f32);
    }
    if act.action.kind() == ActionKind::Sidestep && act.direction.is_none() {
        act.direction = act.side.take().and_then(|side| match side {
            SideChoice::Left => Some(Direction::Left),
            SideChoice::Right => Some(Direction::Right),
            SideChoice::Both => None,
        });
    }
    cut(act, &name, warnings);
}

fn cut(act: &mut Act, name: &str, warnings: &mut Vec<Message>) {
    let most = MOST as f32;
    if act.count.is_some_and(|count| count > MOST) {
        act.count = Some(MOST);
        warnings.push(Message::MostRepetitions { action: name.to_owned(), most: MOST });
    }
    if let Some(angle) = act.angle_rad
        && angle > 10.0 * TAU
    {
        act.angle_rad = Some(10.0 * TAU);
        warnings.push(Message::MostTurns);
    }
    let limited = match act.amount {
        Some(Amount::Steps(steps)) if steps > MOST => Some((Amount::Steps(MOST), Measure::Steps)),
        Some(Amount::Metres(metres)) if metres > most => {
            Some((Amount::Metres(most), Measure::Metres))
        }
        Some(Amount::Seconds(seconds)) if seconds > most => {
            Some((Amount::Seconds(most), Measure::Seconds))
        }
        _ => None,
    };
    if let Some((amount, measure)) = limited {
        act.amount = Some(amount);
        warnings.push(Message::MostOfOne { action: name.to_owned(), most: MOST, measure });
    }
    // a walk of zero metres is ignored
    if matches!(act.amount, Some(Amount::Metres(amount) | Amount::Seconds(amount)) if amount <= 0.0)
    {
        act.amount = None;
    }
}
