//! The stock mannequin as a glTF scene that can be rearranged before it is written.

use glam::{Mat4, Quat, Vec3};
use limber_animation::{HumanBone, Mesh};
use limber_pipeline::stock;
use serde_json::{Value, json};

#[derive(Clone)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) translation: Vec3,
    pub(super) rotation: Quat,
    pub(super) scale: Vec3,
    pub(super) bone: Option<HumanBone>,
}

#[derive(Clone)]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    /// `None` omits them from the file.
    pub(super) inverse_bind: Option<Vec<Mat4>>,
}

#[derive(Clone)]
pub(super) struct Part {
    pub(super) mesh: Mesh,
    /// The skin that binds the mesh; without one, it is attached to `node`.
    pub(super) skin: Option<usize>,
    pub(super) node: Option<usize>,
}

/// Nodes in any order: files need not be sorted.
#[derive(Clone)]
pub(super) struct Scene {
    pub(super) nodes: Vec<Node>,
    pub(super) skins: Vec<Skin>,
    pub(super) parts: Vec<Part>,
}

impl Scene {
    /// Returns the mannequin in three meshes: body, joints, eyes. Joints have the names of VRM
    /// bones.
    pub(super) fn mannequin() -> Self {
        let character = stock::list()[0].character().expect("the stock character reads");
        let joints = character.skeleton.joints();
        let node = |joint: &limber_animation::Joint| Node {
            name: joint.name.clone(),
            parent: joint.parent.map(limber_animation::JointIndex::get),
            translation: joint.rest_translation,
            rotation: joint.rest_rotation,
            scale: Vec3::ONE,
            bone: joint.bone,
        };
        let skin = &character.skins[0];
        let parts = character.meshes.iter().map(|mesh| Part {
            mesh: Mesh { material: None, morphs: Vec::new(), ..mesh.clone() },
            skin: Some(0),
            node: None,
        });
        Self {
            nodes: joints.iter().map(node).collect(),
            skins: vec![Skin {
                joints: skin.joints.iter().map(|joint| joint.get()).collect(),
                inverse_bind: Some(skin.inverse_bind.clone()),
            }],
            parts: parts.collect(),
        }
    }

    pub(super) fn find(&self, bone: HumanBone) -> usize {
        let found = self.nodes.iter().position(|node| node.bone == Some(bone));
        found.unwrap_or_else(|| panic!("it has a {}", bone.name()))
    }

    pub(super) fn world_of(&self, node: usize) -> Mat4 {
        let own = &self.nodes[node];
        let local = Mat4::from_scale_rotation_translation(own.scale, own.rotation, own.translation);
        own.parent.map_or(local, |parent| self.world_of(parent) * local)
    }

    pub(super) fn world(&self) -> Vec<Mat4> {
        (0..self.nodes.len()).map(|node| self.world_of(node)).collect()
    }

    /// Binds the meshes to the joints in their current positions.
    pub(super) fn rebind(&mut self) {
        let world = self.world();
        for skin in &mut self.skins {
            let matrices = skin.joints.iter().map(|node| world[*node].inverse());
            skin.inverse_bind = Some(matrices.collect());
        }
    }

    pub(super) fn add(&mut self, name: &str, parent: Option<usize>, at: Vec3) -> usize {
        self.nodes.push(Node {
            name: name.to_owned(),
            parent,
            translation: at,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            bone: None,
        });
        self.nodes.len() - 1
    }

    /// Adds a node above all others, which transforms them.
    pub(super) fn add_root(&mut self, name: &str, turn: Quat, scale: f32) -> usize {
        let root = self.add(name, None, Vec3::ZERO);
        (self.nodes[root].rotation, self.nodes[root].scale) = (turn, Vec3::splat(scale));
        for node in &mut self.nodes[..root] {
            node.parent = node.parent.or(Some(root));
        }
        root
    }

    /// Reparents a node without moving it. Nodes must not be scaled.
    pub(super) fn hang(&mut self, node: usize, parent: usize) {
        let (own, above) = (self.world_of(node), self.world_of(parent));
        let (_, rotation, translation) = (above.inverse() * own).to_scale_rotation_translation();
        let node = &mut self.nodes[node];
        (node.parent, node.rotation, node.translation) = (Some(parent), rotation, translation);
    }

    /// Rotates the local axes of joints without moving anything.
    pub(super) fn turn_axes(&mut self, axes: impl Fn(usize) -> Quat) {
        let world = self.world();
        let place = |node: usize| {
            let (_, turn, at) = world[node].to_scale_rotation_translation();
            Mat4::from_rotation_translation(turn * axes(node), at)
        };
        for node in 0..self.nodes.len() {
            let above = self.nodes[node].parent.map_or(Mat4::IDENTITY, place);
            let (_, rotation, translation) =
                (above.inverse() * place(node)).to_scale_rotation_translation();
            (self.nodes[node].rotation, self.nodes[node].translation) = (rotation, translation);
        }
        self.rebind();
    }

    /// Removes a joint; its children and its skin go to its parent.
    pub(super) fn remove(&mut self, bone: HumanBone) {
        let joint = self.find(bone);
        let parent = self.nodes[joint].parent.expect("it is not the root");
        for node in 0..self.nodes.len() {
            if self.nodes[node].parent == Some(joint) {
                self.hang(node, parent);
            }
        }
        for skin in &mut self.skins {
            for place in skin.joints.iter_mut().filter(|place| **place == joint) {
                *place = parent;
            }
        }
        self.nodes[joint].parent = Some(parent);
        // a marker without skin, which no body needs
        (self.nodes[joint].name, self.nodes[joint].bone) = ("marker null".to_owned(), None);
        self.rebind();
    }

