//! Detects what no body can do at once: within one act, between two simultaneous acts, and for the
//! whole clip.
//!
//! Only contradictions that hold for every body are here. What a body could do but the composer
//! cannot is left out for other reasons.

use limber_reader::{posture_after, posture_during};
use limber_script::{ActionName, BodyPart, Event, Posture, Side};

use super::left_out::Rival;
use crate::{
    Act, Action, ActionKind, Body, Direction, Manner, MotionScript, Pace, Step,
    body_language::is_of_two, composer,
};

/// Manners that exclude each other.
const OPPOSITE: [(Manner, Manner); 9] = [
    (Manner::Happy, Manner::Sad),
    (Manner::Tired, Manner::Energetic),
    (Manner::Confident, Manner::Shy),
    (Manner::Elegant, Manner::Awkward),
    (Manner::Relaxed, Manner::Tense),
    (Manner::Stiff, Manner::Loose),
    (Manner::Jerky, Manner::Smooth),
    (Manner::Heavy, Manner::Light),
    (Manner::Old, Manner::Child),
];
/// Minimum speed of an energetic manner, and maximum speed of a tired one.
const LIVELY: f64 = 0.5;
const WEARY: f64 = 2.0;
/// Ways to go down, other than reactions, that do not lead to resting there.
const THROWN: [&str; 6] =
    ["faint", "dive-aside", "dive-in", "stage-dive", "flop-onto-bed", "hit-the-deck"];

/// What supports a body that is not standing on its feet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Support {
    Seat,
    Knees,
    Back,
    HandsAndKnees,
    Hands,
}

impl Support {
    const fn of(posture: Posture) -> Option<Self> {
        match posture {
            Posture::Standing | Posture::Crouched | Posture::Airborne => None,
            Posture::SeatedOnChair | Posture::SeatedOnFloor | Posture::CrossLegged => {
                Some(Self::Seat)
            }
            Posture::KneelingOnOne | Posture::KneelingOnBoth => Some(Self::Knees),
            Posture::LyingOnBack | Posture::LyingOnFront | Posture::LyingOnSide => Some(Self::Back),
            Posture::AllFours => Some(Self::HandsAndKnees),
            Posture::Hanging => Some(Self::Hands),
        }
    }

    /// Whether two supports exclude each other. From all fours to the knees or the belly is not
    /// far, so these do not.
    fn excludes(self, other: Self) -> bool {
        let is_low = |support| matches!(support, Self::Knees | Self::Back);
        self != other
            && !(self == Self::HandsAndKnees && is_low(other))
            && !(other == Self::HandsAndKnees && is_low(self))
    }

    /// Whether an action needs to stand on the feet and so excludes this support.
    fn forbids(self, action: Action) -> bool {
        match (action.kind(), self) {
            // these can also be done on the knees and on all fours
            (
                ActionKind::Gait(Pace::Walk | Pace::Sneak | Pace::Shuffle | Pace::CrouchWalk),
                Self::Knees | Self::HandsAndKnees,
            )
            | (ActionKind::Jump | ActionKind::Hop, Self::HandsAndKnees) => false,
            (way, _) => matches!(
                way,
                ActionKind::Gait(_)
                    | ActionKind::Sidestep
                    | ActionKind::Jump
                    | ActionKind::Hop
                    | ActionKind::Flip(_)
                    | ActionKind::Cartwheel
                    | ActionKind::Pirouette
            ),
        }
    }
}

/// The support that an action leads to or needs.
fn own_support(action: Action) -> Option<Support> {
    let posture = match action.kind() {
        ActionKind::SitDown => posture_after(action.name()),
        ActionKind::Posture if !is_thrown(action) => {
            posture_after(action.name()).or_else(|| posture_during(action.name()))
        }
        // actions usually done sitting or kneeling can also be done standing
        ActionKind::Score if action.body() == Body::Whole => {
            posture_during(action.name()).filter(|posture| {
                !matches!(Support::of(*posture), Some(Support::Seat | Support::Knees))
            })
        }
        _ => None,
    };
    posture.and_then(Support::of)
}

