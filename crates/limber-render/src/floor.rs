//! Floor and backdrop.
//!
//! Two kinds of floor are not drawn here: the floor of the video backdrop `studio` is in
//! `sweep.rs`, and painted backdrops include theirs in the image (`painting.rs`).

use glam::{Mat4, Vec3, Vec4};
use three_d::{
    Context, Cull, DepthTest, Program, RenderStates, Texture2D, VertexBuffer, Viewport, WriteMask,
};

use crate::{
    Backdrop, Look, RenderError, body, conversion,
    cover::Cover,
    palette::Palette,
    shadow::{Framing, Shadow},
};

/// Two triangles that cover −1 to 1, facing up.
const SQUARE: [[f32; 2]; 6] =
    [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [1.0, -1.0]];

/// Draws floor and backdrop. They are drawn after the bodies, so that hidden pixels are not shaded.
pub(crate) struct Floor {
    floor: Program,
    backdrop: Program,
    square: VertexBuffer<[f32; 2]>,
    cover: Cover,
    no_picture: Texture2D,
    picture: Option<(Program, Texture2D)>,
}

/// The area in which the floor is drawn.
pub(crate) struct FloorFrame {
    /// Its centre.
    pub(crate) focus: Vec3,
    /// Half the length of a side, in metres.
    pub(crate) reach: f32,
    /// Distance between grid lines, in metres.
    pub(crate) spacing: f32,
}

impl Floor {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let floor = concat!(
            include_str!("shaders/display.glsl"),
            include_str!("shaders/backdrop.glsl"),
            include_str!("shaders/floor.frag")
        );
        let backdrop = concat!(
            include_str!("shaders/display.glsl"),
            include_str!("shaders/backdrop.glsl"),
            include_str!("shaders/backdrop.frag")
        );
        let over_all = include_str!("shaders/backdrop.vert");
        Ok(Self {
            floor: Program::from_source(context, include_str!("shaders/floor.vert"), floor)?,
            backdrop: Program::from_source(context, over_all, backdrop)?,
            square: VertexBuffer::new_with_data(context, &SQUARE),
            cover: Cover::new(context),
            no_picture: body::upload(context, 1, 1, vec![[0; 4]]),
            picture: None,
        })
    }

    pub(crate) fn set_picture(
        &mut self,
        context: &Context,
        picture: &image::RgbaImage,
    ) -> Result<(), RenderError> {
        let pixels = picture.pixels().map(|pixel| pixel.0).collect();
        let texture = body::upload(context, picture.width(), picture.height(), pixels);
        let program = Program::from_source(
            context,
            include_str!("shaders/backdrop.vert"),
            include_str!("shaders/picture.frag"),
        )?;
        self.picture = Some((program, texture));
        Ok(())
    }

    pub(crate) fn draw_floor(
        &self,
        look: &Look,
        frame: &FloorFrame,
        view_projection: Mat4,
        shadow: Option<(&Shadow, &Framing)>,
        viewport: Viewport,
    ) {
        let palette = Palette::of(look.backdrop);
        let program = &self.floor;
        set_backdrop(program, look, &palette, viewport);
        program.use_uniform("viewProjection", conversion::mat4(view_projection));
        let middle = Vec4::new(frame.focus.x, frame.focus.z, frame.reach, frame.spacing);
        program.use_uniform("floorFrame", conversion::vec4(middle));
        program.use_uniform("poolColor", conversion::vec3(palette.pool));
        program.use_uniform("lineColor", conversion::vec3(palette.line));
        let lines = if look.grid { palette.line_strength } else { 0.0 };
        program.use_uniform("lineStrength", lines);
        program.use_uniform("shade", palette.shade);
        let shadowed = look.floor_shadow && shadow.is_some();
        program.use_uniform("shadowed", f32::from(u8::from(shadowed)));
        let patch = shadow.map_or(Vec4::ONE, |(_, framing)| framing.patch);
        program.use_uniform("patchFrame", conversion::vec4(patch));
        let light = shadow.map_or(&self.no_picture, |(shadow, _)| shadow.floor_light());
        program.use_texture("floorLight", light);
        program.use_vertex_attribute("corner", &self.square);
        let states = RenderStates { cull: Cull::Back, ..RenderStates::default() };
        program.draw_arrays(states, viewport, 6);
    }

    pub(crate) fn draw_backdrop(&self, look: &Look, viewport: Viewport) {
        let states = RenderStates {
            depth_test: DepthTest::LessOrEqual,
            write_mask: WriteMask::COLOR,
            ..RenderStates::default()
        };
        if let Some((program, picture)) =
            self.picture.as_ref().filter(|_| look.backdrop == Backdrop::Picture)
        {
            program.use_texture("picture", picture);
            let aspect = picture.width() as f32 / picture.height() as f32;
            program.use_uniform("pictureAspect", aspect);
            program.use_uniform("pictureFrame", frame_of(viewport));
            self.cover.draw(program, states, viewport);
        } else {
            set_backdrop(&self.backdrop, look, &Palette::of(look.backdrop), viewport);
            self.cover.draw(&self.backdrop, states, viewport);
        }
    }
}

fn set_backdrop(program: &Program, look: &Look, palette: &Palette, viewport: Viewport) {
    program.use_uniform("noiseStrength", f32::from(u8::from(look.dither)));
    program.use_uniform("backdropTop", conversion::vec3(palette.top));
    program.use_uniform("backdropBottom", conversion::vec3(palette.bottom));
    program.use_uniform("vignette", palette.vignette);
    program.use_uniform("pictureFrame", frame_of(viewport));
}

/// Returns the viewport as the shaders expect it: x, y, width and height in pixels.
fn frame_of(viewport: Viewport) -> three_d::Vec4 {
    let corner = [viewport.x as f32, viewport.y as f32];
    let size = [viewport.width as f32, viewport.height as f32];
    conversion::vec4(Vec4::new(corner[0], corner[1], size[0], size[1]))
}
