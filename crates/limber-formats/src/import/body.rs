//! The joints and meshes of a model while they are brought into place.

mod hang;
mod rigid;

use std::collections::{BTreeSet, HashMap};

use glam::{Mat4, Quat, Vec3};
use limber_animation::{
    AvatarPart, Character, HumanBone, Joint, JointIndex, Mesh, Skeleton, Skin, Twist, maths::atan2,
};

use super::ImportError;
use crate::{
    avatar,
    humanoid::{self, Mapping, Overrides, RigJoint},
    model::{Bound, FileFormat, Model, ReadError, Tree, bind, move_mesh},
};

/// Two rest poses differ if a joint moves by more than this fraction of the height,
const FAR: f32 = 0.02;
/// or rotates by more than this, in degrees.
const TURNED: f32 = 4.0;

/// Usable range of the scale that a file gives to a joint of the body.
const SCALES: std::ops::RangeInclusive<f32> = 1e-6..=1e6;
/// Maximum distance of anything from the character's hips, in metres. Beyond it, floats are too
/// coarse for animation.
const FARTHEST_M: f32 = 100.0;

/// A joint's transform at rest, without scale.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    position: Vec3,
    rotation: Quat,
}

impl Place {
    fn matrix(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation, self.position)
    }
}

/// What is too far from the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outlier {
    /// The joint with this name.
    Joint(String),
    /// A vertex.
    Mesh,
}

/// A rest pose: the transform of each joint.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rest(Vec<Place>);

/// Joints in world space and what is attached to them. Lists are indexed by joint, parents first.
#[derive(Debug, Clone)]
pub(super) struct Body {
    joints: Vec<Joint>,
    declared: Vec<Option<HumanBone>>,
    /// Whether the file gives the joint an unusable scale.
    badly_scaled: Vec<bool>,
    rest: Vec<Place>,
    skins: Vec<Skin>,
    meshes: Vec<Mesh>,
    /// For each mesh, whether the file binds it with weights; for a body of rigid parts, true for
    /// all.
    soft: Vec<bool>,
    /// Whether nothing in the file has weights.
    rigid: bool,
    /// The file's node of each joint, and the node of each mesh.
    nodes: Vec<usize>,
    mesh_nodes: Vec<usize>,
    avatar: Vec<AvatarPart>,
    /// The transform of each skin's mesh at bind time, if the file states it.
    bind_space: Vec<Option<Mat4>>,
    format: FileFormat,
}

impl Body {
    /// Creates a body whose joints are those used by skins, those that the file declares as bones,
    /// and all their ancestors. Without any skin, the nodes that carry rigid parts become joints.
    pub(super) fn new(mut model: Model) -> Result<Self, ImportError> {
        drop_unused_skins(&mut model);
        let tree = Tree::new(&model.nodes)?;
        let rigid = model.skins.is_empty();
        let named = model.skins.iter().flat_map(|skin| skin.joints.iter().copied());
        let bones = (0..model.nodes.len()).filter(|node| model.nodes[*node].bone.is_some());
        let carriers = if rigid { rigid::carriers(&tree, &model.meshes) } else { Vec::new() };
        let nodes = tree.with_ancestors(named.chain(bones).chain(carriers));
        if nodes.len() > Skeleton::MAX_JOINTS {
            return Err(ReadError::TooLarge("joints", Skeleton::MAX_JOINTS).into());
        }
        let nodes = avatar::with_its_nodes(nodes, &model.avatar, &tree);
        let places: HashMap<usize, JointIndex> =
            nodes.iter().enumerate().map(|(place, node)| (*node, JointIndex::new(place))).collect();
        let soft = model.meshes.iter().map(|part| rigid || part.mesh.skin.is_some()).collect();
        let mesh_nodes = model.meshes.iter().map(|part| part.node).collect();
        let mut bind_space = vec![None; model.skins.len()];
        if matches!(model.format, FileFormat::Fbx { .. }) {
            for part in &model.meshes {
                if let Some(skin) = part.mesh.skin {
                    bind_space[skin] = Some(tree.world[part.node]);
                }
            }
        }
        let Bound { skins, meshes, .. } =
            bind(&tree, &places, &model.skins, std::mem::take(&mut model.meshes));
        bind_space.resize(skins.len(), None);
        let usable = |node: &usize| {
            let volume = tree.world[*node].determinant();
            (SCALES.start().powi(3)..=SCALES.end().powi(3)).contains(&volume.abs())
        };
        Ok(Self {
            joints: tree.joints(&nodes),
            declared: nodes.iter().map(|node| tree.nodes[*node].bone).collect(),
            badly_scaled: nodes.iter().map(|node| !usable(node)).collect(),
            rest: nodes
                .iter()
                .map(|node| Place {
                    position: tree.position(*node),
                    rotation: tree.rotation[*node],
                })
                .collect(),
            skins,
            meshes,
            soft,
            rigid,
            nodes,
            mesh_nodes,
            avatar: model.avatar,
            bind_space,
            format: model.format,
        })
    }

