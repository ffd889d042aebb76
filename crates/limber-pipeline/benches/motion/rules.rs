//! What must be seen for a prompt to be obeyed. A rule says what it saw when it is missed.

use std::ops::RangeInclusive;

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use crate::{
    body::Body,
    curves::{peaks, stretches, turning_points},
};

/// `Err` says what was seen instead.
pub(crate) type Rule = Box<dyn Fn(&Body) -> Result<(), String>>;

fn expect(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn within(what: &str, seen: f32, wanted: &RangeInclusive<f32>) -> Result<(), String> {
    expect(wanted.contains(&seen), || {
        format!("{what} {seen:.2}, wanted {:.2} to {:.2}", wanted.start(), wanted.end())
    })
}

/// What nobody does, whatever the prompt: a bone that snaps from one frame to the next, or hips that
/// jerk. Gravity and a hard landing stay below both.
pub(crate) fn graceful(body: &Body) -> Result<(), String> {
    const SNAP_DEG: f32 = 55.0;
    const JERK_M: f32 = 0.06;
    for frame in 1..body.len() {
        for bone in HumanBone::ALL.into_iter().filter(|bone| body.has(*bone)) {
            let turn = body.turn(bone, frame - 1).angle_between(body.turn(bone, frame));
            expect(turn.to_degrees() < SNAP_DEG, || {
                format!("{bone:?} turns {:.0} degrees in frame {frame}", turn.to_degrees())
            })?;
        }
    }
    for frame in 2..body.len() {
        let at = |frame| body.at(HumanBone::Hips, frame);
        let jerk = (at(frame) - 2.0 * at(frame - 1) + at(frame - 2)).length();
        expect(jerk < JERK_M, || format!("the hips jerk by {jerk:.3} m in frame {frame}"))?;
    }
    Ok(())
}

/// Way forwards from the first frame's heading, metres at the end of the clip.
pub(crate) fn forward(wanted: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| within("metres forward", body.travelled(body.len() - 1).1, &wanted))
}

/// Way to the left, metres at the end.
pub(crate) fn left(wanted: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| within("metres to the left", body.travelled(body.len() - 1).0, &wanted))
}

/// Stays where it is.
pub(crate) fn stays() -> Rule {
    Box::new(|body| {
        let (left, forward) = body.travelled(body.len() - 1);
        within("metres from the start", left.hypot(forward), &(0.0..=0.6))
    })
}

/// Median speed while moving, m/s: that between setting off and stopping.
pub(crate) fn speed(wanted: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| {
        let mut moving: Vec<f32> =
            body.speeds().into_iter().filter(|speed| *speed > 0.15).collect();
        moving.sort_by(f32::total_cmp);
        let median = moving.get(moving.len() / 2).copied().unwrap_or(0.0);
        within("metres per second", median, &wanted)
    })
}

/// The turn from the first to the last frame, degrees, left positive.
pub(crate) fn turned(wanted: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| {
        let headings = body.headings();
        let turn = headings[headings.len() - 1] - headings[0];
        within("degrees turned", turn.to_degrees(), &wanted)
    })
}

/// A round trip: turned about once around, either way, and back near the start.
pub(crate) fn circle() -> Rule {
    Box::new(|body| {
        let headings = body.headings();
        let turn = (headings[headings.len() - 1] - headings[0]).to_degrees().abs();
        within("degrees around", turn, &(300.0..=420.0))?;
        let (left, forward) = body.travelled(body.len() - 1);
        let share = left.hypot(forward) / body.way_m().max(0.1);
        within("distance from the start as a share of the way", share, &(0.0..=0.2))
    })
}

/// Both feet leave the floor in turn, at least this often each.
pub(crate) fn steps(least: usize) -> Rule {
    Box::new(move |body| {
        let [left, right] = Side::BOTH.map(|side| body.steps(side));
        expect(left >= least && right >= least, || {
            format!("{left} left and {right} right steps, wanted {least} each")
        })
    })
}

