//! A generated body: its joints are where a human's are, and the true bone of each is known.

use glam::{Quat, Vec3};
use limber_animation::{Finger, HumanBone, Phalanx, Side};
use limber_formats::humanoid::RigJoint;
use rand::prelude::*;

/// A joint and its true bone.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) position: Vec3,
    pub(super) skinned: bool,
    pub(super) bone: Option<HumanBone>,
}

/// A rig with known bones. Parents come before children.
#[derive(Debug, Clone)]
pub(super) struct Rig {
    pub(super) made: Vec<Made>,
}

/// The proportions of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Build {
    /// Overall scale.
    pub(super) size: f32,
    pub(super) arms: f32,
    pub(super) legs: f32,
    pub(super) trunk: f32,
    /// Height of neck and head.
    pub(super) head: f32,
    /// Angle of the arms below the T-pose, in radians.
    pub(super) hang: f32,
}

impl Build {
    pub(super) const ADULT: Self =
        Self { size: 1.0, arms: 1.0, legs: 1.0, trunk: 1.0, head: 1.0, hang: 0.0 };
    pub(super) const CHILD: Self =
        Self { size: 0.65, arms: 0.85, legs: 0.8, head: 1.5, ..Self::ADULT };
    pub(super) const GIANT: Self = Self { size: 3.5, trunk: 1.15, head: 0.8, ..Self::ADULT };
    pub(super) const LONG_ARMS: Self = Self { arms: 1.45, ..Self::ADULT };
    pub(super) const SHORT_LEGS: Self = Self { legs: 0.6, ..Self::ADULT };
    pub(super) const ALL: [(&str, Self); 5] = [
        ("adult", Self::ADULT),
        ("child", Self::CHILD),
        ("giant", Self::GIANT),
        ("long arms", Self::LONG_ARMS),
        ("short legs", Self::SHORT_LEGS),
    ];

    pub(super) const fn a_pose(self) -> Self {
        Self { hang: 0.8, ..self }
    }

    /// Returns the rest position of a bone.
    fn at(&self, bone: HumanBone) -> Vec3 {
        let Some(parent) = bone.parent() else {
            return Vec3::new(0.0, 0.98, 0.0) * Vec3::new(1.0, self.hips_height(), 1.0) * self.size;
        };
        self.at(parent) + self.turn(bone) * self.offset(bone) * self.size
    }

    fn hips_height(&self) -> f32 {
        // the legs begin 6 cm below the hips, and the ankle is 9 cm above the floor
        (0.83 * self.legs + 0.09 + 0.06) / 0.98
    }

    /// Returns the rotation of a bone; arms hang from the upper arm on.
    fn turn(&self, bone: HumanBone) -> Quat {
        use HumanBone as B;
        let Some(side) = bone.side() else { return Quat::IDENTITY };
        let arm = HumanBone::arm(side);
        let is_below = std::iter::successors(bone.parent(), |above| above.parent())
            .any(|above| above == arm[1]);
        let is_face = matches!(bone, B::LeftEye | B::RightEye);
        if is_below && !is_face {
            Quat::from_rotation_z(-side.sign() * self.hang)
        } else {
            Quat::IDENTITY
        }
    }

    /// Returns the offset from the parent for a body of ordinary size in T-pose.
    fn offset(&self, bone: HumanBone) -> Vec3 {
        use HumanBone as B;
        let (trunk, head, arms, legs) = (self.trunk, self.head, self.arms, self.legs);
        match bone {
            B::Hips => Vec3::ZERO,
            B::Spine => Vec3::new(0.0, 0.10 * trunk, -0.01),
            B::Chest => Vec3::new(0.0, 0.12 * trunk, 0.005),
            B::UpperChest => Vec3::new(0.0, 0.12 * trunk, 0.0),
            B::Neck => Vec3::new(0.0, 0.15 * trunk, -0.01),
            B::Head => Vec3::new(0.0, 0.10 * head, 0.01),
            B::Jaw => Vec3::new(0.0, 0.02 * head, 0.03),
            _ => {
                let side = bone.side().unwrap_or(Side::Left);
                let left = if side == Side::Left { bone } else { bone.mirrored() };
                let offset = match left {
                    B::LeftEye => Vec3::new(0.03, 0.07 * head, 0.08),
                    B::LeftShoulder => Vec3::new(0.03, 0.11 * trunk, -0.01),
                    B::LeftUpperArm => Vec3::new(0.14, 0.0, -0.02),
                    B::LeftLowerArm => Vec3::new(0.28 * arms, 0.0, -0.005),
                    B::LeftHand => Vec3::new(0.25 * arms, 0.0, 0.01),
                    B::LeftUpperLeg => Vec3::new(0.09, -0.06, 0.0),
                    B::LeftLowerLeg => Vec3::new(0.0, -0.42 * legs, 0.015),
                    B::LeftFoot => Vec3::new(0.0, -0.41 * legs, -0.035),
                    B::LeftToes => Vec3::new(0.005, -0.07, 0.13),
                    finger => finger_offset(finger),
                };
                offset * Vec3::new(side.sign(), 1.0, 1.0)
            }
        }
    }
}

