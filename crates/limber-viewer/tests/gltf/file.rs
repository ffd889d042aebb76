//! Hand-written GLB files with boxes, each for one glTF feature that viewers often get wrong.

use std::path::Path;

use serde_json::{Value, json};

/// A GLB file under construction.
pub(crate) struct File {
    pub(crate) json: Value,
    data: Vec<u8>,
}

pub(crate) const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
pub(crate) const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
pub(crate) const BLUE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];
pub(crate) const WHITE: [f32; 4] = [1.0, 1.0, 1.0, 1.0];

/// Corners of a box of this size around the origin, with separate corners for every face.
pub(crate) fn box_corners(size: [f32; 3]) -> (Vec<[f32; 3]>, Vec<[f32; 3]>, Vec<u16>) {
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let first = positions.len() as u16;
            for (s, t) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let (mut at, mut normal) = ([0.0; 3], [0.0; 3]);
                (at[axis], at[u], at[v]) = (sign * 0.5, s, t);
                normal[axis] = sign;
                positions.push(std::array::from_fn(|place| at[place] * size[place]));
                normals.push(normal);
            }
            let corners = if sign > 0.0 { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
            indices.extend(corners.map(|corner| first + corner));
        }
    }
    (positions, normals, indices)
}

impl File {
    pub(crate) fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": [] }],
            "nodes": [], "meshes": [], "materials": [], "accessors": [], "bufferViews": [],
        });
        Self { json, data: Vec::new() }
    }

    /// Adds an entry to one of the file's lists and returns its index.
    pub(crate) fn push(&mut self, list: &str, entry: Value) -> usize {
        if self.json.get(list).is_none() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().expect("it is a list");
        list.push(entry);
        list.len() - 1
    }

    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let offset = self.data.len();
        self.data.extend_from_slice(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.push("bufferViews", view)
    }

    pub(crate) fn accessor(
        &mut self,
        bytes: &[u8],
        kind: &str,
        component: u32,
        count: usize,
    ) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }),
        )
    }

    pub(crate) fn floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let kind = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        self.accessor(&bytes, kind, 5126, rows.len())
    }

    pub(crate) fn indices(&mut self, corners: &[u16]) -> usize {
        let bytes: Vec<u8> = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
        self.accessor(&bytes, "SCALAR", 5123, corners.len())
    }

    /// An unlit colour, so that pixels can be counted.
    pub(crate) fn unlit(&mut self, color: [f32; 4]) -> usize {
        self.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
        self.push(
            "materials",
            json!({
                "pbrMetallicRoughness": { "baseColorFactor": color },
                "extensions": { "KHR_materials_unlit": {} },
            }),
        )
    }

    /// A box mesh; `more` is merged into its primitive.
    pub(crate) fn box_mesh(&mut self, size: [f32; 3], material: usize, more: Value) -> usize {
        let (positions, normals, indices) = box_corners(size);
        let (positions, normals) = (self.floats(&positions), self.floats(&normals));
        let indices = self.indices(&indices);
        let mut primitive = json!({
            "attributes": { "POSITION": positions, "NORMAL": normals },
            "indices": indices,
            "material": material,
        });
        merge(&mut primitive, more);
        self.push("meshes", json!({ "primitives": [primitive] }))
    }

    /// Adds a root node to the scene.
    pub(crate) fn top(&mut self, node: Value) -> usize {
        let place = self.push("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("it is a list").push(json!(place));
        place
    }

    /// Adds a box of this colour to the scene.
    pub(crate) fn colored_box(&mut self, color: [f32; 4], at: [f32; 3]) -> usize {
        let material = self.unlit(color);
        let mesh = self.box_mesh([0.5; 3], material, json!({}));
        self.top(json!({ "mesh": mesh, "translation": at }))
    }

    /// Red boxes low and blue ones high on both sides of the centre, as a scale for measuring
    /// heights in any view.
    pub(crate) fn ladder() -> Self {
        let mut file = Self::new();
        for x in [-1.0, 1.0] {
            file.colored_box(RED, [x, 0.5, 0.0]);
            file.colored_box(BLUE, [x, 4.5, 0.0]);
        }
        file
    }

    /// Animates a node's `path` with keys at these times in seconds.
    pub(crate) fn animate<const N: usize>(
        &mut self,
        name: &str,
        (node, path, interpolation): (usize, &str, &str),
        times: &[f32],
        values: &[[f32; N]],
    ) {
        let times: Vec<_> = times.iter().map(|time| [*time]).collect();
        let (input, output) = (self.floats(&times), self.floats(values));
        let sampler = json!({ "input": input, "output": output, "interpolation": interpolation });
        let channel = json!({ "sampler": 0, "target": { "node": node, "path": path } });
        let animation = json!({ "name": name, "samplers": [sampler], "channels": [channel] });
        self.push("animations", animation);
    }

    pub(crate) fn write(mut self, file: &Path) {
        self.json["buffers"] = json!([{ "byteLength": self.data.len() }]);
        let mut text = self.json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let word = |length: usize| u32::try_from(length).expect("it is small").to_le_bytes();
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend(word(28 + text.len() + self.data.len()));
        bytes.extend(word(text.len()));
        bytes.extend(b"JSON");
        bytes.extend(text);
        bytes.extend(word(self.data.len()));
        bytes.extend(b"BIN\0");
        bytes.extend(self.data);
        std::fs::write(file, bytes).expect("the folder is writable");
    }
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}
