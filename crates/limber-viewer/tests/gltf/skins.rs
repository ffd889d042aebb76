//! Skinning: several skins, unusual ones, and culling.

use serde_json::json;

use crate::{
    file::{BLUE, File, GREEN, RED, WHITE},
    picture::{Picture, shown},
};

const IDENTITY: [f32; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A box of this colour with its own skin; `bind` is the joint's position when bound. Returns the
/// joint.
fn skinned(file: &mut File, color: [f32; 4], joint_at: [f32; 3], bind: [f32; 3]) -> usize {
    let mut inverse_bind = IDENTITY;
    for axis in 0..3 {
        inverse_bind[12 + axis] = -bind[axis];
    }
    let inverse_bind = file.floats(&[inverse_bind]);
    let joint = file.top(json!({ "translation": joint_at }));
    let skin =
        file.push("skins", json!({ "joints": [joint], "inverseBindMatrices": inverse_bind }));
    let joints = file.accessor(&[0; 24 * 4], "VEC4", 5121, 24);
    let weights = file.floats(&[[1.0, 0.0, 0.0, 0.0]; 24]);
    let material = file.unlit(color);
    let more = json!({ "attributes": { "JOINTS_0": joints, "WEIGHTS_0": weights } });
    let mesh = file.box_mesh([0.5; 3], material, more);
    // a skinned mesh ignores its node's transform
    file.top(json!({ "mesh": mesh, "skin": skin, "translation": [500.0, 0.0, 0.0] }));
    joint
}

fn height(picture: &Picture, color: [f32; 4], expected: f32) {
    let found = picture.share(color, RED, BLUE);
    assert!((found - expected).abs() < 0.03, "{color:?}: {found} for {expected}");
}

#[test]
fn every_skin_follows_its_own_joints() {
    let mut file = File::ladder();
    let joint = skinned(&mut file, GREEN, [0.0, 0.5, 0.0], [0.0; 3]);
    skinned(&mut file, WHITE, [0.0, 1.5, 0.0], [0.0; 3]);
    let target = (joint, "translation", "LINEAR");
    file.animate("up", target, &[0.0, 1.0], &[[0.0, 0.5, 0.0], [0.0, 4.5, 0.0]]);
    let Some(picture) = shown(file, 18) else { return };
    height(&picture, GREEN, 0.75);
    height(&picture, WHITE, 0.25);
}

#[test]
fn a_mesh_bound_far_away_is_drawn_at_its_joints() {
    let mut file = File::ladder();
    let (positions, ..) = crate::file::box_corners([0.5; 3]);
    let joint = skinned(&mut file, GREEN, [0.0, 2.5, 0.0], [0.0, 1000.0, 0.0]);
    assert_eq!(joint, 4);
    // the mesh itself is a kilometre up, as its inverse bind matrix says
    let far: Vec<_> = positions.iter().map(|[x, y, z]| [*x, *y + 1000.0, *z]).collect();
    let far = file.floats(&far);
    file.json["meshes"][4]["primitives"][0]["attributes"]["POSITION"] = json!(far);
    let Some(picture) = shown(file, 0) else { return };
    height(&picture, GREEN, 0.5);
}

/// A vertex weighted equally to two joints lies half-way between them, far from either.
#[test]
fn parts_between_joints_are_not_culled() {
    let mut file = File::ladder();
    let low = file.top(json!({ "translation": [0.0, 0.0, 0.0] }));
    let high = file.top(json!({ "translation": [0.0, 8.0, 0.0] }));
    let binds = file.floats(&[IDENTITY, IDENTITY]);
    let skin = file.push("skins", json!({ "joints": [low, high], "inverseBindMatrices": binds }));
    // a box at 2.5 m, weighted slightly more to the lower joint than to the lifted one: 2.5 + 8 ·
    // 0.49
    let rows: Vec<u8> = [0_u8, 1, 0, 0].repeat(24);
    let joints = file.accessor(&rows, "VEC4", 5121, 24);
    let weights = file.floats(&[[0.51, 0.49, 0.0, 0.0]; 24]);
    let material = file.unlit(GREEN);
    let more = json!({ "attributes": { "JOINTS_0": joints, "WEIGHTS_0": weights } });
    let mesh = file.box_mesh([0.5; 3], material, more);
    file.top(json!({ "mesh": mesh, "skin": skin }));
    let Some(picture) = shown(file, 0) else { return };
    // 8 · 0.49 m, between 0.5 and 4.5
    height(&picture, GREEN, 0.855);
    let (green, red) = (picture.patch(GREEN), picture.patch(RED));
    // there are two red boxes
    let whole = 2.0 * green.pixels as f32 / red.pixels as f32;
    assert!((0.75..1.3).contains(&whole), "{whole} of a whole box is seen");
}

#[test]
fn eight_joints_can_influence_one_vertex() {
    let mut file = File::ladder();
    let heights = [0.5, 0.5, 0.5, 0.5, 4.5, 4.5, 4.5, 4.5];
    let nodes: Vec<_> =
        heights.iter().map(|y| file.top(json!({ "translation": [0.0, y, 0.0] }))).collect();
    let binds = file.floats(&[IDENTITY; 8]);
    let skin = file.push("skins", json!({ "joints": nodes, "inverseBindMatrices": binds }));
    let first = file.accessor(&[0_u8, 1, 2, 3].repeat(24), "VEC4", 5121, 24);
    let second = file.accessor(&[4_u8, 5, 6, 7].repeat(24), "VEC4", 5121, 24);
    // the first four weights alone would give 0.5 m
    let (strong, weak) = (file.floats(&[[0.126; 4]; 24]), file.floats(&[[0.124; 4]; 24]));
    let material = file.unlit(GREEN);
    let attributes =
        json!({ "JOINTS_0": first, "WEIGHTS_0": strong, "JOINTS_1": second, "WEIGHTS_1": weak });
    let mesh = file.box_mesh([0.5; 3], material, json!({ "attributes": attributes }));
    file.top(json!({ "mesh": mesh, "skin": skin }));
    let Some(picture) = shown(file, 0) else { return };
    height(&picture, GREEN, 0.496);
}

#[test]
fn a_mirrored_skeleton_is_not_turned_inside_out() {
    let seen = |scale: [f32; 3]| {
        let mut file = File::ladder();
        let joint = skinned(&mut file, GREEN, [0.0, 2.5, 0.0], [0.0; 3]);
        file.json["nodes"][joint]["scale"] = json!(scale);
        Some(shown(file, 0)?.patch(GREEN))
    };
    let (Some(plain), Some(mirrored)) = (seen([1.0; 3]), seen([-1.0, 1.0, 1.0])) else { return };
    // inside out, its far sides would be visible, at other pixels
    assert!(plain.pixels.abs_diff(mirrored.pixels) * 20 < plain.pixels);
    assert!((plain.y - mirrored.y).abs() < 1.0 && (plain.x - mirrored.x).abs() < 1.0);
}
