//! A mapping under construction, and the check that bones have the hierarchy of a human.

use std::collections::{BTreeMap, BTreeSet};

use limber_animation::{HumanBone, Side};

use super::{By, Mapped, Rig, spoken};

/// The bones found so far. Guarantees that one joint is one bone and one bone is one joint.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    bones: BTreeMap<HumanBone, Mapped>,
    taken: BTreeMap<usize, HumanBone>,
    declined: BTreeSet<HumanBone>,
}

/// How well a joint's nearest mapped ancestor fits the bone that it is a candidate for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kin {
    /// The joint cannot be that bone.
    Wrong,
    /// The ancestor is too high: the root, or beyond a bone that should be in between.
    Loose,
    /// The ancestor is the same as in a human.
    Right,
}

impl Draft {
    pub(super) fn get(&self, bone: HumanBone) -> Option<usize> {
        self.bones.get(&bone).map(|mapped| mapped.joint)
    }

    pub(super) fn has(&self, bone: HumanBone) -> bool {
        self.bones.contains_key(&bone)
    }

    pub(super) fn by(&self, bone: HumanBone) -> Option<By> {
        self.bones.get(&bone).map(|mapped| mapped.by)
    }

    pub(super) fn bone_of(&self, joint: usize) -> Option<HumanBone> {
        self.taken.get(&joint).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (HumanBone, Mapped)> + '_ {
        self.bones.iter().map(|(bone, mapped)| (*bone, *mapped))
    }

    pub(super) fn into_bones(self) -> BTreeMap<HumanBone, Mapped> {
        self.bones
    }

    /// Records that the bone has no joint.
    pub(super) fn decline(&mut self, bone: HumanBone) {
        self.declined.insert(bone);
    }

    /// Returns the bones that must not have a joint.
    pub(super) fn declined(&self) -> impl Iterator<Item = HumanBone> {
        self.declined.iter().copied()
    }

    /// Whether the user decided about the bone.
    fn is_settled(&self, bone: HumanBone) -> bool {
        self.by(bone) == Some(By::User) || self.declined.contains(&bone)
    }

    /// Maps the bone to the joint, unless one of them is taken or the bone must not have a joint.
    /// Returns whether it did.
    pub(super) fn put(&mut self, bone: HumanBone, joint: usize, by: By, confidence: f32) -> bool {
        if self.has(bone) || self.declined.contains(&bone) || self.taken.contains_key(&joint) {
            return false;
        }
        self.bones.insert(bone, Mapped { joint, by, confidence });
        self.taken.insert(joint, bone);
        true
    }

    /// Removes a bone, but never one that the user chose.
    pub(super) fn forget(&mut self, bone: HumanBone) -> Option<Mapped> {
        if self.by(bone)? == By::User {
            return None;
        }
        let mapped = self.bones.remove(&bone)?;
        self.taken.remove(&mapped.joint);
        Some(mapped)
    }

    pub(super) fn has_required(&self) -> bool {
        self.required_count() == HumanBone::REQUIRED.len()
    }

    pub(super) fn required_count(&self) -> usize {
        HumanBone::REQUIRED.iter().filter(|bone| self.has(**bone)).count()
    }

    pub(super) fn required_by_name(&self) -> usize {
        let required = HumanBone::REQUIRED.iter().filter_map(|bone| self.by(*bone));
        required.filter(|by| *by != By::Structure).count()
    }

    /// Takes over the bones that the file declares.
    pub(super) fn take_declared(&mut self, rig: &Rig<'_>, warnings: &mut Vec<String>) {
        for joint in rig.tree.all() {
            let Some(bone) = rig.tree.joint(joint).declared else { continue };
            let is_new = self.put(bone, joint, By::Vrm, 1.0);
            if !is_new && self.by(bone) == Some(By::Vrm) {
                warnings.push(format!(
                    "The file declares more than one joint as the {}; the first one is used.",
                    spoken(bone)
                ));
            }
        }
    }

    /// Returns the nearest mapped bone above the joint.
    pub(super) fn bone_above(&self, rig: &Rig<'_>, joint: usize) -> Option<HumanBone> {
        rig.tree.ancestors(joint).find_map(|above| self.bone_of(above))
    }

    /// Returns the nearest of the mapped bones that a human has above this one.
    pub(super) fn expected_above(&self, bone: HumanBone) -> Option<HumanBone> {
        human_ancestors(bone).find(|above| self.has(*above))
    }

