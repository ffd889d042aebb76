//! Punches and kicks: guard, wind up, strike fast, recover.

use glam::Vec3;
use limber_animation::Side;
use limber_script::Height;

use super::{Span, sides};
use crate::{
    Act, Direction, Level, SideChoice,
    composer::{
        arms::{HandGoal, Reach},
        channels::{Channel, between_keys},
        feet::{Plant, Swing, Waypoint},
        hands::HandShape,
        motion_plan::{MotionPlan, Stepping},
        style::Style,
    },
};

const GUARD_S: f32 = 0.50;
const LOWER_S: f32 = 0.70;
const PUNCH_S: f32 = 0.74;
const KICK_S: f32 = 1.28;
/// Minimum duration of a punch and of a kick, seconds.
const PUNCH_LEAST_S: f32 = 0.55;
const KICK_LEAST_S: f32 = 0.85;

fn strikes(act: &Act, room: f32) -> u32 {
    act.count.unwrap_or(room.clamp(1.0, 3.0) as u32).clamp(1, 40)
}

/// Distributes the time of one bout: returns the pace of raising and lowering the guard, and the
/// duration of one strike. In a hurry, the guard is shortened first, because a strike has its own
/// speed.
fn share_out(span_s: f32, count: u32, once: f32, least: f32) -> (f32, f32) {
    let fixed = GUARD_S + LOWER_S;
    let pace = (span_s / (fixed + count as f32 * once)).min(1.3);
    let length = (once * pace).max(least.min(once));
    let pace = ((span_s - count as f32 * length) / fixed).clamp(0.45, 1.3);
    (pace, length)
}

fn span_for(act: &Act, style: &Style, once: f32, least: f32) -> Span {
    let fixed = GUARD_S + LOWER_S;
    let both = if act.side == Some(SideChoice::Both) { 2 } else { 1 };
    let count = act.count.unwrap_or(both).max(1) as f32;
    let once = once / style.tempo;
    let usual = fixed + count * once;
    let most = if act.count.is_some() { 1.3 * usual } else { fixed + 3.0 * once };
    Span::new(0.6 * fixed + count * least.min(once), usual, most)
}

/// The side of each strike.
fn striking(act: &Act, count: u32) -> Vec<Side> {
    let sides = sides(act);
    (0..count as usize).map(|i| sides[i % sides.len()]).collect()
}

pub(super) fn punch_span(act: &Act, style: &Style) -> Span {
    span_for(act, style, PUNCH_S, PUNCH_LEAST_S)
}

pub(super) fn kick_span(act: &Act, style: &Style) -> Span {
    span_for(act, style, KICK_S, KICK_LEAST_S)
}

/// Fists in front of chin and chest. `strike` is the extension of a fist, −0.2 to 1.
fn guard(
    plan: &mut MotionPlan,
    side: Side,
    up: (f32, f32),
    down: (f32, f32),
    strike: impl Fn(f32) -> f32 + Send + 'static,
) {
    let high = 0.03 * plan.variation.head;
    plan.hold(side, up, down, move |time_s, reach: &Reach| {
        let out = strike(time_s);
        let held = reach.near_chest(0.105, 0.10 + high, 0.265);
        let aim = reach.near_body(0.0, 1.35 + high, 1.6) - reach.shoulder();
        let target = reach.shoulder() + aim.normalize() * 0.528;
        let forwards = out.clamp(0.0, 1.0);
        let wrist = held.lerp(target, out);
        let at_rest = reach.chest_way(-0.25, 0.70, 0.65);
        let ahead = reach.body_way(-0.08, 0.0, 1.0);
        HandGoal {
            wrist,
            elbow: reach.chest_way(0.15 + 0.70 * forwards, -0.95, -0.05 - 0.1 * forwards),
            fingers: at_rest.lerp(ahead, forwards),
            palm: reach.chest_way(-1.0 + 0.55 * forwards, -0.35 - 0.65 * forwards, -0.15),
            shape: HandShape::FIST,
        }
    });
}

/// Extension of the fist over time.
fn strike_curve(times: &[f32], length: f32) -> Vec<(f32, f32)> {
    let mut keys = Vec::new();
    for begin in times {
        let at = |share: f32| begin + share * length;
        // the strike itself is fast at any tempo
        let hit = at(0.32) + (0.30 * length).clamp(0.14, 0.19);
        keys.extend([
            (*begin, 0.0),
            (at(0.32), -0.16),
            (hit, 1.0),
            (hit + 0.05, 1.0),
            (at(0.98), 0.0),
        ]);
    }
    keys
}

