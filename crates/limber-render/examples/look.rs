//! Renders a GLB file: `cargo run -p limber-render --example look -- FILE.glb OUT.png [SECONDS]`.
//! If the file contains a clip, also writes OUT.sheet.png and OUT.strip.png.

use std::{error::Error, fs, sync::Arc};

use limber_animation::{Clip, Fps};
use limber_render::{PictureSize, contact_sheet, sprite_sheet, thumbnail};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [file, out, rest @ ..] = arguments.as_slice() else {
        return Err("usage: look FILE.glb OUT.png [SECONDS]".into());
    };
    let time_s = rest.first().map_or(Ok(0.0), |text| text.parse())?;
    let read = limber_formats::glb::read(&fs::read(file)?)?;
    let character = Arc::new(read.character);
    let rest_pose = character.skeleton.rest_pose();
    let standing = Clip::new(character.skeleton.clone(), Fps::DEFAULT, vec![rest_pose])?;
    let clip = read.clips.into_iter().next().map_or(standing, |named| named.clip);
    thumbnail(&character, &clip, time_s, PictureSize::new(960, 720))?.save(out)?;
    contact_sheet(&character, &clip, 6, 12, PictureSize::new(220, 260))?
        .save(format!("{out}.sheet.png"))?;
    let before = started();
    let strip = sprite_sheet(&character, &clip, 7, 48, PictureSize::new(192, 192))?;
    println!("strip: {} frames, {} bytes, {:.2?}", strip.frames, strip.png.len(), before.elapsed());
    fs::write(format!("{out}.strip.png"), strip.png)?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "an example reports how long it took")]
fn started() -> std::time::Instant {
    std::time::Instant::now()
}
