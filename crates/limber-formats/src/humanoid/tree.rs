//! The hierarchy of a rig, with the queries that all steps need.

use glam::Vec3;

use super::RigJoint;

/// Joints with their children, prepared for fast ancestor queries.
pub(super) struct Tree<'a> {
    joints: &'a [RigJoint],
    parents: Vec<Option<usize>>,
    positions: Vec<Vec3>,
    children: Vec<Vec<usize>>,
    depths: Vec<usize>,
    entered: Vec<usize>,
    left: Vec<usize>,
    moves: Vec<bool>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(joints: &'a [RigJoint]) -> Self {
        let count = joints.len();
        // a parent that does not come before its child is ignored
        let parents: Vec<Option<usize>> = joints
            .iter()
            .enumerate()
            .map(|(place, joint)| joint.parent.filter(|parent| *parent < place))
            .collect();
        let mut positions: Vec<Vec3> = Vec::with_capacity(count);
        let mut children = vec![Vec::new(); count];
        let mut depths = vec![0; count];
        for (place, joint) in joints.iter().enumerate() {
            let above = parents[place].map_or(Vec3::ZERO, |parent| positions[parent]);
            let is_usable = joint.position.is_finite() && joint.position.length() < 1e6;
            positions.push(if is_usable { joint.position } else { above });
            if let Some(parent) = parents[place] {
                children[parent].push(place);
                depths[place] = depths[parent] + 1;
            }
        }
        let is_without_skin = !joints.iter().any(|joint| joint.skinned);
        let mut moves: Vec<bool> =
            joints.iter().map(|joint| joint.skinned || is_without_skin).collect();
        for place in (0..count).rev() {
            if let Some(parent) = parents[place] {
                moves[parent] |= moves[place];
            }
        }
        let mut tree = Self {
            joints,
            parents,
            positions,
            children,
            depths,
            entered: vec![0; count],
            left: vec![0; count],
            moves,
        };
        tree.number();
        tree
    }

    /// Numbers the joints so that every subtree is a range.
    fn number(&mut self) {
        let mut next = 0;
        let mut stack: Vec<(usize, bool)> =
            self.all().filter(|joint| self.parents[*joint].is_none()).map(|j| (j, true)).collect();
        while let Some((joint, is_new)) = stack.pop() {
            if is_new {
                self.entered[joint] = next;
                next += 1;
                stack.push((joint, false));
                stack.extend(self.children[joint].iter().map(|child| (*child, true)));
            } else {
                self.left[joint] = next;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.joints.len()
    }

    pub(super) fn all(&self) -> std::ops::Range<usize> {
        0..self.joints.len()
    }

    pub(super) fn joint(&self, joint: usize) -> &'a RigJoint {
        &self.joints[joint]
    }

    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        self.parents[joint]
    }

    pub(super) fn children(&self, joint: usize) -> &[usize] {
        &self.children[joint]
    }

    pub(super) fn depth(&self, joint: usize) -> usize {
        self.depths[joint]
    }

    /// Returns the world position at rest; a joint with an invalid position takes that of its
    /// parent.
    pub(super) fn at(&self, joint: usize) -> Vec3 {
        self.positions[joint]
    }

    /// Whether the joint or a descendant has a surface; always true for a rig without surfaces.
    pub(super) fn moves(&self, joint: usize) -> bool {
        self.moves[joint]
    }

    /// Whether `above` is a proper ancestor of `joint`.
    pub(super) fn is_above(&self, above: usize, joint: usize) -> bool {
        self.entered[above] < self.entered[joint] && self.entered[joint] < self.left[above]
    }

    /// Whether the joints are the same or `above` is an ancestor.
    pub(super) fn holds(&self, above: usize, joint: usize) -> bool {
        above == joint || self.is_above(above, joint)
    }

    /// Returns the joint's ancestors, from its parent upwards.
    pub(super) fn ancestors(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parents[joint], |at| self.parents[*at])
    }

    /// Returns the lowest common ancestor of two joints.
    pub(super) fn fork(&self, one: usize, other: usize) -> Option<usize> {
        std::iter::once(one).chain(self.ancestors(one)).find(|above| self.holds(*above, other))
    }

    /// Returns the joints below `above` down to `joint`, which is the last one; empty if `above` is
    /// not an ancestor.
    pub(super) fn way_down(&self, above: usize, joint: usize) -> Vec<usize> {
        if !self.is_above(above, joint) {
            return Vec::new();
        }
        let mut way: Vec<usize> = std::iter::once(joint)
            .chain(self.ancestors(joint).take_while(|at| *at != above))
            .collect();
        way.reverse();
        way
    }
}
