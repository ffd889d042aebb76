//! Bones that hang elsewhere than on the body.
//!
//! A rig that is animated by controls need not be one tree: feet may hang on the root and be held at
//! the ends of the legs by inverse kinematics alone. A clip turns bones and moves only the hips, so
//! whatever does not hang below them would stay behind.

use limber_animation::{HumanBone, JointIndex};

use super::Body;
use crate::humanoid::{Mapping, spoken};

impl Body {
    /// Hangs every bone below the bone that it belongs to, and everything else that carries skin
    /// below the hips. Nothing moves at rest. `mapping` follows the joints to their new places.
    pub(in crate::import) fn hang_together(
        &mut self,
        mapping: &mut Mapping,
        warnings: &mut Vec<String>,
    ) {
        let bones = self.hang_bones(mapping);
        let others = self.hang_loose_skin(mapping);
        if bones.is_empty() && others.is_empty() {
            return;
        }
        self.put_parents_first(mapping);
        let bones = bones
            .into_iter()
            .map(|(bone, above)| format!("the {} on the {}", spoken(bone), spoken(above)));
        let others = others.into_iter().map(|name| format!("`{name}` on the hips"));
        warnings.push(format!(
            "some joints did not hang on the body and would stay behind when it moves, as in rigs \
             with controls; they were hung anew, also in the files that are written: {}",
            list(bones.chain(others).collect())
        ));
    }

    /// Hangs bones on the nearest bone that a human has above them, and says which and where.
    fn hang_bones(&mut self, mapping: &Mapping) -> Vec<(HumanBone, HumanBone)> {
        let mut hung = Vec::new();
        for bone in HumanBone::ALL {
            let Some(joint) = mapping.joint(bone) else { continue };
            let above = std::iter::successors(bone.parent(), |above| above.parent())
                .find_map(|above| mapping.joint(above).map(|joint| (above, joint)));
            let Some((above, parent)) = above else { continue };
            // a bone above its own parent cannot hang below it
            if !self.is_above(parent, joint) && !self.is_above(joint, parent) {
                self.joints[joint].parent = Some(JointIndex::new(parent));
                hung.push((bone, above));
            }
        }
        hung
    }

    /// Hangs the tops of all other trees that carry skin on the hips; what holds the hips stays.
    fn hang_loose_skin(&mut self, mapping: &Mapping) -> Vec<String> {
        let Some(hips) = mapping.joint(HumanBone::Hips) else { return Vec::new() };
        let mut hung = Vec::new();
        for (joint, carries_skin) in self.weighted().into_iter().enumerate() {
            let is_held = joint == hips || self.is_above(hips, joint);
            if carries_skin && !is_held && !self.is_above(joint, hips) {
                self.joints[joint].parent = Some(JointIndex::new(hips));
                hung.push(self.joints[joint].name.clone());
            }
        }
        hung
    }

    fn is_above(&self, above: usize, joint: usize) -> bool {
        let parent = |joint: usize| self.joints[joint].parent.map(JointIndex::get);
        std::iter::successors(parent(joint), |at| parent(*at)).any(|at| at == above)
    }

    /// Sorts the joints again, changing their order no more than needed.
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

/// At most so many are told by name.
const TOLD: usize = 6;

fn list(mut hung: Vec<String>) -> String {
    let more = hung.len().saturating_sub(TOLD);
    hung.truncate(TOLD);
    if more > 0 {
        hung.push(format!("and {more} more"));
    }
    hung.join(", ")
}
