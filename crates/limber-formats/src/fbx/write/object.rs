//! Combines meshes that are one object: a single geometry with several materials.

use std::borrow::Cow;

use glam::{Vec2, Vec3};
use limber_animation::{Character, Mesh, Morph};

/// A future geometry.
pub(super) struct Object<'a> {
    /// Index of its first part in the character's meshes.
    pub(super) first: usize,
    /// All parts combined.
    pub(super) mesh: Cow<'a, Mesh>,
    /// Indices of its materials.
    pub(super) materials: Vec<usize>,
    /// For each triangle, the index of its material in `materials`; empty if all have the same.
    pub(super) slots: Vec<i32>,
}

/// Returns a character's objects in order.
pub(super) fn all(character: &Character) -> Vec<Object<'_>> {
    let parts_of = |object: Vec<usize>| -> Vec<Vec<usize>> {
        let bare = |place: &usize| character.meshes[*place].material.is_none();
        // if other triangles have a material, a triangle cannot have none
        let mixed = object.iter().any(bare) && !object.iter().all(bare);
        if mixed { object.into_iter().map(|place| vec![place]).collect() } else { vec![object] }
    };
    let objects = character.objects().into_iter().flat_map(parts_of);
    objects.map(|places| Object::of(character, &places)).collect()
}

impl<'a> Object<'a> {
    fn of(character: &'a Character, places: &[usize]) -> Self {
        let parts: Vec<&'a Mesh> = places.iter().map(|place| &character.meshes[*place]).collect();
        let mut materials: Vec<usize> = Vec::new();
        let mut slots = Vec::new();
        for part in &parts {
            let Some(material) = part.material else { continue };
            let known = materials.iter().position(|known| *known == material);
            let slot = known.unwrap_or_else(|| {
                materials.push(material);
                materials.len() - 1
            });
            slots.extend(std::iter::repeat_n(slot as i32, part.indices.len() / 3));
        }
        if materials.len() < 2 {
            slots.clear();
        }
        let mesh = match parts[..] {
            [only] => Cow::Borrowed(only),
            _ => Cow::Owned(joined(&parts)),
        };
        Self { first: places[0], mesh, materials, slots }
    }

    /// Whether any of its materials has a texture.
    pub(super) fn is_textured(&self, character: &Character) -> bool {
        self.materials.iter().any(|place| character.materials[*place].images().next().is_some())
    }
}

/// Combines the parts of one object, which have the same morph targets and the same skin, into one
/// mesh.
fn joined(parts: &[&Mesh]) -> Mesh {
    let first = parts[0];
    let any = |has: fn(&Mesh) -> bool| parts.iter().any(|part| has(part));
    let has_uvs = any(|part| !part.uvs.is_empty());
    let has_more = any(|part| !part.more_joints.is_empty());
    let mut whole = Mesh {
        name: first.name.clone(),
        skin: first.skin,
        material: first.material,
        object: first.object,
        ..Mesh::default()
    };
    for part in parts {
        let (before, count) = (whole.positions.len() as u32, part.positions.len());
        whole.positions.extend_from_slice(&part.positions);
        whole.normals.extend_from_slice(&part.normals);
        whole.joints.extend_from_slice(&part.joints);
        whole.weights.extend_from_slice(&part.weights);
        if has_uvs {
            extend(&mut whole.uvs, &part.uvs, count, Vec2::ZERO);
        }
        if has_more {
            extend(&mut whole.more_joints, &part.more_joints, count, [0; 4]);
            extend(&mut whole.more_weights, &part.more_weights, count, [0.0; 4]);
        }
        whole.indices.extend(part.indices.iter().map(|corner| corner + before));
    }
    let shapes = 0..first.morphs.len();
    whole.morphs = shapes.map(|shape| joined_shape(parts, shape)).collect();
    whole
}

fn joined_shape(parts: &[&Mesh], shape: usize) -> Morph {
    let bends = parts.iter().any(|part| !part.morphs[shape].normals.is_empty());
    let name = parts[0].morphs[shape].name.clone();
    let mut whole = Morph { name, ..Morph::default() };
    for part in parts {
        let (own, count) = (&part.morphs[shape], part.positions.len());
        whole.positions.extend_from_slice(&own.positions);
        if bends {
            extend(&mut whole.normals, &own.normals, count, Vec3::ZERO);
        }
    }
    whole
}

/// Appends a list, or `count` empty rows if a part has none.
fn extend<T: Copy>(whole: &mut Vec<T>, part: &[T], count: usize, empty: T) {
    if part.is_empty() {
        whole.extend(std::iter::repeat_n(empty, count));
    } else {
        whole.extend_from_slice(part);
    }
}
