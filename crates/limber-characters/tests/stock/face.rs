//! Blend shapes of animated faces.

use std::collections::BTreeSet;

use limber_characters::build::STOCK;
use limber_characters::face::shapes::NAMES;

use crate::CHARACTERS;

#[test]
fn faces_have_all_52_shapes_and_each_moves_slightly() {
    let mut faces = 0;
    for (build, character) in STOCK.iter().zip(CHARACTERS.iter()) {
        let morphs = || character.meshes.iter().flat_map(|mesh| &mesh.morphs);
        if !build.shapes {
            assert_eq!(morphs().count(), 0, "{}", character.name);
            continue;
        }
        faces += 1;
        let found: BTreeSet<&str> = morphs().map(|morph| morph.name.as_str()).collect();
        assert_eq!(found, BTreeSet::from(NAMES), "{}", character.name);
        for morph in morphs() {
            let farthest = morph.positions.iter().map(|way| way.length()).fold(0.0, f32::max);
            assert!((0.0002..0.04).contains(&farthest), "{}: {farthest} m", morph.name);
        }
    }
    assert!(faces >= 1);
}