    /// Bakes the current pose into the meshes and binds them there.
    pub(super) fn pose_rest(&mut self) {
        let world = self.world();
        for part in &mut self.parts {
            let skin = &self.skins[part.skin.expect("all parts are bound")];
            let bind = skin.inverse_bind.as_ref().expect("its position is given");
            let matrices: Vec<Mat4> =
                skin.joints.iter().zip(bind).map(|(node, bind)| world[*node] * *bind).collect();
            move_skin(&mut part.mesh, &matrices);
        }
        self.rebind();
    }

    pub(super) fn rename(&mut self, name: impl Fn(HumanBone) -> Option<String>) {
        for node in &mut self.nodes {
            if let Some(name) = node.bone.and_then(&name) {
                node.name = name;
            }
        }
    }

    pub(super) fn file(&self) -> Vec<u8> {
        let mut file = File::default();
        let mut nodes: Vec<Value> = self.nodes.iter().map(node_json).collect();
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                let children = nodes[parent]["children"].as_array_mut();
                children.expect("every node has a list").push(json!(place));
            }
        }
        let mut top: Vec<usize> =
            (0..self.nodes.len()).filter(|node| self.nodes[*node].parent.is_none()).collect();
        let mut meshes = Vec::new();
        for part in &self.parts {
            meshes.push(file.mesh(part));
            let mut shown = json!({"name": part.mesh.name, "mesh": meshes.len() - 1});
            if let Some(skin) = part.skin {
                shown["skin"] = json!(skin);
            }
            nodes.push(shown);
            match part.node {
                Some(node) => {
                    let place = nodes.len() - 1;
                    let children = nodes[node]["children"].as_array_mut();
                    children.expect("every node has a list").push(json!(place));
                }
                None => top.push(nodes.len() - 1),
            }
        }
        for node in &mut nodes {
            if node["children"].as_array().is_some_and(Vec::is_empty) {
                node.as_object_mut().expect("it is a map").remove("children");
            }
        }
        let skins: Vec<Value> = self.skins.iter().map(|skin| file.skin(skin)).collect();
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": top}], "nodes": nodes,
            "meshes": meshes, "skins": skins, "accessors": file.accessors,
            "bufferViews": file.views, "buffers": [{"byteLength": file.data.len()}],
        });
        pack(&json, file.data)
    }
}

/// Skins every vertex with its joints' matrices.
pub(super) fn move_skin(mesh: &mut Mesh, matrices: &[Mat4]) {
    for vertex in 0..mesh.positions.len() {
        let (at, normal) = (mesh.positions[vertex], mesh.normals[vertex]);
        let (mut to, mut turned) = (Vec3::ZERO, Vec3::ZERO);
        for (joint, weight) in mesh.influences(vertex) {
            to += matrices[usize::from(joint)].transform_point3(at) * weight;
            turned += matrices[usize::from(joint)].transform_vector3(normal) * weight;
        }
        mesh.positions[vertex] = to;
        mesh.normals[vertex] = turned.normalize_or(Vec3::Y);
    }
}

fn node_json(node: &Node) -> Value {
    json!({
        "name": node.name, "translation": node.translation.to_array(),
        "rotation": node.rotation.normalize().to_array(), "scale": node.scale.to_array(),
        "children": [],
    })
}

fn pack(json: &Value, mut data: Vec<u8>) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    data.resize(data.len().next_multiple_of(4), 0);
    let mut file = Vec::new();
    let length = 12 + 8 + text.len() + 8 + data.len();
    for word in [0x4654_6C67, 2, length as u32, text.len() as u32, 0x4E4F_534A] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(text);
    for word in [data.len() as u32, 0x004E_4942] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(data);
    file
}

#[derive(Default)]
struct File {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    fn list(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let view = json!({
            "buffer": 0, "byteOffset": self.data.len(), "byteLength": bytes.len(),
        });
        self.data.extend(bytes);
        self.views.push(view);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "type": kind, "componentType": component,
            "count": count,
        }));
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, kind: &str, rows: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        self.list(kind, 5126, rows.len(), &bytes)
    }

    fn mesh(&mut self, part: &Part) -> Value {
        let mesh = &part.mesh;
        let rows = |list: &[Vec3]| list.iter().map(Vec3::to_array).collect::<Vec<_>>();
        let position = self.floats("VEC3", &rows(&mesh.positions));
        let count = mesh
            .positions
            .iter()
            .fold((Vec3::MAX, Vec3::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
        self.accessors[position]["min"] = json!(count.0.to_array());
        self.accessors[position]["max"] = json!(count.1.to_array());
        let mut attributes =
            json!({"POSITION": position, "NORMAL": self.floats("VEC3", &rows(&mesh.normals))});
        if part.skin.is_some() {
            let joints: Vec<u8> =
                mesh.joints.iter().flatten().flat_map(|place| place.to_le_bytes()).collect();
            attributes["JOINTS_0"] = json!(self.list("VEC4", 5123, mesh.joints.len(), &joints));
            attributes["WEIGHTS_0"] = json!(self.floats("VEC4", &mesh.weights));
        }
        let indices: Vec<u8> = mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let indices = self.list("SCALAR", 5125, mesh.indices.len(), &indices);
        json!({"name": mesh.name, "primitives": [{"attributes": attributes, "indices": indices}]})
    }

    fn skin(&mut self, skin: &Skin) -> Value {
        let mut json = json!({"joints": skin.joints});
        if let Some(matrices) = &skin.inverse_bind {
            let rows: Vec<[f32; 16]> = matrices.iter().map(Mat4::to_cols_array).collect();
            json["inverseBindMatrices"] = json!(self.floats("MAT4", &rows));
        }
        json
    }
}
