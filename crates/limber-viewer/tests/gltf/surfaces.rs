//! Materials, and encodings of vertex data.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::{
    file::{BLUE, File, GREEN, RED, WHITE, box_corners},
    picture::shown,
};

const YELLOW: [f32; 4] = [1.0, 1.0, 0.0, 1.0];

/// A white box that samples one point of a four-coloured texture everywhere: red and green above,
/// blue and yellow below.
fn pictured(place: [f32; 2], transform: Option<Value>) -> File {
    let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]];
    let picture = RgbImage::from_fn(2, 2, |x, y| Rgb(colors[(x + 2 * y) as usize]));
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).expect("a small PNG");
    let mut file = File::new();
    let view = file.view(&png.into_inner());
    file.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    file.push("textures", json!({ "source": 0 }));
    let material = file.unlit(WHITE);
    let mut texture = json!({ "index": 0 });
    if let Some(transform) = transform {
        file.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_texture_transform"]);
        file.json["extensionsRequired"] = json!(["KHR_texture_transform"]);
        texture["extensions"] = json!({ "KHR_texture_transform": transform });
    }
    file.json["materials"][material]["pbrMetallicRoughness"]["baseColorTexture"] = texture;
    let places = file.floats(&[place; 24]);
    let mesh = file.box_mesh([1.0; 3], material, json!({ "attributes": { "TEXCOORD_0": places } }));
    file.top(json!({ "mesh": mesh, "translation": [0.0, 0.5, 0.0] }));
    file
}

#[test]
fn texture_transforms_are_applied() {
    use std::f32::consts::FRAC_PI_2;
    let cases = [
        ([0.25, 0.25], None, RED),
        ([0.25, 0.25], Some(json!({ "offset": [0.5, 0.0] })), GREEN),
        ([0.25, 0.25], Some(json!({ "offset": [0.0, 0.5] })), BLUE),
        ([0.25, 0.25], Some(json!({ "scale": [3.0, 3.0] })), YELLOW),
        // u' = v, v' = −u: (0.75, −0.25), which wraps to (0.75, 0.75)
        ([0.25, 0.75], Some(json!({ "rotation": FRAC_PI_2 })), YELLOW),
        ([0.25, 0.75], Some(json!({ "rotation": -FRAC_PI_2 })), RED),
        // scaled, then rotated, then translated
        (
            [0.25, 0.25],
            Some(json!({ "scale": [1.0, 3.0], "rotation": FRAC_PI_2, "offset": [0.0, 0.5] })),
            GREEN,
        ),
    ];
    for (place, transform, expected) in cases {
        let said = format!("{place:?} {transform:?}");
        let Some(picture) = shown(pictured(place, transform), 0) else { return };
        assert!(picture.patch(expected).pixels > 5_000, "{said}");
    }
}

#[test]
fn unlit_colours_are_the_files_own_and_lit_ones_are_not() {
    let Some(unlit) = ({
        let mut file = File::new();
        file.colored_box(GREEN, [0.0, 0.5, 0.0]);
        shown(file, 0)
    }) else {
        return;
    };
    assert!(unlit.patch(GREEN).pixels > 5_000);
    let mut file = File::new();
    file.colored_box(GREEN, [0.0, 0.5, 0.0]);
    file.json["materials"][0].as_object_mut().expect("it is one").remove("extensions");
    let Some(lit) = shown(file, 0) else { return };
    assert!(lit.patch(GREEN).pixels < unlit.patch(GREEN).pixels / 10);
}

#[test]
fn vertex_colours_are_applied() {
    let mut file = File::new();
    let colors = file.floats(&[[0.0, 1.0, 0.0]; 24]);
    let material = file.unlit(WHITE);
    let mesh = file.box_mesh([1.0; 3], material, json!({ "attributes": { "COLOR_0": colors } }));
    file.top(json!({ "mesh": mesh, "translation": [0.0, 0.5, 0.0] }));
    let Some(picture) = shown(file, 0) else { return };
    assert!(picture.patch(GREEN).pixels > 5_000);
}

