//! A bent lattice: coarse on trunk and legs, fine on hands and head.
//!
//! The lattice is even in a space of its own, in which hands and head are enlarged. In T-pose there
//! is nothing but an arm beyond `split_m` to the side, and nothing but the head above the
//! shoulders, so two independent enlargements are enough and both can be undone exactly.

use glam::Vec3;

/// How many times larger things are drawn along an axis: pairs of place and enlargement, straight
/// in between, constant beyond both ends.
#[derive(Debug, Clone)]
pub struct Enlargement {
    knots: Vec<(f32, f32)>,
}

impl Enlargement {
    /// At least one knot, in ascending order of place; the first with enlargement 1.
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
            return place;
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
            return drawn;
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
    /// Beyond this |x| only `arm` acts, before it only `head`.
    pub split_m: f32,
    /// Enlargement along |x|, about the arm's axis.
    pub arm: Enlargement,
    /// The arm's axis: y and z.
    pub arm_axis: (f32, f32),
    /// Enlargement along y, about x = 0, z = `head_z`.
    pub head: Enlargement,
    /// See `head`.
    pub head_z: f32,
    /// Half the width, the height and half the depth of the world that is looked at.
    pub reach: Vec3,
}

impl Lattice {
    /// From the world to the lattice's own space.
    #[must_use]
    pub fn drawn(&self, world: Vec3) -> Vec3 {
        if world.x.abs() > self.split_m {
            let scale = self.arm.at(world.x.abs());
            let (y, z) = self.arm_axis;
            Vec3::new(
                self.arm.drawn(world.x.abs()) * world.x.signum(),
                y + (world.y - y) * scale,
                z + (world.z - z) * scale,
            )
        } else {
            let scale = self.head.at(world.y);
            let y = self.head.drawn(world.y);
            Vec3::new(world.x * scale, y, self.head_z + (world.z - self.head_z) * scale)
        }
    }

    /// From the lattice's own space to the world.
    #[must_use]
    pub fn world(&self, drawn: Vec3) -> Vec3 {
        if drawn.x.abs() > self.split_m {
            let x = self.arm.undrawn(drawn.x.abs());
            let scale = self.arm.at(x);
            let (y, z) = self.arm_axis;
            Vec3::new(x * drawn.x.signum(), y + (drawn.y - y) / scale, z + (drawn.z - z) / scale)
        } else {
            let y = self.head.undrawn(drawn.y);
            let scale = self.head.at(y);
            Vec3::new(drawn.x / scale, y, self.head_z + (drawn.z - self.head_z) / scale)
        }
    }

    /// How far apart neighbours lie in the world around a point, metres.
    #[must_use]
    pub fn step_at(&self, world: Vec3) -> f32 {
        let scale = if world.x.abs() > self.split_m {
            self.arm.at(world.x.abs())
        } else {
            self.head.at(world.y)
        };
        self.step_m / scale
    }

    /// The lattice's points on the half x ≥ 0: counts along x, y and z, and the z of the first.
    /// Point (0, 0, 0) lies at x = 0, two steps below the floor.
    #[must_use]
    pub fn extent(&self) -> ([usize; 3], f32) {
        let x = self.arm.drawn(self.reach.x);
        let y = self.head.drawn(self.reach.y);
        let widest = self.arm.at(self.reach.x).max(self.head.at(self.reach.y));
        let z = self.reach.z.max(0.13 * widest);
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
