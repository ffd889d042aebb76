//! Finds the windows of a take: the parts that show an action.
//!
//! The caption says which action a take shows, and the movement shows where. Takes are cut where
//! the body is at rest, and between repetitions. Actions that [`limber_judge`] can detect must be
//! detected.

mod senses;
mod stride;

use std::{collections::BTreeMap, ops::Range};

use limber_animation::{
    Clip, HumanBone, Side, canonical_skeleton,
    maths::{atan2, hypot},
};
use limber_cleanup::measure;
use limber_judge::{Body, Captions, Sighting};
use limber_text_to_motion::ActionKind;

use senses::Sense;
pub(crate) use senses::{Senses, manners, root};
pub(crate) use stride::landings;

use crate::{
    import::{cut, facing},
    take::{Quality, Seen, Stance, Window},
};

/// Speed below which a body is at rest, measured at its fastest part, m/s; standing people sway.
const REST_M_S: f32 = 0.20;
/// Minimum length of a rest, and of movement between rests, frames.
const REST_FRAMES: usize = 8;
const LEAST_FRAMES: usize = 12;
/// Frames of the adjoining rests that are included in a movement.
const MARGIN: usize = 5;
/// Maximum extent of a repetition before and after the detected action, frames.
const BEFORE: usize = 24;
const BEHIND: usize = 36;
/// Maximum length of a window of anything but a gait, frames: eight seconds.
const LONGEST: usize = 240;
/// Minimum number of landings in a gait, which makes two steps.
const FEWEST_LANDINGS: usize = 3;
/// Maximum length of a movement around an action, frames, in addition to three times the length of
/// the action itself.
const USUAL: usize = 90;
/// Shorter travel is ignored, metres.
const SOME_WAY_M: f32 = 0.5;

/// Why a take has no windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NoWindow {
    /// No caption names a known action.
    NothingKnown,
    /// The caption names several actions, and none of them was detected in the movement.
    Several,
    /// The movement does not show the captioned action.
    NotSeen,
    /// The movement is too short, or the body is never upright before and after it.
    NothingWhole,
}

/// The windows of a take.
pub(crate) fn windows(
    clip: &Clip,
    captions: &[String],
    senses: &mut Senses,
) -> Result<Vec<Window>, NoWindow> {
    let said: Vec<Sense> = senses.of(captions);
    if said.is_empty() {
        return Err(NoWindow::NothingKnown);
    }
    let watched = Watched::new(clip);
    let mut refusal = NoWindow::NothingWhole;
    let mut windows: Vec<Window> = Vec::new();
    for sense in &said {
        match watched.windows(sense, said.len() == 1) {
            Ok(found) => windows.extend(found),
            Err(why) => refusal = why,
        }
    }
    windows.sort_by_key(|window| (window.frames.start, window.frames.end));
    if windows.is_empty() { Err(refusal) } else { Ok(windows) }
}

/// A take with its measurements.
struct Watched<'a> {
    clip: &'a Clip,
    body: Body,
    /// Speed of the fastest body part in each frame, m/s.
    speeds: Vec<f32>,
    /// The frames between rests.
    active: Vec<Range<usize>>,
}

impl<'a> Watched<'a> {
    fn new(clip: &'a Clip) -> Self {
        let speeds = speeds(clip);
        let active = active(&speeds);
        Self { clip, body: Body::of(clip), speeds, active }
    }

    fn windows(&self, sense: &Sense, is_alone: bool) -> Result<Vec<Window>, NoWindow> {
        let expected = Captions::built_in().read(&sense.said);
        let step = expected.as_ref().and_then(|expected| expected.see.first());
        let sightings = step.map(|step| step.deed.sightings(&self.body));
        if let ActionKind::Gait(_) = sense.way {
            let sightings = sightings.filter(|seen| !seen.is_empty()).ok_or(NoWindow::NotSeen)?;
            return self.on_foot(sense, &sightings);
        }
        match sightings {
            Some(seen) if seen.is_empty() => Err(NoWindow::NotSeen),
            Some(seen) => self.seen(sense, seen),
            None if is_alone => self.between_rests(sense),
            None => Err(NoWindow::Several),
        }
    }

