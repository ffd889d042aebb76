//! The mesh at rest.

use std::collections::HashMap;

use glam::Vec3;
use limber_animation::{CANONICAL_JOINT_COUNT, Character, HumanBone};
use limber_characters::build::STOCK;

use crate::CHARACTERS;

/// Returns all triangles of all meshes over one list of vertices, with the vertices along seams
/// merged.
pub(crate) fn welded(character: &Character) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut places: HashMap<[u32; 3], u32> = HashMap::new();
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for mesh in &character.meshes {
        let ids: Vec<u32> = mesh
            .positions
            .iter()
            .map(|place| {
                *places.entry(place.to_array().map(f32::to_bits)).or_insert_with(|| {
                    positions.push(*place);
                    positions.len() as u32 - 1
                })
            })
            .collect();
        let corners = mesh.indices.chunks_exact(3);
        triangles.extend(corners.map(|at| [0, 1, 2].map(|i| ids[at[i] as usize])));
    }
    (positions, triangles)
}

#[test]
fn the_mesh_is_closed_and_every_edge_has_two_faces() {
    for character in CHARACTERS.iter() {
        let (positions, triangles) = welded(character);
        let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
        for triangle in &triangles {
            for i in 0..3 {
                *edges.entry((triangle[i], triangle[(i + 1) % 3])).or_default() += 1;
            }
        }
        for ((a, b), count) in &edges {
            let (once, back) = (*count == 1, edges.get(&(*b, *a)) == Some(&1));
            let (from, to) = (positions[*a as usize], positions[*b as usize]);
            assert!(once && back, "{}: edge {from} – {to}", character.name);
        }
        // Body, eyeballs, teeth and tongue are topological spheres: V − E + F = 2 for each.
        let euler = positions.len() as i64 - edges.len() as i64 / 2 + triangles.len() as i64;
        assert_eq!(euler, 2 * pieces(positions.len(), &triangles), "{}", character.name);
    }
}

/// Returns the number of connected components.
fn pieces(vertices: usize, triangles: &[[u32; 3]]) -> i64 {
    let leaders = leaders(vertices, triangles);
    leaders.iter().enumerate().filter(|(at, over)| at == *over).count() as i64
}

/// Returns, for every vertex, a representative of its connected component.
pub(crate) fn leaders(vertices: usize, triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut leader: Vec<usize> = (0..vertices).collect();
    let find = |leader: &[usize], mut at: usize| {
        while leader[at] != at {
            at = leader[at];
        }
        at
    };
    for triangle in triangles {
        for corner in &triangle[1..] {
            let a = find(&leader, triangle[0] as usize);
            let b = find(&leader, *corner as usize);
            let (least, most) = (a.min(b), a.max(b));
            leader[most] = least;
            leader[*corner as usize] = least;
            leader[triangle[0] as usize] = least;
        }
    }
    (0..vertices).map(|at| find(&leader, at)).collect()
}

#[test]
fn faces_point_outwards() {
    for character in CHARACTERS.iter() {
        let (positions, triangles) = welded(character);
        let volume: f32 = triangles
            .iter()
            .map(|triangle| triangle.map(|corner| positions[corner as usize]))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        // An adult of 1.75 m displaces about 70 litres, an eight-year-old child 25.
        assert!((0.02..0.16).contains(&volume), "{}: {volume} m³", character.name);
        for mesh in &character.meshes {
            for corners in mesh.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|i| mesh.positions[corners[i] as usize]);
                let flat = (b - a).cross(c - a);
                let smooth: Vec3 = corners.iter().map(|at| mesh.normals[*at as usize]).sum();
                assert!(flat.dot(smooth) > -1e-7, "{}: turned triangle at {a}", character.name);
            }
        }
    }
}

#[test]
fn the_triangle_count_is_within_bounds() {
    for (build, character) in STOCK.iter().zip(CHARACTERS.iter()) {
        let count = character.triangle_count();
        let wanted = if build.grain.flat { 1_000..=3_000 } else { 6_000..=30_000 };
        assert!(wanted.contains(&count), "{}: {count}", character.name);
        assert!((1..=11).contains(&character.materials.len()));
    }
}

#[test]
fn characters_stand_on_the_floor_facing_forward_in_a_t_pose() {
    for character in CHARACTERS.iter() {
        let (positions, _) = welded(character);
        let lowest = positions.iter().map(|place| place.y).fold(f32::MAX, f32::min);
        assert!(lowest.abs() < 0.004, "{}: soles at {lowest}", character.name);
        let feet = positions.iter().filter(|place| place.y < 0.05);
        let (heel, toe) =
            feet.fold((0.0f32, 0.0f32), |(heel, toe), place| (heel.min(place.z), toe.max(place.z)));
        assert!(toe > -heel, "{}: toes point forward", character.name);
        let world = character.skeleton.rest_world();
        let at = |bone| world.position(character.skeleton.find(bone).expect("all bones"));
        let (shoulder, hand) = (at(HumanBone::LeftUpperArm), at(HumanBone::LeftHand));
        assert!(hand.x > shoulder.x && (hand.y - shoulder.y).abs() < 1e-5);
    }
}

#[test]
fn characters_have_the_canonical_bones_by_name() {
    for character in CHARACTERS.iter() {
        assert_eq!(character.skeleton.len(), CANONICAL_JOINT_COUNT);
        for joint in character.skeleton.joints() {
            let bone = joint.bone.expect("every joint is a human bone");
            assert_eq!(joint.name, bone.name());
        }
        assert!(character.skeleton.joints()[0].parent.is_none());
        character.check().expect("the parts are consistent");
    }
}

#[test]
fn vertices_have_at_most_four_weights_that_sum_to_one() {
    for character in CHARACTERS.iter() {
        for mesh in &character.meshes {
            for weights in &mesh.weights {
                let sum: f32 = weights.iter().sum();
                assert!((sum - 1.0).abs() < 1e-5, "{}: {weights:?}", character.name);
                assert!(weights.iter().all(|weight| *weight >= 0.0));
            }
        }
    }
}

#[test]
fn bones_do_not_move_vertices_of_the_other_side() {
    for character in CHARACTERS.iter() {
        for mesh in &character.meshes {
            for (vertex, place) in mesh.positions.iter().enumerate() {
                for (joint, weight) in mesh.joints[vertex].iter().zip(mesh.weights[vertex]) {
                    let bone = character.skeleton.joints()[usize::from(*joint)].bone;
                    let side = bone.and_then(HumanBone::side).map_or(0.0, |side| side.sign());
                    assert!(weight == 0.0 || side * place.x >= 0.0, "{bone:?} moves {place}");
                }
            }
        }
    }
}
