//! Hands that lean on the floor, on bodies with other proportions.

use limber_animation::{Clip, Finger, HumanBone, Phalanx, Side};
use limber_pipeline::stock;
use limber_retarget::{keep_touches, lean_on_floor, retarget};
use limber_text_to_motion::{
    Cancel, ClipEnds, Composer, MotionEngine, MotionRequest, Prompt, Seed,
};

/// Returns the height of a hand's knuckles in a frame, in metres.
fn knuckles_m(clip: &Clip, frame: usize, side: Side) -> f32 {
    let bone = HumanBone::finger(side, Finger::Middle, Phalanx::First);
    let joint = clip.skeleton().find(bone).expect("it has fingers");
    clip.skeleton().world(&clip.frames()[frame]).position(joint).y
}

#[test]
fn crawling_hands_touch_the_floor_on_every_body() {
    for prompt in ["a person crawls", "a person does two push-ups", "a person does a bear crawl"] {
        let request = MotionRequest {
            prompt: Prompt::parse(prompt).expect("it is a valid prompt"),
            script: None,
            duration_s: None,
            ends: ClipEnds::default(),
        };
        let source = Composer
            .generate(&request, Seed(1), &Cancel::default(), &mut |_| {})
            .expect("it is possible")
            .clip;
        for stock in stock::list() {
            let character = stock.character().expect("the stock character reads");
            let carried = retarget(&source, &character.skeleton).expect("it can be retargeted");
            let leaning = lean_on_floor(&source, &keep_touches(&source, &carried, character));
            let mut worst = (0.0_f32, 0);
            for side in Side::BOTH {
                for frame in 0..source.len() {
                    let meant_m = knuckles_m(&source, frame, side);
                    if meant_m < 0.05 {
                        let off_m = (knuckles_m(&leaning, frame, side) - meant_m).abs();
                        worst = if off_m > worst.0 { (off_m, frame) } else { worst };
                    }
                }
            }
            println!(
                "{prompt}, {}: {:.1} cm off in frame {}",
                character.name,
                100.0 * worst.0,
                worst.1
            );
            assert!(worst.0 < 0.03, "{prompt}, {}: {worst:?}", character.name);
        }
    }
}
