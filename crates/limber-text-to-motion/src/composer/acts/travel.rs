//! Walk, run, jog, sneak, sidestep: which gait, how many steps, along which course.

use std::f32::consts::{PI, TAU};

use limber_animation::Side;

use super::{Span, locomotion};
use crate::{
    Act, Action, Amount, Direction, Path,
    composer::{acts::locomotion::Course, gait::Gait, stage::Stage, style::Style},
};

/// How far a way around a circle leads when nothing says so, metres across.
const CIRCLE_RADIUS_M: f32 = 1.15;

pub(super) fn span(act: &Act, style: &Style) -> Span {
    let gait = Gait::of(act, style);
    match (act.path, act.amount) {
        (_, Some(Amount::Seconds(seconds))) => Span::new(0.8 * seconds, seconds, seconds + 0.5),
        (Path::Circle { turns, .. }, _) => {
            let steps = (TAU * CIRCLE_RADIUS_M * turns / gait.step_m).round().max(6.0) as usize;
            let usual = locomotion::duration_of(&gait, steps);
            Span::new(0.55 * usual, usual, 120.0)
        }
        (Path::BackAndForth, _) => Span::new(5.0, 8.0, 120.0),
        (Path::Straight, _) => locomotion::span_of(&gait, fixed_steps(act, &gait)),
    }
}

/// The number of steps the act asks for, if it does.
fn fixed_steps(act: &Act, gait: &Gait) -> Option<usize> {
    match (act.amount, act.count) {
        (Some(Amount::Steps(steps)), _) => Some(steps.clamp(1, 200) as usize + 1),
        (Some(Amount::Metres(metres)), _) => {
            Some(((metres / gait.step_m).round() as usize + 1).clamp(2, 200))
        }
        _ => None,
    }
}

pub(super) fn perform(stage: &mut Stage, acts: &[Act], span_s: f32) {
    let act = &acts[0];
    let style = Style::of(act, &stage.taste);
    let mut gait = Gait::of(act, &style);
    let way = if gait.ahead < 0.0 { PI } else { 0.0 };
    match act.path {
        Path::Circle { side, turns } => circle(stage, &gait, (side, turns), way, span_s),
        Path::Straight | Path::BackAndForth => {
            let mut legs = Vec::new();
            let share = span_s / acts.len() as f32;
            for act in acts {
                let style = Style::of(act, &stage.taste);
                gait = Gait::of(act, &style);
                let steps = fixed_steps(act, &gait)
                    .unwrap_or_else(|| locomotion::steps_within(&gait, share));
                if let Some(Amount::Metres(metres)) = act.amount {
                    gait.step_m *= metres / locomotion::distance_of(&gait, steps).max(0.1);
                }
                legs.push((gait, steps));
            }
            locomotion::travel(stage, span_s, &legs, Course::Line { way });
        }
    }
}

fn circle(stage: &mut Stage, gait: &Gait, (side, turns): (Side, f32), way: f32, span_s: f32) {
    let steps = locomotion::steps_within(gait, span_s);
    let metres = locomotion::distance_of(gait, steps);
    let radius = metres / (TAU * turns.max(0.1));
    let course = Course::Arc { radius, side, way };
    locomotion::travel(stage, span_s, &[(*gait, steps)], course);
}

/// Whether two acts of locomotion flow into each other without a stop.
pub(in crate::composer) fn flow_together(before: &Act, after: &Act) -> bool {
    let plain = |act: &Act| {
        matches!(act.action, Action::Walk | Action::Run | Action::Jog | Action::Sneak)
            && matches!(act.direction, None | Some(Direction::Forward))
            && act.path == Path::Straight
    };
    plain(before) && plain(after)
}
