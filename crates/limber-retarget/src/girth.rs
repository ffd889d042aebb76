//! Measures the width and depth of body parts.

use glam::Vec3;
use limber_animation::{Character, HumanBone, JointIndex, Skeleton, WorldPose};

/// A part of the body that hands can rest on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Part {
    pub(crate) bone: HumanBone,
    reach: Reach,
    /// Distances from the part's centre line to its skin at rest, in metres.
    pub(crate) girth: Girth,
}

/// The centre line of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reach {
    /// From the part's own joint to the joint of another bone.
    To(HumanBone),
    /// A segment of the trunk, given as two fractions of the line from the midpoint of the thighs
    /// to the midpoint of the shoulders. The joints of hips and spine are not suitable: rigs place
    /// them anywhere between crotch and navel.
    Trunk(f32, f32),
}

/// Distances from a part's centre line to the skin at rest, in metres, along the body's own axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Girth {
    /// To the left; the body is assumed to be symmetrical.
    pub(crate) side_m: f32,
    pub(crate) front_m: f32,
    pub(crate) back_m: f32,
}

/// The parts with the girth of the canonical body, measured on the stock mannequin.
pub(crate) const CANONICAL: [Part; 6] = [
    part(HumanBone::Hips, Reach::Trunk(0.0, WAIST), [0.153, 0.090, 0.115]),
    part(HumanBone::Spine, Reach::Trunk(WAIST, RIBS), [0.124, 0.093, 0.080]),
    part(HumanBone::Chest, Reach::Trunk(RIBS, 1.0), [0.159, 0.109, 0.103]),
    part(HumanBone::Head, Reach::To(HumanBone::Head), [0.073, 0.088, 0.094]),
    part(HumanBone::LeftUpperLeg, Reach::To(HumanBone::LeftLowerLeg), [0.068, 0.084, 0.101]),
    part(HumanBone::RightUpperLeg, Reach::To(HumanBone::RightLowerLeg), [0.068, 0.084, 0.101]),
];

/// Where spine and chest begin on the canonical body, as fractions of the trunk.
const WAIST: f32 = 0.3;
const RIBS: f32 = 0.55;

const fn part(bone: HumanBone, reach: Reach, [side_m, front_m, back_m]: [f32; 3]) -> Part {
    Part { bone, reach, girth: Girth { side_m, front_m, back_m } }
}

impl Part {
    /// Returns the joint that moves the part: its own or, if the spine has fewer joints, the next
    /// one towards the hips.
    pub(crate) fn joint(&self, skeleton: &Skeleton) -> Option<JointIndex> {
        let lower: &[HumanBone] = match self.bone {
            HumanBone::Chest => &[HumanBone::Spine, HumanBone::Hips],
            HumanBone::Spine => &[HumanBone::Hips],
            _ => &[],
        };
        skeleton.find(self.bone).or_else(|| lower.iter().find_map(|bone| skeleton.find(*bone)))
    }

    /// Returns the start and end of the part's centre line in world space.
    pub(crate) fn line(&self, skeleton: &Skeleton, world: &WorldPose) -> Option<[Vec3; 2]> {
        let at = |bone| skeleton.find(bone).map(|joint| world.position(joint));
        match self.reach {
            Reach::To(other) => Some([at(self.bone)?, at(other)?]),
            Reach::Trunk(from, to) => {
                let [low, high] = trunk(skeleton, world)?;
                Some([from, to].map(|share| low.lerp(high, share)))
            }
        }
    }
}

/// Returns the midpoint of the thighs and the midpoint of the shoulders in world space.
fn trunk(skeleton: &Skeleton, world: &WorldPose) -> Option<[Vec3; 2]> {
    let middle = |[left, right]: [HumanBone; 2]| {
        let at = |bone| skeleton.find(bone).map(|joint| world.position(joint));
        Some((at(left)? + at(right)?) * 0.5)
    };
    let thighs = middle([HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg])?;
    Some([thighs, middle([HumanBone::LeftUpperArm, HumanBone::RightUpperArm])?])
}

