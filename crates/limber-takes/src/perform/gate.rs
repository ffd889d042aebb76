//! Checks a clip with a take in it against the rules for the engine's own clips.

use std::ops::Range;

use limber_animation::Clip;
use limber_cleanup::{measure, seam};
use limber_judge::{Body, Captions, snap};
use limber_script::message::TakeRefusal;
use limber_text_to_motion::{Act, impossible_in};

use super::fit::Fitted;
use crate::import::cut;

/// Maximum step over a seam at the ends of the take, as a multiple of the neighbouring steps; the
/// same as for edits.
const JOLT: f32 = 1.2;
/// Maximum sliding speed of standing feet, cm/s.
const SKATE_CM_S: f32 = 0.5;
/// Minimum share of the recording's contact frames that must remain in the clip. Contacts of
/// recordings are detected generously, so that feet count as standing while they still come to
/// rest.
const STANDS: f32 = 0.60;
/// Number of frames on either side of the take that are checked as well.
const BESIDE: usize = 12;

/// Checks a clip with a take in it, compared with the drawn clip.
pub(super) fn check(
    drawn: &Clip,
    hole: &Range<usize>,
    fitted: &Fitted,
    act: &Act,
) -> Result<(), TakeRefusal> {
    let around = |clip: &Clip, frames: &Range<usize>| {
        let from = frames.start.saturating_sub(BESIDE);
        cut(clip, from..(frames.end + BESIDE).min(clip.len()))
    };
    let made = around(&fitted.clip, &fitted.frames);
    let was = around(drawn, hole);
    let body = Body::of(&made);
    let faults_before = impossible_in(&was).len();
    let jolts = [fitted.frames.start, fitted.frames.end];
    let is_smooth = jolts.into_iter().all(|frame| seam(&fitted.clip, frame).ratio <= JOLT);
    let (now, before) = (measure(&made), measure(&was));
    let is_clean = snap(&body).is_none()
        && impossible_in(&made).len() <= faults_before
        && now.foot_skate_cm_s <= SKATE_CM_S.max(before.foot_skate_cm_s)
        && fitted.stands >= STANDS;
    if !is_smooth || !is_clean {
        return Err(TakeRefusal::Unclean);
    }
    // the action must be recognised if it is recognised in the drawn clip
    let phrase = format!("a person {}", act.action.phrase());
    let expected = Captions::built_in().read(&phrase);
    let deed = expected.and_then(|expected| expected.see.first().map(|step| step.deed));
    let is_lost = deed.is_some_and(|deed| {
        deed.sightings(&body).is_empty() && !deed.sightings(&Body::of(&was)).is_empty()
    });
    if is_lost { Err(TakeRefusal::Unlike) } else { Ok(()) }
}
