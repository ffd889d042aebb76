//! Computes the blend shapes of a face as vertex offsets.

use glam::Vec3;
use limber_animation::Morph;

use super::Layout;
use super::shapes::{self, Spot};
use crate::fit::{Fit, Region};

/// Vertices that would move less than this stay in place, in metres of the canonical head.
const STILL_M: f32 = 0.000_35;

/// A blend shape at full weight.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The ARKit name.
    pub name: &'static str,
    /// The offset of each vertex, in world space and metres.
    pub moves: Vec<Vec3>,
}

impl Shape {
    /// Returns the morph target for a mesh whose vertices were copied from the vertices `sources`;
    /// `None` if none of them moves.
    #[must_use]
    pub fn of(&self, sources: &[usize]) -> Option<Morph> {
        let positions: Vec<Vec3> = sources.iter().map(|old| self.moves[*old]).collect();
        let moves = positions.iter().any(|way| *way != Vec3::ZERO);
        moves.then(|| Morph { name: self.name.to_owned(), positions, normals: Vec::new() })
    }
}

/// Computes all blend shapes for a list of vertices; `None` stands for a vertex that never moves.
#[must_use]
pub fn shapes(fit: &Fit, layout: &Layout, spots: &[Option<Spot>]) -> Vec<Shape> {
    let scale = fit.build().head_scale;
    let way = |name: &str, spot: &Option<Spot>| {
        let offset = spot.map_or(Vec3::ZERO, |spot| shapes::offset(layout, name, spot));
        if offset.length_squared() < STILL_M * STILL_M { Vec3::ZERO } else { offset * scale }
    };
    shapes::NAMES
        .iter()
        .map(|name| Shape { name, moves: spots.iter().map(|spot| way(name, spot)).collect() })
        .collect()
}

/// Returns the position of a skin vertex on the canonical head, before and after the lips were
/// closed; `None` below the head and at its back.
#[must_use]
pub fn spot(fit: &Fit, sculpted: Vec3, rest: Vec3) -> Option<Spot> {
    let on_head = |at| fit.canonical(Region::Head, at);
    let spot = Spot { sculpted: on_head(sculpted), rest: on_head(rest), part: None };
    (spot.rest.y > 1.49 && spot.rest.z > 0.0).then_some(spot)
}