    /// The longest stretch of locomotion on foot.
    fn on_foot(&self, sense: &Sense, sightings: &[Sighting]) -> Result<Vec<Window>, NoWindow> {
        let whole = sightings.iter().max_by_key(|sighting| sighting.frames.len());
        let frames = whole.map(|sighting| sighting.frames.clone()).unwrap_or_default();
        let landings = landings(self.clip, &frames);
        let (Some(first), Some(last)) = (landings.first(), landings.last()) else {
            return Err(NoWindow::NothingWhole);
        };
        if landings.len() < FEWEST_LANDINGS {
            return Err(NoWindow::NothingWhole);
        }
        let mut window = self.window(sense, first.0..last.0 + 1, None);
        window.stances = [Stance::Moving; 2];
        window.landings = landings;
        Ok(vec![window])
    }

    /// Windows from rest to rest around the detected actions, and around each repetition.
    fn seen(&self, sense: &Sense, sightings: Vec<Sighting>) -> Result<Vec<Window>, NoWindow> {
        let sightings = merged(sightings);
        let mut windows = Vec::new();
        for active in self.active_with(&sightings) {
            let inside = |sighting: &&Sighting| {
                active.start <= sighting.frames.start && sighting.frames.end <= active.end
            };
            let inside: Vec<&Sighting> = sightings.iter().filter(inside).collect();
            let Some(first) = inside.first() else { continue };
            let covered: usize = inside.iter().map(|sighting| sighting.frames.len()).sum();
            // a longer stretch between two rests contains other actions as well
            if active.len() > LONGEST || active.len() > 3 * covered + USUAL {
                continue;
            }
            let side = inside.iter().all(|other| other.side == first.side).then_some(first.side);
            windows.push(Window {
                count: inside.len(),
                key: Some(self.fastest(&first.frames)),
                ..self.window(sense, active, side.flatten())
            });
        }
        if !is_done_in_bouts(sense.way) {
            windows.extend(self.repetitions(sense, &sightings, &windows));
        }
        self.upright(windows)
    }

    /// The stretches between rests; a rest within a detected action is ignored, such as holding a
    /// cup to the mouth.
    fn active_with(&self, sightings: &[Sighting]) -> Vec<Range<usize>> {
        let mut active = self.active.clone();
        for sighting in sightings {
            let near = sighting.frames.start.saturating_sub(MARGIN)..sighting.frames.end + MARGIN;
            let (mut touched, apart): (Vec<_>, Vec<_>) = active
                .into_iter()
                .partition(|range| range.start < near.end && near.start < range.end);
            touched.push(sighting.frames.clone());
            let from = touched.iter().map(|range| range.start).min().unwrap_or_default();
            let to = touched.iter().map(|range| range.end).max().unwrap_or_default();
            active = apart;
            active.push(from..to);
        }
        active.sort_by_key(|range| range.start);
        active
    }

    /// A window around each repetition that does not have its own yet.
    fn repetitions(&self, sense: &Sense, sightings: &[Sighting], whole: &[Window]) -> Vec<Window> {
        let mut windows = Vec::new();
        for (place, sighting) in sightings.iter().enumerate() {
            let has_own = |window: &Window| {
                window.count == 1 && window.frames.contains(&sighting.frames.start)
            };
            if whole.iter().any(has_own) {
                continue;
            }
            let before = place.checked_sub(1).map(|before| sightings[before].frames.end);
            let after = sightings.get(place + 1).map(|after| after.frames.start);
            let from = self.calmest(before, sighting.frames.start, BEFORE);
            let to = self.calmest_behind(sighting.frames.end, after, BEHIND);
            if (LEAST_FRAMES..=LONGEST).contains(&to.saturating_sub(from)) {
                windows.push(Window {
                    key: Some(self.fastest(&sighting.frames)),
                    ..self.window(sense, from..to, sighting.side)
                });
            }
        }
        windows
    }

