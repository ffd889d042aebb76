//! A bent lattice: coarse on trunk and legs, fine on hands, feet and head.
//!
//! The lattice is even in a space of its own, in which hands and head are enlarged. In T-pose there
//! is nothing but an arm beyond `split_m` to the side, so two independent enlargements are enough
//! and both can be undone exactly.

use glam::Vec3;

/// How many times larger things are drawn along an axis: pairs of place and enlargement, straight
/// in between, constant beyond both ends.
#[derive(Debug, Clone)]
pub struct Enlargement {
    knots: Vec<(f32, f32)>,
}

impl Enlargement {
    /// At least one knot, in ascending order of place; the first is drawn where it lies.
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

    /// Where a place is drawn: the integral of the enlargement, equal to the place at the first
    /// knot.
    fn drawn(&self, place: f32) -> f32 {
        let mut drawn = self.knots[0].0;
        let mut at = self.knots[0];
        if place <= at.0 {
            return drawn + (place - at.0) * at.1;
        }
        for knot in &self.knots[1..] {
            let end = knot.0.min(place);
            drawn += (end - at.0) * (at.1 + self.at(end)) * 0.5;
            if place <= knot.0 {
                return drawn;
            }
            at = *knot;
        }
        drawn + (place - at.0) * at.1
    }

    /// The place that is drawn there; undoes [`Self::drawn`].
    fn undrawn(&self, drawn: f32) -> f32 {
        let (mut at, mut scale) = self.knots[0];
        if drawn <= at {
            return at + (drawn - at) / scale;
        }
        let mut start = at;
        for (place, other) in &self.knots[1..] {
            let length = (place - at) * (scale + other) * 0.5;
            let rest = drawn - start;
            if rest <= length {
                let slope = (other - scale) / (place - at);
                let root = (scale * scale + 2.0 * slope * rest).sqrt();
                return at + 2.0 * rest / (scale + root);
            }
            start += length;
            (at, scale) = (*place, *other);
        }
        at + (drawn - start) / scale
    }
}

/// The lattice: where its points lie in the world.
#[derive(Debug, Clone)]
pub struct Lattice {
    /// Distance between neighbours in the lattice's own space, metres.
    pub step_m: f32,
    /// Beyond this |x| only the arm is enlarged, before it only feet and head.
    pub split_m: f32,
    /// Enlargement of |x| along |x|.
    pub arm: Enlargement,
    /// Enlargement across the arm, about its axis, along |x|.
    pub arm_girth: Enlargement,
    /// The arm's axis: y and z.
    pub arm_axis: (f32, f32),
    /// Enlargement along y, about x = 0, z = `head_z`: feet and head.
    pub upright: Enlargement,
    /// See `upright`.
    pub head_z: f32,
    /// Half the width, the height and half the depth of the world that is looked at.
    pub reach: Vec3,
    /// How far the hand reaches across the arm's axis.
    pub hand_reach_m: f32,
    /// How far the head reaches to front and back.
    pub head_reach_m: f32,
    /// Above this height of the world and within this half width of the lattice's own space lies
    /// the head, not an arm.
    pub head_from: (f32, f32),
    /// Up to this height of the world there are feet, not an arm.
    pub feet_to: f32,
    /// When the skin is thinned, an edge may grow to this many steps.
    pub growth: f32,
    /// Where a thinned skin is finer or coarser than the lattice.
    pub focus: Focus,
}

/// Where people look, and where they do not: what a thinned skin's edges are multiplied by.
#[derive(Debug, Clone)]
pub struct Focus {
    /// Balls of the left half: centre and radius.
    pub balls: Vec<(Vec3, f32)>,
    /// Inside the balls.
    pub inside: f32,
    /// On the rest of the head.
    pub head: f32,
    /// Below the head: hands, feet, trunk.
    pub body: f32,
}

impl Lattice {
    /// From the world to the lattice's own space.
    #[must_use]
    pub fn drawn(&self, world: Vec3) -> Vec3 {
        if world.x.abs() > self.split_m {
            let scale = self.arm_girth.at(world.x.abs());
            let (y, z) = self.arm_axis;
            Vec3::new(
                self.arm.drawn(world.x.abs()) * world.x.signum(),
                self.upright.drawn(y) + (world.y - y) * scale,
                z + (world.z - z) * scale,
            )
        } else {
            let scale = self.upright.at(world.y);
            let y = self.upright.drawn(world.y);
            Vec3::new(world.x * scale, y, self.head_z + (world.z - self.head_z) * scale)
        }
    }

    /// From the lattice's own space to the world.
    #[must_use]
    pub fn world(&self, drawn: Vec3) -> Vec3 {
        let (head_y, head_width) = self.head_from;
        let beside_head = drawn.x.abs() < head_width && drawn.y > self.upright.drawn(head_y);
        let beside_foot = drawn.y < self.upright.drawn(self.feet_to);
        if drawn.x.abs() > self.split_m && !beside_head && !beside_foot {
            let x = self.arm.undrawn(drawn.x.abs());
            let scale = self.arm_girth.at(x);
            let (y, z) = self.arm_axis;
            Vec3::new(
                x * drawn.x.signum(),
                y + (drawn.y - self.upright.drawn(y)) / scale,
                z + (drawn.z - z) / scale,
            )
        } else {
            let y = self.upright.undrawn(drawn.y);
            let scale = self.upright.at(y);
            Vec3::new(drawn.x / scale, y, self.head_z + (drawn.z - self.head_z) / scale)
        }
    }

    /// How far apart neighbours lie in the world around a point, metres.
    #[must_use]
    pub fn step_at(&self, world: Vec3) -> f32 {
        let scale = if world.x.abs() > self.split_m {
            self.arm_girth.at(world.x.abs())
        } else {
            self.upright.at(world.y)
        };
        self.step_m / scale
    }

    /// How fine a thinned skin is to be around a point, metres.
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

    /// The lattice's points on the half x ≥ 0: counts along x, y and z, and the z of the first.
    /// Point (0, 0, 0) lies at x = 0, two steps below the floor.
    #[must_use]
    pub fn extent(&self) -> ([usize; 3], f32) {
        let x = self.arm.drawn(self.reach.x);
        let y = self.upright.drawn(self.reach.y);
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
    fn what_is_drawn_can_be_undrawn() {
        let scale = Enlargement::new(vec![(0.3, 1.0), (0.6, 1.3), (0.7, 3.0)]);
        for place in [0.1, 0.3, 0.45, 0.6, 0.66, 0.7, 0.9] {
            assert!((scale.undrawn(scale.drawn(place)) - place).abs() < 1e-5, "{place}");
        }
    }
}
