//! Clips that are made more like a person's on the road.

use limber_animation::Clip;
use limber_cleanup::measure;
use limber_judge::{Body, prompt_set};
use limber_pipeline::{
    CanonicalClip, FileKind, Naturalised, Options, Request, Strength, canonical_from_bytes,
    canonical_to_bytes, derive,
    edits::{Trim, rerun},
    loop_gap_deg, make,
};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

use crate::mannequin;

const PROMPTS: [&str; 8] = [
    "a person walks forward",
    "a person runs forward",
    "a person jumps three times",
    "a person kicks twice with the right foot",
    "a person sits down",
    "a person nods twice",
    "a person waves with the left hand",
    "walk backward slowly, then sit down",
];

fn request(prompt: &str, naturalising: Strength) -> Request {
    let prompt = Prompt::parse(prompt).expect("it is a prompt");
    Request { naturalising, ..Request::new(prompt, Seed(5)) }
}

fn made(prompt: &str, naturalising: Strength) -> CanonicalClip {
    make(&request(prompt, naturalising), &Composer, &Cancel::default(), &mut |_| {})
        .expect("it works")
}

fn bytes(clip: &CanonicalClip) -> Vec<u8> {
    canonical_to_bytes(clip).expect("it can be kept")
}

/// Whether it is not the engine's own.
fn is_moved(clip: &CanonicalClip) -> bool {
    clip.meta.naturalised.as_ref().is_some_and(|done| done.kept_plain.is_none())
}

#[test]
fn nothing_is_done_unless_it_is_wanted() {
    assert_eq!(Request::NATURALISING, Strength::NONE);
    let prompt = Prompt::parse(PROMPTS[0]).expect("it is a prompt");
    let usual = make(&Request::new(prompt, Seed(5)), &Composer, &Cancel::default(), &mut |_| {})
        .expect("it works");
    assert_eq!(usual.meta.naturalised, None);
    assert_eq!(bytes(&usual), bytes(&made(PROMPTS[0], Strength::NONE)));
}

#[test]
fn clips_change_obey_as_before_and_are_the_same_every_time() {
    let mut moved = 0;
    for prompt in PROMPTS {
        let (plain, clip) = (made(prompt, Strength::NONE), made(prompt, Strength::FULL));
        assert_eq!(bytes(&clip), bytes(&made(prompt, Strength::FULL)), "{prompt}");
        let (was, is) = (Body::of(&plain.clip), Body::of(&clip.clip));
        let expected = prompt_set().all().find(|expected| expected.say == prompt);
        let expected = expected.expect("the prompt is in the set");
        let (was, is) = (expected.judge(&was).is_obeyed(), expected.judge(&is).is_obeyed());
        assert!(is || !was, "{prompt}");
        let skate = measure(&clip.clip).foot_skate_cm_s;
        assert!(skate <= measure(&plain.clip).foot_skate_cm_s.max(0.5), "{prompt}: {skate} cm/s");
        assert_eq!(is_moved(&clip), clip.clip != plain.clip, "{prompt}");
        assert_eq!(clip.clip.contacts(), plain.clip.contacts(), "{prompt}");
        moved += usize::from(is_moved(&clip));
    }
    assert!(moved >= 6, "{moved} of {} clips were moved", PROMPTS.len());
}

#[test]
fn half_of_it_lies_between_and_other_seeds_draw_other_textures() {
    let far = |a: &Clip, b: &Clip| -> f32 {
        let places = a.world_positions().into_iter().zip(b.world_positions());
        let apart = places.flat_map(|(a, b)| {
            a.into_iter().zip(b).map(|(a, b)| a.distance(b)).collect::<Vec<_>>()
        });
        apart.sum::<f32>() / a.len() as f32
    };
    let half = Strength::new(0.5).expect("between none and all");
    let [none, half, full] =
        [Strength::NONE, half, Strength::FULL].map(|strength| made(PROMPTS[0], strength));
    assert!(is_moved(&half) && is_moved(&full));
    let (to_half, to_full) = (far(&none.clip, &half.clip), far(&none.clip, &full.clip));
    assert!((0.3..0.7).contains(&(to_half / to_full)), "{to_half} of {to_full}");
    assert_eq!(half.meta.naturalised, Some(Naturalised { asked_percent: 50, kept_plain: None }));
}

#[test]
fn metrics_say_what_was_chosen_from_kept_clips_too() {
    let kept = bytes(&made(PROMPTS[6], Strength::FULL));
    let kept = canonical_from_bytes(&kept).expect("it reads");
    assert!(is_moved(&kept), "{:?}", kept.meta.naturalised);
    let options = Options { formats: vec![FileKind::Bvh], ..Options::default() };
    let output = derive(&kept, mannequin(), 1, &options, &Cancel::default(), &mut |_| {});
    let output = output.expect("it works");
    let metrics = output.files.iter().find(|file| file.kind == FileKind::Metrics);
    let metrics: serde_json::Value =
        serde_json::from_slice(&metrics.expect("there are metrics").bytes).expect("it is JSON");
    assert_eq!(metrics["naturalised"], serde_json::json!({ "askedPercent": 100 }));
    assert!(output.metrics.foot_skate_cm_s <= 1.0, "{}", output.metrics.foot_skate_cm_s);
    assert!(output.metrics.penetration_mm <= 10.0, "{}", output.metrics.penetration_mm);
}

#[test]
fn in_place_and_whole_cuts_leave_a_kept_clip_as_it_is() {
    let kept = made(PROMPTS[0], Strength::FULL);
    assert!(is_moved(&kept));
    assert_eq!(rerun(&kept, Trim::default()), Ok(kept.clone()));
    let cut = rerun(&kept, Trim { left: 10, right: 5 }).expect("it can be cut");
    assert_eq!(cut.clip.frames(), &kept.clip.frames()[10..kept.clip.len() - 5]);
    assert_eq!(cut.meta.naturalised, kept.meta.naturalised);
    let options = Options { in_place: true, formats: vec![FileKind::Glb], ..Options::default() };
    let output = derive(&kept, mannequin(), 1, &options, &Cancel::default(), &mut |_| {});
    let output = output.expect("it works");
    let hips = output.clip.skeleton().hips().get();
    let places = output.clip.world_positions();
    let away = places[places.len() - 1][hips] - places[0][hips];
    assert!(away.length() < 0.3, "it travels {away}");
}

#[test]
fn a_clip_that_goes_round_still_does() {
    for prompt in PROMPTS {
        let (plain, clip) = (made(prompt, Strength::NONE), made(prompt, Strength::FULL));
        let (was, is) = (loop_gap_deg(&plain), loop_gap_deg(&clip));
        assert!(was > 3.0 || is < was + 1.0, "{prompt}: {was}° became {is}°");
    }
}