fn finger_offset(bone: HumanBone) -> Vec3 {
    let place = |wanted: HumanBone| {
        Finger::ALL
            .into_iter()
            .flat_map(|f| Phalanx::ALL.map(|p| (f, p)))
            .find(|(f, p)| HumanBone::finger(Side::Left, *f, *p) == wanted)
    };
    let (finger, phalanx) = place(bone).expect("all other left bones were handled above");
    let first = match finger {
        Finger::Thumb => Vec3::new(0.03, -0.012, 0.03),
        Finger::Index => Vec3::new(0.095, 0.0, 0.027),
        Finger::Middle => Vec3::new(0.098, 0.002, 0.005),
        Finger::Ring => Vec3::new(0.092, 0.0, -0.016),
        Finger::Little => Vec3::new(0.083, -0.004, -0.036),
    };
    let along = match finger {
        Finger::Thumb => Vec3::new(0.72, -0.1, 0.68),
        _ => Vec3::X,
    };
    match phalanx {
        Phalanx::First => first,
        Phalanx::Second => along * 0.042,
        Phalanx::Third => along * 0.026,
    }
}

impl Rig {
    /// Creates a body of these bones, named by a function. The children of an omitted bone go to
    /// its parent.
    pub(super) fn new(
        build: Build,
        bones: impl IntoIterator<Item = HumanBone>,
        name: impl Fn(HumanBone) -> Option<String>,
    ) -> Self {
        let mut rig = Self { made: Vec::new() };
        for bone in bones {
            let Some(name) = name(bone) else { continue };
            let parent = std::iter::successors(bone.parent(), |above| above.parent())
                .find_map(|above| rig.truth(above));
            let position = build.at(bone);
            rig.made.push(Made { name, parent, position, skinned: true, bone: Some(bone) });
        }
        rig
    }

    /// Returns the joint that is truly the bone.
    pub(super) fn truth(&self, bone: HumanBone) -> Option<usize> {
        self.made.iter().position(|made| made.bone == Some(bone))
    }

    pub(super) fn name(&self, joint: usize) -> &str {
        &self.made[joint].name
    }

    pub(super) fn joints(&self) -> Vec<RigJoint> {
        let joint = |made: &Made| RigJoint {
            name: made.name.clone(),
            parent: made.parent,
            position: made.position,
            skinned: made.skinned,
            declared: None,
        };
        self.made.iter().map(joint).collect()
    }

    fn need(&self, bone: HumanBone) -> usize {
        self.truth(bone).unwrap_or_else(|| panic!("the body does not have {}", bone.name()))
    }

    /// Adds a joint below another.
    pub(super) fn add(
        &mut self,
        name: &str,
        parent: usize,
        position: Vec3,
        skinned: bool,
    ) -> usize {
        let name = name.to_owned();
        self.made.push(Made { name, parent: Some(parent), position, skinned, bone: None });
        self.made.len() - 1
    }

    /// Adds a leaf on the segment from one bone to another.
    pub(super) fn add_on(&mut self, name: &str, from: HumanBone, to: HumanBone, share: f32) {
        let (from, to) = (self.need(from), self.need(to));
        let position = self.made[from].position.lerp(self.made[to].position, share);
        self.add(name, from, position, true);
    }

    /// Inserts a joint between a bone and the one below it.
    pub(super) fn insert(&mut self, name: &str, from: HumanBone, to: HumanBone, share: f32) {
        let (above, below) = (self.need(from), self.need(to));
        let above = self.made[below].parent.unwrap_or(above);
        let position = self.made[self.need(from)].position.lerp(self.made[below].position, share);
        let joint = self.add(name, above, position, true);
        self.made[below].parent = Some(joint);
        self.sort();
    }

    /// Inserts a joint below the hips that carries both legs.
    pub(super) fn add_pelvis(&mut self, name: &str) {
        let hips = self.need(HumanBone::Hips);
        let position = self.made[hips].position - Vec3::Y * 0.01;
        let pelvis = self.add(name, hips, position, true);
        for leg in [HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg] {
            let leg = self.need(leg);
            self.made[leg].parent = Some(pelvis);
        }
        self.sort();
    }

    /// Adds a joint above everything.
    pub(super) fn add_root(&mut self, name: &str) {
        let root = self.made.len();
        for made in &mut self.made {
            made.parent = made.parent.or(Some(root));
        }
        let name = name.to_owned();
        self.made.push(Made {
            name,
            parent: None,
            position: Vec3::ZERO,
            skinned: false,
            bone: None,
        });
        self.sort();
    }

