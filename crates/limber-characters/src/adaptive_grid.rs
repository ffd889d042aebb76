//! An adaptive sampling grid: coarse on trunk and legs, fine on hands, feet and head.
//!
//! The grid is uniform in a warped space, in which hands and head are enlarged. In T-pose there is
//! nothing but an arm beyond `split_m` to the side, so two independent warps are enough, and both
//! are exactly invertible.

use glam::Vec3;

/// Magnification along an axis as (position, factor) pairs: interpolated linearly, constant beyond
/// both ends.
#[derive(Debug, Clone)]
pub struct Magnification {
    knots: Vec<(f32, f32)>,
}

impl Magnification {
    /// Creates a magnification from at least one knot, in ascending order of position. The first
    /// knot is a fixed point.
    #[must_use]
    pub fn new(knots: Vec<(f32, f32)>) -> Self {
        Self { knots }
    }

    fn at(&self, place: f32) -> f32 {
        let next = self.knots.partition_point(|knot| knot.0 <= place);
        if next == 0 {
            return self.knots[0].1;
        }
        let (start, scale) = self.knots[next - 1];
        match self.knots.get(next) {
            Some((end, other)) => scale + (other - scale) * (place - start) / (end - start),
            None => scale,
        }
    }

    /// Maps a world coordinate to the warped space: the integral of the magnification, which leaves
    /// the first knot in place.
    fn warp(&self, place: f32) -> f32 {
        let mut warped = self.knots[0].0;
        let mut at = self.knots[0];
        if place <= at.0 {
            return warped + (place - at.0) * at.1;
        }
        for knot in &self.knots[1..] {
            let end = knot.0.min(place);
            warped += (end - at.0) * (at.1 + self.at(end)) * 0.5;
            if place <= knot.0 {
                return warped;
            }
            at = *knot;
        }
        warped + (place - at.0) * at.1
    }

    /// Maps a warped coordinate back to the world: the inverse of [`Self::warp`].
    fn unwarp(&self, warped: f32) -> f32 {
        let (mut at, mut scale) = self.knots[0];
        if warped <= at {
            return at + (warped - at) / scale;
        }
        let mut start = at;
        for (place, other) in &self.knots[1..] {
            let length = (place - at) * (scale + other) * 0.5;
            let rest = warped - start;
            if rest <= length {
                let slope = (other - scale) / (place - at);
                let root = (scale * scale + 2.0 * slope * rest).sqrt();
                return at + 2.0 * rest / (scale + root);
            }
            start += length;
            (at, scale) = (*place, *other);
        }
        at + (warped - start) / scale
    }
}

/// The grid and its warp.
#[derive(Debug, Clone)]
pub struct AdaptiveGrid {
    /// Distance between neighbouring points in the warped space, in metres.
    pub step_m: f32,
    /// Beyond this |x| only the arm is magnified; below it only feet and head are.
    pub split_m: f32,
    /// Magnification along the arm, by |x|.
    pub arm: Magnification,
    /// Magnification across the arm, about its axis, by |x|.
    pub arm_girth: Magnification,
    /// The y and z coordinates of the arm's axis.
    pub arm_axis: (f32, f32),
    /// Magnification of feet and head along y, about x = 0 and z = `head_z`.
    pub upright: Magnification,
    /// The z coordinate about which feet and head are magnified.
    pub head_z: f32,
    /// Half the width, the height and half the depth of the sampled world, in metres.
    pub reach: Vec3,
    /// Extent of the hand across the arm's axis, in metres.
    pub hand_reach_m: f32,
    /// Extent of the head to front and back, in metres.
    pub head_reach_m: f32,
    /// World height above which, and half width in the warped space within which, a point belongs
    /// to the head and not to an arm.
    pub head_from: (f32, f32),
    /// World height up to which a point belongs to the feet and not to an arm.
    pub feet_to: f32,
    /// Maximum edge length after simplification, as a multiple of the local step.
    pub growth: f32,
    /// Where the simplified mesh is finer or coarser than the grid.
    pub focus: Focus,
}

