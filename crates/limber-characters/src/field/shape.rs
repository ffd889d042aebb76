//! The primitive shapes of distance fields.

use glam::Vec3;

use super::Loft;

/// An ellipsoid with any orientation.
#[derive(Debug, Clone)]
pub struct Ellipsoid {
    centre: Vec3,
    radii: Vec3,
    axes: [Vec3; 3],
}

/// Two balls and the cone that is tangent to both.
#[derive(Debug, Clone)]
pub struct RoundCone {
    from: Vec3,
    to: Vec3,
    from_radius: f32,
    to_radius: f32,
}

/// Any primitive shape.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each variant is documented at its type")]
pub enum Shape {
    Ellipsoid(Ellipsoid),
    RoundCone(RoundCone),
    Loft(Loft),
}

impl Shape {
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        match self {
            Self::Ellipsoid(shape) => shape.distance(point),
            Self::RoundCone(shape) => shape.distance(point),
            Self::Loft(shape) => shape.distance(point),
        }
    }

    /// Returns the centre and radius of a bounding sphere.
    pub(super) fn bounds(&self) -> (Vec3, f32) {
        match self {
            Self::Ellipsoid(shape) => (shape.centre, shape.radii.max_element()),
            Self::RoundCone(shape) => (
                (shape.from + shape.to) * 0.5,
                shape.from.distance(shape.to) * 0.5 + shape.from_radius.max(shape.to_radius),
            ),
            Self::Loft(shape) => shape.bounds(),
        }
    }
}

impl From<Ellipsoid> for Shape {
    fn from(shape: Ellipsoid) -> Self {
        Self::Ellipsoid(shape)
    }
}

impl From<RoundCone> for Shape {
    fn from(shape: RoundCone) -> Self {
        Self::RoundCone(shape)
    }
}

impl From<Loft> for Shape {
    fn from(shape: Loft) -> Self {
        Self::Loft(shape)
    }
}

impl Ellipsoid {
    /// Creates an ellipsoid whose axes are x, y and z; radii in metres.
    #[must_use]
    pub fn new(centre: Vec3, radii: Vec3) -> Self {
        Self { centre, radii, axes: Vec3::AXES }
    }

    /// Returns the ellipsoid rotated so that its y axis points to `up` and its z axis as nearly as
    /// possible to `front`.
    #[must_use]
    pub fn turned(mut self, up: Vec3, front: Vec3) -> Self {
        let up = up.normalize();
        let side = up.cross(front).normalize();
        self.axes = [side, up, side.cross(up)];
        self
    }

    /// Quilez, "Ellipsoid SDF", 2008: exact to first order on the skin.
    fn distance(&self, point: Vec3) -> f32 {
        let offset = point - self.centre;
        let local = Vec3::from(self.axes.map(|axis| axis.dot(offset)));
        let scaled = local / self.radii;
        let reach = scaled.length();
        let slope = (scaled / self.radii).length();
        if slope < 1e-6 {
            return -self.radii.min_element();
        }
        reach * (reach - 1.0) / slope
    }
}

impl RoundCone {
    /// Creates a shape from balls at `from` and `to` with radii in metres.
    #[must_use]
    pub fn new(from: Vec3, from_radius: f32, to: Vec3, to_radius: f32) -> Self {
        Self { from, to, from_radius, to_radius }
    }

    /// Quilez, "Round cone SDF", 2018: exact.
    fn distance(&self, point: Vec3) -> f32 {
        let along = self.to - self.from;
        let length2 = along.length_squared();
        let narrowing = self.from_radius - self.to_radius;
        let slant2 = length2 - narrowing * narrowing;
        let offset = point - self.from;
        let y = offset.dot(along);
        let z = y - length2;
        let x2 = (offset * length2 - along * y).length_squared();
        let y2 = y * y * length2;
        let z2 = z * z * length2;
        let k = narrowing.signum() * narrowing * narrowing * x2;
        if z.signum() * slant2 * z2 > k {
            (x2 + z2).sqrt() / length2 - self.to_radius
        } else if y.signum() * slant2 * y2 < k {
            (x2 + y2).sqrt() / length2 - self.from_radius
        } else {
            ((x2 * slant2 / length2).sqrt() + y * narrowing) / length2 - self.from_radius
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_cone_distance_is_zero_on_its_surface() {
        let cone = RoundCone::new(Vec3::ZERO, 0.2, Vec3::Y, 0.2);
        for skin in [Vec3::new(0.0, -0.2, 0.0), Vec3::new(0.0, 1.2, 0.0), Vec3::new(0.2, 0.5, 0.0)]
        {
            assert!(cone.distance(skin).abs() < 1e-5, "{skin}");
        }
        assert!(cone.distance(Vec3::new(0.5, 0.5, 0.0)) > 0.29);
    }

    #[test]
    fn rotated_ellipsoids_extend_along_their_new_axis() {
        let shape = Ellipsoid::new(Vec3::ZERO, Vec3::new(0.1, 0.5, 0.1)).turned(Vec3::X, Vec3::Z);
        assert!(shape.distance(Vec3::new(0.5, 0.0, 0.0)).abs() < 1e-5);
        assert!(shape.distance(Vec3::new(0.0, 0.5, 0.0)) > 0.3);
    }
}