    /// Reparents a bone.
    pub(super) fn hang(&mut self, bone: HumanBone, on: HumanBone) {
        let (joint, on) = (self.need(bone), self.need(on));
        self.made[joint].parent = Some(on);
        self.sort();
    }

    /// Adds tips without weights behind every leaf.
    pub(super) fn add_tips(&mut self, ending: &str) {
        for joint in 0..self.made.len() {
            if self.made.iter().any(|made| made.parent == Some(joint)) {
                continue;
            }
            let Some(parent) = self.made[joint].parent else { continue };
            let (from, at) = (self.made[parent].position, self.made[joint].position);
            let name = format!("{}{ending}", self.made[joint].name);
            self.add(&name, joint, at + 0.6 * (at - from), false);
        }
    }

    /// Adds a chain of joints that hangs down from a bone.
    pub(super) fn add_chain(
        &mut self,
        name: &str,
        bone: HumanBone,
        offset: Vec3,
        step: Vec3,
        count: usize,
    ) {
        let mut parent = self.need(bone);
        let mut position = self.made[parent].position + offset;
        for place in 0..count {
            parent = self.add(&format!("{name}{place}"), parent, position, true);
            position += step;
        }
    }

    /// Adds hair around the head and a skirt around the hips: almost 100 joints more than the body
    /// has.
    pub(super) fn add_hair_and_skirt(&mut self) {
        let size = self.made[self.need(HumanBone::Hips)].position.y;
        for place in 0..12 {
            let angle = place as f32 / 12.0 * std::f32::consts::TAU + 0.1;
            let around = Vec3::new(angle.sin(), 0.0, angle.cos()) * size;
            let down = Vec3::new(0.0, -0.04, 0.0) * size + 0.01 * around;
            let hair = 0.09 * around + Vec3::Y * 0.1 * size;
            self.add_chain(&format!("Hair{place}_"), HumanBone::Head, hair, down, 4);
            let hem = 0.13 * around - Vec3::Y * 0.03 * size;
            let down = Vec3::new(0.0, -0.1, 0.0) * size + 0.03 * around;
            self.add_chain(&format!("Skirt{place}_"), HumanBone::Hips, hem, down, 4);
        }
    }

    /// Sorts parents before children, otherwise keeps the order.
    fn sort(&mut self) {
        self.reorder(|places| *places.iter().min().expect("a rig has a root"));
    }

    /// Puts the joints into a random order, parents before children.
    pub(super) fn shuffle(&mut self, rng: &mut impl Rng) {
        self.reorder(|ready| *ready.choose(rng).expect("a rig has a root"));
    }

    fn reorder(&mut self, mut choose: impl FnMut(&[usize]) -> usize) {
        let mut new_place = vec![None; self.made.len()];
        let mut sorted: Vec<Made> = Vec::new();
        while sorted.len() < self.made.len() {
            let ready: Vec<usize> = (0..self.made.len())
                .filter(|joint| new_place[*joint].is_none())
                .filter(|joint| self.made[*joint].parent.is_none_or(|p| new_place[p].is_some()))
                .collect();
            let next = choose(&ready);
            let mut made = self.made[next].clone();
            made.parent = made.parent.and_then(|parent| new_place[parent]);
            new_place[next] = Some(sorted.len());
            sorted.push(made);
        }
        self.made = sorted;
    }

    /// Replaces all names by random letters.
    pub(super) fn rename_at_random(&mut self, rng: &mut impl Rng) {
        // letters that cannot form a known word, not even `ctrl`
        let meaningless = ['q', 'v', 'w', 'x', 'y', 'z'];
        for (place, made) in self.made.iter_mut().enumerate() {
            let letters: String =
                (0..6).map(|_| meaningless[rng.random_range(0..meaningless.len())]).collect();
            made.name = format!("{letters}{place}");
        }
    }

    /// Moves every joint a little, with its subtree.
    pub(super) fn jitter(&mut self, rng: &mut impl Rng, amount: f32) {
        let old: Vec<Vec3> = self.made.iter().map(|made| made.position).collect();
        for place in 0..self.made.len() {
            if let Some(parent) = self.made[place].parent {
                let offset = old[place] - old[parent];
                let mut random = || rng.random_range(-1.0..1.0f32);
                let noise = Vec3::new(random(), random(), random()) * amount * offset.length();
                self.made[place].position = self.made[parent].position + offset + noise;
            }
        }
    }

    /// Rotates and scales the whole rig.
    pub(super) fn transform(&mut self, turn: Quat, scale: f32) {
        for made in &mut self.made {
            made.position = turn * made.position * scale;
        }
    }
}

/// Returns the bones of a body without a face.
pub(super) fn without_face() -> impl Iterator<Item = HumanBone> + Clone {
    use HumanBone as B;
    HumanBone::ALL.into_iter().filter(|bone| !matches!(bone, B::LeftEye | B::RightEye | B::Jaw))
}
