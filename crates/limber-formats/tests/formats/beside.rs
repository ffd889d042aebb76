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
fn a_picture_beside_the_file_is_taken_from_whoever_may_open_it() {
    let asked = RefCell::new(Vec::new());
    let cloth = picture("cloth", [200, 40, 40]);
    let taken = import_beside(&file(), &Overrides::default(), &|place| {
        asked.borrow_mut().push(place.to_owned());
        place.ends_with("cloth.png").then(|| cloth.bytes.clone())
    });
    let character = taken.expect("it is a character").character;
    assert_eq!(character.images, [cloth]);
    assert_eq!(character.materials[0].base_color_image, Some(0));
    assert_eq!(asked.borrow().as_slice(), ["maps/cloth.png"]);
}

#[test]
fn without_anybody_who_opens_it_the_picture_is_left_out_and_told() {
    let taken = import(&file(), &Overrides::default()).expect("it is a character");
    assert!(taken.character.images.is_empty());
    let told =
        taken.report.warnings.iter().any(|warning| warning.contains("`cloth.png` is not inside"));
    assert!(told, "{:?}", taken.report.warnings);
}

#[test]
fn a_picture_beside_the_file_is_trusted_no_more_than_one_inside() {
    for (bytes, outcome) in [(b"GIF89a".to_vec(), true), (b"\x89PNG and nonsense".to_vec(), false)]
    {
        let taken = import_beside(&file(), &Overrides::default(), &|_| Some(bytes.clone()));
        assert_eq!(taken.is_ok(), outcome, "{taken:?}");
    }
}
