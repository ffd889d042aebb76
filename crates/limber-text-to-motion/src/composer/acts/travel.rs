//! Walking, running, jogging, sneaking, sidestepping: selects the gait, the number of steps and the
//! course.

use std::f32::consts::{PI, TAU};

use limber_animation::Side;

use glam::Vec2;

use super::{
    Joins, Span, aimed_at,
    course::{Course, Drawing},
    jump, level, locomotion, turn,
};
use crate::{
    Act, Action, ActionKind, Amount, Direction, Pace, Path, SideChoice,
    composer::{
        GRAVITY_M_S2,
        acts::locomotion::Steps,
        channels::{ArmDial, Channel},
        gait::Gait,
        motion_plan::{MotionPlan, Posture, Stepping, rotated},
        style::{Style, VariationParams},
    },
};

/// Default radius of a circle, metres.
const CIRCLE_RADIUS_M: f32 = 1.15;
/// Usual and maximum centripetal acceleration on a bend, m/s²: a third and a half of gravity. With
/// more, the feet would slip.
const BEND_M_S2: [f32; 2] = [GRAVITY_M_S2 / 3.0, GRAVITY_M_S2 / 2.0];

/// Time after setting out within which a crouching body is upright, seconds.
const RISING_S: f32 = 0.75;

pub(super) fn span(act: &Act, style: &Style) -> Span {
    if let Some((_, pairs)) = sideways(act) {
        let pair = pair_s(style);
        let usual = SIDE_AROUND_S + pairs.unwrap_or(3) as f32 * pair;
        let most = if pairs.is_some() { 1.25 * usual } else { 120.0 };
        return Span::new(SIDE_AROUND_S + pairs.unwrap_or(1) as f32 * 0.65 * pair, usual, most);
    }
    let gait = Gait::of(act, style);
    let span = own_span(act, &gait);
    let is_told = fixed_steps(act, &gait).is_some();
    let more_s = if act.measures.goes_on && !is_told { locomotion::lead_out_s(&gait) } else { 0.0 };
    Span::new(span.least + more_s, span.usual + more_s, span.most + more_s)
}

fn own_span(act: &Act, gait: &Gait) -> Span {
    match (act.path, act.amount) {
        (_, Some(Amount::Seconds(seconds))) => Span::new(0.8 * seconds, seconds, seconds + 0.5),
        (Path::Circle { turns, .. }, _) => {
            let speed_m_s = gait.step_m / gait.step_s;
            let [at_ease, tightest] = BEND_M_S2.map(|push| speed_m_s * speed_m_s / push);
            let told_m = match act.amount {
                Some(Amount::Metres(metres)) => Some(metres / (TAU * turns.max(0.1))),
                _ => None,
            };
            let radius_m = told_m.map_or(at_ease.max(CIRCLE_RADIUS_M), |told| told.max(tightest));
            let steps = (TAU * radius_m * turns / gait.step_m).round().max(6.0) as usize;
            let usual = locomotion::duration_of(gait, steps.min(MOST_STEPS));
            let most = if told_m.is_some() { 1.1 * usual } else { 120.0 };
            Span::new((tightest / radius_m).max(0.55) * usual, usual, most)
        }
        (Path::BackAndForth, _) => Span::new(5.0, 8.0, 120.0),
        (Path::Drawn { .. }, _) => {
            let steps = fixed_steps(act, gait).unwrap_or(if gait.is_run() { 14 } else { 16 });
            let usual = locomotion::duration_of(gait, steps);
            Span::new(0.6 * usual, usual, 120.0)
        }
        (Path::Straight, _) => locomotion::span_of(gait, fixed_steps(act, gait)),
    }
}

/// Time until steps reach their full length.
pub(super) fn lead_in_s(act: &Act, style: &Style) -> f32 {
    if sideways(act).is_some() { 0.0 } else { locomotion::lead_in_s(&Gait::of(act, style)) }
}

/// Time from the last step of full length.
pub(super) fn lead_out_s(act: &Act, style: &Style) -> Option<f32> {
    sideways(act).is_none().then(|| locomotion::lead_out_s(&Gait::of(act, style)))
}

/// The number of steps that the act asks for, if it does.
fn fixed_steps(act: &Act, gait: &Gait) -> Option<usize> {
    let steps = told_steps(act, gait)?;
    // the requested steps come before those that lead to a stop
    let more = if act.measures.goes_on { locomotion::stopping_steps(gait) - 1 } else { 0 };
    Some(steps + more)
}

