//! Files for Unreal: the mannequin's bones under a single `root`, whatever is above the hips of a
//! body.

use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{Character, Fps, HumanBone, Joint, JointIndex, Side, Skeleton};
use limber_formats::fbx;
use limber_pipeline::{FileKind, JointNames, Options, Output, Preset};

use crate::{mannequin, request, walked};

/// The mannequin as other programs save it: below a scene node, an armature and a control that
/// influences a few vertices, with a prop as a sibling of the hips.
fn saved_elsewhere() -> Character {
    let mut character = mannequin().clone();
    let joint = |name: &str, parent: Option<usize>, at: Vec3| Joint {
        name: name.to_owned(),
        parent: parent.map(JointIndex::new),
        rest_translation: at,
        ..Joint::default()
    };
    let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let mut joints = vec![
        Joint { rest_rotation: turn, ..joint("node_0", None, Vec3::ZERO) },
        Joint { rest_rotation: turn.inverse(), ..joint("Armature", Some(0), Vec3::ZERO) },
        joint("Root", Some(1), Vec3::Y * 0.5),
        joint("prop", Some(2), Vec3::X),
    ];
    let added = joints.len();
    for own in character.skeleton.joints() {
        let mut own = own.clone();
        match own.parent {
            Some(parent) => own.parent = Some(JointIndex::new(parent.get() + added)),
            None => {
                own.parent = Some(JointIndex::new(2));
                own.rest_translation -= Vec3::Y * 0.5;
            }
        }
        joints.push(own);
    }
    character.skeleton = Arc::new(Skeleton::new(joints).expect("it is a skeleton"));
    let rest = character.skeleton.rest_world();
    for skin in &mut character.skins {
        for joint in &mut skin.joints {
            *joint = JointIndex::new(joint.get() + added);
        }
        // skins in third-party files also list joints that influence nothing
        for above in 0..3 {
            let matrix = rest.matrices().nth(above).expect("it was added").inverse();
            skin.joints.insert(above, JointIndex::new(above));
            skin.inverse_bind.insert(above, matrix);
        }
    }
    for mesh in character.meshes.iter_mut().filter(|mesh| mesh.skin.is_some()) {
        for place in mesh.joints.iter_mut().chain(&mut mesh.more_joints).flatten() {
            *place += 3;
        }
    }
    let mesh = character.meshes.iter_mut().find(|mesh| mesh.skin.is_some()).expect("a body");
    mesh.joints[0] = [2, 0, 0, 0];
    mesh.weights[0] = [1.0, 0.0, 0.0, 0.0];
    if let Some(more) = mesh.more_weights.first_mut() {
        *more = [0.0; 4];
    }
    character
}

fn made(character: &Character) -> Output {
    let options = Options {
        formats: vec![FileKind::Bvh, FileKind::Fbx, FileKind::Glb],
        ..Options::for_preset(Preset::Unreal5)
    };
    walked(&request("a person walks forward", options), character).expect("it works")
}

fn bytes(output: &Output, kind: FileKind) -> &[u8] {
    &output.files.iter().find(|file| file.kind == kind).expect("the file is created").bytes
}

/// Returns each joint of an FBX with its parent, in the file's order.
fn tree(fbx: &[u8]) -> Vec<(String, String)> {
    let scene = ufbx::load_memory(fbx, ufbx::LoadOpts::default()).expect("ufbx reads it");
    let bones = (&scene.nodes).into_iter().filter(|node| node.bone.is_some());
    bones
        .map(|node| {
            let above = node.parent.as_ref().map(|parent| parent.element.name.to_string());
            (node.element.name.to_string(), above.unwrap_or_default())
        })
        .collect()
}

#[test]
fn one_root_bone_is_directly_above_the_pelvis() {
    for character in [mannequin().clone(), saved_elsewhere()] {
        let output = made(&character);
        let tree = tree(bytes(&output, FileKind::Fbx));
        let above = |name: &str| {
            let found = tree.iter().find(|(own, _)| own == name);
            found.unwrap_or_else(|| panic!("no {name} in {tree:?}")).1.as_str()
        };
        assert_eq!((above("pelvis"), above("root")), ("root", ""));
        assert_eq!((above("spine_01"), above("spine_02")), ("pelvis", "spine_01"));
        let gone = ["node_0", "Armature", "root_motion"];
        assert!(tree.iter().all(|(name, _)| !gone.contains(&name.as_str())), "{tree:?}");
        let roots = tree.iter().filter(|(name, _)| name.eq_ignore_ascii_case("root"));
        assert_eq!(roots.count(), 1);
        let text = String::from_utf8(bytes(&output, FileKind::Bvh).to_vec()).expect("it is text");
        assert!(text.contains("ROOT root\n") && text.contains("JOINT pelvis\n"), "{text:.200}");
    }
}

#[test]
fn joints_with_vertices_or_beside_the_hips_stay_below_the_root() {
    let character = saved_elsewhere();
    let tree = tree(bytes(&made(&character), FileKind::Fbx));
    for name in ["Root_2", "prop"] {
        assert!(tree.contains(&(name.to_owned(), "root".to_owned())), "{name}: {tree:?}");
    }
}

#[test]
fn without_the_joints_above_it_the_body_moves_as_before() {
    let character = saved_elsewhere();
    let output = made(&character);
    let played = fbx::movement(bytes(&output, FileKind::Fbx), Fps::DEFAULT).expect("it plays");
    let mut bones = vec![HumanBone::Hips, HumanBone::Head];
    for side in Side::BOTH {
        bones.extend(HumanBone::arm(side).into_iter().chain(HumanBone::leg(side)));
    }
    let pairs = bones.into_iter().filter_map(|bone| {
        let joint = output.clip.skeleton().find(bone)?;
        let name = JointNames::Unreal5.of(bone).expect("the mannequin has it");
        let place = played.names.iter().position(|other| *other == name).expect("it is written");
        Some((joint, place))
    });
    let pairs: Vec<_> = pairs.collect();
    assert_eq!(pairs.len(), 18);
    for (meant, got) in output.clip.world_positions().iter().zip(&played.frames) {
        for (joint, place) in &pairs {
            assert!(meant[joint.get()].as_dvec3().distance(got[*place].0) < 1e-4);
        }
    }
    let glb = limber_formats::glb::read(bytes(&output, FileKind::Glb)).expect("it reads");
    let (meant, got) = (&character, &glb.character);
    let [meant_at, got_at] =
        [(meant, &output.clip), (got, &glb.clips[0].clip)].map(|(body, clip)| {
            let world = clip.skeleton().world(&clip.frames()[40]);
            let skinned = body.meshes.iter().filter(|mesh| mesh.skin.is_some());
            skinned.flat_map(|mesh| body.skinned_positions(mesh, &world)).collect::<Vec<_>>()
        });
    assert_eq!(meant_at.len(), got_at.len());
    // the vertex of the control moves with the root, which the others lack
    let apart = meant_at.iter().zip(&got_at).skip(1).map(|(a, b)| a.distance(*b));
    let apart = apart.fold(0.0, f32::max);
    assert!(apart < 2e-3, "{apart} m");
}
