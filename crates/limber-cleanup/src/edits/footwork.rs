//! Plans foot contacts in new frames, and which feet must take a step.

use std::ops::Range;

use limber_animation::{Clip, ContactTrack, Contacts, Side};

use crate::{
    Soles,
    feet::{leg_scale, side_place},
    foot_lock::{Footprint, Footprints, Touch, horizontal},
};

/// Duration of a step if there is enough time, seconds.
const STEP_S: f32 = 0.38;
/// Maximum length of a step, metres, for an adult.
const STRIDE_M: f32 = 0.62;
/// Speed at which a lifted foot comes down, m/s, and its deceleration, m/s².
const LANDING_M_S: f32 = 0.6;
const BRAKING_M_S2: f32 = 8.0;
/// Maximum duration of landing and of lifting off, seconds.
const LANDING_S: f32 = 0.3;
/// Angular speed of a foot rolling flat, radians per second.
const ROLL_RAD_S: f32 = 1.5;
/// Minimum number of frames in which a foot can be lifted and set down.
const SHORTEST_STEP: usize = 3;
/// In less time than this, seconds, a foot that cannot stay in place slides over instead of
/// stepping.
const NO_TIME_S: f32 = 0.32;

/// Contacts with all steps inserted, and the heights of those steps, left and right, metres.
pub(super) struct Footwork {
    pub(super) track: ContactTrack,
    pub(super) lifts: [Vec<f32>; 2],
}

/// Plans the feet in the frames of `hole`. In these frames, `track` holds the contacts of the new
/// movement.
pub(super) fn plan(
    clip: &Clip,
    hole: &Range<usize>,
    mut track: ContactTrack,
    soles: &Soles,
) -> Footwork {
    let feet = Footprints::all(clip, &track, hole, soles);
    let measures = Measures {
        fps: clip.fps().per_second(),
        scale: leg_scale(clip.skeleton()),
        hole: hole.clone(),
    };
    for foot in &feet {
        for edge in [Edge::left(hole), Edge::right(hole, clip.len())].into_iter().flatten() {
            measures.give_time_to_land(foot, &edge, &mut track);
        }
    }
    let mut lifts = [vec![0.0; clip.len()], vec![0.0; clip.len()]];
    if hole.len() < measures.frames(NO_TIME_S) {
        for foot in &feet {
            measures.move_over(foot, &mut track);
        }
        return Footwork { track, lifts };
    }
    let mut steps: Vec<(usize, Need)> = feet
        .iter()
        .enumerate()
        .flat_map(|(place, foot)| {
            foot.runs(hole, &track)
                .into_iter()
                .filter_map(|run| measures.need(foot, run, &track))
                .map(move |need| (place, need))
                .collect::<Vec<_>>()
        })
        .collect();
    // the foot that has to move furthest goes first
    steps.sort_by(|(_, a), (_, b)| b.way_m.total_cmp(&a.way_m));
    let shared: Vec<bool> = steps
        .iter()
        .map(|(place, need)| {
            let meets =
                |other: &Need| other.run.start < need.run.end && need.run.start < other.run.end;
            steps.iter().any(|(other, theirs)| other != place && meets(theirs))
        })
        .collect();
    for ((place, need), shared) in steps.iter().zip(shared) {
        let foot = &feet[*place];
        measures.step(foot.foot.side, need, shared, &mut track, &mut lifts);
    }
    Footwork { track, lifts }
}

/// One edge of a hole: the frame outside, and the frames counted inwards.
struct Edge {
    outside: usize,
    beyond: Option<usize>,
    inwards: Vec<usize>,
}

impl Edge {
    fn left(hole: &Range<usize>) -> Option<Self> {
        let outside = hole.start.checked_sub(1)?;
        Some(Self { outside, beyond: outside.checked_sub(1), inwards: hole.clone().collect() })
    }

    fn right(hole: &Range<usize>, frames: usize) -> Option<Self> {
        let outside = (hole.end < frames).then_some(hole.end)?;
        let beyond = (outside + 1 < frames).then_some(outside + 1);
        Some(Self { outside, beyond, inwards: hole.clone().rev().collect() })
    }
}

/// A stance that would have to slide: its frames, distance and number of steps.
struct Need {
    run: Range<usize>,
    way_m: f32,
    steps: usize,
}

struct Measures {
    fps: f32,
    scale: f32,
    hole: Range<usize>,
}

impl Measures {
    fn frames(&self, seconds: f32) -> usize {
        (seconds * self.fps).round() as usize
    }