fn told_steps(act: &Act, gait: &Gait) -> Option<usize> {
    match (act.amount, act.count) {
        (Some(Amount::Steps(steps)), _) => Some((steps.max(1) as usize).min(MOST_STEPS) + 1),
        (Some(Amount::Metres(metres)), _) => {
            // the first steps are shorter than the others, and so is the last
            let around_m = locomotion::distance_of(gait, FEW_STEPS, Joins::default());
            let more = ((metres - around_m) / gait.step_m).round() as isize;
            Some((FEW_STEPS as isize + more).clamp(2, MOST_STEPS as isize) as usize)
        }
        _ => None,
    }
}

/// More steps than fit in the longest clip.
const MOST_STEPS: usize = 200;
/// A number of steps that includes all shorter ones.
const FEW_STEPS: usize = 6;

pub(super) fn perform(plan: &mut MotionPlan, acts: &[Act], span_s: f32, joins: Joins) {
    let act = &acts[0];
    let style = Style::of(act, &plan.variation);
    if aimed_at(act) == Posture::Crouching {
        level::go_low(plan, plan.now, plan.now + span_s);
    } else {
        level::rise_into(plan, plan.now, plan.now + RISING_S);
    }
    if let Some((side, pairs)) = sideways(act) {
        sidestep(plan, act, &style, (side, pairs), span_s);
        return;
    }
    let gait = Gait::of(act, &style);
    let way = if gait.ahead < 0.0 { PI } else { 0.0 };
    match act.path {
        Path::Circle { side, turns } => circle(plan, &gait, (side, turns, way), span_s, joins),
        Path::BackAndForth => back_and_forth(plan, &gait, &style, way, span_s),
        Path::Straight => line(plan, acts, way, span_s, joins),
        Path::Drawn { shape, side } => {
            let steps = steps_of(act, &gait, span_s, joins);
            let drawing = Drawing::new(shape, side, locomotion::distance_of(&gait, steps, joins));
            let steps = Steps { gaits: &[(gait, steps)], leaps: &[], bends: &[], joins };
            locomotion::travel(plan, span_s, steps, Course::Drawn(&drawing));
        }
    }
}
/// Locomotion straight ahead: gait after gait, with leaps and bends in between.
fn line(plan: &mut MotionPlan, acts: &[Act], way: f32, span_s: f32, joins: Joins) {
    let spans = spans_on_the_way(acts, &plan.variation);
    let is_walked = |act: &Act| !leaps_on(act) && bend_rad(act).is_none();
    let between = acts.iter().zip(&spans).filter(|(act, _)| !is_walked(act));
    let between_s: f32 = between.map(|(_, span)| span.usual).sum();
    let walked = acts.iter().filter(|act| is_walked(act)).count();
    let share = (span_s - between_s) / walked as f32;
    let last_walked = acts.iter().rposition(is_walked);
    let (mut legs, mut leaps, mut bends) = (Vec::<(Gait, usize)>::new(), Vec::new(), Vec::new());
    let mut steps_before = 0;
    for (place, act) in acts.iter().enumerate() {
        let style = Style::of(act, &plan.variation);
        if leaps_on(act) {
            leaps.push((steps_before, jump::height_of(&style)));
            continue;
        }
        if let (Some(angle_rad), Some((gait, _))) = (bend_rad(act), legs.last().copied()) {
            let steps = steps_around(&gait, angle_rad);
            bends.push((steps_before, steps, angle_rad));
            steps_before += steps;
            legs.push((gait, steps));
            continue;
        }
        let mut gait = Gait::of(act, &style);
        let leads_on = joins.leaves && last_walked == Some(place);
        let own = Joins { enters: joins.enters && place == 0, leaves: leads_on, ..joins };
        let steps = steps_of(act, &gait, share, own);
        if let Some(Amount::Metres(metres)) = act.amount {
            gait.step_m *= metres / locomotion::distance_of(&gait, steps, own).max(0.1);
        }
        steps_before += steps;
        legs.push((gait, steps));
    }
    let gait = legs[legs.len() - 1].0;
    if leaps.last().is_some_and(|(place, _)| *place == steps_before) {
        // landing at a run needs some steps to stop
        legs.push((gait, STOPPING_STEPS));
    }
    let wander = (gait.wander_m, plan.variation.phase);
    let steps = Steps { gaits: &legs, leaps: &leaps, bends: &bends, joins };
    locomotion::travel(plan, span_s, steps, Course::Line { way, wander });
}

/// The number of steps of an act in a time. Steps of a complete walk include stopping; those that
/// lead into another act do not.
fn steps_of(act: &Act, gait: &Gait, span_s: f32, joins: Joins) -> usize {
    let fixed = fixed_steps(act, gait).map(|steps| steps - usize::from(joins.leaves));
    fixed.unwrap_or_else(|| steps_within(gait, span_s, joins)).max(1)
}

fn steps_within(gait: &Gait, span_s: f32, joins: Joins) -> usize {
    let steps = locomotion::steps_within(gait, span_s + joins.saved_s(gait));
    let less = if joins.leaves { locomotion::stopping_steps(gait) } else { 0 };
    steps.saturating_sub(less).max(1)
}

