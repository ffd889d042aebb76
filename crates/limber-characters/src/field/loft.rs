//! Lofts for limbs and trunks: oval rings along an axis, joined by smooth curves.

use glam::{Vec2, Vec3};

/// The axis of a loft. The transverse coordinates `u` and `v` are (z, y) for x, (x, z) for y, and
/// (x, y) for z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the axes are self-explanatory")]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn split(self, point: Vec3) -> (f32, Vec2) {
        match self {
            Self::X => (point.x, Vec2::new(point.z, point.y)),
            Self::Y => (point.y, Vec2::new(point.x, point.z)),
            Self::Z => (point.z, Vec2::new(point.x, point.y)),
        }
    }

    fn join(self, along: f32, across: Vec2) -> Vec3 {
        match self {
            Self::X => Vec3::new(along, across.y, across.x),
            Self::Y => Vec3::new(across.x, along, across.y),
            Self::Z => Vec3::new(across.x, across.y, along),
        }
    }
}

/// An oval of a [`Loft`]: half an ellipse on each side of its centre.
#[derive(Debug, Clone, Copy)]
pub struct Ring {
    /// Position along the axis, in metres.
    pub along: f32,
    /// Centre in transverse coordinates.
    pub centre: Vec2,
    /// Radii towards +u and +v.
    pub plus: Vec2,
    /// Radii towards −u and −v.
    pub minus: Vec2,
}

impl Ring {
    fn combine(rings: [&Self; 4], shares: [f32; 4]) -> Self {
        let mut sum = Self { along: 0.0, centre: Vec2::ZERO, plus: Vec2::ZERO, minus: Vec2::ZERO };
        for (ring, share) in rings.into_iter().zip(shares) {
            sum.along += ring.along * share;
            sum.centre += ring.centre * share;
            sum.plus += ring.plus * share;
            sum.minus += ring.minus * share;
        }
        sum
    }
}

/// A tube through rings, flat at both ends.
#[derive(Debug, Clone)]
pub struct Loft {
    axis: Axis,
    rings: Vec<Ring>,
    /// 0 for ovals, 1 for rounded boxes.
    squareness: f32,
}

impl Loft {
    /// Creates a loft from at least two rings in ascending order along the axis.
    #[must_use]
    pub fn new(axis: Axis, squareness: f32, rings: Vec<Ring>) -> Self {
        debug_assert!(rings.len() >= 2 && rings.is_sorted_by(|a, b| a.along < b.along));
        Self { axis, rings, squareness }
    }

    pub(super) fn bounds(&self) -> (Vec3, f32) {
        let spots = || self.rings.iter().map(|ring| self.axis.join(ring.along, ring.centre));
        let centre = spots().sum::<Vec3>() / self.rings.len() as f32;
        let reach = self
            .rings
            .iter()
            .zip(spots())
            .map(|(ring, spot)| spot.distance(centre) + ring.plus.max(ring.minus).length())
            .fold(0.0, f32::max);
        (centre, reach)
    }

    /// Returns the interpolated ring at a position along the axis. Uses a cubic with chord slopes
    /// (Catmull-Rom for uneven spacing), which does not overshoot at unevenly spaced rings.
    fn ring_at(&self, along: f32) -> Ring {
        let last = self.rings.len() - 1;
        let next = self.rings.partition_point(|ring| ring.along <= along).clamp(1, last);
        let [a, b] = [&self.rings[next - 1], &self.rings[next]];
        let before = &self.rings[next.saturating_sub(2)];
        let after = &self.rings[(next + 1).min(last)];
        let span = b.along - a.along;
        let t = (along - a.along) / span;
        let (t2, t3) = (t * t, t * t * t);
        let start = (t3 - 2.0 * t2 + t) * span / (b.along - before.along);
        let end = (t3 - t2) * span / (after.along - a.along);
        let shares = [-start, 2.0 * t3 - 3.0 * t2 + 1.0 - end, -2.0 * t3 + 3.0 * t2 + start, end];
        Ring::combine([before, a, b, after], shares)
    }

    pub(super) fn distance(&self, point: Vec3) -> f32 {
        let (along, across) = self.axis.split(point);
        let (first, last) = (self.rings[0].along, self.rings[self.rings.len() - 1].along);
        let ring = self.ring_at(along.clamp(first, last));
        let offset = across - ring.centre;
        let radii = Vec2::new(
            if offset.x >= 0.0 { ring.plus.x } else { ring.minus.x },
            if offset.y >= 0.0 { ring.plus.y } else { ring.minus.y },
        )
        .max(Vec2::splat(1e-3));
        let side = self.flank(offset, radii);
        let end = (first - along).max(along - last);
        if side > 0.0 && end > 0.0 { (side * side + end * end).sqrt() } else { side.max(end) }
    }

    fn flank(&self, offset: Vec2, radii: Vec2) -> f32 {
        let scaled = offset / radii;
        let slope = (scaled / radii).length();
        if slope < 1e-6 {
            return -radii.min_element();
        }
        let round = scaled.length();
        let squares = scaled * scaled;
        let boxy = squares.length().sqrt();
        let reach = round + (boxy - round) * self.squareness;
        round * (reach - 1.0) / slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tube() -> Loft {
        let ring = |along: f32, radius: f32| Ring {
            along,
            centre: Vec2::ZERO,
            plus: Vec2::splat(radius),
            minus: Vec2::splat(radius),
        };
        Loft::new(Axis::Y, 0.0, vec![ring(0.0, 0.1), ring(0.2, 0.2), ring(1.0, 0.1)])
    }

    #[test]
    fn lofts_pass_through_their_rings() {
        let tube = tube();
        for (along, radius) in [(0.001, 0.1), (0.2, 0.2), (0.999, 0.1)] {
            let distance = tube.distance(Vec3::new(radius, along, 0.0));
            assert!(distance.abs() < 2e-3, "{along}: {distance}");
        }
    }

    #[test]
    fn lofts_have_flat_ends() {
        assert!((tube().distance(Vec3::new(0.0, 1.3, 0.0)) - 0.3).abs() < 1e-5);
        assert!((tube().distance(Vec3::new(0.0, -0.2, 0.05)) - 0.2).abs() < 1e-5);
    }
}