/// The quantile of the skin distances that counts as the girth, so that single spikes are ignored.
const MOST: f32 = 0.9;
/// Parts with fewer vertices than this are not measured.
const LEAST_VERTICES: usize = 12;

/// Measures a character's girth for each part of [`CANONICAL`], in that order; `None` for a part
/// with too few vertices.
pub(crate) fn girths(character: &Character) -> [Option<Girth>; CANONICAL.len()] {
    let skeleton = &*character.skeleton;
    let world = skeleton.rest_world();
    let skin = skin(character, &world);
    std::array::from_fn(|place| {
        let part = &CANONICAL[place];
        let line = part.line(skeleton, &world)?;
        match part.reach {
            Reach::To(_) => {
                let own = skin.iter().filter(|(bone, _)| *bone == part.bone);
                measure(&own.map(|(_, position)| *position).collect::<Vec<_>>(), line)
            }
            Reach::Trunk(..) => measure(&slice(&skin, trunk(skeleton, &world)?, line), line),
        }
    })
}

/// Returns the rest position of every skinned vertex with the human bone that has the largest
/// weight on it.
fn skin(character: &Character, world: &WorldPose) -> Vec<(HumanBone, Vec3)> {
    let owners = owners(&character.skeleton);
    let mut skin = Vec::new();
    for mesh in &character.meshes {
        let Some(own) = mesh.skin.and_then(|place| character.skins.get(place)) else { continue };
        let rest = character.skinned_positions(mesh, world);
        for (position, (joints, weights)) in rest.iter().zip(mesh.joints.iter().zip(&mesh.weights))
        {
            let heaviest = (0..4).max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap_or(0);
            let joint = own.joints[usize::from(joints[heaviest])];
            skin.extend(owners[joint.get()].map(|bone| (bone, *position)));
        }
    }
    skin
}

/// Returns, for each joint, the nearest human bone at or above it.
fn owners(skeleton: &Skeleton) -> Vec<Option<HumanBone>> {
    let mut owners: Vec<Option<HumanBone>> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let above = joint.parent.and_then(|parent: JointIndex| owners[parent.get()]);
        owners.push(joint.bone.or(above));
    }
    owners
}

/// Returns the skin of the trunk around a segment of its line. A coarse mesh may have no vertices
/// there, and trousers may be weighted to the thighs only; the nearest vertices are used then.
fn slice(skin: &[(HumanBone, Vec3)], [low, high]: [Vec3; 2], line: [Vec3; 2]) -> Vec<Vec3> {
    use HumanBone::{Chest, Hips, LeftUpperLeg, RightUpperLeg, Spine, UpperChest};
    let along = (high - low).normalize_or_zero();
    let height = |position: Vec3| (position - low).dot(along);
    let [from, to] = line.map(height);
    let mut trunk: Vec<(f32, Vec3)> = skin
        .iter()
        .filter(|(bone, position)| match bone {
            Hips | Spine | Chest | UpperChest => true,
            LeftUpperLeg | RightUpperLeg => height(*position) > 0.0,
            _ => false,
        })
        .map(|(_, position)| {
            let height = height(*position);
            ((from - height).max(height - to).max(0.0), *position)
        })
        .collect();
    trunk.sort_by(|a, b| a.0.total_cmp(&b.0));
    let inside = trunk.partition_point(|(off, _)| *off <= 0.0);
    trunk.truncate(inside.max(LEAST_VERTICES));
    trunk.into_iter().map(|(_, position)| position).collect()
}

fn measure(skin: &[Vec3], [from, to]: [Vec3; 2]) -> Option<Girth> {
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
    fn the_canonical_girth_matches_the_mannequin() {
        let file = include_bytes!("../../../assets/characters/mannequin.glb");
        let mannequin =
            limber_formats::glb::read(file).expect("the mannequin can be read").character;
        for (part, girth) in CANONICAL.iter().zip(girths(&mannequin)) {
            let girth = girth.expect("all parts were measured");
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