#[test]
fn quantized_positions_are_read() {
    let plain = || {
        let mut file = File::new();
        file.colored_box(RED, [-1.0, 0.5, 0.0]);
        file.colored_box(GREEN, [0.7, 2.0, 0.0]);
        file
    };
    let mut packed = plain();
    packed.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_mesh_quantization"]);
    packed.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    // the green box as bytes from −127 to 127, scaled back by its node
    let (positions, normals, _) = box_corners([254.0; 3]);
    let bytes = |rows: &[[f32; 3]], times: f32| -> Vec<u8> {
        let row = |[x, y, z]: &[f32; 3]| [*x, *y, *z, 0.0].map(|value| (value * times) as i8 as u8);
        rows.iter().flat_map(row).collect()
    };
    for (name, bytes, normalized) in
        [("POSITION", bytes(&positions, 1.0), false), ("NORMAL", bytes(&normals, 127.0), true)]
    {
        let list = packed.accessor(&bytes, "VEC3", 5120, 24);
        packed.json["accessors"][list]["normalized"] = json!(normalized);
        let view = packed.json["accessors"][list]["bufferView"].as_u64().expect("it has one");
        packed.json["bufferViews"][view as usize]["byteStride"] = json!(4);
        packed.json["meshes"][1]["primitives"][0]["attributes"][name] = json!(list);
    }
    packed.json["nodes"][1]["scale"] = json!(vec![0.5_f32 / 254.0; 3]);
    let (Some(plain), Some(packed)) = (shown(plain(), 0), shown(packed, 0)) else { return };
    let (meant, found) = (plain.patch(GREEN), packed.patch(GREEN));
    assert!(meant.pixels > 500 && found.pixels.abs_diff(meant.pixels) * 50 < meant.pixels);
    assert!((meant.x - found.x).abs() < 1.0 && (meant.y - found.y).abs() < 1.0);
}

/// A box whose top is lifted by a sparse accessor; everything else is in the dense one.
#[test]
fn sparse_accessors_replace_their_entries() {
    let tall = |sparse: bool| {
        let mut file = File::new();
        file.colored_box(RED, [-1.0, 0.5, 0.0]);
        file.colored_box(BLUE, [-1.0, 4.5, 0.0]);
        file.colored_box(GREEN, [0.7, 0.5, 0.0]);
        if sparse {
            let (positions, ..) = box_corners([0.5; 3]);
            let top: Vec<u16> = (0..24).filter(|at| positions[usize::from(*at)][1] > 0.0).collect();
            let places: Vec<u8> = top.iter().flat_map(|at| at.to_le_bytes()).collect();
            let values: Vec<u8> = top
                .iter()
                .map(|at| positions[usize::from(*at)])
                .flat_map(|[x, y, z]| [x, y + 1.0, z])
                .flat_map(f32::to_le_bytes)
                .collect();
            let (places, values) = (file.view(&places), file.view(&values));
            let list = &file.json["meshes"][2]["primitives"][0]["attributes"]["POSITION"];
            let list = list.as_u64().expect("it has one") as usize;
            file.json["accessors"][list]["sparse"] = json!({
                "count": top.len(),
                "indices": { "bufferView": places, "componentType": 5123 },
                "values": { "bufferView": values },
            });
        }
        Some(shown(file, 0)?.patch(GREEN))
    };
    let (Some(plain), Some(lifted)) = (tall(false), tall(true)) else { return };
    let grown = lifted.height / plain.height;
    assert!((2.2..3.2).contains(&grown), "{grown} times as tall");
}

#[test]
fn only_the_default_scene_is_shown() {
    let mut file = File::new();
    file.colored_box(GREEN, [0.0, 0.5, 0.0]);
    file.colored_box(RED, [1.0, 0.5, 0.0]);
    file.json["scenes"] = json!([{ "nodes": [1] }, { "nodes": [0] }]);
    file.json["scene"] = json!(1);
    let Some(picture) = shown(file, 0) else { return };
    assert!(picture.patch(GREEN).pixels > 5_000);
    assert_eq!(picture.patch(RED).pixels, 0);
}

#[test]
fn a_mirrored_node_is_not_turned_inside_out() {
    let seen = |scale: [f32; 3]| {
        let mut file = File::new();
        let green = file.colored_box(GREEN, [0.0, 0.5, 0.0]);
        file.json["nodes"][green]["scale"] = json!(scale);
        Some(shown(file, 0)?.patch(GREEN))
    };
    let (Some(plain), Some(mirrored)) = (seen([1.0; 3]), seen([1.0, 1.0, -1.0])) else { return };
    assert!(plain.pixels > 5_000 && plain.pixels.abs_diff(mirrored.pixels) * 50 < plain.pixels);
}

#[test]
fn millimetre_and_kilometre_bodies_fill_the_image_alike() {
    for size in [1e-3, 1.0, 1e3] {
        let mut file = File::new();
        let green = file.colored_box(GREEN, [0.0, size * 0.25, 0.0]);
        file.json["nodes"][green]["scale"] = json!(vec![size; 3]);
        let Some(picture) = shown(file, 0) else { return };
        let found = picture.patch(GREEN);
        assert!(found.pixels > 5_000, "{size} m: {found:?}");
    }
}
