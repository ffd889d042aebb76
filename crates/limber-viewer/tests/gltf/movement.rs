//! Animated nodes and morph targets.

use serde_json::json;

use crate::{
    file::{BLUE, File, GREEN, RED},
    picture::{shown, shown_clip},
};

/// A scale, and the node of a green box at the height of the red ones.
fn ladder() -> (File, usize) {
    let mut file = File::ladder();
    let green = file.colored_box(GREEN, [0.0, 0.5, 0.0]);
    (file, green)
}

/// Heights of the green box in these frames, with keys of these values at 0 and 1 s.
fn heights(interpolation: &str, values: &[[f32; 3]], frames: &[usize]) -> Option<Vec<f32>> {
    let height = |frame: &usize| {
        let (mut file, green) = ladder();
        let target = (green, "translation", interpolation);
        file.animate("up", target, &[0.0, 1.0], values);
        Some(shown(file, *frame)?.share(GREEN, RED, BLUE))
    };
    frames.iter().map(height).collect()
}

fn near(found: &[f32], expected: &[f32]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 0.03, "{found} for {expected}");
    }
}

#[test]
fn a_node_without_skin_is_interpolated_linearly() {
    let Some(found) = heights("LINEAR", &[[0.0, 0.5, 0.0], [0.0, 4.5, 0.0]], &[0, 6, 12, 24])
    else {
        return;
    };
    near(&found, &[0.0, 0.25, 0.5, 1.0]);
}

#[test]
fn steps_hold_their_value_until_the_next_key() {
    let Some(found) = heights("STEP", &[[0.0, 0.5, 0.0], [0.0, 4.5, 0.0]], &[0, 12, 23, 24]) else {
        return;
    };
    near(&found, &[0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn splines_follow_their_tangents() {
    let zero = [0.0; 3];
    // per key: in-tangent, value, out-tangent; both values are low, so only the tangents lift it
    let low = [0.0, 0.5, 0.0];
    let keys = [zero, low, [0.0, 8.0, 0.0], [0.0, -8.0, 0.0], low, zero];
    let Some(found) = heights("CUBICSPLINE", &keys, &[0, 6, 12, 24]) else { return };
    // (t³ − 2t² + t) · 8 + (t³ − t²) · −8 metres, of four
    near(&found, &[0.0, 0.375, 0.5, 0.0]);
}

#[test]
fn an_animation_of_one_key_is_one_frame_and_is_shown() {
    let (mut file, green) = ladder();
    file.animate("up", (green, "translation", "LINEAR"), &[0.0], &[[0.0, 3.5, 0.0]]);
    let Some(picture) = shown(file, 0) else { return };
    near(&[picture.share(GREEN, RED, BLUE)], &[0.75]);
    let (mut file, green) = ladder();
    file.animate("up", (green, "translation", "LINEAR"), &[0.0], &[[0.0, 3.5, 0.0]]);
    let Some(Err(error)) = shown_clip(file, None, 1) else { panic!("there is one frame") };
    assert_eq!(error.to_string(), "frame 1 does not exist; the last frame is 0");
}

#[test]
fn each_of_several_animations_can_be_shown() {
    let file = || {
        let (mut file, green) = ladder();
        let target = (green, "translation", "LINEAR");
        file.animate("low", target, &[0.0], &[[0.0, 1.5, 0.0]]);
        file.animate("high", target, &[0.0], &[[0.0, 3.5, 0.0]]);
        file
    };
    for (clip, expected) in [(None, 0.25), (Some("high"), 0.75), (Some("2"), 0.75)] {
        let Some(picture) = shown_clip(file(), clip, 0) else { return };
        near(&[picture.expect("it is shown").share(GREEN, RED, BLUE)], &[expected]);
    }
    let Some(Err(error)) = shown_clip(file(), Some("deep"), 0) else { panic!("there is none") };
    assert_eq!(error.to_string(), "there is no clip “deep”; available clips: low, high");
}

#[test]
fn animated_scale_stretches() {
    let tall = |frame: usize| {
        let (mut file, green) = ladder();
        let keys = [[1.0, 1.0, 1.0], [1.0, 3.0, 1.0]];
        file.animate("grow", (green, "scale", "LINEAR"), &[0.0, 1.0], &keys);
        Some(shown(file, frame)?.patch(GREEN))
    };
    let (Some(small), Some(large)) = (tall(0), tall(24)) else { return };
    let grown = large.pixels as f32 / small.pixels as f32;
    assert!((2.0..3.3).contains(&grown), "{grown} times as tall");
}

/// A green box with one morph target that lifts it by four metres.
fn shaped(more: &serde_json::Value) -> (File, usize) {
    let mut file = File::ladder();
    let lift = file.floats(&[[0.0, 4.0, 0.0]; 24]);
    let material = file.unlit(GREEN);
    let mesh = file.box_mesh([0.5; 3], material, json!({ "targets": [{ "POSITION": lift }] }));
    if let Some(weights) = more.get("mesh") {
        file.json["meshes"][mesh]["weights"] = weights.clone();
    }
    let mut node = json!({ "mesh": mesh, "translation": [0.0, 0.5, 0.0] });
    if let Some(weights) = more.get("node") {
        node["weights"] = weights.clone();
    }
    let node = file.top(node);
    (file, node)
}

#[test]
fn static_morph_weights_of_mesh_and_node_apply() {
    let cases = [
        (json!({}), 0.0),
        (json!({ "mesh": [0.5] }), 0.5),
        (json!({ "mesh": [0.5], "node": [0.75] }), 0.75),
    ];
    for (weights, expected) in cases {
        let Some(picture) = shown(shaped(&weights).0, 0) else { return };
        near(&[picture.share(GREEN, RED, BLUE)], &[expected]);
    }
}

#[test]
fn morph_targets_of_any_name_are_animated() {
    for (frame, expected) in [(0, 0.0), (12, 0.5), (24, 1.0)] {
        let (mut file, node) = shaped(&json!({}));
        file.animate("lift", (node, "weights", "LINEAR"), &[0.0, 1.0], &[[0.0], [1.0]]);
        let Some(picture) = shown(file, frame) else { return };
        near(&[picture.share(GREEN, RED, BLUE)], &[expected]);
    }
}

#[test]
fn children_of_a_moving_node_move_with_it() {
    let (mut file, green) = ladder();
    // the green box is a child of an empty node that is scaled and lifted
    let arm = file.push("nodes", json!({ "scale": [1.0, 2.0, 1.0], "children": [green] }));
    file.json["scenes"][0]["nodes"] = json!([0, 1, 2, 3, arm]);
    file.animate("up", (arm, "translation", "STEP"), &[0.0], &[[0.0, 2.0, 0.0]]);
    let Some(picture) = shown(file, 0) else { return };
    // 2 + 2 · 0.5 = 3 m, of 0.5 to 4.5
    near(&[picture.share(GREEN, RED, BLUE)], &[0.625]);
}