/// Local factors for the edge length of the simplified mesh: smaller where viewers look.
#[derive(Debug, Clone)]
pub struct Focus {
    /// Balls in the left half: centre and radius in metres.
    pub balls: Vec<(Vec3, f32)>,
    /// Factor inside the balls.
    pub inside: f32,
    /// Factor on the rest of the head.
    pub head: f32,
    /// Factor below the head: hands, feet, trunk.
    pub body: f32,
}

impl AdaptiveGrid {
    /// Maps a point from the world to the warped space.
    #[must_use]
    pub fn warp(&self, world: Vec3) -> Vec3 {
        if world.x.abs() > self.split_m {
            let scale = self.arm_girth.at(world.x.abs());
            let (y, z) = self.arm_axis;
            Vec3::new(
                self.arm.warp(world.x.abs()) * world.x.signum(),
                self.upright.warp(y) + (world.y - y) * scale,
                z + (world.z - z) * scale,
            )
        } else {
            let scale = self.upright.at(world.y);
            let y = self.upright.warp(world.y);
            Vec3::new(world.x * scale, y, self.head_z + (world.z - self.head_z) * scale)
        }
    }

    /// Maps a point from the warped space to the world.
    #[must_use]
    pub fn unwarp(&self, warped: Vec3) -> Vec3 {
        let (head_y, head_width) = self.head_from;
        let beside_head = warped.x.abs() < head_width && warped.y > self.upright.warp(head_y);
        let beside_foot = warped.y < self.upright.warp(self.feet_to);
        if warped.x.abs() > self.split_m && !beside_head && !beside_foot {
            let x = self.arm.unwarp(warped.x.abs());
            let scale = self.arm_girth.at(x);
            let (y, z) = self.arm_axis;
            Vec3::new(
                x * warped.x.signum(),
                y + (warped.y - self.upright.warp(y)) / scale,
                z + (warped.z - z) / scale,
            )
        } else {
            let y = self.upright.unwarp(warped.y);
            let scale = self.upright.at(y);
            Vec3::new(warped.x / scale, y, self.head_z + (warped.z - self.head_z) / scale)
        }
    }

    /// Returns the distance between neighbouring grid points around a world point, in metres.
    #[must_use]
    pub fn step_at(&self, world: Vec3) -> f32 {
        let scale = if world.x.abs() > self.split_m {
            self.arm_girth.at(world.x.abs())
        } else {
            self.upright.at(world.y)
        };
        self.step_m / scale
    }

    /// Returns the desired edge length of the simplified mesh around a world point, in metres.
    #[must_use]
    pub fn grain_at(&self, world: Vec3) -> f32 {
        let focus = &self.focus;
        let on_left = Vec3::new(world.x.abs(), world.y, world.z);
        let beyond =
            focus.balls.iter().map(|(centre, radius)| on_left.distance(*centre) / radius - 1.0);
        let away = (2.0 * beyond.fold(f32::MAX, f32::min)).clamp(0.0, 1.0);
        let outside = if world.y > self.head_from.0 { focus.head } else { focus.body };
        (self.step_at(world) * (focus.inside + (outside - focus.inside) * away)).min(self.step_m)
    }

    /// Returns the number of grid points along x, y and z on the half x ≥ 0, and the z coordinate
    /// of the first. Point (0, 0, 0) is at x = 0, two steps below the floor.
    #[must_use]
    pub fn extent(&self) -> ([usize; 3], f32) {
        let x = self.arm.warp(self.reach.x);
        let y = self.upright.warp(self.reach.y);
        let hand = self.hand_reach_m * self.arm_girth.at(self.reach.x);
        let head = self.head_z.abs() + self.head_reach_m * self.upright.at(self.reach.y);
        let z = (self.reach.z * self.upright.at(0.0).max(1.0)).max(hand).max(head);
        let steps = |length: f32| (length / self.step_m).ceil() as usize;
        let deep = steps(z);
        ([steps(x) + 3, steps(y) + 5, 2 * deep + 1], -(deep as f32) * self.step_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warping_can_be_undone() {
        let scale = Magnification::new(vec![(0.3, 1.0), (0.6, 1.3), (0.7, 3.0)]);
        for place in [0.1, 0.3, 0.45, 0.6, 0.66, 0.7, 0.9] {
            assert!((scale.unwarp(scale.warp(place)) - place).abs() < 1e-5, "{place}");
        }
    }
}