/// Whether the action is a fall or being thrown.
fn is_thrown(action: Action) -> bool {
    action.kind() == ActionKind::Posture
        && (action.family() == "reactions" || THROWN.contains(&action.name()))
}

/// Modes of locomotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Travel {
    Walking,
    Running,
    /// Neither walking nor running, and not combinable with any other.
    Otherwise(Action),
    /// A mode that combines with walking or running: limping, sideways, through snow.
    Somehow,
}

impl Travel {
    fn of(action: Action) -> Option<Self> {
        Some(match action.kind() {
            ActionKind::Gait(Pace::Run | Pace::Jog) => Self::Running,
            ActionKind::Gait(
                Pace::Limp | Pace::Stagger | Pace::Tiptoe | Pace::Upstairs | Pace::Downstairs,
            )
            | ActionKind::Sidestep => Self::Somehow,
            ActionKind::Gait(_) => Self::Walking,
            ActionKind::Score
                if action.family() == "locomotion" && composer::goes_onward(action) =>
            {
                match own_support(action) {
                    Some(_) => Self::Otherwise(action),
                    None => Self::Somehow,
                }
            }
            _ => return None,
        })
    }

    fn excludes(self, other: Self) -> bool {
        self != other && self != Self::Somehow && other != Self::Somehow
    }
}

/// Whether an act leads away from where it starts.
pub(crate) fn gets_about(act: &Act) -> bool {
    Travel::of(act.action).is_some()
}

/// Index of the first act of a step that cannot be done at the same time as another act; the main
/// act is 0.
pub(crate) fn rival(step: &Step, act: &Act) -> Option<usize> {
    step.acts().position(|other| exclude(other, act))
}

fn exclude(one: &Act, other: &Act) -> bool {
    let is_still = |act: &Act| act.action.kind() == ActionKind::Idle;
    if is_still(one) && gets_about(other) || gets_about(one) && is_still(other) {
        return true;
    }
    let supports = [support(one), support(other)];
    let forbids = |support: Option<Support>, act: &Act| {
        support.is_some_and(|support| support.forbids(act.action))
    };
    match supports {
        [Some(one), Some(other)] if one.excludes(other) => return true,
        [first, second] if forbids(first, other) || forbids(second, one) => return true,
        _ => {}
    }
    match (Travel::of(one.action), Travel::of(other.action)) {
        (Some(first), Some(second)) => first.excludes(second) || lead_apart(one, other),
        _ => false,
    }
}

/// The support of the body during an act, as requested or as the action needs.
fn support(act: &Act) -> Option<Support> {
    act.measures.posture.and_then(Support::of).or_else(|| own_support(act.action))
}

/// Whether two gaits go in opposite directions, or one up and one down the stairs.
fn lead_apart(one: &Act, other: &Act) -> bool {
    let ways = [Direction::Forward, Direction::Backward, Direction::Left, Direction::Right];
    let place = |act: &Act| ways.iter().position(|way| act.direction == Some(*way));
    let is_opposite = match (place(one), place(other)) {
        // opposites are adjacent in the list
        (Some(first), Some(second)) => first != second && first / 2 == second / 2,
        _ => false,
    };
    let stairs = [Pace::Upstairs, Pace::Downstairs].map(ActionKind::Gait);
    let [first, second] = [one, other].map(|act| act.action.kind());
    is_opposite || first != second && stairs.contains(&first) && stairs.contains(&second)
}

/// Removes contradictions within an event. Returns the fields that are left out, each with what
/// contradicts it.
pub(super) fn take_out(event: &mut Event, action: Action) -> Vec<(&'static str, Rival)> {
    let mut found = Vec::new();
    if event.posture.is_some_and(|posture| is_impossible_in(action, posture)) {
        event.posture = None;
        found.push(("posture", Rival::Deed));
    }
    let (still, avoided) = (event.still.len(), event.avoid.len());
    let side = event.side;
    event.still.retain(|part| !moves(action, side, *part));
    if event.still.len() < still {
        found.push(("still", Rival::Deed));
    }
    event.avoid.retain(|name| !is_named(action, name));
    if event.avoid.len() < avoided {
        found.push(("avoid", Rival::Deed));
    }
    if action.kind() == ActionKind::Turn && turns_both_ways(event) {
        event.side = None;
        found.push(("side", Rival::Field("direction")));
    }
    found.extend(take_out_manners(event).into_iter().map(|rival| ("manners", rival)));
    found
}

