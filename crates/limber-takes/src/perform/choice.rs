//! Selects and ranks the windows that can perform a step.

use std::ops::Range;

use limber_animation::{
    Clip, Side,
    maths::{hypot, ln},
};
use limber_script::message::TakeRefusal;
use limber_text_to_motion::{Act, ActionKind, Amount, Direction, Measures, Path, SideChoice};

use super::{Wanted, mixed};
use crate::{
    Library,
    library::Place,
    take::{Landing, Stance, Window},
    windows::{is_done_in_bouts, landings, manners, root, wrapped},
};

/// Maximum factor by which a take is sped up or slowed down.
const STRETCH: f32 = 1.25;
/// If the length is free, the minimum length of a take as a share of the drawn step.
const SHORTEST: f32 = 0.4;
/// Maximum share by which a travelled distance may be lengthened or shortened.
const BEND: f32 = 0.2;
/// Maximum error of a direction, and of a turn, degrees.
const DIRECTION_DEG: f32 = 35.0;
const TURN_DEG: f32 = 25.0;
/// Maximum difference between tempos that count as equal.
const TEMPO: f32 = 0.08;
/// Maximum foot skate of a raw recording, cm/s; more is not worth repairing.
const SKATES_CM_S: f32 = 40.0;
/// Maximum distance between consecutive repetitions in a take, frames.
const NEXT: usize = 20;
/// Number of footsteps that stay drawn at the beginning and end of locomotion: starting and
/// stopping.
const DRAWN_STEPS: usize = 2;
/// Minimum number of recorded footsteps of locomotion, an even number.
const FEWEST_STEPS: usize = 4;

/// A part of a take that may perform a step.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) place: Place,
    /// Frames of the take.
    pub(super) frames: Range<usize>,
    /// Frames of the drawn clip that it replaces.
    pub(super) hole: Range<usize>,
    pub(super) is_mirrored: bool,
    /// Number of frames after retiming.
    pub(super) length: usize,
    /// Excess rotation of the take, degrees, left positive.
    pub(super) unwanted_turn_deg: f32,
    /// Factor for its travel over the ground.
    pub(super) bend: f32,
    cost: f32,
}

/// The candidates for a step, best first.
pub(super) fn candidates(
    library: &Library,
    clip: &Clip,
    wanted: &Wanted<'_>,
) -> Result<Vec<Candidate>, TakeRefusal> {
    let act = wanted.act();
    let places = library.windows(root(act));
    if places.is_empty() {
        return Err(TakeRefusal::NoTake);
    }
    askable(wanted)?;
    let hole = hole(clip, wanted)?;
    let mut found: Vec<Candidate> = Vec::new();
    // report the reason of the window that came closest
    let mut nearest = TakeRefusal::Details;
    for place in places {
        let (_, window) = library.window(*place);
        for is_mirrored in [false, true] {
            let seen = if is_mirrored { window.mirrored() } else { window.clone() };
            let choice = Choice { library, act, wanted, hole: &hole, place: *place, is_mirrored };
            match choice.candidate(&seen) {
                Ok(candidate) => found.push(candidate),
                Err(reason) => nearest = nearest.max(reason),
            }
        }
    }
    if found.is_empty() {
        return Err(nearest);
    }
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    Ok(found)
}

/// Whether the request can be performed with takes at all.
fn askable(wanted: &Wanted<'_>) -> Result<(), TakeRefusal> {
    let (act, step) = (wanted.act(), &wanted.script.steps[wanted.performed.step]);
    let measures = act.measures;
    let low = measures.posture.is_some_and(|posture| posture != limber_script::Posture::Standing);
    let changes = matches!(
        act.action.kind(),
        ActionKind::SitDown | ActionKind::StandUp | ActionKind::Crouch | ActionKind::Posture
    );
    if !step.overlays.is_empty() {
        return Err(TakeRefusal::Together);
    }
    if low || changes || act.action.posture().is_some() || act.action.begins().is_some() {
        return Err(TakeRefusal::Posture);
    }
    if measures.at_once || measures.stays || measures.goes_on {
        return Err(TakeRefusal::Ends);
    }
    let plain = Measures { posture: None, ..measures } == Measures::default();
    let is_gait = matches!(act.action.kind(), ActionKind::Gait(_));
    let is_up = matches!(act.direction, Some(Direction::Up | Direction::Down));
    if act.path != Path::Straight || !plain || is_up || (is_gait && act.count.is_some()) {
        return Err(TakeRefusal::Details);
    }
    Ok(())
}

/// The frames to replace and, during locomotion, the feet that land at both ends.
struct Hole {
    frames: Range<usize>,
    /// The feet that land at both ends, and the number of footsteps between them.
    steps: Option<([Side; 2], usize)>,
    /// Travel over the ground, metres.
    way_m: f32,
}

