//! Mirroring. A script that starts on the left is mirrored, composed and mirrored back, so that
//! "left" is exactly the mirror image of "right".

use limber_animation::Side;

use limber_script::{Direction as Whereto, Side as Told};

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
    use Whereto::{BackwardLeft, BackwardRight, ForwardLeft, ForwardRight, Left, Right};
    match (act.measures.direction, act.measures.aim) {
        (Some(Left | ForwardLeft | BackwardLeft | Whereto::Counterclockwise), _) => {
            Some(Side::Left)
        }
        (Some(Right | ForwardRight | BackwardRight | Whereto::Clockwise), _) => Some(Side::Right),
        (_, Some(AimedAt::Part(_, Some(Told::Left)))) => Some(Side::Left),
        (_, Some(AimedAt::Part(_, Some(Told::Right)))) => Some(Side::Right),
        _ => None,
    }
}

fn mirrored(direction: Whereto) -> Whereto {
    match direction {
        Whereto::Left => Whereto::Right,
        Whereto::Right => Whereto::Left,
        Whereto::ForwardLeft => Whereto::ForwardRight,
        Whereto::ForwardRight => Whereto::ForwardLeft,
        Whereto::BackwardLeft => Whereto::BackwardRight,
        Whereto::BackwardRight => Whereto::BackwardLeft,
        Whereto::Clockwise => Whereto::Counterclockwise,
        Whereto::Counterclockwise => Whereto::Clockwise,
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
            Some(Told::Left) => Some(Told::Right),
            Some(Told::Right) => Some(Told::Left),
            other => other,
        };
    }
}
