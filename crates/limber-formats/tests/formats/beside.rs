//! Textures that an FBX references and the caller has to open.

use std::cell::RefCell;

use limber_animation::canonical_skeleton;
use limber_formats::{
    humanoid::Overrides,
    import::{import, import_beside},
};

use crate::{
    ascii_fbx::{self, Telling},
    mannequin::body,
    rich::picture,
};

fn file() -> Vec<u8> {
    let telling = Telling { picture: Some("maps/cloth.png"), ..Telling::default() };
    ascii_fbx::write(&body(canonical_skeleton()), &telling)
}

#[test]
fn external_images_are_read_through_the_callback() {
    let asked = RefCell::new(Vec::new());
    let cloth = picture("cloth", [200, 40, 40]);
    let imported = import_beside(&file(), &Overrides::default(), &|place| {
        asked.borrow_mut().push(place.to_owned());
        place.ends_with("cloth.png").then(|| cloth.bytes.clone())
    });
    let character = imported.expect("the character can be imported").character;
    assert_eq!(character.images, [cloth]);
    assert_eq!(character.materials[0].base_color_image, Some(0));
    assert_eq!(asked.borrow().as_slice(), ["maps/cloth.png"]);
}

#[test]
fn without_a_callback_external_images_are_left_out_with_a_warning() {
    let imported = import(&file(), &Overrides::default()).expect("the character can be imported");
    assert!(imported.character.images.is_empty());
    let is_reported = imported
        .report
        .warnings
        .iter()
        .any(|warning| warning.contains("`cloth.png` is not inside"));
    assert!(is_reported, "{:?}", imported.report.warnings);
}

#[test]
fn external_images_are_validated_like_embedded_ones() {
    for (bytes, outcome) in [(b"GIF89a".to_vec(), true), (b"\x89PNG and nonsense".to_vec(), false)]
    {
        let imported = import_beside(&file(), &Overrides::default(), &|_| Some(bytes.clone()));
        assert_eq!(imported.is_ok(), outcome, "{imported:?}");
    }
}
