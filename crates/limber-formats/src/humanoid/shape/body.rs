//! The joints of a rig that can belong to a body, and measurements of them.

use glam::Vec3;
use limber_animation::maths::ln;

use super::super::Rig;

/// The joints that move a surface and whose names do not indicate hair or controls, as a separate
/// hierarchy.
pub(super) struct Body<'r> {
    rig: &'r Rig<'r>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// These joints, parents first.
    pub(super) joints: Vec<usize>,
    /// For each joint, the lowest joint and the farthest joint below it.
    lowest: Vec<usize>,
    farthest: Vec<usize>,
    highest: Vec<f32>,
    sizes: Vec<usize>,
    pub(super) floor: f32,
    pub(super) height: f32,
}

impl<'r> Body<'r> {
    /// Returns `None` if the rig has no height.
    pub(super) fn new(rig: &'r Rig<'r>) -> Option<Self> {
        let count = rig.tree.len();
        let belongs = |joint: usize| rig.tree.moves(joint) && !rig.is_extra(joint);
        let joints: Vec<usize> = rig.tree.all().filter(|joint| belongs(*joint)).collect();
        let mut parents = vec![None; count];
        let mut children = vec![Vec::new(); count];
        for joint in &joints {
            parents[*joint] = rig.tree.ancestors(*joint).find(|above| belongs(*above));
            if let Some(parent) = parents[*joint] {
                children[parent].push(*joint);
            }
        }
        let heights = joints.iter().map(|joint| rig.tree.at(*joint).y);
        let floor = heights.clone().fold(f32::MAX, f32::min);
        let height = heights.fold(f32::MIN, f32::max) - floor;
        if joints.is_empty() || height < 1e-5 {
            return None;
        }
        let mut body = Self {
            rig,
            parents,
            children,
            joints,
            lowest: (0..count).collect(),
            farthest: (0..count).collect(),
            highest: rig.tree.all().map(|joint| rig.tree.at(joint).y).collect(),
            sizes: vec![1; count],
            floor,
            height,
        };
        body.measure();
        Some(body)
    }

    fn measure(&mut self) {
        for joint in self.joints.clone().into_iter().rev() {
            for child in self.children[joint].clone() {
                self.sizes[joint] += self.sizes[child];
                self.highest[joint] = self.highest[joint].max(self.highest[child]);
                let (old, new) = (self.lowest[joint], self.lowest[child]);
                if self.at(new).y < self.at(old).y {
                    self.lowest[joint] = new;
                }
            }
            self.farthest[joint] = self.farthest_from(joint);
        }
    }

    /// Returns the chain end below a joint that is farthest from it.
    fn farthest_from(&self, joint: usize) -> usize {
        let from = self.at(joint);
        let ends = self.children[joint].iter().map(|child| self.farthest[*child]);
        let reach = |end: &usize| self.at(*end).distance(from);
        ends.max_by(|one, other| reach(one).total_cmp(&reach(other))).unwrap_or(joint)
    }

    pub(super) fn at(&self, joint: usize) -> Vec3 {
        self.rig.tree.at(joint)
    }

    pub(super) fn is_skinned(&self, joint: usize) -> bool {
        self.rig.tree.joint(joint).skinned
    }

    pub(super) fn children(&self, joint: usize) -> &[usize] {
        &self.children[joint]
    }

    /// Returns the number of joints in the subtree.
    pub(super) fn size(&self, joint: usize) -> usize {
        self.sizes[joint]
    }

    pub(super) fn lowest(&self, joint: usize) -> usize {
        self.lowest[joint]
    }

    pub(super) fn farthest(&self, joint: usize) -> usize {
        self.farthest[joint]
    }

    /// Returns the maximum height in the subtree.
    pub(super) fn highest(&self, joint: usize) -> f32 {
        self.highest[joint]
    }

    pub(super) fn holds(&self, above: usize, joint: usize) -> bool {
        self.rig.tree.holds(above, joint)
    }

    /// Returns the joints from `top` down to `end`, both included.
    pub(super) fn chain(&self, top: usize, end: usize) -> Vec<usize> {
        let mut chain = vec![end];
        let mut at = end;
        while at != top
            && let Some(parent) = self.parents[at]
        {
            chain.push(parent);
            at = parent;
        }
        chain.reverse();
        chain
    }

    /// Returns the joints below `above` down to `end`.
    pub(super) fn way_down(&self, above: usize, end: usize) -> Vec<usize> {
        let way = self.rig.tree.way_down(above, end);
        way.into_iter().filter(|joint| self.joints.binary_search(joint).is_ok()).collect()
    }

    /// Returns the cumulative length of a chain from its top to each joint.
    pub(super) fn lengths(&self, chain: &[usize]) -> Vec<f32> {
        let mut sum = 0.0;
        let mut lengths = vec![0.0];
        for pair in chain.windows(2) {
            sum += self.at(pair[0]).distance(self.at(pair[1]));
            lengths.push(sum);
        }
        lengths
    }
}

/// Finds the two joints of a limb that divide it best: returns the indices `(upper, middle)` in the
/// chain for an end at index `end`, and how much the ratio of the two halves deviates from `ratio`.
pub(super) fn bend(
    body: &Body<'_>,
    chain: &[usize],
    end: usize,
    ratio: f32,
) -> Option<(usize, usize, f32)> {
    let at = |place: usize| body.at(chain[place]);
    let total = body.lengths(chain)[end];
    let mut best: Option<(usize, usize, f32)> = None;
    for upper in 0..end.min(4) {
        for middle in upper + 1..end {
            let (one, two) = (at(upper).distance(at(middle)), at(middle).distance(at(end)));
            if one + two < 0.5 * total || one < 0.15 * total || two < 0.15 * total {
                continue;
            }
            let cost = ln(one / two / ratio).abs();
            if best.is_none_or(|best| cost < best.2) {
                best = Some((upper, middle, cost));
            }
        }
    }
    best
}
