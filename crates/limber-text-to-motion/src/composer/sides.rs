//! Mirroring. A script that starts on the left is mirrored, composed and mirrored back, so that
//! "left" is exactly the mirror image of "right".

use limber_animation::Side;

use limber_script::{Direction as ScriptDirection, Side as ScriptSide};

use crate::{Act, ActionKind, AimedAt, Direction, MotionScript, Path, SideChoice};

/// The script with its first side on the right, and whether it was mirrored for that. A script
/// without sides is mirrored if the seed prefers the left and no action is one-handed, because
/// people are right-handed.
pub(super) fn right_handed(script: &MotionScript, other_side: bool) -> (MotionScript, bool) {
    let all =
        || script.steps.iter().flat_map(|step| std::iter::once(&step.main).chain(&step.overlays));
    let is_left = match all().find_map(side_of) {
        Some(side) => side == Side::Left,
        None => other_side && !all().any(is_handed),
    };
    if !is_left {
        return (script.clone(), false);
    }
    let mut mirror = script.clone();
    for step in &mut mirror.steps {
        std::iter::once(&mut step.main).chain(&mut step.overlays).for_each(mirror_act);
    }
    (mirror, true)
}

/// Whether an act is performed with one preferred hand.
fn is_handed(act: &Act) -> bool {
    matches!(
        act.action.kind(),
        ActionKind::Score
            | ActionKind::Body
            | ActionKind::Wave
            | ActionKind::Point
            | ActionKind::Punch
            | ActionKind::Kick
    )
}

fn side_of(act: &Act) -> Option<Side> {
    match (act.side, act.direction, act.path) {
        (Some(SideChoice::Left), ..) | (_, Some(Direction::Left), _) => Some(Side::Left),
        (Some(SideChoice::Right), ..) | (_, Some(Direction::Right), _) => Some(Side::Right),
        (_, _, Path::Circle { side, .. } | Path::Drawn { side, .. }) => Some(side),
        _ => side_in_measures(act),
    }
}

fn side_in_measures(act: &Act) -> Option<Side> {
    use ScriptDirection::{BackwardLeft, BackwardRight, ForwardLeft, ForwardRight, Left, Right};
    match (act.measures.direction, act.measures.aim) {
        (Some(Left | ForwardLeft | BackwardLeft | ScriptDirection::Counterclockwise), _) => {
            Some(Side::Left)
        }
        (Some(Right | ForwardRight | BackwardRight | ScriptDirection::Clockwise), _) => {
            Some(Side::Right)
        }
        (_, Some(AimedAt::Part(_, Some(ScriptSide::Left)))) => Some(Side::Left),
        (_, Some(AimedAt::Part(_, Some(ScriptSide::Right)))) => Some(Side::Right),
        _ => None,
    }
}

fn mirrored(direction: ScriptDirection) -> ScriptDirection {
    match direction {
        ScriptDirection::Left => ScriptDirection::Right,
        ScriptDirection::Right => ScriptDirection::Left,
        ScriptDirection::ForwardLeft => ScriptDirection::ForwardRight,
        ScriptDirection::ForwardRight => ScriptDirection::ForwardLeft,
        ScriptDirection::BackwardLeft => ScriptDirection::BackwardRight,
        ScriptDirection::BackwardRight => ScriptDirection::BackwardLeft,
        ScriptDirection::Clockwise => ScriptDirection::Counterclockwise,
        ScriptDirection::Counterclockwise => ScriptDirection::Clockwise,
        same => same,
    }
}

fn mirror_act(act: &mut Act) {
    act.side = match act.side {
        Some(SideChoice::Left) => Some(SideChoice::Right),
        Some(SideChoice::Right) => Some(SideChoice::Left),
        other => other,
    };
    act.direction = match act.direction {
        Some(Direction::Left) => Some(Direction::Right),
        Some(Direction::Right) => Some(Direction::Left),
        other => other,
    };
    if let Path::Circle { side, .. } | Path::Drawn { side, .. } = &mut act.path {
        *side = side.opposite();
    }
    act.measures.direction = act.measures.direction.map(mirrored);
    if let Some(AimedAt::Part(_, side)) = &mut act.measures.aim {
        *side = match *side {
            Some(ScriptSide::Left) => Some(ScriptSide::Right),
            Some(ScriptSide::Right) => Some(ScriptSide::Left),
            other => other,
        };
    }
}
