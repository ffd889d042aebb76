//! How much of a mesh small images show.

use serde_json::json;

use crate::{
    file::{File, WHITE, box_corners},
    picture::shown_at,
};

/// A box and six ribbons of small squares beside it, three metres high and narrower than a pixel of
/// a small image. A simplified mesh would lack them, because each is narrower than a cell of the
/// grid in which vertices are merged.
fn ribbons(are_drawn: bool) -> File {
    // the ladder is 4.5 m high, and the grid has 72 cells over that height
    const CELL: f32 = 4.5 / 72.0;
    let mut file = File::ladder();
    let (corners, mut normals, mut indices) = box_corners([0.5; 3]);
    let mut positions: Vec<_> = corners.iter().map(|[x, y, z]| [*x, *y + 2.5, *z]).collect();
    for column in [5.25, 7.25, 9.25, 11.25, 13.25, 15.25] {
        for step in 0..300 {
            let (y, first) = (1.0 + 0.01 * step as f32, positions.len() as u16);
            for (right, up) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.01), (0.0, 0.01)] {
                positions.push([(column + right) * CELL, y + up, 0.5 * CELL]);
                normals.push([0.0, 0.0, 1.0]);
            }
            if are_drawn {
                indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
            }
        }
    }
    let material = file.unlit(WHITE);
    file.json["materials"][material]["doubleSided"] = json!(true);
    let (positions, normals) = (file.floats(&positions), file.floats(&normals));
    let indices = file.indices(&indices);
    let primitive = json!({
        "attributes": { "POSITION": positions, "NORMAL": normals },
        "indices": indices,
        "material": material,
    });
    let mesh = file.push("meshes", json!({ "primitives": [primitive] }));
    file.top(json!({ "mesh": mesh }));
    file
}

#[test]
fn small_screenshots_show_every_triangle() {
    for side in [200, 400] {
        let Some(without) = shown_at(ribbons(false), side) else { return };
        let Some(with) = shown_at(ribbons(true), side) else { return };
        let seen = with.changed(&without);
        // together, the ribbons are some three images high
        assert!(seen > side as usize, "{seen} pixels of the ribbons at {side}");
    }
}
