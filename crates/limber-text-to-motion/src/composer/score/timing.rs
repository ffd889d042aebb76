//! Times of a score's keys: repetitions, tempo and filling time.

use glam::Vec3;
use limber_animation::{Side, maths::powf};
use limber_script::Rhythm;

use super::reading::{Key, Score};
use crate::{
    Act, Amount,
    composer::{acts::Span, style::Style},
};

/// Time before the first key, seconds.
const BEFORE_S: f32 = 0.12;
/// Minimum time to reach a key, seconds, unless the score itself is faster.
const QUICKEST_S: f32 = 0.12;
/// Minimum duration as a share of the usual one: hurried, but still correct.
const HURRIED: f32 = 0.57;
/// Maximum factor by which everything may be slowed down to fill time.
const SLOWEST: f32 = 1.22;

/// Maximum factor for bending the body, whose usual value is 1.
const MOST_SIZE: f32 = 1.7;

/// Which side leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Leading {
    One(Side),
    /// This side first, then alternating.
    InTurns(Side),
    Both,
}

/// One key with its times, in seconds from the start of the clip.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment<'a> {
    /// `None` returns home: hands free, feet in their initial positions, all dials at their resting
    /// values.
    pub(super) key: Option<&'a Key>,
    pub(super) lead: Side,
    pub(super) both_lead: bool,
    pub(super) from_s: f32,
    pub(super) at_s: f32,
    /// Factor for the size of the movement.
    pub(super) size: f32,
    /// Additional travel when coming from a run, metres.
    pub(super) hastens: f32,
    /// Whether it controls the feet; otherwise another act may.
    pub(super) has_feet: bool,
    /// The requested direction relative to the body: left, up, ahead; a unit vector.
    pub(super) aim: Vec3,
}

/// The keys in order of playing, each with its repetition; `None` returns home.
fn sequence(score: &Score, repeats: u32) -> Vec<(Option<&Key>, u32)> {
    let mut keys = Vec::new();
    let last = repeats.saturating_sub(1);
    if score.again.is_empty() {
        for repeat in 0..repeats {
            let whole = score.begin.iter().chain(&score.end);
            keys.extend(whole.map(|key| (Some(key), repeat)));
            if repeat < last || !score.stays {
                keys.push((None, repeat));
            }
        }
        return keys;
    }
    keys.extend(score.begin.iter().map(|key| (Some(key), 0)));
    for repeat in 0..repeats {
        let held = score.last_round.filter(|_| repeat == last).unwrap_or(score.again.len());
        keys.extend(score.again[..held].iter().map(|key| (Some(key), repeat)));
    }
    keys.extend(score.end.iter().map(|key| (Some(key), last)));
    if !score.stays {
        keys.push((None, last));
    }
    keys
}

fn takes_s(score: &Score, key: Option<&Key>, pace: f32) -> f32 {
    let usual = key.map_or(score.home_s, |key| key.takes_s);
    (usual * pace).max(usual.min(QUICKEST_S))
}

/// Total duration with this many repetitions.
fn length_s(score: &Score, repeats: u32, pace: f32) -> f32 {
    let keys = sequence(score, repeats);
    let played =
        |key: Option<&Key>| takes_s(score, key, pace) + key.map_or(0.0, |key| key.hold_s * pace);
    BEFORE_S + keys.into_iter().map(|(key, _)| played(key)).sum::<f32>()
}

/// Duration until the repeated keys or, if there are none, until the first held pose; until the
/// first key if there is none of these.
pub(super) fn lead_in_s(score: &Score, style: &Style) -> f32 {
    let pace = 1.0 / style.tempo;
    let holds = |key: &Key| key.hold_s > 0.0 || key.stretch_s > 0.0;
    let leading = match &score.begin[..] {
        all if !score.again.is_empty() => all,
        all => match all.iter().position(holds) {
            Some(place) => &all[..=place],
            None => &all[..all.len().min(1)],
        },
    };
    let played = |(place, key): (usize, &Key)| {
        let held_s = if place + 1 < leading.len() { key.hold_s * pace } else { 0.0 };
        takes_s(score, Some(key), pace) + held_s
    };
    BEFORE_S * pace.min(1.0) + leading.iter().enumerate().map(played).sum::<f32>()
}

/// The usual total duration, seconds.
pub(super) fn usual_s(score: &Score) -> f32 {
    length_s(score, score.usual, 1.0)
}

fn stretch_s(score: &Score, repeats: u32) -> f32 {
    sequence(score, repeats).into_iter().filter_map(|(key, _)| key).map(|key| key.stretch_s).sum()
}

pub(super) fn span(score: &Score, count: Option<u32>, style: &Style) -> Span {
    let pace = 1.0 / style.tempo;
    let usual = length_s(score, count.unwrap_or(score.usual).max(1), pace);
    let least = HURRIED * length_s(score, count.unwrap_or(1).max(1), pace);
    let most = count.unwrap_or(score.most).max(1);
    let most = SLOWEST * length_s(score, most, pace) + stretch_s(score, most);
    Span { least: least.min(usual), usual, most: most.max(usual) }
}

/// Maximum number of repetitions.
const MOST_REPEATS: u32 = 50;