    /// The stretches between rests, for actions without a detector.
    fn between_rests(&self, sense: &Sense) -> Result<Vec<Window>, NoWindow> {
        let frames = self.active.iter().filter(|frames| frames.len() <= LONGEST).cloned();
        let windows = frames
            .map(|frames| Window { seen: Seen::NotMeasured, ..self.window(sense, frames, None) });
        self.upright(windows.collect())
    }

    fn upright(&self, mut windows: Vec<Window>) -> Result<Vec<Window>, NoWindow> {
        windows.retain(|window| !window.stances.contains(&Stance::Elsewhere));
        if windows.is_empty() { Err(NoWindow::NothingWhole) } else { Ok(windows) }
    }

    fn window(&self, sense: &Sense, frames: Range<usize>, seen: Option<Side>) -> Window {
        let poses = &self.clip.frames()[frames.clone()];
        let (first, last) = (&poses[0], &poses[poses.len() - 1]);
        let way = last.hips_translation - first.hips_translation;
        let way_m = hypot(way.x, way.z);
        let faces = facing(first);
        let heading = wrapped(atan2(way.x, way.z) - faces).to_degrees();
        let headings = self.body.headings();
        let turned = headings[frames.end - 1] - headings[frames.start];
        let metrics = measure(&cut(self.clip, frames.clone()));
        Window {
            action: sense.action.clone(),
            side: sense.side.or(seen),
            heading_deg: (way_m > SOME_WAY_M).then_some(heading),
            turned_deg: turned.to_degrees(),
            way_m,
            stances: [self.stance(frames.start), self.stance(frames.end - 1)],
            count: 1,
            key: None,
            landings: Vec::new(),
            manners: sense.manners.clone(),
            tempo: sense.tempo,
            seen: Seen::Seen,
            quality: Quality { skate_cm_s: metrics.foot_skate_cm_s, jerk_m_s3: metrics.jerk_m_s3 },
            frames,
        }
    }

    fn stance(&self, frame: usize) -> Stance {
        let pose = &self.clip.frames()[frame];
        let rest = canonical_skeleton().rest_pose().hips_translation.y;
        let up = pose.rotations[0] * glam::Vec3::Y;
        let track = self.clip.contacts();
        let stands =
            track.is_none_or(|track| Side::BOTH.into_iter().any(|side| track[frame].foot(side)));
        if pose.hips_translation.y < 0.75 * rest || up.y < 0.8 || !stands {
            return Stance::Elsewhere;
        }
        if self.speeds[frame] < 2.0 * REST_M_S { Stance::Rest } else { Stance::Moving }
    }

    /// A frame to cut at before `until`, at most `reach` frames earlier and not before `before`: if
    /// the body is at rest there, [`MARGIN`] frames before the rest ends, otherwise the slowest
    /// frame.
    fn calmest(&self, before: Option<usize>, until: usize, reach: usize) -> usize {
        let from = before.unwrap_or(0).max(until.saturating_sub(reach)).min(until);
        let at_rest = (from..until).rev().find(|frame| self.speeds[*frame] < REST_M_S);
        let least = |frame: &usize| self.speeds[*frame];
        let calmest = (from..=until).min_by(|a, b| least(a).total_cmp(&least(b)));
        at_rest.map(|frame| frame.saturating_sub(MARGIN).max(from)).or(calmest).unwrap_or(until)
    }