    /// Gives a foot that is in the air at an edge time to land or lift off there, and one that is
    /// rolling time to become flat.
    fn give_time_to_land(&self, foot: &Footprints<'_>, edge: &Edge, track: &mut ContactTrack) {
        let outside = foot.touch(track[edge.outside]);
        let most = (self.hole.len() / 2).max(1).min(self.frames(LANDING_S).max(2));
        if !outside.any() {
            let height_m = foot.height(edge.outside).max(0.0) / self.scale;
            let speed_m_s = edge.beyond.map_or(0.0, |beyond| {
                let way = foot.path.ball[edge.outside] - foot.path.ball[beyond];
                way.length() * self.fps / self.scale
            });
            let time_s = (height_m / LANDING_M_S).max(speed_m_s / BRAKING_M_S2);
            let count = self.frames(time_s).clamp(3.min(most), most);
            for frame in edge.inwards.iter().take(count) {
                set(&mut track[*frame], foot, Touch { heel: false, toe: false });
            }
        } else if !outside.is_flat() {
            let rotation = foot.path.rotation[edge.outside];
            let pitch_rad = rotation.angle_between(foot.flattened(rotation));
            let count = self.frames(pitch_rad / ROLL_RAD_S).clamp(3.min(most), most);
            for frame in edge.inwards.iter().take(count) {
                if foot.touch(track[*frame]).any() {
                    set(&mut track[*frame], foot, outside);
                }
            }
        }
    }

    /// For holes too short for a step: only a foot that stands in one place throughout keeps its
    /// contact.
    fn move_over(&self, foot: &Footprints<'_>, track: &mut ContactTrack) {
        let stays = foot.runs(&self.hole, track).into_iter().any(|run| {
            run == self.hole
                && foot.ties(&self.hole, &run, track).iter().all(Option::is_some)
                && self.need(foot, run, track).is_none()
        });
        if !stays {
            for frame in self.hole.clone() {
                set(&mut track[frame], foot, Touch { heel: false, toe: false });
            }
        }
    }

    /// The distance between the beginning and end of a stance, if it is too large to ignore.
    fn need(&self, foot: &Footprints<'_>, run: Range<usize>, track: &ContactTrack) -> Option<Need> {
        let third = (run.len() / 3).max(1);
        let [left, right] = foot.ties(&self.hole, &run, track);
        let (least_m, least_rad) = match (left, right) {
            (Some(_), Some(_)) => (0.001, 0.02),
            (None, None) => (0.30 * self.scale, 0.8),
            _ => (0.06 * self.scale, 0.4),
        };
        let from = left.unwrap_or_else(|| foot.over(&(run.start..run.start + third), track));
        let to = right.unwrap_or_else(|| foot.over(&(run.end - third..run.end), track));
        let way_m = horizontal(to.ball - from.ball).length();
        let turn_rad = turned_by(from, to);
        if way_m <= least_m && turn_rad <= least_rad {
            return None;
        }
        let strides = (way_m / (STRIDE_M * self.scale)).max(turn_rad / 1.2).ceil();
        let most = (run.len() / (2 * SHORTEST_STEP)).max(1);
        Some(Need { run, way_m, steps: (strides as usize).clamp(1, most) })
    }

    /// Inserts steps into a stance, if possible while the other foot stands.
    fn step(
        &self,
        side: Side,
        need: &Need,
        shared: bool,
        track: &mut ContactTrack,
        lifts: &mut [Vec<f32>; 2],
    ) {
        let Need { run, way_m, steps } = need;
        let period = run.len() as f32 / *steps as f32;
        let share = if shared { 0.5 } else { 0.9 };
        let shortest = SHORTEST_STEP.min(run.len());
        let length = ((share * period) as usize).min(self.frames(STEP_S)).max(shortest);
        // a foot in a hurry hardly leaves the floor
        let hurried = (length as f32 / self.fps / 0.2).min(1.0).powi(2);
        let height_m = (0.04 + 0.1 * way_m / *steps as f32).min(0.12) * self.scale * hurried;
        for step in 0..*steps {
            let from = run.start + (step as f32 * period) as usize;
            let to = run.start + ((step + 1) as f32 * period) as usize;
            let last = to.saturating_sub(length).max(from).min(run.end - length.min(run.len()));
            let middle = (from + last) / 2;
            // a knee that is nearly straight bends fast at first, so leave some frames at the edges
            let room = usize::from(run.len() >= length + 4) * 2;
            let (from, last) = ((run.start + room).max(from), last.min(run.end - length - room));
            let carried = |start: usize| {
                (start..start + length).filter(|frame| track[*frame].foot(side.opposite())).count()
            };
            let preferred = if shared { from } else { middle };
            let start = (from.min(last)..=last)
                .max_by_key(|start| (carried(*start), std::cmp::Reverse(start.abs_diff(preferred))))
                .unwrap_or(from);
            for frame in start..start + length {
                track[frame] = lifted(track[frame], side);
                let way = (frame + 1 - start) as f32 / (length + 1) as f32;
                lifts[side_place(side)][frame] = height_m * (4.0 * way * (1.0 - way)).powi(3);
            }
        }
    }
}

/// The angle between two footprints, seen from above, radians.
fn turned_by(from: Footprint, to: Footprint) -> f32 {
    from.turned.angle_between(to.turned)
}

fn lifted(mut contacts: Contacts, side: Side) -> Contacts {
    contacts.set(limber_animation::ContactPoint::Heel(side), false);
    contacts.set(limber_animation::ContactPoint::Toe(side), false);
    contacts
}

fn set(contacts: &mut Contacts, foot: &Footprints<'_>, touch: Touch) {
    contacts.set(limber_animation::ContactPoint::Heel(foot.foot.side), touch.heel);
    contacts.set(limber_animation::ContactPoint::Toe(foot.foot.side), touch.toe);
}
