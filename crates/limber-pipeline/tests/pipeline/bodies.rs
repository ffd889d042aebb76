//! Bodies without parts that most have.

use std::sync::Arc;

use limber_animation::{HumanBone, Joint, Skeleton};
use limber_pipeline::{FileKind, Options};

use crate::{mannequin, request, walked};

#[test]
fn a_body_without_hands_is_animated_in_every_format() {
    let is_of_hand =
        |bone: HumanBone| bone >= HumanBone::LeftThumbMetacarpal || bone.name().ends_with("Hand");
    let mut character = mannequin().clone();
    let joints = character
        .skeleton
        .joints()
        .iter()
        .map(|joint| Joint { bone: joint.bone.filter(|bone| !is_of_hand(*bone)), ..joint.clone() });
    let skeleton = Skeleton::new(joints.collect()).expect("it is a skeleton");
    character.skeleton = Arc::new(skeleton);
    let formats = vec![FileKind::Bvh, FileKind::Fbx, FileKind::Glb, FileKind::Vrma];
    let options = Options { formats: formats.clone(), ..Options::default() };
    let output = walked(&request("a person waves", options), &character).expect("it is animated");
    for kind in formats {
        assert!(output.files.iter().any(|file| file.kind == kind), "{kind:?}");
    }
}
