//! A cyclorama: a studio floor that curves up into the wall without a visible corner.
//!
//! This is the video backdrop `studio`. All other floors are drawn by `floor.rs`, except those of
//! painted backdrops, which are part of the image (`painting.rs`).

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Vec2, Vec3, Vec4};
use three_d::{Context, Cull, Program, RenderStates, Texture2D, VertexBuffer, Viewport};

use crate::{
    Bounds, Camera, Look, RenderError, body, conversion,
    shadow::{Framing, Shadow},
};

/// Number of segments of the curve.
const STEPS: u32 = 32;
/// Dimensions for an adult-sized body, in metres: radius of the curve, free floor behind the
/// action, and extent of floor and wall.
const RADIUS: f32 = 2.6;
const CLEARANCE: f32 = 1.7;
const REACH: f32 = 60.0;

/// Where the cyclorama stands. It does not move with the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// sRGB colour of the paper or paint.
    color: Vec3,
    /// A point on the floor (x, z), and the unit vector from there to the wall.
    middle: Vec2,
    back: Vec2,
    /// Distance from that point to the start of the curve, in metres.
    clearance: f32,
    /// Scale of the bodies; 1 for an adult.
    scale: f32,
}

impl Sweep {
    /// Places the wall behind everything that happens in the bounds, as seen by the camera.
    #[must_use]
    pub fn behind(bounds: &Bounds, camera: &Camera, color: [f32; 3], scale: f32) -> Self {
        let back = -Vec2::new(camera.yaw.sin(), camera.yaw.cos());
        let flat = |point: Vec3| Vec2::new(point.x, point.z);
        let middle = flat(bounds.center());
        let corners = bounds.corners();
        let far = corners.iter().map(|corner| (flat(*corner) - middle).dot(back));
        let clearance = far.fold(0.0, f32::max) + CLEARANCE * scale;
        Self { color: color.into(), middle, back, clearance, scale }
    }

    /// Returns a point of the profile as (distance from the middle, height), and its normal.
    /// `along` runs from 0 to 1 over the curve; lower values are on the floor, higher ones on the
    /// wall.
    fn profile(&self, along: f32) -> [Vec2; 2] {
        let radius = RADIUS * self.scale;
        match along {
            floor if floor <= 0.0 => [Vec2::new(-REACH * self.scale, 0.0), Vec2::Y],
            wall if wall > 1.0 => {
                let foot = Vec2::new(self.clearance + radius, radius);
                [foot + Vec2::Y * REACH * self.scale, -Vec2::X]
            }
            curve => {
                let (sin, cos) = (curve * FRAC_PI_2).sin_cos();
                let rise = Vec2::new(sin, 1.0 - cos) * radius;
                [Vec2::new(self.clearance, 0.0) + rise, Vec2::new(-sin, cos)]
            }
        }
    }

    /// Returns positions and normals of the triangles.
    fn mesh(&self) -> [Vec<[f32; 3]>; 2] {
        let across = Vec2::new(self.back.y, -self.back.x) * REACH * self.scale;
        let step = 1.0 / STEPS as f32;
        let start = Self::profile(self, 0.0);
        let start = [Vec2::new(self.clearance, 0.0), start[1]];
        let mut rows = vec![self.profile(-1.0), start];
        rows.extend((1..=STEPS).map(|number| self.profile(number as f32 * step)));
        rows.push(self.profile(2.0));
        let in_world = |away: Vec2| Vec3::new(self.back.x * away.x, away.y, self.back.y * away.x);
        let middle = Vec3::new(self.middle.x, 0.0, self.middle.y);
        let side = Vec3::new(across.x, 0.0, across.y);
        let (mut places, mut normals) = (Vec::new(), Vec::new());
        for pair in rows.windows(2) {
            for (row, way) in [(0, -1.0), (0, 1.0), (1, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
                let [place, normal] = pair[row].map(in_world);
                places.push((middle + place + side * way).to_array());
                normals.push(normal.to_array());
            }
        }
        [places, normals]
    }
}

/// A cyclorama's GPU resources.
pub(crate) struct DrawnSweep {
    sweep: Sweep,
    program: Program,
    places: VertexBuffer<[f32; 3]>,
    normals: VertexBuffer<[f32; 3]>,
    no_picture: Texture2D,
}

impl DrawnSweep {
    pub(crate) fn new(context: &Context, sweep: Sweep) -> Result<Self, RenderError> {
        let light =
            concat!(include_str!("shaders/display.glsl"), include_str!("shaders/sweep.frag"));
        let [places, normals] = sweep.mesh();
        Ok(Self {
            program: Program::from_source(context, include_str!("shaders/sweep.vert"), light)?,
            places: VertexBuffer::new_with_data(context, &places),
            normals: VertexBuffer::new_with_data(context, &normals),
            no_picture: body::upload(context, 1, 1, vec![[0; 4]]),
            sweep,
        })
    }

