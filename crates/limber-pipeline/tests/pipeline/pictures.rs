//! The images that ship with the program match what is rendered today.

use std::path::Path;

use limber_pipeline::{
    backdrops,
    picture::{PictureError, portrait},
    stock,
};

/// Maximum mean difference between the images of two drivers, of 255.
const SAME: f64 = 1.0;

/// Compares an image with a file in `assets/pictures`, or writes the file on request.
fn compare(file: &str, drawn: Result<Vec<u8>, PictureError>) {
    let drawn = drawn.expect("this computer can render");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/pictures").join(file);
    if std::env::var_os("LIMBER_WRITE_PICTURES").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is created");
        std::fs::write(&path, &drawn).expect("it is written");
    }
    let read = |png: &[u8]| image::load_from_memory(png).expect("a picture").to_rgba8();
    let (drawn, kept) = (read(&drawn), read(&std::fs::read(&path).expect("it exists")));
    assert_eq!(drawn.dimensions(), kept.dimensions(), "{file}");
    let apart = drawn.iter().zip(kept.iter()).map(|(a, b)| f64::from(a.abs_diff(*b)));
    let apart = apart.sum::<f64>() / drawn.len() as f64;
    let hint = "LIMBER_WRITE_PICTURES=1 cargo xtask test bundled_images_match";
    assert!(apart <= SAME, "{file} differs by {apart:.2} from what is rendered now; {hint}");
}

#[test]
fn bundled_images_match_the_renderer() {
    for backdrop in backdrops::list() {
        compare(&format!("backdrops/{}.png", backdrop.name), backdrops::paint_thumb(backdrop));
    }
    for stock in stock::list() {
        let character = stock.character().expect("it reads");
        compare(&format!("characters/{}.png", stock.name.to_lowercase()), portrait(character));
    }
}
