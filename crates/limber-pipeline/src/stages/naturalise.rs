//! S1, second half: the engine's clip is made more like a person's, and stays so only where it obeys and
//! stands as well as before.

use std::sync::LazyLock;

use limber_animation::Clip;
use limber_cleanup::measure;
use limber_formats::canonical::Naturalised;
use limber_judge::{Body, Shared, snap};
use limber_naturalise::{Constraints, Model, NaturaliseError, Naturaliser, Strength, Texture};
use limber_text_to_motion::{Cancel, Seed};

use super::generate::believable;
use crate::{ErrorCode, PipelineError, Stage, loop_gap::gap_deg};

/// A clip whose last pose is this near to its first goes round, degrees of the worst joint.
const CLOSED_DEG: f32 = 3.0;
/// What feet may do whatever they did before: mean speed while they stand, and depth.
const SKATE_CM_S: f32 = 0.5;
const DEPTH_MM: f32 = 5.0;

/// So many other people do the same, to tell what was asked for from what is chance.
const OTHERS: u32 = 3;

/// What training made, read once.
static NATURALISER: LazyLock<Naturaliser> = LazyLock::new(|| {
    let residual = include_bytes!("../../../../assets/prior/residual.safetensors");
    let texture = include_bytes!("../../../../assets/prior/texture.safetensors");
    let read = Model::from_bytes(residual)
        .and_then(|model| Ok(Naturaliser::new(model, Texture::from_bytes(texture)?)));
    // the same bytes are read by tests
    read.unwrap_or_else(|error| panic!("assets/prior: {error}"))
});

/// The better of the clip and what it becomes, and what was done; nothing is at no strength. `again` makes
/// the request with another seed.
///
/// 501: it cannot be done to this clip.
pub(crate) fn naturalise(
    clip: Clip,
    strength: Strength,
    seed: Seed,
    said: &str,
    cancel: &Cancel,
    again: &mut dyn FnMut(Seed) -> Option<Clip>,
) -> Result<(Clip, Option<Naturalised>), PipelineError> {
    if strength == Strength::NONE {
        return Ok((clip, None));
    }
    let cancelled = || cancel.is_cancelled();
    let constraints = Constraints {
        closes: gap_deg(&clip) <= CLOSED_DEG,
        cancelled: Some(&cancelled),
        ..Constraints::default()
    };
    let moved = NATURALISER.naturalise(&clip, strength, seed.0, &constraints);
    let moved = moved.map_err(|error| match error {
        NaturaliseError::Cancelled => PipelineError::Cancelled,
        other => PipelineError::at(Stage::Generate, ErrorCode::GENERATE, other.to_string()),
    })?;
    let others = (2..2 + OTHERS).filter_map(|other| again(seed.for_variant(other)));
    let mut bodies: Vec<Body> = others.map(|other| Body::of(&other)).collect();
    if cancelled() {
        return Err(PipelineError::Cancelled);
    }
    bodies.push(Body::of(&clip));
    let kept_plain = better(&clip, &moved, &Shared::of(&bodies, said)).err();
    let chosen = if kept_plain.is_none() { moved } else { clip };
    let asked_percent = (100.0 * strength.get()).round() as u8;
    Ok((chosen, Some(Naturalised { asked_percent, kept_plain })))
}

/// Whether `moved` may take the place of `plain`: it shows what was asked for, its feet stand as well, and
/// no joint snaps. Else a sentence.
fn better(plain: &Clip, moved: &Clip, asked: &Shared) -> Result<(), String> {
    believable(moved)?;
    let [was, is] = [plain, moved].map(measure);
    if is.foot_skate_cm_s > was.foot_skate_cm_s.max(SKATE_CM_S) {
        return Err(format!("feet would slide at {:.2} cm/s", is.foot_skate_cm_s));
    }
    if is.penetration_mm > was.penetration_mm.max(DEPTH_MM) {
        return Err(format!("feet would sink {:.1} mm deep", is.penetration_mm));
    }
    let [was, is] = [plain, moved].map(Body::of);
    if let Some(snapping) = snap(&is)
        && snap(&was).is_none()
    {
        return Err(snapping);
    }
    asked.is_kept(&was, &is)
}

#[cfg(test)]
mod tests {
    use limber_judge::spoil;
    use limber_text_to_motion::{ClipEnds, Composer, MotionEngine, MotionRequest, Prompt};

    use super::*;

    fn clip(prompt: &str, seed: Seed) -> Clip {
        let prompt = Prompt::parse(prompt).expect("it is a prompt");
        let request =
            MotionRequest { prompt, script: None, ends: ClipEnds::default(), duration_s: None };
        let made = Composer.generate(&request, seed, &Cancel::default(), &mut |_| {});
        made.expect("it works").clip
    }

    fn asked(prompt: &str) -> Shared {
        let bodies: Vec<Body> = (1..=4).map(|seed| Body::of(&clip(prompt, Seed(seed)))).collect();
        Shared::of(&bodies, prompt)
    }

    #[test]
    fn what_obeys_less_or_slides_does_not_take_the_place() {
        let prompt = "a person kicks with the left leg";
        let (kick, asked_for) = (clip(prompt, Seed(1)), asked(prompt));
        assert_eq!(better(&kick, &kick, &asked_for), Ok(()));
        for (name, spoilt) in [
            ("mirrored", spoil::mirrored(&kick)),
            ("frozen", spoil::frozen(&kick)),
            ("turned about", spoil::turned_about(&kick)),
            ("somebody else's", clip("a person kicks with the right leg", Seed(1))),
            ("twice", clip("a person kicks twice with the left leg", Seed(1))),
        ] {
            assert!(better(&kick, &spoilt, &asked_for).is_err(), "{name}");
        }
        let prompt = "a person stands still";
        let stand = clip(prompt, Seed(1));
        let mut sliding = stand.clone();
        for (frame, pose) in sliding.frames_mut().iter_mut().enumerate() {
            pose.hips_translation.x += 0.001 * frame as f32;
        }
        let refused = better(&stand, &sliding, &asked(prompt)).expect_err("3 cm/s");
        assert!(refused.contains("slide"), "{refused}");
    }

    #[test]
    fn once_asked_to_stop_it_stops() {
        let cancel = Cancel::default();
        cancel.cancel();
        let clip = clip("a person waves", Seed(1));
        let stopped = naturalise(clip, Strength::FULL, Seed(1), "wave", &cancel, &mut |_| None);
        assert_eq!(stopped, Err(PipelineError::Cancelled));
    }
}