    /// Returns the height at rest of everything that is bound with weights.
    pub(super) fn height(&self) -> f32 {
        let (low, high) = self.extent();
        high.y - low.y
    }

    fn extent(&self) -> (Vec3, Vec3) {
        let mut extent = (Vec3::MAX, Vec3::MIN);
        for (mesh, _) in self.meshes.iter().zip(&self.soft).filter(|(_, soft)| **soft) {
            let Some(skin) = mesh.skin.map(|place| &self.skins[place]) else { continue };
            let matrices: Vec<Mat4> = skin
                .joints
                .iter()
                .zip(&skin.inverse_bind)
                .map(|(joint, bind)| self.rest[joint.get()].matrix() * *bind)
                .collect();
            for (vertex, position) in mesh.positions.iter().enumerate() {
                let at = mesh.influences(vertex).fold(Vec3::ZERO, |sum, (joint, weight)| {
                    sum + matrices[usize::from(joint)].transform_point3(*position) * weight
                });
                extent = (extent.0.min(at), extent.1.max(at));
            }
        }
        extent
    }

    /// Returns the positions of all joints.
    pub(super) fn places(&self) -> Vec<Vec3> {
        self.rest.iter().map(|place| place.position).collect()
    }

    /// Scales everything about the origin.
    pub(super) fn resize(&mut self, scale: f32) {
        for place in &mut self.rest {
            place.position *= scale;
        }
        // joints have no scale, so the meshes are scaled in joint space
        let grown = Mat4::from_scale(Vec3::splat(scale));
        for matrix in self.skins.iter_mut().flat_map(|skin| &mut skin.inverse_bind) {
            *matrix = grown * *matrix;
        }
        for space in self.bind_space.iter_mut().flatten() {
            *space = grown * *space;
        }
        // unbound meshes are dropped later, but must have the same unit until then
        for mesh in self.meshes.iter_mut().filter(|mesh| mesh.skin.is_none()) {
            move_mesh(mesh, grown);
        }
    }

    fn turn(&mut self, turn: Quat) {
        for place in &mut self.rest {
            place.position = turn * place.position;
            place.rotation = (turn * place.rotation).normalize();
        }
    }

    /// Returns the possible rest poses, the likelier first: that of the nodes, and that in which
    /// the mesh was bound if it differs. The nodes of an FBX are often in the first frame of its
    /// animation.
    pub(super) fn rests(&self) -> Vec<Rest> {
        let nodes = Rest(self.rest.clone());
        let is_vrm = matches!(self.format, FileFormat::Vrm0 | FileFormat::Vrm1);
        let Some(bound) = self.bound_rest().filter(|_| !is_vrm) else { return vec![nodes] };
        if matches!(self.format, FileFormat::Fbx { .. }) {
            vec![bound, nodes]
        } else {
            vec![nodes, bound]
        }
    }