    fn calmest_behind(&self, from: usize, after: Option<usize>, reach: usize) -> usize {
        let last = self.clip.len();
        let until = after.unwrap_or(last).min(from + reach).min(last).max(from);
        let at_rest = (from..until).find(|frame| self.speeds[*frame] < REST_M_S);
        let least = |frame: &usize| self.speeds[*frame];
        let calmest = (from..until).min_by(|a, b| least(a).total_cmp(&least(b)));
        at_rest.map(|frame| (frame + MARGIN).min(until)).or(calmest).unwrap_or(from).max(1)
    }

    fn fastest(&self, frames: &Range<usize>) -> usize {
        let speed = |frame: &usize| self.speeds[*frame];
        frames.clone().max_by(|a, b| speed(a).total_cmp(&speed(b))).unwrap_or(frames.start)
    }
}

/// Whether an action normally comes in bouts, so that a single repetition is not performed on its
/// own.
pub(crate) const fn is_done_in_bouts(way: ActionKind) -> bool {
    matches!(
        way,
        ActionKind::Wave
            | ActionKind::Clap
            | ActionKind::Nod
            | ActionKind::ShakeHead
            | ActionKind::Dance
    )
}

/// Merges sightings that share frames.
fn merged(sightings: Vec<Sighting>) -> Vec<Sighting> {
    let mut merged: Vec<Sighting> = Vec::new();
    for sighting in sightings {
        match merged.last_mut() {
            Some(last) if sighting.frames.start < last.frames.end => {
                last.frames.end = last.frames.end.max(sighting.frames.end);
                if last.side != sighting.side {
                    last.side = None;
                }
            }
            _ => merged.push(sighting),
        }
    }
    merged
}

/// The body parts whose speed tells whether a body is at rest.
const TELLING: [HumanBone; 7] = [
    HumanBone::Hips,
    HumanBone::Head,
    HumanBone::LeftHand,
    HumanBone::RightHand,
    HumanBone::LeftFoot,
    HumanBone::RightFoot,
    HumanBone::UpperChest,
];

/// Speed of the fastest body part in each frame, averaged over a sixth of a second, m/s.
fn speeds(clip: &Clip) -> Vec<f32> {
    const HALF: usize = 2;
    let skeleton = clip.skeleton();
    let joints: Vec<usize> = TELLING
        .into_iter()
        .filter_map(|bone| skeleton.find(bone))
        .map(|joint| joint.get())
        .collect();
    let places = clip.world_positions();
    let fps = clip.fps().per_second();
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(HALF), (frame + HALF).min(places.len() - 1));
        let time_s = (to - from).max(1) as f32 / fps;
        let of = |joint: &usize| places[from][*joint].distance(places[to][*joint]) / time_s;
        joints.iter().map(of).fold(0.0, f32::max)
    };
    (0..places.len()).map(speed).collect()
}

/// The stretches between rests, with some frames of the rests.
fn active(speeds: &[f32]) -> Vec<Range<usize>> {
    let mut moves: Vec<bool> = speeds.iter().map(|speed| *speed >= REST_M_S).collect();
    // ignore short pauses
    let mut from = 0;
    while from < moves.len() {
        let length = moves[from..].iter().take_while(|other| **other == moves[from]).count();
        let inside = from > 0 && from + length < moves.len();
        if !moves[from] && length < REST_FRAMES && inside {
            moves[from..from + length].fill(true);
        }
        from += length;
    }
    let mut active = Vec::new();
    let mut from = 0;
    for frame in 0..=moves.len() {
        if frame < moves.len() && moves[frame] {
            continue;
        }
        if frame - from >= LEAST_FRAMES {
            active.push(from.saturating_sub(MARGIN)..(frame + MARGIN).min(moves.len()));
        }
        from = frame + 1;
    }
    active
}

/// The angle wrapped to within half a turn, radians.
pub(crate) fn wrapped(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

/// The number of windows of each action, by name.
pub(crate) fn count_by_action<'a>(
    windows: impl Iterator<Item = &'a Window>,
) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for window in windows {
        *counts.entry(window.action.clone()).or_default() += 1;
    }
    counts
}
