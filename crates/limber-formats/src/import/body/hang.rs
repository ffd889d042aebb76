//! Reparents bones that are not descendants of the hips.
//!
//! A rig that is animated with controls need not be one hierarchy: feet may be children of the root
//! and only be held at the ends of the legs by inverse kinematics. A clip rotates bones and
//! translates only the hips, so whatever is not below the hips would stay behind.

use limber_animation::{HumanBone, JointIndex, Mesh};

use super::Body;
use crate::humanoid::{self, Mapped, Mapping, Overrides, RigJoint, spoken};

impl Body {
    /// Makes every bone a descendant of the bone it belongs to, and attaches other joints that
    /// influence vertices to the nearest bone. Nothing moves at rest. The joint indices in
    /// `mapping` are updated. A second body is dropped.
    pub(in crate::import) fn hang_together(
        &mut self,
        mapping: &mut Mapping,
        warnings: &mut Vec<String>,
    ) {
        let bones = self.hang_bones(mapping);
        if self.leave_out_other_bodies(mapping) {
            warnings.push(
                "the file contains more than one character; only one of them was imported"
                    .to_owned(),
            );
        }
        let others = self.hang_loose_skin(mapping);
        if bones.is_empty() && others.is_empty() {
            return;
        }
        self.put_parents_first(mapping);
        let bones = bones
            .into_iter()
            .map(|(bone, above)| format!("the {} to the {}", spoken(bone), spoken(above)));
        let others =
            others.into_iter().map(|(name, above)| format!("`{name}` to the {}", spoken(above)));
        warnings.push(format!(
            "some joints were not connected to the body and would stay behind when it moves, as in \
             rigs with controls; they were reparented, also in exported files: {}",
            list(bones.chain(others).collect())
        ));
    }

    /// Reparents bones to the nearest bone that a human has above them, and returns which and
    /// where.
    fn hang_bones(&mut self, mapping: &Mapping) -> Vec<(HumanBone, HumanBone)> {
        let mut hung = Vec::new();
        for bone in HumanBone::ALL {
            let Some(joint) = mapping.joint(bone) else { continue };
            let above = std::iter::successors(bone.parent(), |above| above.parent())
                .find_map(|above| mapping.joint(above).map(|joint| (above, joint)));
            let Some((above, parent)) = above else { continue };
            // a bone above its own parent cannot become its child
            if !self.is_above(parent, joint) && !self.is_above(joint, parent) {
                self.joints[joint].parent = Some(JointIndex::new(parent));
                hung.push((bone, above));
            }
        }
        hung
    }

    /// Reparents the roots of all other hierarchies that influence vertices to the nearest bone;
    /// ancestors of the hips stay.
    fn hang_loose_skin(&mut self, mapping: &Mapping) -> Vec<(String, HumanBone)> {
        let mut hung = Vec::new();
        for (joint, carries_skin) in self.weighted().into_iter().enumerate() {
            if !carries_skin || !self.is_loose(joint, mapping) {
                continue;
            }
            let at = self.rest[joint].position;
            let distance = |mapped: &Mapped| self.rest[mapped.joint].position.distance_squared(at);
            let bones = mapping.bones.iter();
            let nearest = bones.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
            let Some((bone, parent)) = nearest.map(|(bone, mapped)| (*bone, mapped.joint)) else {
                continue;
            };
            self.joints[joint].parent = Some(JointIndex::new(parent));
            hung.push((self.joints[joint].name.clone(), bone));
        }
        hung
    }

    /// Whether the joint is neither a descendant nor an ancestor of the hips.
    fn is_loose(&self, joint: usize, mapping: &Mapping) -> bool {
        let Some(hips) = mapping.joint(HumanBone::Hips) else { return false };
        joint != hips && !self.is_above(hips, joint) && !self.is_above(joint, hips)
    }

