//! How wide and deep a body is, part by part.

use glam::Vec3;
use limber_animation::{Character, HumanBone, JointIndex, Skeleton};

/// A part of the body that hands come to lie on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Part {
    pub(crate) bone: HumanBone,
    /// The bone at its other end, which says how long it is.
    pub(crate) next: HumanBone,
    /// How far its skin is from the line between both at rest, metres.
    pub(crate) girth: Girth,
}

/// Distances from a bone's line to the skin at rest, metres, in the body's own directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Girth {
    /// To the left, and just as far to the right.
    pub(crate) side_m: f32,
    pub(crate) front_m: f32,
    pub(crate) back_m: f32,
}

/// The parts, with the girth of the canonical body as the stock mannequin has it.
pub(crate) const CANONICAL: [Part; 6] = [
    part(HumanBone::Hips, HumanBone::Spine, [0.143, 0.089, 0.121]),
    part(HumanBone::Spine, HumanBone::Chest, [0.124, 0.096, 0.074]),
    part(HumanBone::Chest, HumanBone::Neck, [0.157, 0.106, 0.109]),
    part(HumanBone::Head, HumanBone::Head, [0.073, 0.088, 0.094]),
    part(HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, [0.068, 0.084, 0.101]),
    part(HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, [0.068, 0.084, 0.101]),
];

const fn part(bone: HumanBone, next: HumanBone, [side_m, front_m, back_m]: [f32; 3]) -> Part {
    Part { bone, next, girth: Girth { side_m, front_m, back_m } }
}

/// Of all distances of a part's skin this share is nearer: single spikes do not count.
const MOST: f32 = 0.9;
/// Parts with less skin than this say nothing.
const LEAST_VERTICES: usize = 12;

/// The girth of a character, part by part in the order of [`CANONICAL`]; `None` where a part has no
/// bone or too little skin.
pub(crate) fn girths(character: &Character) -> [Option<Girth>; CANONICAL.len()] {
    let skeleton = &*character.skeleton;
    let owners = owners(skeleton);
    let world = skeleton.rest_world();
    let mut skins: [Vec<Vec3>; CANONICAL.len()] = Default::default();
    for mesh in &character.meshes {
        let Some(skin) = mesh.skin.and_then(|place| character.skins.get(place)) else { continue };
        let rest = character.skinned_positions(mesh, &world);
        for (position, (joints, weights)) in rest.iter().zip(mesh.joints.iter().zip(&mesh.weights))
        {
            let heaviest = (0..4).max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap_or(0);
            let joint = skin.joints[usize::from(joints[heaviest])];
            if let Some(part) = owners[joint.get()] {
                skins[part].push(*position);
            }
        }
    }
    std::array::from_fn(|place| {
        let part = &CANONICAL[place];
        let (bone, next) = (skeleton.find(part.bone)?, skeleton.find(part.next)?);
        measure(&skins[place], world.position(bone), world.position(next))
    })
}

/// Which part each joint belongs to: that of the nearest human bone at or above it.
fn owners(skeleton: &Skeleton) -> Vec<Option<usize>> {
    let mut owners: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let above = || joint.parent.and_then(|parent: JointIndex| owners[parent.get()]);
        owners.push(match joint.bone {
            // one chest of two bones
            Some(HumanBone::UpperChest) => place_of(HumanBone::Chest),
            Some(bone) => place_of(bone),
            None => above(),
        });
    }
    owners
}

fn place_of(bone: HumanBone) -> Option<usize> {
    CANONICAL.iter().position(|part| part.bone == bone)
}

fn measure(skin: &[Vec3], from: Vec3, to: Vec3) -> Option<Girth> {
    if skin.len() < LEAST_VERTICES {
        return None;
    }
    let along = (to - from).try_normalize();
    let off = |position: &Vec3| {
        let offset = *position - from;
        along.map_or(offset, |along| offset.reject_from_normalized(along))
    };
    let offsets: Vec<Vec3> = skin.iter().map(off).collect();
    let most = |distance: &dyn Fn(&Vec3) -> Option<f32>| {
        let mut distances: Vec<f32> = offsets.iter().filter_map(distance).collect();
        distances.sort_by(f32::total_cmp);
        distances.get((distances.len() as f32 * MOST) as usize).copied()
    };
    Some(Girth {
        side_m: most(&|offset| Some(offset.x.abs()))?,
        front_m: most(&|offset| (offset.z > 0.0).then_some(offset.z))?,
        back_m: most(&|offset| (offset.z < 0.0).then_some(-offset.z))?,
    })
    .filter(|girth| girth.side_m > 1e-3 && girth.front_m > 1e-3 && girth.back_m > 1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canonical_girth_is_that_of_the_mannequin() {
        let file = include_bytes!("../../../assets/characters/mannequin.glb");
        let mannequin = limber_formats::glb::read(file).expect("it is ours").character;
        for (part, girth) in CANONICAL.iter().zip(girths(&mannequin)) {
            let girth = girth.expect("it has all parts");
            let pairs = [
                (part.girth.side_m, girth.side_m),
                (part.girth.front_m, girth.front_m),
                (part.girth.back_m, girth.back_m),
            ];
            for (canonical, measured) in pairs {
                assert!((canonical - measured).abs() < 0.003, "{:?}: {girth:?}", part.bone);
            }
        }
    }
}