fn hole(clip: &Clip, wanted: &Wanted<'_>) -> Result<Hole, TakeRefusal> {
    let frames = wanted.performed.frames.clone();
    let way_m = |frames: &Range<usize>| {
        let way = clip.frames()[frames.end].hips_translation
            - clip.frames()[frames.start].hips_translation;
        hypot(way.x, way.z)
    };
    if let ActionKind::Gait(_) = wanted.act().action.kind() {
        let landings = landings(clip, &frames);
        let last = landings.len().checked_sub(DRAWN_STEPS + 1);
        let last = last.filter(|last| *last > DRAWN_STEPS).ok_or(TakeRefusal::Length)?;
        let (Landing(from, first), Landing(to, side)) = (landings[DRAWN_STEPS], landings[last]);
        let steps = Some(([first, side], last - DRAWN_STEPS));
        return Ok(Hole { way_m: way_m(&(from..to)), frames: from..to, steps });
    }
    // keep a frame on either side to continue from
    let frames = frames.start.max(1)..frames.end.min(clip.len() - 1);
    if frames.len() < 6 {
        return Err(TakeRefusal::Length);
    }
    Ok(Hole { way_m: way_m(&frames), frames, steps: None })
}

struct Choice<'a> {
    library: &'a Library,
    act: &'a Act,
    wanted: &'a Wanted<'a>,
    hole: &'a Hole,
    place: Place,
    is_mirrored: bool,
}