    /// Returns how well the joint fits the bone, given what has been found.
    pub(super) fn kin(&self, rig: &Rig<'_>, bone: HumanBone, joint: usize) -> Kin {
        let below_is_wrong = self.bones.iter().any(|(other, mapped)| {
            rig.tree.is_above(joint, mapped.joint)
                && !human_ancestors(*other).any(|above| above == bone)
                && !is_excused(*other, bone)
        });
        if below_is_wrong {
            return Kin::Wrong;
        }
        match self.bone_above(rig, joint) {
            above if above == self.expected_above(bone) => Kin::Right,
            None => Kin::Loose,
            Some(above) if human_ancestors(bone).any(|human| human == above) => Kin::Loose,
            Some(above) if is_excused(bone, above) => Kin::Loose,
            Some(_) => Kin::Wrong,
        }
    }

    /// Maps each bone to the best of its candidates, parents before children.
    pub(super) fn assign(&mut self, rig: &Rig<'_>, wanted: &Candidates, by: By, sure: f32) {
        for (bone, joints) in &wanted.0 {
            if self.has(*bone) {
                continue;
            }
            let free = joints.iter().filter(|joint| !self.taken.contains_key(joint));
            let known = free.map(|joint| (self.kin(rig, *bone, *joint), *joint));
            // a joint in the wrong place that moves no surface is a control or the node of a mesh
            let usable = known.filter(|(kin, joint)| *kin == Kin::Right || rig.tree.moves(*joint));
            // the first of the best
            let best = usable.fold(None, |best: Option<(Kin, usize)>, next| match best {
                Some(best) if best.0 >= next.0 => Some(best),
                _ => Some(next),
            });
            match best {
                Some((Kin::Right, joint)) => self.put(*bone, joint, by, sure),
                Some((Kin::Loose, joint)) => self.put(*bone, joint, by, sure - 0.15),
                Some((Kin::Wrong, _)) | None => false,
            };
        }
    }

    /// Swaps left and right of these bones, except those that the user chose.
    pub(super) fn swap_sides(&mut self, bones: &[HumanBone]) {
        let bones: BTreeSet<HumanBone> = bones
            .iter()
            .filter(|bone| bone.side() == Some(Side::Left))
            .filter(|bone| ![**bone, bone.mirrored()].iter().any(|b| self.is_settled(*b)))
            .copied()
            .collect();
        for bone in bones {
            let left = self.forget(bone);
            let right = self.forget(bone.mirrored());
            for (bone, mapped) in [(bone, right), (bone.mirrored(), left)] {
                if let Some(mapped) = mapped {
                    self.put(bone, mapped.joint, mapped.by, mapped.confidence);
                }
            }
        }
    }
}

/// For every bone, the joints that could be it, best first.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates(BTreeMap<HumanBone, Vec<usize>>);

impl Candidates {
    pub(super) fn add(&mut self, bone: HumanBone, joints: impl IntoIterator<Item = usize>) {
        self.0.entry(bone).or_default().extend(joints);
    }

    /// Sorts joints that move a surface before those that do not, such as controls; otherwise keeps
    /// the order. A joint that moves nothing can only be a required bone or toes.
    pub(super) fn prefer_moving(&mut self, rig: &Rig<'_>) {
        for (bone, joints) in &mut self.0 {
            joints.sort_by_key(|joint| !rig.tree.moves(*joint));
            if !bone.is_required() && !matches!(bone, HumanBone::LeftToes | HumanBone::RightToes) {
                joints.retain(|joint| rig.tree.moves(*joint));
            }
        }
    }
}

/// Returns parent, grandparent and so on, up to the hips.
pub(super) fn human_ancestors(bone: HumanBone) -> impl Iterator<Item = HumanBone> {
    std::iter::successors(bone.parent(), |above| above.parent())
}

/// Whether a rig may have the bone below another one than a human: some attach the thighs to the
/// spine, and the clavicles to the neck.
fn is_excused(bone: HumanBone, above: HumanBone) -> bool {
    use HumanBone as B;
    match bone {
        B::LeftUpperLeg | B::RightUpperLeg => {
            matches!(above, B::Spine | B::Chest | B::UpperChest)
        }
        B::LeftShoulder | B::RightShoulder | B::LeftUpperArm | B::RightUpperArm => {
            matches!(above, B::Neck)
        }
        _ => false,
    }
}
