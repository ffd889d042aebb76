//! Renders every painted backdrop as a PNG:
//!
//! `cargo run -p limber-render --example backdrops -- FOLDER [WIDTH HEIGHT]`

use std::{error::Error, path::Path};

use limber_render::{Painting, PictureSize};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, rest @ ..] = arguments.as_slice() else {
        return Err("usage: backdrops FOLDER [WIDTH HEIGHT]".into());
    };
    let side = |place: usize, usual| rest.get(place).map_or(Ok(usual), |text| text.parse());
    let size = PictureSize::new(side(0, 1280)?, side(1, 720)?);
    for painting in Painting::ALL {
        let path = Path::new(folder).join(format!("{}.png", painting.name()));
        painting.paint(size).save(path)?;
    }
    Ok(())
}
