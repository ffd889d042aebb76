//! Left is right in the mirror. A script that begins on the left is turned around, composed, and
//! the clip turned back, so that "left" is exactly the mirror image of "right".

use limber_animation::Side;

use crate::{Act, Direction, MotionScript, Path, SideChoice};

/// The script with its first side on the right, and whether it was mirrored for that. A script
/// without any side is mirrored when the seed would rather have the other.
pub(super) fn right_handed(script: &MotionScript, other_side: bool) -> (MotionScript, bool) {
    let all =
        || script.steps.iter().flat_map(|step| std::iter::once(&step.main).chain(&step.overlays));
    let is_left = match all().find_map(side_of) {
        Some(side) => side == Side::Left,
        None => other_side,
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

fn side_of(act: &Act) -> Option<Side> {
    match (act.side, act.direction, act.path) {
        (Some(SideChoice::Left), ..) | (_, Some(Direction::Left), _) => Some(Side::Left),
        (Some(SideChoice::Right), ..) | (_, Some(Direction::Right), _) => Some(Side::Right),
        (_, _, Path::Circle { side, .. }) => Some(side),
        _ => None,
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
    if let Path::Circle { side, .. } = &mut act.path {
        *side = side.opposite();
    }
}