impl Choice<'_> {
    fn candidate(&self, window: &Window) -> Result<Candidate, TakeRefusal> {
        self.is_alike(window)?;
        let (frames, way_m) = match self.hole.steps {
            Some((feet, steps)) => self.strides(window, feet, steps)?,
            None => (self.repeated(window)?, window.way_m),
        };
        let length = self.length(frames.len())?;
        let bend = self.bend(way_m)?;
        let unwanted_turn_deg = match self.act.action.kind() {
            ActionKind::Turn => {
                wrapped((window.turned_deg - self.turn_deg()).to_radians()).to_degrees()
            }
            _ => window.turned_deg,
        };
        let stretch = ln(length as f32 / frames.len() as f32).abs();
        let moving = window.stances.iter().filter(|stance| **stance == Stance::Moving).count();
        let moving = if self.hole.steps.is_some() { 0 } else { moving };
        let key = mixed(self.wanted.seed, self.place.number() * 2 + u64::from(self.is_mirrored));
        // the upper bits as a number from 0 to 1
        let chance = (key >> 40) as f32 / (1_u32 << 24) as f32;
        let cost = 2.0 * stretch
            + 0.25 * moving as f32
            + window.quality.skate_cm_s / SKATES_CM_S
            + unwanted_turn_deg.abs() / 60.0
            + ln(length as f32 / self.hole.frames.len() as f32).abs() * 0.3
            + 0.6 * chance;
        Ok(Candidate {
            place: self.place,
            frames,
            hole: self.hole.frames.clone(),
            is_mirrored: self.is_mirrored,
            length,
            unwanted_turn_deg,
            bend,
            cost,
        })
    }

    /// Checks that the window matches the requested side, direction and style.
    fn is_alike(&self, window: &Window) -> Result<(), TakeRefusal> {
        let act = self.act;
        let side = match act.side {
            Some(SideChoice::Left) => window.side == Some(Side::Left),
            Some(SideChoice::Right) => window.side == Some(Side::Right),
            Some(SideChoice::Both) => window.side.is_none(),
            // people are right-handed
            None => window.side != Some(Side::Left),
        };
        if !side {
            return Err(TakeRefusal::Side);
        }
        let is_gait = self.hole.steps.is_some();
        let wanted = act.direction.map(degrees).or_else(|| is_gait.then_some(0.0));
        let is_on_the_way = match (wanted, window.heading_deg) {
            (Some(wanted), Some(heading)) => {
                wrapped((heading - wanted).to_radians()).to_degrees().abs() <= DIRECTION_DEG
            }
            (Some(_), None) => !is_gait && act.direction.is_none(),
            (None, Some(heading)) => heading.abs() <= DIRECTION_DEG,
            (None, None) => true,
        };
        let turn = if act.action.kind() == ActionKind::Turn { self.turn_deg() } else { 0.0 };
        let turns = wrapped((window.turned_deg - turn).to_radians()).to_degrees().abs();
        let is_turned = turns <= TURN_DEG && (window.turned_deg - turn).abs() < 200.0;
        if !is_on_the_way || !is_turned {
            return Err(TakeRefusal::Direction);
        }
        if window.manners != manners(act) || (window.tempo - act.tempo.0).abs() > TEMPO {
            return Err(TakeRefusal::Style);
        }
        if window.quality.skate_cm_s > SKATES_CM_S {
            return Err(TakeRefusal::Unclean);
        }
        Ok(())
    }

    /// The requested angle of a turn, degrees, left positive.
    fn turn_deg(&self) -> f32 {
        let angle = self.act.angle_rad.unwrap_or(std::f32::consts::FRAC_PI_2).to_degrees();
        let is_right = self.act.side == Some(SideChoice::Right)
            || self.act.direction == Some(Direction::Right)
            || (self.act.side.is_none() && self.is_mirrored);
        if is_right { -angle } else { angle }
    }

    /// The frames of the requested number of consecutive repetitions in one take.
    fn repeated(&self, window: &Window) -> Result<Range<usize>, TakeRefusal> {
        let Some(count) = self.act.count else {
            // without a requested count, one repetition, or as many as people do of actions that
            // always come in bouts
            let is_often = window.count > 1 && !is_done_in_bouts(self.act.action.kind());
            return if is_often { Err(TakeRefusal::Count) } else { Ok(window.frames.clone()) };
        };
        if window.count == count as usize {
            return Ok(window.frames.clone());
        }
        let count = count.max(1) as usize;
        let (take, first) = self.library.window(self.place);
        let later = take.windows.iter().filter(|other| {
            other.action == first.action
                && other.count == 1
                && first.count == 1
                && other.side == first.side
                && other.frames.start >= first.frames.start
        });
        let mut ends = window.frames.end;
        for (number, other) in later.take(count).enumerate() {
            if other.frames.start > ends + NEXT {
                return Err(TakeRefusal::Count);
            }
            if number + 1 == count {
                return Ok(window.frames.start..other.frames.end);
            }
            ends = other.frames.end;
        }
        Err(TakeRefusal::Count)
    }

    /// The frames from one landing to another, chosen so that the same feet land at both ends as in
    /// the drawn clip, and the distance they travel.
    fn strides(
        &self,
        window: &Window,
        [first, last]: [Side; 2],
        steps: usize,
    ) -> Result<(Range<usize>, f32), TakeRefusal> {
        let landings = &window.landings;
        let per_step_m = window.way_m / (landings.len() - 1).max(1) as f32;
        let wanted = match self.act.amount {
            Some(Amount::Metres(_)) => {
                let same = |steps: usize| (steps as f32 * per_step_m - self.hole.way_m).abs();
                let mut all = (1..landings.len()).filter(|count| count % 2 == steps % 2);
                let first = all.next().ok_or(TakeRefusal::Length)?;
                all.fold(first, |best, next| if same(next) < same(best) { next } else { best })
            }
            // if neither length nor distance is given, the number of footsteps is free
            None if !self.wanted.is_exact => steps.max(FEWEST_STEPS + steps % 2),
            _ => steps,
        };
        let starts: Vec<usize> =
            (0..landings.len()).filter(|place| landings[*place].1 == first).collect();
        let longest = |start: &usize| {
            let mut steps = wanted.min(landings.len() - 1 - start);
            // the last foot must be the same too
            while steps > 0 && landings[start + steps].1 != last {
                steps -= 1;
            }
            steps
        };
        let most = starts.iter().map(longest).max().filter(|steps| *steps > 1);
        let most = most.ok_or(TakeRefusal::Length)?;
        let told = matches!(self.act.amount, Some(Amount::Steps(_) | Amount::Metres(_)));
        if (told || self.wanted.is_exact) && most != wanted {
            return Err(TakeRefusal::Length);
        }
        let starts: Vec<usize> =
            starts.into_iter().filter(|start| longest(start) == most).collect();
        let start = starts[(mixed(self.wanted.seed, 77) % starts.len() as u64) as usize];
        let frames = landings[start].0..landings[start + most].0;
        Ok((frames, per_step_m * most as f32))
    }

    /// The number of frames after retiming.
    fn length(&self, own: usize) -> Result<usize, TakeRefusal> {
        let told = match self.act.amount {
            Some(Amount::Seconds(seconds)) if self.hole.steps.is_none() => {
                Some((30.0 * seconds).round() as usize)
            }
            Some(Amount::Seconds(_)) => Some(self.hole.frames.len()),
            _ => None,
        };
        let wanted = if self.wanted.is_exact { Some(self.hole.frames.len()) } else { told };
        let Some(wanted) = wanted else {
            // a fragment of an action does not count
            let is_piece = (own as f32) < SHORTEST * self.hole.frames.len() as f32;
            return if is_piece { Err(TakeRefusal::Length) } else { Ok(own) };
        };
        let stretch = wanted as f32 / own as f32;
        if !(1.0 / STRETCH..=STRETCH).contains(&stretch) {
            return Err(TakeRefusal::Length);
        }
        Ok(wanted)
    }

    /// The factor for the travel, if a distance is requested.
    fn bend(&self, way_m: f32) -> Result<f32, TakeRefusal> {
        let Some(Amount::Metres(_)) = self.act.amount else { return Ok(1.0) };
        let bend = self.hole.way_m / way_m.max(1e-3);
        if (1.0 - BEND..=1.0 + BEND).contains(&bend) { Ok(bend) } else { Err(TakeRefusal::Length) }
    }
}

/// The angle of a direction relative to the body, degrees, left positive.
const fn degrees(direction: Direction) -> f32 {
    match direction {
        Direction::Forward | Direction::Up | Direction::Down => 0.0,
        Direction::Backward => 180.0,
        Direction::Left => 90.0,
        Direction::Right => -90.0,
    }
}
