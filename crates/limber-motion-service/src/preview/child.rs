//! The child process: receives its order, rebuilds the clip without exporting files, and renders
//! it.

use std::{
    io::{self, Write},
    num::NonZero,
    thread,
};

use limber_pipeline::{Cancel, PipelineError, picture::moving_picture};
use limber_system::limits;

use super::{ChildMessage, LONGEST, PreviewOrder};
use crate::{
    jobs::JobSpec,
    pipeline::{Pipeline, own_character, stock_character, stored_clip},
    video::end_with_the_parent,
};

/// Renders one preview.
pub(crate) fn draw(order: &PreviewOrder) -> io::Result<()> {
    // several cores may render at once, so this only bounds CPU time; the parent limits elapsed
    // time
    let processors = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    limits::to_drawing(processors * LONGEST.as_secs(), order.memory_mib)?;
    end_with_the_parent();
    let clip = std::fs::read(&order.clip)?;
    let character = order.character.as_ref().map(std::fs::read).transpose()?;
    let told = match drawn(order, &clip, character.as_deref()) {
        Ok((file_name, png)) => {
            std::fs::write(&order.picture, png)?;
            ChildMessage::Drawn { file_name }
        }
        Err(why) => ChildMessage::Refused { why },
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &told).map_err(io::Error::other)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Returns the file name and the image, or the reason why there is none.
fn drawn(
    order: &PreviewOrder,
    clip: &[u8],
    character: Option<&[u8]>,
) -> Result<(String, Vec<u8>), String> {
    let said = |error: PipelineError| error.to_string();
    let character = match character {
        Some(glb) => own_character(glb),
        None => stock_character(&order.spec),
    };
    let character = character.map_err(said)?;
    let without_files = JobSpec { formats: Vec::new(), ..order.spec.clone() };
    let clip = stored_clip(clip).map_err(said)?;
    let (variant, cancel) = (order.variant, Cancel::default());
    let output = Pipeline::derive(&without_files, &character, variant, &clip, &cancel, &mut |_| {})
        .map_err(said)?;
    if usize::try_from(order.frames) != Ok(output.clip.len()) {
        // the files come from another version, and clients expect the preview to be as long as they
        // are
        return Err("its files are from an earlier version".to_owned());
    }
    let png = moving_picture(&character, &output.clip).map_err(|error| error.to_string())?;
    Ok((format!("{}.png", output.name), png))
}