/// How often no foot touches the floor.
pub(crate) fn flights(wanted: RangeInclusive<usize>) -> Rule {
    Box::new(move |body| {
        let seen = body.flights().len();
        expect(wanted.contains(&seen), || {
            let clearance = 100.0 * body.clearance();
            format!("{seen} flights, wanted {wanted:?}; both feet up to {clearance:.1} cm high")
        })
    })
}

/// The hips rise this far above standing at the top of a flight, metres.
pub(crate) fn flight_height(wanted: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| {
        let top =
            body.curve(|frame| body.at(HumanBone::Hips, frame).y).into_iter().fold(0.0, f32::max);
        within("metres above standing", top - body.hips_m, &wanted)
    })
}

/// The hips' least height as a share of standing.
pub(crate) fn lowest(wanted: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| {
        let low = body.curve(|frame| body.height_share(frame)).into_iter().fold(9.0, f32::min);
        within("lowest hips", low, &wanted)
    })
}

/// The hips' mean height as a share of standing.
pub(crate) fn mean_height(wanted: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| {
        let heights = body.curve(|frame| body.height_share(frame));
        within("mean hips", heights.iter().sum::<f32>() / heights.len() as f32, &wanted)
    })
}

/// The hips' height in the first and last frame as shares of standing.
pub(crate) fn from_to(first: RangeInclusive<f32>, last: RangeInclusive<f32>) -> Rule {
    Box::new(move |body| {
        within("first hips", body.height_share(0), &first)?;
        within("last hips", body.height_share(body.len() - 1), &last)
    })
}

/// This arm does clearly more than the other.
pub(crate) fn arm(side: Side) -> Rule {
    Box::new(move |body| {
        let (this, other) = (body.wrist_way(side), body.wrist_way(side.opposite()));
        expect(this > 1.8 * other, || {
            format!("the {side:?} wrist went {this:.2} m beside the body, the other {other:.2} m")
        })
    })
}

/// The forearm swings this often from side to side while the hand is up.
pub(crate) fn waves(side: Side, wanted: RangeInclusive<usize>) -> Rule {
    Box::new(move |body| {
        let turns = wave_turns(body, side).len();
        let swings = turns.div_ceil(2);
        expect(wanted.contains(&swings) || wanted.contains(&(turns / 2)), || {
            format!("{turns} turning points of the hand, wanted {wanted:?} waves")
        })
    })
}

/// One of the arms waves; for prompts that leave the side open.
pub(crate) fn waves_somehow(least: usize) -> Rule {
    Box::new(move |body| {
        let most = Side::BOTH.map(|side| wave_turns(body, side).len()).into_iter().max();
        expect(most.unwrap_or(0).div_ceil(2) >= least, || {
            format!("{most:?} turning points of a hand, wanted {least} waves")
        })
    })
}

/// Where the raised hand turns back, frames.
fn wave_turns(body: &Body, side: Side) -> Vec<usize> {
    let [_, shoulder, elbow, wrist] = HumanBone::arm(side);
    let up = |frame| {
        let hand = body.at(wrist, frame).y;
        hand > body.at(elbow, frame).y + 0.05 && hand > body.at(shoulder, frame).y - 0.12
    };
    let raised = stretches(body.len(), 5, up);
    let Some(longest) = raised.into_iter().max_by_key(std::ops::Range::len) else {
        return Vec::new();
    };
    let across: Vec<f32> = longest
        .clone()
        .map(|frame| body.beside_hips(wrist, frame).x - body.beside_hips(elbow, frame).x)
        .collect();
    turning_points(&across, 0.05).into_iter().map(|(frame, _)| frame + longest.start).collect()
}

/// The frames in which the wrist is stretched forwards the most.
fn reaches(body: &Body, side: Side) -> Vec<usize> {
    let [_, shoulder, _, wrist] = HumanBone::arm(side);
    let ahead =
        body.curve(|frame| body.beside_hips(wrist, frame).z - body.beside_hips(shoulder, frame).z);
    let least = 0.25 * body.arm_m;
    peaks(&ahead, least).into_iter().filter(|frame| ahead[*frame] > 0.75 * body.arm_m).collect()
}