fn is_impossible_in(action: Action, posture: Posture) -> bool {
    let Some(support) = Support::of(posture) else { return false };
    // going down may start in any posture
    let own = own_support(action).filter(|_| action.kind() == ActionKind::Score);
    support.forbids(action) || own.is_some_and(|own| own.excludes(support))
}

/// Whether an action moves a part of the body. If a side is given, a hand may be the other one.
fn moves(action: Action, side: Option<Side>, part: BodyPart) -> bool {
    let is_either = !matches!(side, Some(Side::Left | Side::Right));
    match action.kind() {
        ActionKind::Gait(_) | ActionKind::Sidestep | ActionKind::Jump | ActionKind::Hop => {
            matches!(part, BodyPart::Foot | BodyPart::Leg | BodyPart::WholeBody)
        }
        ActionKind::Nod | ActionKind::ShakeHead => part == BodyPart::Head,
        ActionKind::Wave | ActionKind::Clap | ActionKind::Point | ActionKind::Punch => {
            part == BodyPart::Hand && is_either
        }
        ActionKind::Body => {
            let own = action.movement().is_some_and(|(_, own)| own == part);
            own && (is_either || !is_of_two(part))
        }
        _ => false,
    }
}

/// Whether a name is that of an action or of its synonym.
fn is_named(action: Action, name: &ActionName) -> bool {
    let base = |action: Action| action.synonym_of().unwrap_or(action);
    Action::named(name.as_str()).is_some_and(|named| base(named) == base(action))
}

/// Whether side and direction of a turn contradict each other; a turn takes its sense from both.
fn turns_both_ways(event: &Event) -> bool {
    use limber_script::Direction as To;
    let to_left = match event.direction {
        Some(To::Left | To::Counterclockwise) => true,
        Some(To::Right | To::Clockwise) => false,
        _ => return false,
    };
    match event.side {
        Some(Side::Left) => !to_left,
        Some(Side::Right) => to_left,
        _ => false,
    }
}

/// Removes manners that contradict others or the speed. Of two, the stronger is kept, or else the
/// first.
fn take_out_manners(event: &mut Event) -> Vec<Rival> {
    let mut found = Vec::new();
    for (one, other) in OPPOSITE {
        let (Some(first), Some(second)) = (event.manners.get(&one), event.manners.get(&other))
        else {
            continue;
        };
        let is_second = second.get() > first.get();
        let (kept, left) = if is_second { (other, one) } else { (one, other) };
        event.manners.remove(&left);
        found.push(Rival::Manner { kept, left });
    }
    let Some(speed) = event.speed.map(limber_script::Speed::get) else { return found };
    let against = [(Manner::Energetic, speed <= LIVELY), (Manner::Tired, speed >= WEARY)];
    for (manner, is_against) in against {
        if is_against && event.manners.remove(&manner).is_some() {
            found.push(Rival::Speed(manner));
        }
    }
    found
}

/// Whether two manners exclude each other.
pub(crate) fn are_opposite(one: Manner, other: Manner) -> bool {
    OPPOSITE.iter().any(|pair| *pair == (one, other) || *pair == (other, one))
}

/// The last action of a clip, if it cannot repeat because it does not lead back to the start.
pub(super) fn done_once(steps: &MotionScript) -> Option<Action> {
    let action = steps.steps.last()?.main.action;
    let is_once = action.kind() == ActionKind::StandUp || is_thrown(action);
    (is_once && !composer::comes_back(steps)).then_some(action)
}

#[cfg(test)]
mod tests;
