//! The pipeline from a prompt to files, with the real engine and the real stock characters.

mod actions;
mod beside;
mod blender;
mod bodies;
mod corrections;
mod edits;
mod export;
mod face;
mod feet;
mod files;
mod hands;
mod loop_gap;
mod many_edits;
mod pictures;
mod say;
mod short;
mod short_poses;
mod short_sources;
mod stages;
mod unreal;

use limber_animation::Character;
use limber_pipeline::{Options, Output, PipelineError, Progress, Request, run, stock};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

pub(crate) const WALK_AND_WAVE: &str = "a person walks forward, then waves with the right hand";

pub(crate) fn mannequin() -> &'static Character {
    stock::list()[0].character().expect("the stock character reads")
}

pub(crate) fn request(prompt: &str, options: Options) -> Request {
    let prompt = Prompt::parse(prompt).expect("it is a valid prompt");
    Request { duration_s: Some(4.0), options, ..Request::new(prompt, Seed(7)) }
}

pub(crate) fn walked(request: &Request, character: &Character) -> Result<Output, PipelineError> {
    run(request, &Composer, character, &Cancel::default(), &mut |_: Progress| {})
}
