//! Textures next to an FBX, as most programs leave them.

use std::{fs, path::Path};

use limber_animation::{Image, ImageEncoding, Material};
use limber_formats::{fbx, glb};
use limber_pipeline::{
    beside::packed,
    say::{SayRequest, say},
    stock,
};
use limber_text_to_motion::{Cancel, Composer, Seed};

fn cloth() -> Image {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(4, 4, image::Rgb([200, 40, 40]))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .expect("an image can be written to memory");
    Image { name: "cloth".to_owned(), encoding: ImageEncoding::Png, bytes: bytes.into_inner() }
}

/// Returns an FBX that references `textures/cloth.png` but does not embed it.
fn parted() -> Vec<u8> {
    let stock = &stock::list()[0];
    let mut character = stock.character().expect("it is ours").clone();
    character.images = vec![cloth()];
    for material in &mut character.materials {
        *material = Material {
            name: material.name.clone(),
            base_color_image: Some(0),
            ..Material::default()
        };
    }
    let mut file = fbx::write_character(&character).expect("it is whole");
    let held = b"\x07Content";
    let at =
        file.windows(held.len()).position(|bytes| bytes == held).expect("it holds the picture");
    // rename the record, so that no reader finds the embedded data
    file[at + 1] = b'X';
    file
}

fn images(character: &Path, out: &Path) -> (Vec<Image>, Vec<String>) {
    let request = SayRequest {
        ends: limber_text_to_motion::ClipEnds::default(),
        prompt: "a person waves".to_owned(),
        script: None,
        character: Some(character.to_string_lossy().into_owned()),
        seconds: Some(1.0),
        variants: 1,
        seed: Seed(1),
        formats: vec!["glb".to_owned()],
        preset: None,
        out: out.to_owned(),
    };
    let said = say(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
    let glb = said.files.iter().find(|file| file.extension().is_some_and(|it| it == "glb"));
    let bytes = fs::read(glb.expect("it was requested")).expect("it exists");
    let told = said.warnings.iter().map(ToString::to_string).collect();
    (glb::read(&bytes).expect("it is readable").character.images, told)
}

#[test]
fn textures_next_to_an_fbx_are_included() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hero = folder.path().join("hero.fbx");
    let file = parted();
    fs::write(&hero, &file).expect("written");
    let (found, warnings) = images(&hero, &folder.path().join("without"));
    assert!(found.is_empty());
    assert!(warnings.iter().any(|told| told.contains("`cloth.png` is not inside")), "{warnings:?}");
    assert_eq!(packed(&hero, &file), None, "there is nothing to pack");
    fs::create_dir(folder.path().join("textures")).expect("made");
    fs::write(folder.path().join("textures/cloth.png"), cloth().bytes).expect("written");
    let (found, warnings) = images(&hero, &folder.path().join("with"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].bytes, cloth().bytes);
    assert!(!warnings.iter().any(|told| told.contains("cloth")), "{warnings:?}");
    let whole = packed(&hero, &file).expect("its texture is next to it");
    let whole = glb::read(&whole).expect("it is readable").character;
    assert_eq!(whole.images, found);
}
