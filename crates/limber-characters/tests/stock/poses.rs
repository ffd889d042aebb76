//! No part of the body intersects another in the twelve trial poses.
//!
//! Intersecting triangles count, unless both lie in the crease of a joint that connects their bones
//! or in which one of their bones ends; within one bone, in the crease of any joint. A crease is a
//! ball of [`CREASE_M`] around such a joint (scaled with the character's height or thighs), where
//! flesh is compressed when a limb folds, as in a real body. Everything farther away must be free
//! of intersections: hand and trunk, arm and flank, leg and leg, finger and finger. Eyes that are
//! set into the head do not count.

use glam::Vec3;
use limber_animation::{Character, HumanBone, JointIndex, Mesh, WorldPose};
use limber_characters::build::{Build, STOCK};
use limber_characters::trial::{REST, TRIALS, Trial};

use crate::CHARACTERS;
use crate::body::{leaders, welded};
use crate::touching::crossing_pairs;

/// About the radii of thigh and calf together: how far from a folded knee they still touch.
const CREASE_M: f32 = 0.15;

/// Returns, for every triangle in the order of [`welded`], the joint with the largest weight on it.
fn owners(character: &Character) -> Vec<JointIndex> {
    let mut owners = Vec::new();
    for mesh in &character.meshes {
        for corners in mesh.indices.chunks_exact(3) {
            let mut held = vec![0.0; character.skeleton.len()];
            for corner in corners {
                let at = *corner as usize;
                for (joint, weight) in mesh.joints[at].iter().zip(mesh.weights[at]) {
                    held[usize::from(*joint)] += weight;
                }
            }
            let most = (0..held.len()).max_by(|a, b| held[*a].total_cmp(&held[*b]));
            owners.push(JointIndex::new(most.expect("there are joints")));
        }
    }
    owners
}

/// Returns the joints whose creases two bones share: those between the bones, and those in which
/// the two end.
fn joints_between(character: &Character, a: JointIndex, b: JointIndex) -> Vec<JointIndex> {
    let up = |mut joint: JointIndex| {
        let mut chain = vec![joint];
        while let Some(parent) = character.skeleton.joint(joint).parent {
            chain.push(parent);
            joint = parent;
        }
        chain
    };
    let (from_a, from_b) = (up(a), up(b));
    let only = |chain: &[JointIndex], other: &[JointIndex]| -> Vec<JointIndex> {
        chain.iter().copied().filter(|joint| !other.contains(joint)).collect()
    };
    if a == b {
        return character.skeleton.indices().collect();
    }
    let ends = character.skeleton.indices().filter(|joint| {
        let parent = character.skeleton.joint(*joint).parent;
        parent == Some(a) || parent == Some(b)
    });
    [only(&from_a, &from_b), only(&from_b, &from_a), vec![a, b], ends.collect()].concat()
}

fn collisions(character: &Character, build: &Build, trial: &Trial) -> Vec<String> {
    let skeleton = &character.skeleton;
    let world: WorldPose = skeleton.world(&trial.pose(skeleton));
    let head = skeleton.find(HumanBone::Head).expect("the character has a head");
    let crease = CREASE_M * build.thigh_girth.max(skeleton.rest_world().position(head).y / 1.54);
    let owners = owners(character);
    let (rest, triangles) = welded(character);
    // Triangles of low-poly bodies are large: their centres are farther from the joint than the
    // point of contact.
    let crease = if build.grain.flat { crease + 0.5 * build.grain.step_m } else { crease };
    let piece = leaders(rest.len(), &triangles);
    let set_in = |a: usize, b: usize| {
        owners[a] == owners[b] && piece[triangles[a][0] as usize] != piece[triangles[b][0] as usize]
    };
    let positions = posed(character, &world);
    let centre = |at: usize| -> Vec3 {
        triangles[at].iter().map(|corner| positions[*corner as usize]).sum::<Vec3>() / 3.0
    };
    let mut found: Vec<String> = crossing_pairs(&positions, &triangles)
        .into_iter()
        .filter(|(a, b)| !set_in(*a, *b))
        .filter(|(a, b)| {
            let between = joints_between(character, owners[*a], owners[*b]);
            let near =
                |joint: JointIndex, at: usize| world.position(joint).distance(centre(at)) < crease;
            !between.iter().any(|joint| near(*joint, *a) && near(*joint, *b))
        })
        .map(|(a, b)| {
            let name = |at: usize| &skeleton.joint(owners[at]).name;
            format!("{}: {} × {}", trial.name, name(a), name(b))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Returns the posed positions of the vertices of [`welded`].
fn posed(character: &Character, world: &WorldPose) -> Vec<Vec3> {
    let mut seen = std::collections::HashSet::new();
    let mut positions = Vec::new();
    for mesh in &character.meshes {
        let moved = character.skinned_positions(mesh, world);
        positions.extend(
            new_places(mesh, &mut seen).zip(moved).filter(|(new, _)| *new).map(|(_, place)| place),
        );
    }
    positions
}

fn new_places<'a>(
    mesh: &'a Mesh,
    seen: &'a mut std::collections::HashSet<[u32; 3]>,
) -> impl Iterator<Item = bool> + 'a {
    mesh.positions.iter().map(|place| seen.insert(place.to_array().map(f32::to_bits)))
}

#[test]
fn no_parts_intersect_at_rest_and_in_twelve_poses() {
    let mut all = Vec::new();
    for (build, character) in STOCK.iter().zip(CHARACTERS.iter()) {
        for trial in std::iter::once(&REST).chain(&TRIALS) {
            let found = collisions(character, build, trial);
            all.extend(found.into_iter().map(|what| format!("{} {what}", character.name)));
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}