    /// Returns the pose in which the largest skin was bound; `None` if the joints are in it
    /// already.
    fn bound_rest(&self) -> Option<Rest> {
        let largest = (0..self.skins.len()).max_by_key(|place| self.skins[*place].joints.len())?;
        let skin = &self.skins[largest];
        let reference = skin.joints.first()?.get();
        let space = self.bind_space[largest]
            .unwrap_or_else(|| self.rest[reference].matrix() * skin.inverse_bind[0]);
        let mut bound: HashMap<usize, Place> = HashMap::new();
        for (joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let matrix = space * bind.inverse();
            let (_, rotation, position) = matrix.to_scale_rotation_translation();
            if !position.is_finite() || !rotation.is_finite() {
                return None;
            }
            bound.insert(joint.get(), Place { position, rotation: rotation.normalize() });
        }
        let mut rest: Vec<Place> = Vec::with_capacity(self.rest.len());
        for (place, joint) in self.joints.iter().enumerate() {
            let own = self.rest[place];
            rest.push(match (bound.get(&place), joint.parent) {
                (Some(bound), _) => *bound,
                // joints outside the skin keep their transform relative to the parent
                (None, Some(parent)) => {
                    let (old, new) = (self.rest[parent.get()], rest[parent.get()]);
                    let turn = new.rotation * old.rotation.inverse();
                    Place {
                        position: new.position + turn * (own.position - old.position),
                        rotation: (turn * own.rotation).normalize(),
                    }
                }
                (None, None) => own,
            });
        }
        let height = self.height().max(1e-6);
        let moved = bound.keys().any(|place| {
            let (old, new) = (self.rest[*place], rest[*place]);
            old.position.distance(new.position) > FAR * height
                || old.rotation.angle_between(new.rotation).to_degrees() > TURNED
        });
        moved.then_some(Rest(rest))
    }

    pub(super) fn rest(&self) -> Rest {
        Rest(self.rest.clone())
    }

    pub(super) fn set_rest(&mut self, rest: Rest) {
        self.rest = rest.0;
    }