/// The wrist shoots forwards this often.
pub(crate) fn punches(side: Side, wanted: RangeInclusive<usize>) -> Rule {
    Box::new(move |body| {
        let seen = reaches(body, side).len();
        expect(wanted.contains(&seen), || format!("{seen} punches, wanted {wanted:?}"))
    })
}

/// The frames in which a foot is swung up in front.
fn kick_frames(body: &Body, side: Side) -> Vec<usize> {
    let [_, _, ankle, _] = HumanBone::leg(side);
    let height = body.curve(|frame| body.at(ankle, frame).y - body.at_rest(ankle).y);
    peaks(&height, 0.2)
        .into_iter()
        .filter(|frame| height[*frame] > 0.3 && body.beside_hips(ankle, *frame).z > 0.35)
        .collect()
}

/// This foot kicks this often and the other does not.
pub(crate) fn kicks(side: Side, wanted: RangeInclusive<usize>) -> Rule {
    Box::new(move |body| {
        let seen = kick_frames(body, side).len();
        let other = kick_frames(body, side.opposite()).len();
        expect(wanted.contains(&seen) && other == 0, || {
            format!("{seen} kicks and {other} of the other foot, wanted {wanted:?}")
        })
    })
}

/// The hands come together this often.
pub(crate) fn claps(wanted: RangeInclusive<usize>) -> Rule {
    Box::new(move |body| {
        let near = body.curve(|frame| {
            -body.at(HumanBone::LeftHand, frame).distance(body.at(HumanBone::RightHand, frame))
        });
        let seen = peaks(&near, 0.06).into_iter().filter(|frame| near[*frame] > -0.22).count();
        expect(wanted.contains(&seen), || format!("{seen} claps, wanted {wanted:?}"))
    })
}

/// The arm points forwards, stretched and level, for a while.
pub(crate) fn points(side: Side) -> Rule {
    Box::new(move |body| {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        let held = stretches(body.len(), (0.3 * body.fps) as usize, |frame| {
            let arm = body.beside_hips(wrist, frame) - body.beside_hips(shoulder, frame);
            let direction = arm.normalize_or(Vec3::NEG_Y);
            body.stretch(side, frame) > 0.85 && direction.z > 0.75 && direction.y.abs() < 0.45
        });
        expect(!held.is_empty(), || "no stretched arm is held level in front".to_owned())
    })
}

/// Both wrists are high above the shoulders at once.
pub(crate) fn arms_up() -> Rule {
    Box::new(|body| {
        let up = (0..body.len()).any(|frame| {
            Side::BOTH
                .into_iter()
                .all(|side| body.wrist_over_shoulder(side, frame) > 0.6 * body.arm_m)
        });
        expect(up, || "the wrists are never both high".to_owned())
    })
}

/// Pitch of the head against the trunk, radians, down positive.
fn pitch(body: &Body, frame: usize) -> f32 {
    let forward =
        body.turn(HumanBone::Chest, frame).inverse() * body.turn(HumanBone::Head, frame) * Vec3::Z;
    -forward.y.asin()
}

/// Yaw of the head against the trunk, radians, left positive.
fn yaw(body: &Body, frame: usize) -> f32 {
    let forward =
        body.turn(HumanBone::Chest, frame).inverse() * body.turn(HumanBone::Head, frame) * Vec3::Z;
    forward.x.atan2(forward.z)
}

/// The head goes down and up again this often.
pub(crate) fn nods(wanted: RangeInclusive<usize>) -> Rule {
    Box::new(move |body| {
        let seen = peaks(&body.curve(|frame| pitch(body, frame)), 0.12).len();
        expect(wanted.contains(&seen), || format!("{seen} nods, wanted {wanted:?}"))
    })
}

/// The head turns to both sides, this many times in all.
pub(crate) fn head_shakes(least: usize) -> Rule {
    Box::new(move |body| {
        let seen = turning_points(&body.curve(|frame| yaw(body, frame)), 0.15).len();
        expect(seen >= least, || format!("{seen} turns of the head, wanted {least}"))
    })
}

