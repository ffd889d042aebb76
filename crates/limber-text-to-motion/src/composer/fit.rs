//! Fitting: what becomes of acts that take longer than there is time for.
//!
//! They are made as hurriedly as is still right, and all of it is played faster, as far as people can. Where
//! that is not enough, the beginning is kept, on the way to the first key pose.

use std::sync::Arc;

use limber_animation::{Clip, Contacts, Pose, Seconds};
use limber_script::Message;

use super::{
    Composer, Performed, SHORTEST_S, TRIES, check,
    frames::{LONGEST_S, frame_count},
    performance::start_over_the_origin,
    schedule, sides,
    style::Taste,
};
use crate::{Cancel, EngineError, MotionScript, OnlyBeginning, Seed};

/// What is hurried already can be played faster by this much before it looks wound up.
const FASTER: f32 = 1.5;
/// The speeds at which a beginning is tried. What would snap when it is played faster does not as it was
/// made.
const SPEEDS: [f32; 3] = [FASTER, 1.25, 1.0];
/// How much longer than the least time acts are made, one after the other, where they snap.
const LONGER: [f32; 3] = [1.0, 1.3, 1.7];
/// Until a joint has moved this far nothing has begun, metres.
const STILL_M: f32 = 0.02;

/// What is made instead of acts that do not fit.
struct Instead {
    script: MotionScript,
    length_s: Seconds,
    /// Whether it holds every act.
    is_all: bool,
}

/// The acts in exactly this time, and what there was no time for.
pub(super) fn performed(
    script: &MotionScript,
    wanted_s: Seconds,
    seed: Seed,
    cancel: &Cancel,
    progress: &mut dyn FnMut(f32),
) -> Result<(Performed, Option<OnlyBeginning>), EngineError> {
    // also false for NaN
    let is_time = wanted_s > 0.0 && wanted_s <= LONGEST_S;
    let fault = match Composer.performed(script, Some(wanted_s), seed, cancel, progress) {
        Err(fault @ EngineError::Failed(_)) if is_time => fault,
        other => return other.map(|performed| (performed, None)),
    };
    for instead in instead(script, wanted_s, seed) {
        let length_s = Some(instead.length_s);
        let clip = match Composer.compose(&instead.script, length_s, seed, cancel, progress) {
            Ok(clip) => clip,
            Err(EngineError::Failed(_)) => continue,
            Err(other) => return Err(other),
        };
        let Some((clip, is_whole)) = fitted(&clip, wanted_s) else { continue };
        let whole_s = least_s(script, seed).max(instead.length_s);
        let only = OnlyBeginning { wanted_s, whole_s };
        // what is hurried like this is not told by steps any more
        let performed = Performed { clip, steps: Vec::new() };
        return Ok((performed, (!is_whole || !instead.is_all).then_some(only)));
    }
    // the first answer is the one that speaks of the time that was asked for
    Err(fault)
}

/// What there will be no time for, without making it.
pub(super) fn only_beginning(
    script: &MotionScript,
    wanted_s: Seconds,
    seed: Seed,
) -> Option<OnlyBeginning> {
    let whole_s = least_s(script, seed);
    (whole_s > FASTER * wanted_s).then_some(OnlyBeginning { wanted_s, whole_s })
}

/// Whether a clip can hold all of it. Prompts are short; a script may ask for hours.
///
/// The answer is the same for every seed, so that who asks beforehand is not surprised.
pub(super) fn within_a_clip(script: &MotionScript) -> Result<(), EngineError> {
    let whole_s = schedule::usual_s(script, &Taste::of(Seed(0)));
    // not for NaN either
    if whole_s <= LONGEST_S {
        return Ok(());
    }
    let (whole_s, most_s) = (whole_s.round() as u32, LONGEST_S as u32);
    Err(EngineError::Failed(Message::TooLong { whole_s, most_s }))
}

/// The same with more time, ever calmer; at last the first step alone, once and no further than usual.
fn instead(script: &MotionScript, wanted_s: Seconds, seed: Seed) -> Vec<Instead> {
    let first = first_step(script);
    let enough_s = |script: &MotionScript| least_s(script, seed).max(wanted_s);
    let longer = LONGER.map(|more| Instead {
        script: script.clone(),
        length_s: more * enough_s(script),
        is_all: true,
    });
    let length_s = LONGER[1] * enough_s(&first);
    longer.into_iter().chain([Instead { script: first, length_s, is_all: false }]).collect()
}

fn first_step(script: &MotionScript) -> MotionScript {
    let mut steps: Vec<_> = script.steps.iter().take(1).cloned().collect();
    for step in &mut steps {
        for act in std::iter::once(&mut step.main).chain(&mut step.overlays) {
            (act.count, act.amount) = (None, None);
        }
    }
    MotionScript { steps }
}

/// In so much time everybody who may be tried can do it.
fn least_s(script: &MotionScript, seed: Seed) -> Seconds {
    let each = (1..=TRIES).map(|number| {
        let taste = Taste::of(seed.for_try(number));
        let (script, _) = sides::right_handed(script, taste.other_side);
        schedule::least_s(&script, &taste)
    });
    each.fold(SHORTEST_S, f32::max) + 0.01
}

/// The clip in this time, and whether all of it is in there. `None` where it snaps however it is played.
fn fitted(clip: &Clip, wanted_s: Seconds) -> Option<(Clip, bool)> {
    let last = (clip.len() - 1) as f32;
    let steps = (frame_count(wanted_s) - 1) as f32;
    let whole = last / steps.max(1e-3);
    if whole <= FASTER
        && let Some(clip) = played(clip, 0.0, whole, wanted_s)
    {
        return Some((clip, true));
    }
    let begins = beginning(clip);
    let begun = SPEEDS.iter().find_map(|speed| {
        let from = begins.min(last - speed * steps).max(0.0);
        played(clip, from, *speed, wanted_s)
    });
    begun.map(|clip| (clip, false))
}

/// The frame before the first in which something moves.
fn beginning(clip: &Clip) -> f32 {
    let places = clip.world_positions();
    let moves = places.iter().position(|frame| {
        frame.iter().zip(&places[0]).any(|(at, first)| at.distance(*first) > STILL_M)
    });
    moves.unwrap_or(0).saturating_sub(1) as f32
}

/// As many frames as the time has, from a place on, at another speed. `None` where that snaps.
fn played(clip: &Clip, from: f32, speed: f32, wanted_s: Seconds) -> Option<Clip> {
    let last = clip.len() - 1;
    let place = |frame: usize| (from + speed * frame as f32).min(last as f32);
    let places: Vec<f32> = (0..frame_count(wanted_s)).map(place).collect();
    let fps = clip.fps().per_second();
    let mut poses: Vec<Pose> = places.iter().map(|place| clip.sample(place / fps)).collect();
    start_over_the_origin(&mut poses);
    if check::fault(&poses, wanted_s).is_some() {
        return None;
    }
    let played = Clip::new(Arc::clone(clip.skeleton()), clip.fps(), poses).ok()?;
    let Some(track) = clip.contacts() else { return Some(played) };
    // between two frames a foot stands where it does in both
    let both = |place: &f32| {
        let (before, after) = (place.floor() as usize, (place.ceil() as usize).min(last));
        Contacts::from_bits(track[before].bits() & track[after].bits())
    };
    played.with_contacts(places.iter().map(both).collect()).ok()
}
