//! Shadows of the key light. Two depth maps, one from the light and one of the bodies seen from
//! below, are combined into a map of the light that reaches the floor.

use glam::camera::rh::{proj::opengl, view};
use glam::{Mat4, Vec2, Vec3, Vec4};
use three_d::{
    ClearState, Context, CoreError, DepthTexture2D, Interpolation, Program, RenderStates,
    Texture2D, Viewport, Wrapping, f24,
};

use crate::{Bounds, Quality, RenderError, conversion, cover::Cover};

/// Side lengths of the three maps in pixels, and the number of samples.
struct Sizes {
    key: u32,
    height: u32,
    floor: u32,
    /// Samples per pixel of the floor map.
    taps: u32,
}

impl Sizes {
    const fn of(quality: Quality) -> Self {
        match quality {
            Quality::Small => Self { key: 256, height: 64, floor: 56, taps: 8 },
            Quality::Fast => Self { key: 512, height: 96, floor: 112, taps: 10 },
            Quality::Fine => Self { key: 1024, height: 192, floor: 256, taps: 20 },
        }
    }
}

/// Transforms and extents of the shadow maps of one frame.
pub(crate) struct Framing {
    /// World to the key light's clip space.
    pub(crate) key_matrix: Mat4,
    /// World to the clip space of the height map, seen from below.
    height_matrix: Mat4,
    /// Width of the key light's depth map, in metres.
    key_span: f32,
    /// Depth range of the key light's depth map, in metres.
    key_reach: f32,
    height_range: Vec2,
    /// The floor patch with bodies and shadows: centre x, centre z, half a side in metres, and the
    /// scale of the bodies.
    pub(crate) patch: Vec4,
}

impl Framing {
    /// Fits the maps to the bodies. `key` is the unit vector to the light; `scale` is 1 for an
    /// adult.
    pub(crate) fn around(bounds: &Bounds, key: Vec3, scale: f32) -> Self {
        let radius = (bounds.size().length() * 0.5).max(0.1 * scale) * 1.02;
        let center = bounds.center();
        let view = view::look_at_mat4(center + key * radius, center, Vec3::Y);
        let project = opengl::orthographic(-radius, radius, -radius, radius, 0.0, 2.0 * radius);
        let patch = Self::patch(bounds, key, scale);
        let height_range = Vec2::new(-0.05, 0.6) * scale;
        Self {
            key_matrix: project * view,
            height_matrix: from_below(patch, height_range),
            key_span: 2.0 * radius,
            key_reach: 2.0 * radius,
            height_range,
            patch,
        }
    }

    /// Returns the square of floor that bodies and their shadows cover.
    fn patch(bounds: &Bounds, key: Vec3, scale: f32) -> Vec4 {
        let throw = -Vec2::new(key.x, key.z) / key.y * bounds.max.y.max(0.0);
        let near = Vec2::new(bounds.min.x, bounds.min.z);
        let far = Vec2::new(bounds.max.x, bounds.max.z);
        let (low, high) = (near.min(near + throw), far.max(far + throw));
        let middle = (low + high) * 0.5;
        let half = (high - low).max_element() * 0.5 + 0.35 * scale;
        Vec4::new(middle.x, middle.y, half * 1.1, scale)
    }
}

/// Returns a projection that looks up through the floor: depth grows with height.
fn from_below(patch: Vec4, range: Vec2) -> Mat4 {
    let across = 1.0 / patch.z;
    let up = 2.0 / (range.y - range.x);
    Mat4::from_cols(
        Vec4::new(across, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, up, 0.0),
        Vec4::new(0.0, across, 0.0, 0.0),
        Vec4::new(-patch.x * across, -patch.y * across, -1.0 - range.x * up, 1.0),
    )
}

/// The three maps, and the programs that render them.
pub(crate) struct Shadow {
    quality: Quality,
    key_depth: DepthTexture2D,
    height_depth: DepthTexture2D,
    floor_light: Texture2D,
    depth_program: Program,
    floor_program: Program,
    cover: Cover,
}