/// The trunk leans forwards at least so far, degrees, and comes up again.
pub(crate) fn bows(least_deg: f32) -> Rule {
    Box::new(move |body| {
        let leans = body.curve(|frame| body.lean(frame).to_degrees());
        let most = leans.iter().copied().fold(0.0, f32::max);
        within("degrees of lean", most, &(least_deg..=110.0))?;
        within("degrees of lean at the end", leans[leans.len() - 1], &(-20.0..=20.0))
    })
}

/// Little moves, but something does.
pub(crate) fn calm_but_alive() -> Rule {
    Box::new(|body| {
        let way: f32 = Side::BOTH.map(|side| body.wrist_way(side)).into_iter().sum();
        let rate = way * body.fps / body.len() as f32;
        within("metres per second of the wrists", rate, &(0.001..=0.2))
    })
}

/// Arms, hips and feet all move.
pub(crate) fn lively() -> Rule {
    Box::new(|body| {
        let seconds = body.len() as f32 / body.fps;
        let arms: f32 = Side::BOTH.map(|side| body.wrist_way(side)).into_iter().sum();
        within("metres per second of the wrists", arms / seconds, &(0.3..=6.0))?;
        let heights = body.curve(|frame| body.at(HumanBone::Hips, frame).y);
        let beats = turning_points(&heights, 0.01).len() as f32 / seconds;
        within("turns of the hips per second", beats, &(0.8..=12.0))
    })
}

/// Something that happens at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// Most of the way is behind.
    Arrived,
    /// The hips come down for good.
    Seated,
    /// The last landing.
    Landed,
    /// The deepest bow.
    Bowed,
    /// The first turn of a waving hand.
    Waved(Side),
    /// The first kick.
    Kicked(Side),
    /// The first punch.
    Punched(Side),
    /// Faster than walking for the first time.
    Ran,
    /// Low and slow for the first time.
    Sneaked,
}

fn when(body: &Body, event: Event) -> Option<usize> {
    let speeds = body.speeds();
    match event {
        Event::Arrived => {
            let whole = body.way_m();
            let mut way = 0.0;
            speeds.iter().position(|speed| {
                way += speed / body.fps;
                way > 0.85 * whole
            })
        }
        Event::Seated => {
            let low = |frame: &usize| body.height_share(*frame) < 0.75;
            (0..body.len()).rev().take_while(low).last()
        }
        Event::Landed => body.flights().last().map(|flight| flight.end),
        Event::Bowed => (0..body.len()).max_by(|a, b| body.lean(*a).total_cmp(&body.lean(*b))),
        Event::Waved(side) => wave_turns(body, side).first().copied(),
        Event::Kicked(side) => kick_frames(body, side).first().copied(),
        Event::Punched(side) => reaches(body, side).first().copied(),
        Event::Ran => speeds.iter().position(|speed| *speed > 2.0),
        Event::Sneaked => (0..body.len())
            .filter(|frame| body.height_share(*frame) < 0.95 && speeds[*frame] < 1.2)
            .find(|frame| speeds[*frame] > 0.15),
    }
}

/// One thing happens after the other.
pub(crate) fn order(first: Event, second: Event) -> Rule {
    Box::new(move |body| {
        let (a, b) = (when(body, first), when(body, second));
        expect(a.is_some() && b.is_some() && a < b, || {
            format!("{first:?} in frame {a:?}, {second:?} in frame {b:?}")
        })
    })
}

/// Runs at the end at least so fast, m/s, and begins at most so fast.
pub(crate) fn speeds_up(begins_below: f32, ends_above: f32) -> Rule {
    Box::new(move |body| {
        let speeds = body.speeds();
        let early = speeds[..speeds.len() / 4].iter().copied().fold(0.0, f32::max);
        let most = speeds.iter().copied().fold(0.0, f32::max);
        within("first metres per second", early, &(0.0..=begins_below))?;
        within("fastest metres per second", most, &(ends_above..=9.0))
    })
}
