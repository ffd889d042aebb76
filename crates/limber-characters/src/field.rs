//! A body as a signed distance field: negative inside, zero on the skin, in metres.
//!
//! Bodies are symmetrical, so shapes are placed on the left half only and a point is evaluated at
//! (|x|, y, z). This also keeps the thighs from blending into each other.

mod loft;
mod shape;

use glam::Vec3;

pub use loft::{Axis, Loft, Ring};
pub use shape::{Ellipsoid, RoundCone, Shape};

/// Whether a shape is added or subtracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Add,
    Carve,
}

#[derive(Debug, Clone)]
struct Part {
    shape: Shape,
    action: Action,
    /// Width of the blend with what was there before, in metres.
    blend_m: f32,
    centre: Vec3,
    reach_m: f32,
}

/// A symmetrical body that stands on the floor at y = 0.
#[derive(Debug, Clone, Default)]
pub struct Field {
    parts: Vec<Part>,
    /// Another field that grows on this one, such as hair, with the width of the blend in metres.
    grown: Option<(f32, Box<Field>)>,
}

/// Farther away than any point of any body.
const FAR_M: f32 = 10.0;

/// Radius of the edge where a sole meets the floor.
const SOLE_EDGE_M: f32 = 0.016;

impl Field {
    /// Adds a shape with a soft blend of width `blend_m`.
    pub fn add(&mut self, blend_m: f32, shape: impl Into<Shape>) {
        self.push(Action::Add, blend_m, shape.into());
    }

    /// Subtracts a shape with a soft blend of width `blend_m`.
    pub fn carve(&mut self, blend_m: f32, shape: impl Into<Shape>) {
        self.push(Action::Carve, blend_m, shape.into());
    }

    fn push(&mut self, action: Action, blend_m: f32, shape: Shape) {
        let (centre, reach_m) = shape.bounds();
        self.parts.push(Part { shape, action, blend_m, centre, reach_m });
    }

    /// Grows another field on this one with a soft blend of width `blend_m`.
    #[must_use]
    pub fn with(mut self, blend_m: f32, other: Self) -> Self {
        self.grown = Some((blend_m, Box::new(other)));
        self
    }

    /// Returns the signed distance of a point to the skin. Exact only near the skin.
    #[must_use]
    pub fn distance(&self, point: Vec3) -> f32 {
        let point = Vec3::new(point.x.abs(), point.y, point.z);
        let mut distance = self.flesh(point);
        if let Some((blend_m, other)) = &self.grown {
            distance = soft_min(distance, other.flesh(point), *blend_m);
        }
        if point.y < 0.1 {
            distance = -soft_min(-distance, point.y, SOLE_EDGE_M);
        }
        distance
    }

    /// Returns the distance to the shapes alone, without grown fields and floor; the point must be
    /// in the left half.
    fn flesh(&self, point: Vec3) -> f32 {
        let mut distance = FAR_M;
        for part in &self.parts {
            // Away from the skin, shape distances are only estimates; the factor 0.6 is
            // conservative enough for this shortcut never to change the result visibly.
            let at_least = 0.6 * (point.distance(part.centre) - part.reach_m);
            match part.action {
                Action::Add if at_least < distance + part.blend_m => {
                    distance = soft_min(distance, part.shape.distance(point), part.blend_m);
                }
                Action::Carve if at_least < part.blend_m - distance => {
                    distance = -soft_min(-distance, part.shape.distance(point), part.blend_m);
                }
                Action::Add | Action::Carve => {}
            }
        }
        distance
    }

    /// Returns the gradient of the distance, not normalised, by central differences over `step_m`.
    #[must_use]
    pub fn gradient(&self, point: Vec3, step_m: f32) -> Vec3 {
        let along = |axis: Vec3| {
            let step = axis * step_m;
            (self.distance(point + step) - self.distance(point - step)) / (2.0 * step_m)
        };
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
    }

    /// Projects a point onto the nearby skin by Newton steps of at most `limit_m`.
    #[must_use]
    pub fn project(&self, point: Vec3, limit_m: f32) -> Vec3 {
        let mut place = point;
        for _ in 0..2 {
            let gradient = self.gradient(place, 0.0005);
            let step = gradient * (self.distance(place) / gradient.length_squared().max(0.05));
            place -= step.clamp_length_max(limit_m);
        }
        place
    }
}

/// Returns the minimum of two distances, with a quadratic blend where they differ by less than
/// `width`; Quilez, "Smooth minimum", 2013. Uses only + − × ÷, so that every machine gets the same
/// bits.
fn soft_min(a: f32, b: f32, width: f32) -> f32 {
    let overlap = (1.0 - (a - b).abs() / width).max(0.0);
    a.min(b) - overlap * overlap * width * 0.25
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball() -> Field {
        let mut field = Field::default();
        field.add(0.01, Ellipsoid::new(Vec3::new(0.3, 1.0, 0.0), Vec3::splat(0.1)));
        field
    }

    #[test]
    fn both_halves_are_symmetric() {
        let field = ball();
        let point = Vec3::new(0.35, 1.07, 0.02);
        assert_eq!(field.distance(point), field.distance(point * Vec3::new(-1.0, 1.0, 1.0)));
    }

    #[test]
    fn projected_points_lie_on_the_surface() {
        let field = ball();
        let skin = field.project(Vec3::new(0.41, 1.02, 0.03), 0.05);
        assert!(field.distance(skin).abs() < 1e-4);
    }

    #[test]
    fn carving_removes_volume() {
        let mut field = ball();
        let point = Vec3::new(0.38, 1.0, 0.0);
        assert!(field.distance(point) < 0.0);
        field.carve(0.01, Ellipsoid::new(point, Vec3::splat(0.03)));
        assert!(field.distance(point) > 0.0);
    }
}
