//! Bounding boxes of posed characters.

use glam::{Mat3, Mat4, Vec3};
use limber_animation::{Character, Clip, Deformation, Mesh, WorldPose};

/// An axis-aligned bounding box in world space, in metres. Empty if `min > max` on any axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// The empty box.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Whether the box is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// Returns the box extended to contain a point.
    #[must_use]
    pub fn with_point(self, point: Vec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Returns the smallest box that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the box translated by `by`.
    #[must_use]
    pub fn moved(self, by: Vec3) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// Returns the centre of the box.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Returns the size along each axis; zero for an empty box.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        (self.max - self.min).max(Vec3::ZERO)
    }

    /// Returns the eight corners.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|index| {
            Vec3::new(
                if index & 1 == 0 { self.min.x } else { self.max.x },
                if index & 2 == 0 { self.min.y } else { self.max.y },
                if index & 4 == 0 { self.min.z } else { self.max.z },
            )
        })
    }
}

/// For each joint, the box around the vertices it influences most, in the joint's space. Computes
/// the bounds of any pose without touching a vertex.
#[derive(Debug, Clone)]
pub struct BodyBounds {
    by_joint: Vec<Bounds>,
    /// For each skin and each of its joints, the boxes around the influenced vertices, in mesh
    /// space.
    by_skin: Vec<Vec<SkinBounds>>,
    rigid: Bounds,
}

/// Boxes around the vertices of one joint of a skin.
#[derive(Debug, Clone, Copy)]
struct SkinBounds {
    /// The vertices for which the joint has the largest weight.
    most: Bounds,
    /// The same vertices with any morph targets applied.
    shaped: Bounds,
    /// All vertices that the joint influences at all, with any morph targets applied. A skinned
    /// vertex is a convex combination of the positions its joints would give it, so the union of
    /// these boxes contains every vertex.
    any: Bounds,
}

impl SkinBounds {
    const EMPTY: Self = Self { most: Bounds::EMPTY, shaped: Bounds::EMPTY, any: Bounds::EMPTY };
}

impl BodyBounds {
    /// Measures a character. Do this once per character.
    #[must_use]
    pub fn of(character: &Character) -> Self {
        let mut by_joint = vec![Bounds::EMPTY; character.skeleton.len()];
        let empty = |skin: &limber_animation::Skin| vec![SkinBounds::EMPTY; skin.joints.len()];
        let mut by_skin: Vec<_> = character.skins.iter().map(empty).collect();
        let mut rigid = Bounds::EMPTY;
        for mesh in &character.meshes {
            match mesh.skin.and_then(|place| character.skins.get(place)) {
                Some(skin) => {
                    for (place, local) in heaviest(mesh, &skin.inverse_bind) {
                        let joint = skin.joints[place].get();
                        by_joint[joint] = by_joint[joint].with_point(local);
                    }
                    if let Some(boxes) = mesh.skin.and_then(|place| by_skin.get_mut(place)) {
                        add_to_skin(mesh, boxes);
                    }
                }
                None => {
                    rigid = mesh.positions.iter().fold(rigid, |all, point| all.with_point(*point));
                }
            }
        }
        if by_joint.iter().all(Bounds::is_empty) && rigid.is_empty() {
            by_joint.fill(Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
        }
        Self { by_joint, by_skin, rigid }
    }

    /// Returns the box around the body in a pose. Approximate: each vertex moves with its strongest
    /// joint.
    #[must_use]
    pub fn at(&self, world: &WorldPose) -> Bounds {
        let turned = world.positions.iter().zip(&world.rotations);
        self.by_joint.iter().zip(turned).filter(|(flesh, _)| !flesh.is_empty()).fold(
            self.rigid,
            |all, (flesh, (position, rotation))| {
                let turn = Mat3::from_quat(*rotation);
                let reach =
                    Mat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs())
                        * (flesh.size() * 0.5);
                let center = *position + turn * flesh.center();
                all.union(Bounds { min: center - reach, max: center + reach })
            },
        )
    }

    /// Returns the box around the body under a deformation.
    #[must_use]
    pub fn deformed(&self, deformation: &Deformation) -> Bounds {
        let shaped = deformation.shapes.iter().flatten().any(|weight| *weight != 0.0);
        let pick: fn(&SkinBounds) -> Bounds =
            if shaped { |boxes| boxes.shaped } else { |boxes| boxes.most };
        self.around(&deformation.skins, pick)
    }