    pub(crate) fn shows(&self, sweep: &Sweep) -> bool {
        self.sweep == *sweep
    }

    /// Draws the cyclorama. `focus` is the centre of the bodies.
    pub(crate) fn draw(
        &self,
        look: &Look,
        (view_projection, focus, key): (Mat4, Vec3, Vec3),
        shadow: Option<(&Shadow, &Framing)>,
        viewport: Viewport,
    ) {
        let (program, sweep) = (&self.program, &self.sweep);
        program.use_uniform("viewProjection", conversion::mat4(view_projection));
        program.use_uniform("noiseStrength", f32::from(u8::from(look.dither)));
        program.use_uniform("color", conversion::vec3(sweep.color));
        program.use_uniform("keyDirection", conversion::vec3(key));
        let middle = Vec4::new(focus.x, focus.z, sweep.scale, 0.0);
        program.use_uniform("focus", conversion::vec4(middle));
        let shadow = shadow.filter(|_| look.floor_shadow);
        program.use_uniform("shadowed", f32::from(u8::from(shadow.is_some())));
        let patch = shadow.map_or(Vec4::ONE, |(_, framing)| framing.patch);
        program.use_uniform("patchFrame", conversion::vec4(patch));
        let light = shadow.map_or(&self.no_picture, |(shadow, _)| shadow.floor_light());
        program.use_texture("floorLight", light);
        program.use_vertex_attribute("position", &self.places);
        program.use_vertex_attribute("normal", &self.normals);
        let states = RenderStates { cull: Cull::None, ..RenderStates::default() };
        program.draw_arrays(states, viewport, self.places.vertex_count());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep() -> Sweep {
        let bounds = Bounds { min: Vec3::new(-1.0, 0.0, -3.0), max: Vec3::new(1.0, 1.8, 1.0) };
        let camera = Camera { yaw: 0.4, ..Camera::default() };
        Sweep::behind(&bounds, &camera, [0.5; 3], 1.0)
    }

    #[test]
    fn the_character_does_not_reach_the_wall() {
        let sweep = sweep();
        for corner in [Vec2::new(-1.0, -3.0), Vec2::new(1.0, -3.0), Vec2::new(1.0, 1.0)] {
            let away = (corner - sweep.middle).dot(sweep.back);
            assert!(away + 1.5 < sweep.clearance, "{corner}: {away} of {}", sweep.clearance);
        }
    }

    #[test]
    fn floor_curve_and_wall_join_smoothly() {
        let sweep = sweep();
        let [foot, up] = sweep.profile(1e-6);
        assert!(foot.abs_diff_eq(Vec2::new(sweep.clearance, 0.0), 1e-4) && up.y > 0.999);
        let [head, out] = sweep.profile(1.0);
        assert!(head.abs_diff_eq(Vec2::new(sweep.clearance + RADIUS, RADIUS), 1e-4));
        assert!(out.abs_diff_eq(-Vec2::X, 1e-4));
        let [places, normals] = sweep.mesh();
        assert_eq!(places.len(), normals.len());
        assert_eq!(places.len(), 6 * (STEPS as usize + 2));
        assert!(places.iter().all(|place| place[1] >= 0.0));
    }
}