/// Possible durations of each of several joined acts.
pub(super) fn spans_on_the_way(acts: &[Act], variation: &VariationParams) -> Vec<Span> {
    let fixed = |usual: f32| Span::new(usual, usual, usual);
    let mut gait: Option<Gait> = None;
    let each = |act: &Act| {
        let style = Style::of(act, variation);
        match (bend_rad(act), gait) {
            (Some(angle_rad), Some(gait)) => {
                fixed(steps_around(&gait, angle_rad) as f32 * gait.step_s)
            }
            _ if leaps_on(act) => fixed(jump::leap_s(&style)),
            _ => {
                gait = strides(act).then(|| Gait::of(act, &style));
                span(act, &style)
            }
        }
    };
    acts.iter().map(each).collect()
}

/// Maximum angle by which the body turns on the way, radians; for more it stops.
const BEND_RAD: f32 = 2.3;
/// Maximum angle of one step, radians.
const BEND_OF_A_STEP_RAD: f32 = 0.9;

/// The angle of a turn that is done on the way, radians, positive to the left.
fn bend_rad(act: &Act) -> Option<f32> {
    let is_turn = act.action == Action::done(ActionKind::Turn);
    let (side, angle_rad) = turn::told(act);
    let is_small = (0.05..=BEND_RAD).contains(&angle_rad);
    (is_turn && is_small && act.amount.is_none() && aimed_at(act) == Posture::Standing)
        .then(|| side.sign() * angle_rad)
}

/// The number of steps for a bend: as tight as the gait allows.
fn steps_around(gait: &Gait, angle_rad: f32) -> usize {
    let speed_m_s = gait.step_m / gait.step_s;
    let tightest_m = speed_m_s * speed_m_s / BEND_M_S2[1];
    let by_push = angle_rad.abs() * tightest_m / gait.step_m;
    (angle_rad.abs() / BEND_OF_A_STEP_RAD).max(by_push).ceil().max(1.0) as usize
}

/// Whether an act is a leap out of a run, without a stop.
fn leaps_on(act: &Act) -> bool {
    let onward = matches!(act.direction, None | Some(Direction::Forward));
    act.action.kind() == ActionKind::Jump
        && act.count.is_none_or(|count| count == 1)
        && act.amount.is_none()
        && onward
}

fn circle(
    plan: &mut MotionPlan,
    gait: &Gait,
    (side, turns, way): (Side, f32, f32),
    span_s: f32,
    joins: Joins,
) {
    let steps = steps_within(gait, span_s, joins);
    let metres = locomotion::distance_of(gait, steps, joins);
    let radius = metres / (TAU * turns.max(0.1));
    let course = Course::Arc { radius, side, way };
    let steps = Steps { gaits: &[(*gait, steps)], leaps: &[], bends: &[], joins };
    locomotion::travel(plan, span_s, steps, course);
}

/// There and back, as often as time allows, turning around in between.
fn back_and_forth(plan: &mut MotionPlan, gait: &Gait, style: &Style, way: f32, span_s: f32) {
    let around = turn::duration_of(PI, style).min(0.3 * span_s);
    let usual = 2.0 * (locomotion::duration_of(gait, 6) + around);
    let ways = 2 * (span_s / usual).round().max(1.0) as usize;
    let each = (span_s - (ways - 1) as f32 * around) / ways as f32;
    let steps = locomotion::steps_within(gait, each);
    let wander = (gait.wander_m, plan.variation.phase);
    for index in 0..ways {
        let gaits = &[(*gait, steps)];
        let steps = Steps { gaits, leaps: &[], bends: &[], joins: Joins::default() };
        locomotion::travel(plan, each, steps, Course::Line { way, wander });
        plan.now += each;
        if index + 1 < ways {
            turn::turn(plan, style, Side::Right, PI, around);
            plan.now += around;
        }
    }
}

/// Time before the first and after the last pair of side steps, seconds.
const SIDE_AROUND_S: f32 = 0.75;

fn pair_s(style: &Style) -> f32 {
    0.98 / style.tempo
}

/// The direction and number of pairs of steps, if the act goes sideways.
fn sideways(act: &Act) -> Option<(Side, Option<usize>)> {
    let told = match (act.direction, act.side) {
        (Some(Direction::Left), _) => Some(Side::Left),
        (Some(Direction::Right), _) => Some(Side::Right),
        (_, Some(SideChoice::Left)) => Some(Side::Left),
        _ => None,
    };
    let side = match (act.action.kind(), told) {
        (ActionKind::Sidestep, told) => told.unwrap_or(Side::Right),
        (_, Some(told)) if act.direction.is_some() && act.path == Path::Straight => told,
        _ => return None,
    };
    let pairs = match (act.amount, act.count) {
        (Some(Amount::Steps(steps)), _) => Some(steps),
        (Some(Amount::Metres(metres)), _) => Some((metres / SIDE_M).round() as u32),
        (_, count) => count,
    };
    Some((side, pairs.map(|pairs| pairs.clamp(1, 60) as usize)))
}