pub(super) fn punch(
    plan: &mut MotionPlan,
    act: &Act,
    style: &Style,
    (from_s, to_s): (f32, f32),
    steps: bool,
) {
    let fixed = GUARD_S + LOWER_S;
    let once = PUNCH_S / style.tempo;
    let count = strikes(act, (to_s - from_s - fixed) / once + 0.1);
    let (pace, length) = share_out(to_s - from_s, count, once, PUNCH_LEAST_S);
    let order = striking(act, count);
    let begin = from_s + GUARD_S * pace;
    let end = begin + count as f32 * length;
    let up = (from_s + 0.05, begin - 0.04);
    let down = (end, end + 0.6 * LOWER_S * pace + 0.15);
    for side in Side::BOTH {
        let times: Vec<f32> = (0..order.len())
            .filter(|i| order[*i] == side)
            .map(|i| begin + i as f32 * length)
            .collect();
        let curve = strike_curve(&times, length);
        let s = side.sign();
        let size = style.size_within(0.0, 1.25);
        let mut follow = |channel, share: f32, late: f32| {
            let keys: Vec<(f32, f32)> =
                curve.iter().map(|(t, out)| (t + late, out * share)).collect();
            if !keys.is_empty() {
                plan.turn(channel, &keys);
            }
        };
        // hips lead, shoulders follow, the arm comes last
        follow(Channel::PelvisYaw, -0.30 * s * size, -0.05);
        follow(Channel::SpineYaw, -0.48 * s * size, -0.025);
        follow(Channel::PelvisZ, 0.055 * size, -0.04);
        follow(Channel::SpinePitch, 0.10 * size, -0.02);
        guard(plan, side, up, down, move |time_s| between_keys(&curve, time_s));
    }
    let sink = |value: f32| [(from_s, 0.0), (begin, value), (end, value), (down.1, 0.0)];
    plan.turn(Channel::PelvisY, &sink(-0.035));
    plan.turn(Channel::SpinePitch, &sink(0.09));
    plan.turn(Channel::HeadPitch, &sink(0.06));
    if steps {
        stagger(plan, order[0], (from_s + 0.10, begin), (end, end + LOWER_S * pace));
    }
}

/// Moves one foot back into a stable stance, and home again at the end.
fn stagger(plan: &mut MotionPlan, side: Side, back: (f32, f32), home: (f32, f32)) {
    let (place, heading) = (plan.place, plan.heading);
    let half = plan.variation.stance_half_m();
    let (_, yaw) = plan.home(side, place, heading, half);
    let behind = plan.ahead(side.sign() * (half + 0.03), -0.26);
    let turned = yaw + side.sign() * 0.38;
    let swing = (back.0 + 0.05, back.0 + 0.05 + 0.72 * (back.1 - back.0));
    plan.step(side, swing, (behind, turned), Stepping::SMALL);
    let middle = plan.ahead(0.0, -0.11);
    plan.go(back.0, place, heading);
    plan.go(back.1, middle, heading);
    let swing = (home.0 + 0.10, home.0 + 0.16 + 0.42 * (home.1 - home.0));
    let goal = plan.home(side, place, heading, half);
    plan.step(side, swing, goal, Stepping::SMALL);
    plan.go(home.0, middle, heading);
    plan.go(swing.1 + 0.05, place, heading);
}

pub(super) fn kick(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let fixed = GUARD_S + LOWER_S;
    let once = KICK_S / style.tempo;
    let count = strikes(act, (span_s - fixed) / once + 0.1);
    let (pace, length) = share_out(span_s, count, once, KICK_LEAST_S);
    let begin = plan.now + GUARD_S * pace;
    let end = begin + count as f32 * length;
    let up = (plan.now + 0.05, begin);
    let down = (end - 0.05, end + 0.8 * LOWER_S * pace);
    let order = striking(act, count);
    let mut swings: [Vec<(f32, f32)>; 2] = [Vec::new(), Vec::new()];
    for (i, side) in order.iter().enumerate() {
        let start = begin + i as f32 * length;
        let times = KickTimes::new(start, length);
        let high_m = kick_height_m(act, style);
        kick_leg(plan, *side, high_m, times);
        kick_body(plan, *side, style, high_m, times);
        let counter = [(start, 0.0), (times.hit, 1.0), (times.hit + 0.08, 1.0), (times.down, 0.0)];
        swings[*side as usize].extend(counter);
    }
    for side in Side::BOTH {
        let swing = std::mem::take(&mut swings[side as usize]);
        kick_arm(plan, side, up, down, swing);
    }
    let sink = [(plan.now, 0.0), (begin, -0.03), (end, -0.03), (down.1, 0.0)];
    plan.turn(Channel::PelvisY, &sink);
    plan.turn(Channel::Balance, &sink.map(|(t, v)| (t, -3.0 * v)));
}

/// Forward movement of the hips in a kick, metres.
const KICK_HIPS_M: f32 = 0.11;

/// Times of the phases of a kick.
#[derive(Debug, Clone, Copy)]
struct KickTimes {
    off: f32,
    chamber: f32,
    hit: f32,
    back: f32,
    down: f32,
}