impl Shadow {
    pub(crate) fn new(context: &Context, quality: Quality) -> Result<Self, RenderError> {
        let sizes = Sizes::of(quality);
        let depth = |side| {
            let clamp = Wrapping::ClampToEdge;
            DepthTexture2D::new::<f24>(context, side, side, clamp, clamp)
        };
        let (linear, clamp) = (Interpolation::Linear, Wrapping::ClampToEdge);
        Ok(Self {
            quality,
            key_depth: depth(sizes.key),
            height_depth: depth(sizes.height),
            floor_light: Texture2D::new_empty::<[u8; 4]>(
                context,
                sizes.floor,
                sizes.floor,
                linear,
                linear,
                None,
                clamp,
                clamp,
            ),
            depth_program: Program::from_source(
                context,
                include_str!("shaders/skin.vert"),
                include_str!("shaders/depth.frag"),
            )?,
            floor_program: Program::from_source(
                context,
                include_str!("shaders/floor_light.vert"),
                &format!(
                    "const int TAPS = {};\n{}{}",
                    sizes.taps,
                    include_str!("shaders/shadow.glsl"),
                    include_str!("shaders/floor_light.frag")
                ),
            )?,
            cover: Cover::new(context),
        })
    }

    pub(crate) const fn quality(&self) -> Quality {
        self.quality
    }

    pub(crate) const fn floor_light(&self) -> &Texture2D {
        &self.floor_light
    }

    /// Renders all three maps. `bodies` draws every body with the given program and matrix.
    pub(crate) fn cast(
        &self,
        framing: &Framing,
        bodies: impl Fn(&Program, Mat4, Viewport),
    ) -> Result<(), RenderError> {
        let views =
            [(&self.key_depth, framing.key_matrix), (&self.height_depth, framing.height_matrix)];
        for (picture, matrix) in views {
            let target = picture.as_depth_target();
            let viewport = target.viewport();
            target.clear(ClearState::depth(1.0)).write(|| {
                bodies(&self.depth_program, matrix, viewport);
                Ok::<(), CoreError>(())
            })?;
        }
        self.light_floor(framing)
    }

    fn light_floor(&self, framing: &Framing) -> Result<(), RenderError> {
        let program = &self.floor_program;
        program.use_uniform("patchFrame", conversion::vec4(framing.patch));
        program.use_uniform("keySpan", framing.key_span);
        program.use_uniform("keyReach", framing.key_reach);
        program.use_depth_texture("heightDepth", &self.height_depth);
        program.use_uniform("heightRange", conversion::vec2(framing.height_range));
        program.use_uniform("heightTexels", self.height_depth.width() as f32);
        self.light(program, framing);
        let target = self.floor_light.as_color_target(None);
        let viewport = target.viewport();
        target.write(|| {
            self.cover.draw(program, RenderStates::default(), viewport);
            Ok::<(), CoreError>(())
        })?;
        Ok(())
    }

    /// Binds the key light's depth map to a program that uses `shadow.glsl`.
    pub(crate) fn light(&self, program: &Program, framing: &Framing) {
        program.use_uniform("keyMatrix", conversion::mat4(framing.key_matrix));
        program.use_depth_texture("keyDepth", &self.key_depth);
        program.use_uniform("keyTexels", self.key_depth.width() as f32);
    }

    /// Returns the size of a texel of the key light's depth map, in metres.
    pub(crate) fn texel_size(&self, framing: &Framing) -> f32 {
        framing.key_span / self.key_depth.width() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing() -> Framing {
        let bounds = Bounds { min: Vec3::new(-0.8, 0.0, -0.3), max: Vec3::new(0.8, 1.8, 0.3) };
        Framing::around(&bounds, Vec3::new(0.5, 1.0, 0.7).normalize(), 1.0)
    }

    #[test]
    fn the_light_sees_the_whole_body() {
        let framing = framing();
        let bounds = Bounds { min: Vec3::new(-0.8, 0.0, -0.3), max: Vec3::new(0.8, 1.8, 0.3) };
        for corner in bounds.corners() {
            let place = framing.key_matrix.project_point3(corner);
            assert!(place.abs().max_element() <= 1.0, "{corner} → {place}");
        }
    }

    #[test]
    fn seen_from_below_depth_grows_with_height_and_the_patch_fills_the_view() {
        let framing = framing();
        let corner = Vec3::new(
            framing.patch.x + framing.patch.z,
            framing.height_range.y,
            framing.patch.y - framing.patch.z,
        );
        let place = framing.height_matrix.project_point3(corner);
        assert!(place.abs_diff_eq(Vec3::new(1.0, -1.0, 1.0), 1e-4), "{place}");
    }

    #[test]
    fn the_patch_reaches_where_the_shadow_of_the_head_falls() {
        let framing = framing();
        let shadow_z = -0.3 - 0.7 * 1.8;
        assert!(framing.patch.y - framing.patch.z < shadow_z);
    }
}