/// Number of steps for stopping after landing at a run.
const STOPPING_STEPS: usize = 4;
/// Distance of one pair of side steps, metres.
const SIDE_M: f32 = 0.38;

/// Sidesteps: one foot out, the other closes up, with the body facing ahead.
fn sidestep(
    plan: &mut MotionPlan,
    act: &Act,
    style: &Style,
    (side, pairs): (Side, Option<usize>),
    span_s: f32,
) {
    let room = ((span_s - SIDE_AROUND_S) / pair_s(style) + 0.2).floor().clamp(1.0, 60.0);
    let count = pairs.unwrap_or(room as usize);
    let pace = (span_s / (SIDE_AROUND_S + count as f32 * pair_s(style))).min(1.25);
    let pair = pair_s(style) * pace;
    let wide = match act.amount {
        Some(Amount::Metres(metres)) => metres / count as f32,
        _ => SIDE_M * style.stride,
    };
    let begin = plan.now + 0.32 * pace;
    let half = plan.variation.stance_half_m();
    let how = Stepping { lift: 0.03 * style.lift, shift_s: 0.26 * pair, ..Stepping::SMALL };
    for index in 0..count {
        let start = begin + pair * index as f32;
        let (place, heading) = (plan.place, plan.heading);
        let target = place + rotated(Vec2::new(side.sign() * wide, 0.0), heading);
        let lead = plan.home(side, target, heading, half);
        plan.step(side, (start, start + 0.40 * pair), lead, how);
        let trail = plan.home(side.opposite(), target, heading, half);
        plan.step(side.opposite(), (start + 0.54 * pair, start + 0.90 * pair), trail, how);
        plan.go(start + 0.05 * pair, place, heading);
        plan.go(start + 0.95 * pair, target, heading);
    }
    let end = begin + pair * count as f32;
    let held = |value: f32| [(begin - 0.25, 0.0), (begin, value), (end, value), (end + 0.3, 0.0)];
    plan.turn(Channel::PelvisY, &held(-0.10));
    plan.turn(Channel::Balance, &held(-0.25));
    plan.turn(Channel::SpinePitch, &held(0.15));
    plan.turn_arms(ArmDial::Out, &held(0.20));
    plan.turn_arms(ArmDial::Elbow, &held(1.32));
    plan.turn(Channel::HeadYaw, &held(side.sign() * 0.30));
}

/// Whether an act is a gait straight ahead, which can start and end in mid-stride.
pub(super) fn strides(act: &Act) -> bool {
    let alone = [Pace::Moonwalk, Pace::Upstairs, Pace::Downstairs];
    matches!(act.action.kind(), ActionKind::Gait(pace) if !alone.contains(&pace))
        && matches!(act.direction, None | Some(Direction::Forward))
        && act.path == Path::Straight
}

/// Whether an act is a gait along any path that can start and end in mid-stride.
pub(super) fn strides_along(act: &Act) -> bool {
    let ahead = Act { path: Path::Straight, ..act.clone() };
    act.path != Path::BackAndForth && strides(&ahead) && aimed_at(act) == Posture::Standing
}

/// Time saved by an act that continues from a stride or leads into one, seconds.
pub(super) fn saved_s(act: &Act, style: &Style, joins: Joins) -> f32 {
    if strides_along(act) { joins.saved_s(&Gait::of(act, style)) } else { 0.0 }
}

/// Whether an act continues acts of locomotion without a stop: a gait, a leap out of a run, or a
/// turn on the way.
///
/// A leap is joined only if a run or nothing follows it, and a turn only if a gait follows it:
/// `next` is the act after it.
pub(super) fn flow_together(before: &[Act], after: &Act, next: Option<&Act>) -> bool {
    let Some(last) = before.last() else { return false };
    let leapt = before.len() > 1 && leaps_on(last);
    let bent = before.len() > 1 && bend_rad(last).is_some();
    let leaps = runs_ahead(last) && leaps_on(after) && next.is_none_or(strides);
    let bends = strides(last) && bend_rad(after).is_some() && next.is_some_and(strides);
    (strides(last) || leapt || bent) && strides(after) || leaps || bends
}

/// Whether an act is a run straight ahead.
pub(in crate::composer) fn runs_ahead(act: &Act) -> bool {
    strides(act) && matches!(act.action.kind(), ActionKind::Gait(Pace::Run | Pace::Jog))
}