    /// Drops meshes whose joints all belong to another body.
    fn leave_out_other_bodies(&mut self, mapping: &Mapping) -> bool {
        let loose: Vec<bool> =
            (0..self.joints.len()).map(|joint| self.is_loose(joint, mapping)).collect();
        let carries_skin = self.weighted();
        let count = (0..loose.len()).filter(|joint| loose[*joint] && carries_skin[*joint]).count();
        if count < HumanBone::REQUIRED.len() {
            return false;
        }
        let mut place = vec![None; loose.len()];
        let mut others = Vec::new();
        for (joint, own) in self.rig().into_iter().enumerate().filter(|(joint, _)| loose[*joint]) {
            place[joint] = Some(others.len());
            others.push(RigJoint { parent: own.parent.and_then(|parent| place[parent]), ..own });
        }
        if humanoid::map(&others, &Overrides::default()).refusal().is_some() {
            return false;
        }
        let is_other = |mesh: &Mesh| {
            let Some(skin) = mesh.skin.map(|skin| &self.skins[skin]) else { return false };
            let rows = 0..mesh.positions.len();
            rows.flat_map(|vertex| mesh.influences(vertex))
                .all(|(joint, _)| loose[skin.joints[usize::from(joint)].get()])
        };
        let keep: Vec<bool> = self.meshes.iter().map(|mesh| !is_other(mesh)).collect();
        self.keep_meshes(&keep);
        keep.contains(&false)
    }

    fn keep_meshes(&mut self, keep: &[bool]) {
        let kept = |place: &usize| keep[*place];
        let places: Vec<usize> = (0..self.meshes.len()).filter(kept).collect();
        self.soft = places.iter().map(|place| self.soft[*place]).collect();
        self.mesh_nodes = places.iter().map(|place| self.mesh_nodes[*place]).collect();
        self.meshes = places.iter().map(|place| self.meshes[*place].clone()).collect();
        let mut used: Vec<usize> = self.meshes.iter().filter_map(|mesh| mesh.skin).collect();
        used.sort_unstable();
        used.dedup();
        self.skins = used.iter().map(|skin| self.skins[*skin].clone()).collect();
        self.bind_space = used.iter().map(|skin| self.bind_space[*skin]).collect();
        for mesh in &mut self.meshes {
            mesh.skin = mesh.skin.and_then(|skin| used.binary_search(&skin).ok());
        }
    }

    fn is_above(&self, above: usize, joint: usize) -> bool {
        let parent = |joint: usize| self.joints[joint].parent.map(JointIndex::get);
        std::iter::successors(parent(joint), |at| parent(*at)).any(|at| at == above)
    }

    /// Sorts the joints so that parents come first, changing their order as little as possible.
    fn put_parents_first(&mut self, mapping: &mut Mapping) {
        let order = self.parents_first();
        let mut new_place = vec![0; order.len()];
        for (place, old) in order.iter().enumerate() {
            new_place[*old] = place;
        }
        self.joints = order.iter().map(|old| self.joints[*old].clone()).collect();
        for joint in &mut self.joints {
            joint.parent = joint.parent.map(|parent| JointIndex::new(new_place[parent.get()]));
        }
        self.declared = order.iter().map(|old| self.declared[*old]).collect();
        self.nodes = order.iter().map(|old| self.nodes[*old]).collect();
        self.badly_scaled = order.iter().map(|old| self.badly_scaled[*old]).collect();
        self.rest = order.iter().map(|old| self.rest[*old]).collect();
        for joint in self.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
            *joint = JointIndex::new(new_place[joint.get()]);
        }
        for mapped in mapping.bones.values_mut() {
            mapped.joint = new_place[mapped.joint];
        }
        for twist in &mut mapping.twists {
            twist.joint = new_place[twist.joint];
        }
    }

    fn parents_first(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.joints.len());
        let mut placed = vec![false; self.joints.len()];
        for joint in 0..self.joints.len() {
            let parent = |joint: &usize| self.joints[*joint].parent.map(JointIndex::get);
            let mut way: Vec<usize> = std::iter::successors(Some(joint), parent)
                .take_while(|joint| !placed[*joint])
                .collect();
            way.reverse();
            for joint in way {
                placed[joint] = true;
                order.push(joint);
            }
        }
        order
    }
}

/// Maximum number of names in a message.
const TOLD: usize = 6;

fn list(mut hung: Vec<String>) -> String {
    let more = hung.len().saturating_sub(TOLD);
    hung.truncate(TOLD);
    if more > 0 {
        hung.push(format!("and {more} more"));
    }
    hung.join(", ")
}