impl KickTimes {
    fn new(start: f32, length: f32) -> Self {
        let at = |share: f32| start + share * length;
        let chamber = at(0.36);
        let hit = chamber + (0.15 * length).clamp(0.14, 0.17);
        let back = hit + (0.19 * length).max(0.19);
        Self { off: at(0.12), chamber, hit, back, down: at(0.86) }
    }
}

/// Height of the ankle at impact, metres.
fn kick_height_m(act: &Act, style: &Style) -> f32 {
    match (act.measures.height, act.direction) {
        (Some(Level::Metres(metres)), _) => metres.clamp(0.1, 1.6),
        (Some(Level::Mark(mark)), _) => match mark {
            Height::Floor => 0.12,
            Height::Knee => 0.45,
            Height::Hip => 0.90,
            Height::Chest => 1.20,
            Height::Head => 1.45,
            Height::Overhead => 1.60,
        },
        (None, Some(Direction::Up)) => 1.35,
        (None, Some(Direction::Down)) => 0.35,
        (None, _) => 0.55 + 0.40 * style.size_within(0.7, 1.2),
    }
}

/// Height of the hip, and the length of the leg from heel to hip, which together determine the
/// reach of a kick, metres.
const HIP_M: f32 = 0.93;
const KICK_REACH_M: f32 = 0.88;

/// Raises the knee, extends the foot, retracts it and puts it down where it was.
fn kick_leg(plan: &mut MotionPlan, side: Side, high: f32, times: KickTimes) {
    let s = side.sign();
    let ahead = (KICK_REACH_M.powi(2) - (high - HIP_M).powi(2)).max(0.09).sqrt() + KICK_HIPS_M;
    let point = |time_s: f32, ankle: Vec3, pitch: f32| Waypoint { time_s, ankle, pitch };
    let chambered = plan.in_front(s * 0.09, 0.60, 0.16);
    let recoiled = plan.in_front(s * 0.09, 0.64, 0.20);
    let out = plan.in_front(s * 0.03, high, ahead);
    let waypoints = vec![
        point(times.chamber, chambered, 0.75),
        point(times.hit, out, -0.95),
        point(times.hit + 0.05, out, -0.95),
        point(times.back, recoiled, 0.45),
    ];
    let track = &mut plan.feet[side as usize];
    let (place, yaw) = (track.last().place, track.last().yaw);
    track.leave(times.off - 0.12, times.off, 0.55, 0.34);
    track.land(Plant {
        on_s: times.down,
        flat_s: times.down + 0.08,
        roll_in: 0.14,
        load_s: 0.25,
        arrival: Swing::through(waypoints),
        ..Plant::standing(place, yaw)
    });
}

fn kick_body(plan: &mut MotionPlan, side: Side, style: &Style, high_m: f32, times: KickTimes) {
    let s = side.sign();
    let size = style.size_within(0.7, 1.2);
    // the higher the kick, the further the trunk leans back
    let back = 0.45 * (high_m - HIP_M).max(0.0);
    let mut pulse = |channel, wind: f32, blow: f32| {
        let keys = [
            (times.off - 0.2, 0.0),
            (times.chamber, wind * size),
            (times.hit, blow * size),
            (times.hit + 0.06, blow * size),
            (times.down, 0.0),
        ];
        plan.turn(channel, &keys);
    };
    pulse(Channel::PelvisYaw, 0.06 * s, -0.36 * s);
    pulse(Channel::SpineYaw, -0.04 * s, 0.42 * s);
    pulse(Channel::PelvisPitch, -0.08, -0.34 - back);
    pulse(Channel::SpinePitch, 0.12, -0.04 - 0.5 * back);
    pulse(Channel::PelvisRoll, 0.02 * s, 0.10 * s);
    pulse(Channel::PelvisZ, -0.01, KICK_HIPS_M);
    pulse(Channel::PelvisY, -0.015, 0.012);
}

/// Keeps the arms in guard; the arm on the kicking side swings back and down against the leg.
fn kick_arm(
    plan: &mut MotionPlan,
    side: Side,
    up: (f32, f32),
    down: (f32, f32),
    swing: Vec<(f32, f32)>,
) {
    plan.hold(side, up, down, move |time_s, reach: &Reach| {
        let away = between_keys(&swing, time_s);
        let held = reach.near_chest(0.12, 0.05, 0.27);
        let back = reach.near_chest(0.34, -0.24, 0.02);
        let fingers = reach.chest_way(-0.3, 0.8, 0.5);
        let fingers_back = reach.chest_way(0.35, -0.75, 0.45);
        HandGoal {
            wrist: held.lerp(back, away),
            elbow: reach.chest_way(0.15 + 0.45 * away, -0.9, -0.1 - 0.65 * away),
            fingers: fingers.lerp(fingers_back, away),
            palm: reach.chest_way(-1.0, 0.0, -0.1),
            shape: HandShape::FIST,
        }
    });
}
