//! The gallery of the book: some prompts as animated GIFs, and the page that shows them.

use std::{fmt::Write as _, fs, path::Path, sync::Arc};

use limber_animation::{Character, Clip};
use limber_pipeline::{Seed, stock};
use limber_render::{Backdrop, Look, PictureSize, Quality, Shot, Studio, gif};

use crate::obedience;

const SIZE: PictureSize = PictureSize::new(150, 165);
// GIF delays are in hundredths of a second
const STEP_S: f32 = 0.12;
const COLUMNS: usize = 4;
const BACKDROP: Backdrop = Backdrop::Plain([0.93, 0.94, 0.95]);

/// (prompt, index of the stock character)
const SHOWN: [(&str, usize); 24] = [
    ("a person walks forward, then waves with the right hand", 0),
    ("a person runs forward", 1),
    ("a person jumps twice", 2),
    ("a person sneaks forward", 3),
    ("a tired person walks", 4),
    ("a person marches", 5),
    ("a person limps", 6),
    ("a person skips", 7),
    ("a person kicks with the right leg", 1),
    ("a boxer throws a jab, then a cross", 0),
    ("a person swings a sword", 3),
    ("a person does two push-ups", 2),
    ("a person does three jumping jacks", 5),
    ("a person bows deeply", 6),
    ("a person laughs", 1),
    ("a person shrugs", 4),
    ("a person crosses the arms", 0),
    ("a person salutes", 7),
    ("a person sits down, then stands up", 2),
    ("a person picks something up", 3),
    ("a person plays the guitar", 5),
    ("a person drinks with the left hand", 1),
    ("a person dances the twist", 6),
    ("a person walks in a circle while waving", 7),
];

const HEAD: &str = "\
# Gallery

Generated with `cargo xtask bench motion -- --gallery docs/src`, with seed 1, on the stock characters.

";

/// Writes `gallery.md` and the folder `gallery` into a folder.
pub(crate) fn write(folder: &Path) -> Result<(), String> {
    let pictures = folder.join("gallery");
    fs::create_dir_all(&pictures).map_err(|error| error.to_string())?;
    let mut page =
        format!("{HEAD}{}\n{}\n", "| ".repeat(COLUMNS) + "|", "|---".repeat(COLUMNS) + "|");
    for row in SHOWN.chunks(COLUMNS) {
        for (prompt, place) in row {
            let name = format!("{}.gif", prompt.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
            let character = stock::list()[*place].character().map_err(|error| error.to_string())?;
            let (output, ..) = obedience::make(prompt, character, Seed(1))?;
            let bytes = moving_picture(character, &output.clip)?;
            fs::write(pictures.join(&name), &bytes).map_err(|error| error.to_string())?;
            println!("{:>4} kB  {prompt}", bytes.len() / 1000);
            let _ = write!(page, "| ![{prompt}](gallery/{name})<br>{prompt} ");
        }
        page += "|\n";
    }
    fs::write(folder.join("gallery.md"), page).map_err(|error| error.to_string())
}

fn moving_picture(character: &Character, clip: &Clip) -> Result<Vec<u8>, String> {
    let character = Arc::new(character.clone());
    let draw = || {
        let mut studio = Studio::new(Arc::clone(&character), SIZE)?;
        studio.look = Look {
            backdrop: BACKDROP,
            grid: false,
            dither: false,
            quality: Quality::Fine,
            ..Look::default()
        };
        let shot = Shot::card(&character, clip, SIZE.aspect());
        let count = (clip.duration_s() / STEP_S).ceil() as u32;
        let moments = (0..count).map(|place| place as f32 * STEP_S);
        let pictures = moments
            .map(|time_s| studio.picture(clip, time_s, &shot.camera_at_time(time_s, clip)))
            .collect::<Result<Vec<_>, _>>()?;
        gif(&pictures, STEP_S)
    };
    draw().map_err(|error: limber_render::RenderError| error.to_string())
}