/// How often a score is played.
#[derive(Debug, Clone, Copy)]
pub(super) enum Often {
    Times(u32),
    /// As often as fits the time.
    Usual,
    /// For all of the requested time, however long.
    AllTheTime,
}

impl Often {
    pub(super) fn of(act: &Act) -> Self {
        match (act.count, act.amount) {
            (Some(count), _) => Self::Times(count),
            (None, Some(Amount::Seconds(_))) => Self::AllTheTime,
            (None, _) => Self::Usual,
        }
    }

    /// The number of repetitions in this time.
    fn repeats(self, score: &Score, pace: f32, room_s: f32) -> u32 {
        let most = match self {
            Self::Times(count) => return count.clamp(1, MOST_REPEATS),
            // a pose is held rather than repeated
            Self::AllTheTime if stretch_s(score, 1) == 0.0 => MOST_REPEATS,
            Self::AllTheTime | Self::Usual => score.most,
        };
        let fits = |repeats: &u32| length_s(score, *repeats, pace) <= 1.04 * room_s;
        (1..=most).rev().find(fits).unwrap_or(1)
    }
}

/// Relative duration of each repetition; the mean is 1.
fn paces(rhythm: Rhythm, repeats: u32) -> Vec<f32> {
    /// Relative duration of the slowest repetition in an accelerating sequence.
    const SLOW: f32 = 1.4;
    /// Deviations of the repetitions in an irregular sequence, which are used in turn.
    const UNEVEN: [f32; 7] = [0.0, 0.32, -0.24, 0.12, -0.3, 0.26, -0.16];
    let along = |repeat: u32| repeat as f32 / repeats.saturating_sub(1).max(1) as f32;
    let mut paces: Vec<f32> = (0..repeats.max(1))
        .map(|repeat| match rhythm {
            Rhythm::Even => 1.0,
            Rhythm::Accelerating => powf(SLOW, 1.0 - 2.0 * along(repeat)),
            Rhythm::Slowing => powf(SLOW, 2.0 * along(repeat) - 1.0),
            Rhythm::Irregular => 1.0 + UNEVEN[repeat as usize % UNEVEN.len()],
        })
        .collect();
    let mean = paces.iter().sum::<f32>() / paces.len() as f32;
    paces.iter_mut().for_each(|pace| *pace /= mean);
    paces
}

/// All keys with their times; the last one returns home unless the score stays. `patience`, 0 to 1,
/// delays the first.
pub(super) fn moments<'a>(
    score: &'a Score,
    often: Often,
    style: &Style,
    (from_s, to_s): (f32, f32),
    leading: &Leading,
    patience: f32,
) -> Vec<Moment<'a>> {
    let usual = 1.0 / style.tempo;
    let repeats = often.repeats(score, usual, to_s - from_s);
    // some performers start at once, others take their time
    let free = to_s - from_s - 0.85 * length_s(score, repeats, usual);
    let wait = (0.6 * patience).min(free.max(0.0));
    let room = to_s - from_s - wait;
    let pace = usual * (room / length_s(score, repeats, usual)).clamp(0.5, SLOWEST);
    let spare = (room - length_s(score, repeats, pace)).max(0.0);
    let elastic = stretch_s(score, repeats);
    let stretch = match often {
        _ if elastic <= 0.0 => 0.0,
        Often::AllTheTime => spare / elastic,
        Often::Times(_) | Often::Usual => (spare / elastic).min(1.0),
    };
    let mut now = from_s + BEFORE_S * pace.min(1.0) + wait;
    let mut moments = Vec::new();
    let paces = paces(score.rhythm, repeats);
    for (key, repeat) in sequence(score, repeats) {
        let pace = pace * paces[repeat as usize];
        let (lead, both_lead) = match *leading {
            Leading::One(side) => (side, false),
            Leading::InTurns(side) if repeat % 2 == 1 => (side.opposite(), false),
            Leading::InTurns(side) => (side, false),
            Leading::Both => (Side::Right, true),
        };
        let at_s = now + takes_s(score, key, pace);
        let held = key.map_or(0.0, |key| key.hold_s * pace + key.stretch_s * stretch);
        let size = style.size_within(0.75, 1.25).min(MOST_SIZE) * score.grows.powi(repeat as i32);
        let from_s = now;
        moments.push(Moment {
            key,
            lead,
            both_lead,
            from_s,
            at_s,
            size,
            hastens: 1.0,
            has_feet: true,
            aim: Vec3::Z,
        });
        now = at_s + held;
    }
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_can_accelerate_slow_down_or_vary_in_the_same_time() {
        for rhythm in [Rhythm::Accelerating, Rhythm::Slowing, Rhythm::Irregular, Rhythm::Even] {
            let paces = paces(rhythm, 6);
            assert!((paces.iter().sum::<f32>() - 6.0).abs() < 1e-4, "{rhythm}");
            let (first, last) = (paces[0], paces[5]);
            match rhythm {
                Rhythm::Accelerating => assert!(first > 1.5 * last),
                Rhythm::Slowing => assert!(last > 1.5 * first),
                Rhythm::Irregular => assert!((paces[1] - paces[2]).abs() > 0.3),
                Rhythm::Even => assert_eq!(first, last),
            }
        }
        assert_eq!(super::paces(Rhythm::Accelerating, 1).len(), 1);
    }
}