    /// Maps the joints. A body that lies along another axis is rotated upright first.
    pub(super) fn map_upright(
        &mut self,
        overrides: &Overrides,
        warnings: &mut Vec<String>,
    ) -> Mapping {
        let mapping = humanoid::map(&self.rig(), overrides);
        let at = |bone| mapping.bones.get(&bone).map(|mapped| self.rest[mapped.joint].position);
        let (Some(hips), Some(head)) = (at(HumanBone::Hips), at(HumanBone::Head)) else {
            return mapping;
        };
        let up = (head - hips).normalize_or(Vec3::Y);
        let axes = [Vec3::X, Vec3::NEG_X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        let Some(axis) = axes.into_iter().find(|axis| axis.dot(up) > 0.9) else { return mapping };
        let before = self.rest.clone();
        self.turn(Quat::from_rotation_arc(axis, Vec3::Y));
        let upright = humanoid::map(&self.rig(), overrides);
        if upright.refusal().is_some() && mapping.refusal().is_none() {
            self.rest = before;
            return mapping;
        }
        warnings.push(
            "the character was lying along another axis, so it was turned upright".to_owned(),
        );
        upright
    }

    fn rig(&self) -> Vec<RigJoint> {
        let skinned = self.weighted();
        let joints = self.joints.iter().zip(&self.rest).zip(&self.declared).zip(skinned);
        joints
            .map(|(((joint, place), declared), skinned)| RigJoint {
                name: joint.name.clone(),
                parent: joint.parent.map(JointIndex::get),
                position: place.position,
                skinned,
                declared: *declared,
            })
            .collect()
    }

    /// Returns the number of vertices, and how many of them have no joint.
    pub(super) fn vertices(&self) -> (usize, usize) {
        let count = |mesh: &Mesh| mesh.positions.len();
        let loose = self.meshes.iter().filter(|mesh| mesh.skin.is_none()).map(count).sum();
        (self.meshes.iter().map(count).sum(), loose)
    }

    /// Returns the bones that influence vertices, through their own joints or those up to the next
    /// bones, such as twist joints.
    pub(super) fn carrying(&self, mapping: &Mapping) -> BTreeSet<HumanBone> {
        let mut bone_at: Vec<Option<HumanBone>> = vec![None; self.joints.len()];
        for (bone, mapped) in &mapping.bones {
            bone_at[mapped.joint] = Some(*bone);
        }
        // parents come before children
        for place in 0..self.joints.len() {
            let above = self.joints[place].parent.and_then(|parent| bone_at[parent.get()]);
            bone_at[place] = bone_at[place].or(above);
        }
        let weighted = self.weighted().into_iter().zip(bone_at);
        weighted.filter(|(weighted, _)| *weighted).filter_map(|(_, bone)| bone).collect()
    }

    /// Returns which joints influence vertices.
    fn weighted(&self) -> Vec<bool> {
        let mut weighted = vec![false; self.joints.len()];
        for mesh in &self.meshes {
            let Some(skin) = mesh.skin.map(|place| &self.skins[place]) else { continue };
            for vertex in 0..mesh.positions.len() {
                for (joint, _) in mesh.influences(vertex) {
                    weighted[skin.joints[usize::from(joint)].get()] = true;
                }
            }
        }
        weighted
    }

    /// Returns the name of the first of these joints with an unusable scale.
    pub(super) fn badly_scaled(&self, joints: &[usize]) -> Option<String> {
        let bad = joints.iter().find(|joint| self.badly_scaled[**joint]);
        bad.map(|joint| self.joints[*joint].name.clone())
    }

    /// Returns what is too far from the hips, and its distance in metres.
    pub(super) fn outlier(&self, hips: usize) -> Option<(Outlier, f32)> {
        let hips = self.rest[hips].position;
        let is_far = |far_m: &f32| far_m.is_nan() || *far_m > FARTHEST_M;
        let joint = self.joints.iter().zip(&self.rest).find_map(|(joint, place)| {
            let far_m = Some(place.position.distance(hips)).filter(is_far)?;
            Some((Outlier::Joint(joint.name.clone()), far_m))
        });
        let (low, high) = self.extent();
        let mesh_m = (low - hips).abs().max((high - hips).abs()).max_element();
        joint.or_else(|| Some((Outlier::Mesh, mesh_m)).filter(|(_, far_m)| is_far(far_m)))
    }

    /// Returns the number of separate hierarchies that these joints belong to.
    pub(super) fn roots(&self, joints: &[usize]) -> usize {
        let root = |joint: &usize| {
            let mut top = *joint;
            while let Some(parent) = self.joints[top].parent {
                top = parent.get();
            }
            top
        };
        let mut roots: Vec<usize> = joints.iter().map(root).collect();
        roots.sort_unstable();
        roots.dedup();
        roots.len()
    }

    /// Rotates the body to face +Z, and puts it on the floor with the hips above the origin. Small
    /// offsets are intentional, such as heels or a leaning pose, and are kept.
    pub(super) fn face_forward(&mut self, mapping: &Mapping) {
        /// A yaw within this of a multiple of 90° is taken for that multiple.
        const NEARLY_DEG: f32 = 15.0;
        let yaw = atan2(mapping.facing.x, mapping.facing.z).to_degrees();
        let quarter = (yaw / 90.0).round() * 90.0;
        let yaw = if (yaw - quarter).abs() < NEARLY_DEG { quarter } else { yaw };
        if yaw != 0.0 {
            self.turn(Quat::from_rotation_y(-yaw.to_radians()));
        }
        let (low, high) = self.extent();
        let height = (high.y - low.y).max(1e-6);
        let far = |offset: f32, share: f32| offset.abs() > share * height;
        let hips = mapping.joint(HumanBone::Hips).map_or(Vec3::ZERO, |at| self.rest[at].position);
        let aside = far(hips.x, 0.05) || far(hips.z, 0.2);
        let shift = Vec3::new(
            if aside { -hips.x } else { 0.0 },
            if far(low.y, 0.05) { -low.y } else { 0.0 },
            if aside { -hips.z } else { 0.0 },
        );
        for place in &mut self.rest {
            place.position += shift;
        }
    }

    /// Returns the finished character, without name and materials, and a note about what was
    /// dropped.
    pub(super) fn into_character(
        mut self,
        mapping: &Mapping,
    ) -> Result<(Character, Option<String>), ImportError> {
        self.bake();
        for place in (0..self.joints.len()).rev() {
            let own = self.rest[place];
            let above = self.joints[place].parent.map(|parent| self.rest[parent.get()]);
            let above = above.unwrap_or(Place { position: Vec3::ZERO, rotation: Quat::IDENTITY });
            let turn = above.rotation.inverse();
            self.joints[place].rest_translation = turn * (own.position - above.position);
            self.joints[place].rest_rotation = (turn * own.rotation).normalize();
        }
        for (bone, mapped) in &mapping.bones {
            self.joints[mapped.joint].bone = Some(*bone);
        }
        for twist in &mapping.twists {
            // the file's own declaration takes precedence over the position
            self.joints[twist.joint]
                .twist
                .get_or_insert(Twist { of: twist.follows, share: twist.share });
        }
        let skeleton = Skeleton::new(self.joints)
            .map_err(|error| ImportError::NoBody(format!("the skeleton is not valid: {error}")))?;
        let (kept, loose): (Vec<_>, Vec<_>) =
            self.meshes.into_iter().zip(self.mesh_nodes).partition(|(mesh, _)| mesh.skin.is_some());
        let (meshes, mesh_nodes): (Vec<Mesh>, Vec<usize>) = kept.into_iter().unzip();
        let dropped = (!loose.is_empty()).then(|| {
            let names: Vec<String> =
                loose.iter().take(5).map(|(mesh, _)| format!("`{}`", mesh.name)).collect();
            format!("{} are not attached to any joint, so they were left out", names.join(", "))
        });
        let character = Character {
            name: String::new(),
            skeleton: skeleton.into(),
            skins: self.skins,
            meshes,
            materials: Vec::new(),
            images: Vec::new(),
            avatar: avatar::in_character(&self.avatar, &self.nodes, &mesh_nodes),
        };
        Ok((character, dropped))
    }

    /// Transforms every mesh to the space of the rest pose, as its strongest joint places it.
    fn bake(&mut self) {
        for place in 0..self.skins.len() {
            let Some(strongest) = self.strongest(place) else { continue };
            let skin = &mut self.skins[place];
            let joint = skin.joints[strongest].get();
            let space = self.rest[joint].matrix() * skin.inverse_bind[strongest];
            let back = space.inverse();
            if !back.is_finite() {
                continue;
            }
            for matrix in &mut skin.inverse_bind {
                *matrix *= back;
            }
            for mesh in self.meshes.iter_mut().filter(|mesh| mesh.skin == Some(place)) {
                move_mesh(mesh, space);
            }
        }
    }

    /// Returns the index in a skin of the joint with the largest total weight.
    fn strongest(&self, skin: usize) -> Option<usize> {
        let mut weights = vec![0.0_f32; self.skins[skin].joints.len()];
        for mesh in self.meshes.iter().filter(|mesh| mesh.skin == Some(skin)) {
            for vertex in 0..mesh.positions.len() {
                for (joint, weight) in mesh.influences(vertex) {
                    weights[usize::from(joint)] += weight;
                }
            }
        }
        (0..weights.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b]))
    }
}

/// Removes skins that no mesh uses: they say nothing about the body.
fn drop_unused_skins(model: &mut Model) {
    let mut new_place = vec![None; model.skins.len()];
    let mut kept = Vec::new();
    for part in &mut model.meshes {
        let Some(old) = part.mesh.skin else { continue };
        let place = *new_place[old].get_or_insert_with(|| {
            kept.push(model.skins[old].clone());
            kept.len() - 1
        });
        part.mesh.skin = Some(place);
    }
    model.skins = kept;
}