    /// Returns a conservative box that no vertex leaves, for any morph weights from 0 to 1. It is
    /// larger than [`Self::at`]. `skins` are the joint matrices of each skin.
    pub(crate) fn reach(&self, skins: &[Vec<Mat4>]) -> Bounds {
        self.around(skins, |boxes| boxes.any)
    }

    fn around(&self, skins: &[Vec<Mat4>], pick: fn(&SkinBounds) -> Bounds) -> Bounds {
        let pairs = self.by_skin.iter().zip(skins);
        let boxes = pairs.flat_map(|(boxes, matrices)| boxes.iter().map(pick).zip(matrices));
        boxes.filter(|(flesh, _)| !flesh.is_empty()).fold(self.rigid, |all, (flesh, matrix)| {
            flesh
                .corners()
                .into_iter()
                .fold(all, |all, corner| all.with_point(matrix.transform_point3(corner)))
        })
    }

    /// Returns the box around the body over all frames of a clip.
    #[must_use]
    pub fn over(&self, clip: &Clip) -> Bounds {
        clip.frames()
            .iter()
            .fold(Bounds::EMPTY, |all, pose| all.union(self.at(&clip.skeleton().world(pose))))
    }
}

/// Returns, for every vertex of a skinned mesh, the index of its strongest joint in the skin and
/// the position of the vertex in that joint's space.
fn heaviest<'a>(
    mesh: &'a Mesh,
    inverse_bind: &'a [glam::Mat4],
) -> impl Iterator<Item = (usize, Vec3)> + 'a {
    mesh.positions.iter().enumerate().map(|(vertex, position)| {
        let strongest = mesh.influences(vertex).max_by(|a, b| a.1.total_cmp(&b.1));
        let place = strongest.map_or(mesh.joints[vertex][0], |(joint, _)| joint);
        let place = usize::from(place);
        (place, inverse_bind[place].transform_point3(*position))
    })
}

/// Extends the boxes of a skin's joints by the vertices of a mesh.
fn add_to_skin(mesh: &Mesh, boxes: &mut [SkinBounds]) {
    for (vertex, position) in mesh.positions.iter().enumerate() {
        let offsets = mesh.morphs.iter().map(|morph| morph.positions[vertex]);
        let (low, high) = offsets.fold((Vec3::ZERO, Vec3::ZERO), |(low, high), offset| {
            (low + offset.min(Vec3::ZERO), high + offset.max(Vec3::ZERO))
        });
        let strongest = mesh.influences(vertex).max_by(|a, b| a.1.total_cmp(&b.1));
        let strongest = strongest.map_or(mesh.joints[vertex][0], |(joint, _)| joint);
        let all = mesh.influences(vertex).map(|(joint, _)| joint);
        for joint in all.chain([strongest]) {
            let any = &mut boxes[usize::from(joint)].any;
            *any = any.with_point(*position + low).with_point(*position + high);
        }
        let own = &mut boxes[usize::from(strongest)];
        own.most = own.most.with_point(*position);
        own.shaped = own.shaped.with_point(*position + low).with_point(*position + high);
    }
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;

    use super::*;

    #[test]
    fn the_box_turns_with_its_joint() {
        let bounds = BodyBounds {
            by_joint: vec![Bounds { min: Vec3::ZERO, max: Vec3::new(2.0, 0.0, 0.0) }],
            by_skin: vec![],
            rigid: Bounds::EMPTY,
        };
        let world = WorldPose {
            positions: vec![Vec3::Y],
            rotations: vec![glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)],
        };
        let at = bounds.at(&world);
        assert!(at.max.abs_diff_eq(Vec3::new(0.0, 3.0, 0.0), 1e-5), "{at:?}");
    }

    #[test]
    fn a_character_without_a_mesh_is_as_large_as_its_skeleton() {
        let skeleton = canonical_skeleton();
        let character = Character {
            name: String::new(),
            skeleton: skeleton.clone(),
            skins: vec![],
            meshes: vec![],
            materials: vec![],
            images: vec![],
            avatar: Vec::new(),
        };
        let size = BodyBounds::of(&character).at(&skeleton.rest_world()).size();
        assert!((1.3..1.9).contains(&size.y) && size.x > 1.2, "{size}");
    }
}
