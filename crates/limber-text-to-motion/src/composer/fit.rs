//! Handles acts that take longer than the requested time.
//!
//! They are composed as hurried as is still correct, and the result is sped up as far as looks
//! human. If that is not enough, only the beginning is kept, up to the first key pose.

use std::sync::Arc;

use limber_animation::{Clip, Contacts, Pose, Seconds};
use limber_script::Message;

use super::{
    Composer, Performed, SHORTEST_S, TRIES, check,
    frames::{LONGEST_S, frame_count},
    performance::start_over_the_origin,
    schedule, sides,
    style::VariationParams,
};
use crate::{Cancel, EngineError, MotionScript, OnlyBeginning, Seed};

/// Maximum speed-up of hurried motion before it looks unnatural.
const FASTER: f32 = 1.5;
/// Speeds at which a beginning is tried. What would snap when sped up may not at its original
/// speed.
const SPEEDS: [f32; 3] = [FASTER, 1.25, 1.0];
/// Factors by which acts are composed longer than their minimum time, tried in turn if they snap.
const LONGER: [f32; 3] = [1.0, 1.3, 1.7];
/// Displacement of a joint below which nothing has started, metres.
const STILL_M: f32 = 0.02;

/// A replacement for acts that do not fit.
struct Fallback {
    script: MotionScript,
    length_s: Seconds,
    /// Whether it contains all acts.
    is_all: bool,
}

/// Composes the acts in exactly this time, and returns what there was no time for.
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
    for fallback in fallbacks(script, wanted_s, seed) {
        let length_s = Some(fallback.length_s);
        let clip = match Composer.compose(&fallback.script, length_s, seed, cancel, progress) {
            Ok(clip) => clip,
            Err(EngineError::Failed(_)) => continue,
            Err(other) => return Err(other),
        };
        let Some((clip, is_whole)) = fitted(&clip, wanted_s) else { continue };
        let whole_s = least_s(script, seed).max(fallback.length_s);
        let only = OnlyBeginning { wanted_s, whole_s };
        // after speeding up, steps are no longer located
        let performed = Performed { clip, steps: Vec::new() };
        return Ok((performed, (!is_whole || !fallback.is_all).then_some(only)));
    }
    // the first error is the one about the requested time
    Err(fault)
}

/// What there would be no time for, without composing it.
pub(super) fn only_beginning(
    script: &MotionScript,
    wanted_s: Seconds,
    seed: Seed,
) -> Option<OnlyBeginning> {
    let whole_s = least_s(script, seed);
    (whole_s > FASTER * wanted_s).then_some(OnlyBeginning { wanted_s, whole_s })
}

/// Checks that a clip can hold everything. Prompts are short, but a script may ask for hours.
///
/// The answer does not depend on the seed, so that a check in advance is reliable.
pub(super) fn within_a_clip(script: &MotionScript) -> Result<(), EngineError> {
    let whole_s = schedule::usual_s(script, &VariationParams::of(Seed(0)));
    // also false for NaN
    if whole_s <= LONGEST_S {
        return Ok(());
    }
    let (whole_s, most_s) = (whole_s.round() as u32, LONGEST_S as u32);
    Err(EngineError::Failed(Message::TooLong { whole_s, most_s }))
}

/// Replacements with more time, increasingly slow; last, only the first step, once and with its
/// usual distance.
fn fallbacks(script: &MotionScript, wanted_s: Seconds, seed: Seed) -> Vec<Fallback> {
    let first = first_step(script);
    let enough_s = |script: &MotionScript| least_s(script, seed).max(wanted_s);
    let longer = LONGER.map(|more| Fallback {
        script: script.clone(),
        length_s: more * enough_s(script),
        is_all: true,
    });
    let length_s = LONGER[1] * enough_s(&first);
    longer.into_iter().chain([Fallback { script: first, length_s, is_all: false }]).collect()
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

/// A time that is sufficient for all variations that may be tried.
fn least_s(script: &MotionScript, seed: Seed) -> Seconds {
    let each = (1..=TRIES).map(|number| {
        let variation = VariationParams::of(seed.for_try(number));
        let (script, _) = sides::right_handed(script, variation.other_side);
        schedule::least_s(&script, &variation)
    });
    each.fold(SHORTEST_S, f32::max) + 0.01
}

/// The clip in this time, and whether that includes all of it. `None` if it snaps at every speed.
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

/// The last frame before anything moves.
fn beginning(clip: &Clip) -> f32 {
    let places = clip.world_positions();
    let moves = places.iter().position(|frame| {
        frame.iter().zip(&places[0]).any(|(at, first)| at.distance(*first) > STILL_M)
    });
    moves.unwrap_or(0).saturating_sub(1) as f32
}

/// As many frames as the time needs, from a position on, at another speed. `None` if that snaps.
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
    // between two frames, a foot is in contact if it is in both
    let both = |place: &f32| {
        let (before, after) = (place.floor() as usize, (place.ceil() as usize).min(last));
        Contacts::from_bits(track[before].bits() & track[after].bits())
    };
    played.with_contacts(places.iter().map(both).collect()).ok()
}
