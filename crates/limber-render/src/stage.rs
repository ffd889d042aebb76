//! Characters in their studio, drawn one frame at a time.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use limber_animation::{Character, Contacts, Face, WorldPose};
use three_d::{ClearState, Context, CoreError, Program, RenderTarget, ScissorBox, Viewport};

use crate::{
    Backdrop, Bounds, Camera, Look, RenderError,
    body::{self, Body, Detail},
    conversion,
    floor::{Floor, FloorFrame},
    joint_rows::JointRows,
    overlay::{self, Bones, Overlay},
    palette::Lights,
    shadow::{Framing, Shadow},
    sweep::DrawnSweep,
};

/// How tall a grown human is, metres: what shadows, bones and lines are sized for.
pub(crate) const HUMAN_HEIGHT: f32 = 1.75;

/// Bodies that appear less tall than this, in pixels, are drawn with fewer triangles.
const SMALL: f32 = 280.0;

/// One body in a pose at a place.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    /// Place in the list the stage was made with. Several actors may share a character.
    pub character: usize,
    /// Where its joints are.
    pub pose: &'a WorldPose,
    /// What its face looks like.
    pub face: &'a Face,
    /// Moves the whole body, metres.
    pub offset: Vec3,
    /// What of it stands on the floor; drawn when the look asks for it.
    pub contacts: Contacts,
}

/// Everything a frame shows.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Where the eye is.
    pub camera: &'a Camera,
    /// The bodies.
    pub actors: &'a [Actor<'a>],
    /// What is shown beside them.
    pub look: &'a Look,
}

/// Characters in their studio, on one graphics context. All calls must be made while that context
/// is current on the calling thread, dropping included.
pub struct Stage {
    context: Context,
    cast: Vec<(Arc<Character>, Body)>,
    poses: Vec<JointRows>,
    skin: Program,
    floor: Floor,
    overlay: Option<Overlay>,
    sweep: Option<DrawnSweep>,
    shadow: Option<Shadow>,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Stage({} characters)", self.cast.len())
    }
}

/// What [`Stage::prepare`] found out about a frame.
pub(crate) struct Prepared {
    view_projection: Mat4,
    bounds: Bounds,
    scale: f32,
    shadow: Option<Framing>,
    /// Flesh, bones and rings; empty when there is nobody.
    drawn: Bounds,
}

impl Prepared {
    /// The part of the picture in which bodies are, a little more on all sides; `None` when there
    /// is none.
    pub(crate) fn outline(&self, all: Viewport) -> Option<Viewport> {
        if self.drawn.is_empty() {
            return None;
        }
        let corners = self.drawn.corners().map(|corner| self.view_projection * corner.extend(1.0));
        let size = Vec2::new(all.width as f32, all.height as f32);
        let (mut low, mut high) = (size, Vec2::ZERO);
        for corner in corners {
            if corner.w <= 1e-4 {
                return Some(all);
            }
            let place = (corner.truncate().truncate() / corner.w * 0.5 + 0.5) * size;
            (low, high) = (low.min(place), high.max(place));
        }
        let (low, high) = ((low - 2.0).max(Vec2::ZERO), (high + 2.0).min(size));
        let (corner, span) = (low.floor().as_ivec2(), (high.ceil() - low.floor()).as_ivec2());
        (span.min_element() > 0).then(|| Viewport {
            x: all.x + corner.x,
            y: all.y + corner.y,
            width: span.x as u32,
            height: span.y as u32,
        })
    }
}

impl Stage {
    /// Brings characters to the graphics side.
    ///
    /// # Errors
    /// [`RenderError::Character`] when the parts of one do not fit together,
    /// [`RenderError::Driver`] when the driver refuses.
    pub fn new(context: &Context, cast: &[Arc<Character>]) -> Result<Self, RenderError> {
        let skin = concat!(
            include_str!("shaders/display.glsl"),
            include_str!("shaders/shadow.glsl"),
            include_str!("shaders/skin.frag")
        );
        Ok(Self {
            context: context.clone(),
            cast: cast
                .iter()
                .map(|character| Ok((Arc::clone(character), Body::new(context, character)?)))
                .collect::<Result<_, RenderError>>()?,
            poses: Vec::new(),
            skin: Program::from_source(context, include_str!("shaders/skin.vert"), skin)?,
            floor: Floor::new(context)?,
            overlay: None,
            sweep: None,
            shadow: None,
        })
    }

    /// The picture shown by [`Backdrop::Picture`].
    ///
    /// # Errors
    /// [`RenderError::Driver`] when the driver refuses.
    pub fn set_backdrop_picture(&mut self, picture: &image::RgbaImage) -> Result<(), RenderError> {
        self.floor.set_picture(&self.context, picture)
    }

    /// The box around all bodies of a scene.
    #[must_use]
    pub fn bounds(&self, actors: &[Actor<'_>]) -> Bounds {
        actors.iter().fold(Bounds::EMPTY, |all, actor| match self.cast.get(actor.character) {
            Some((_, body)) if actor.pose.positions.len() == actor.pose.rotations.len() => {
                all.union(body.bounds.at(actor.pose).moved(actor.offset))
            }
            _ => all,
        })
    }

    /// Draws a scene over the whole target.
    ///
    /// # Errors
    /// [`RenderError::NoSuchCharacter`], [`RenderError::OtherSkeleton`]: the scene does not fit the
    /// stage; [`RenderError::Driver`].
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        scene: &Scene<'_>,
    ) -> Result<(), RenderError> {
        self.draw_in(target, target.viewport(), scene)
    }

    /// Draws a scene over a part of the target, physical pixels from its bottom left.
    ///
    /// # Errors
    /// As [`Self::draw`].
    pub fn draw_in(
        &mut self,
        target: &RenderTarget<'_>,
        part: Viewport,
        scene: &Scene<'_>,
    ) -> Result<(), RenderError> {
        let aspect = part.width.max(1) as f32 / part.height.max(1) as f32;
        let prepared = self.prepare(scene, aspect)?;
        let bounds = ScissorBox::from(part);
        let nothing = ClearState::color_and_depth(0.0, 0.0, 0.0, 1.0, 1.0);
        target.clear_partially(bounds, nothing).write_partially(bounds, || {
            self.paint(scene, &prepared, part);
            Ok::<(), CoreError>(())
        })?;
        Ok(())
    }

    /// Checks the scene and draws the shadows.
    pub(crate) fn prepare(
        &mut self,
        scene: &Scene<'_>,
        aspect: f32,
    ) -> Result<Prepared, RenderError> {
        self.check(scene.actors)?;
        self.bend(scene.actors);
        let bounds = self.bounds(scene.actors);
        let bounds = if bounds.is_empty() {
            Bounds { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) }
        } else {
            bounds
        };
        let scale = (self.tallest(scene.actors) / HUMAN_HEIGHT).max(1e-4);
        let framing = self.cast_shadows(scene, &bounds, scale)?;
        if (scene.look.bones || scene.look.contacts) && self.overlay.is_none() {
            self.overlay = Some(Overlay::new(&self.context)?);
        }
        if let Backdrop::Sweep(wanted) = scene.look.backdrop
            && !self.sweep.as_ref().is_some_and(|drawn| drawn.shows(&wanted))
        {
            self.sweep = Some(DrawnSweep::new(&self.context, wanted)?);
        }
        let camera = scene.camera;
        Ok(Prepared {
            view_projection: camera.projection_matrix(aspect) * camera.view_matrix(),
            bounds,
            scale,
            shadow: framing,
            drawn: drawn_bounds(scene, bounds, scale),
        })
    }

    fn check(&self, actors: &[Actor<'_>]) -> Result<(), RenderError> {
        for actor in actors {
            let (character, _) = self
                .cast
                .get(actor.character)
                .ok_or(RenderError::NoSuchCharacter(actor.character))?;
            let (pose, joints) = (actor.pose.positions.len(), character.skeleton.len());
            if pose != joints || actor.pose.rotations.len() != joints {
                return Err(RenderError::OtherSkeleton { pose, character: joints });
            }
        }
        Ok(())
    }

    /// The largest body's height at rest: does not change while it moves.
    fn tallest(&self, actors: &[Actor<'_>]) -> f32 {
        let heights = actors.iter().filter_map(|actor| self.cast.get(actor.character));
        heights.map(|(_, body)| body.height).fold(0.0, f32::max)
    }

    /// Sends every actor's pose to the graphics side.
    fn bend(&mut self, actors: &[Actor<'_>]) {
        for (place, actor) in actors.iter().enumerate() {
            let (character, _) = &self.cast[actor.character];
            if self.poses.get(place).is_none_or(|rows| rows.character != actor.character) {
                self.poses.truncate(place);
                self.poses.push(JointRows::new(&self.context, actor.character, character));
            }
            self.poses[place].bend(character, actor.pose, actor.face);
        }
    }

    fn cast_shadows(
        &mut self,
        scene: &Scene<'_>,
        bounds: &Bounds,
        scale: f32,
    ) -> Result<Option<Framing>, RenderError> {
        let look = scene.look;
        if !look.shadow || !look.skin || scene.actors.is_empty() {
            return Ok(None);
        }
        if self.shadow.as_ref().is_none_or(|shadow| shadow.quality() != look.quality) {
            self.shadow = Some(Shadow::new(&self.context, look.quality)?);
        }
        let framing = Framing::around(bounds, Lights::seen_from(scene.camera).key, scale);
        let Some(shadow) = &self.shadow else { return Ok(None) };
        shadow.cast(&framing, |program, matrix, viewport| {
            for (actor, rows) in scene.actors.iter().zip(&self.poses) {
                body::place(program, matrix, actor.offset);
                let (_, body) = &self.cast[actor.character];
                body.draw(program, rows, viewport, Detail::Shadow, |_, _| {});
            }
        })?;
        Ok(Some(framing))
    }

    /// Draws a prepared scene; must be called while its target is being written.
    pub(crate) fn paint(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        let shadow = self.shadow.as_ref().zip(prepared.shadow.as_ref());
        if scene.look.skin {
            self.paint_bodies(scene, prepared, shadow, viewport);
        }
        self.paint_studio(scene, prepared, viewport);
        self.paint_overlay(scene, prepared, viewport);
    }

    /// Only floor and backdrop of a prepared scene.
    pub(crate) fn paint_studio(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        let shadow = self.shadow.as_ref().zip(prepared.shadow.as_ref());
        if let (Backdrop::Sweep(_), Some(sweep)) = (scene.look.backdrop, &self.sweep) {
            let key = Lights::seen_from(scene.camera).key;
            let around = (prepared.view_projection, prepared.bounds.center(), key);
            return sweep.draw(scene.look, around, shadow, viewport);
        }
        if scene.look.backdrop != Backdrop::Picture {
            let frame = floor_frame(prepared, scene.camera);
            let matrix = prepared.view_projection;
            self.floor.draw_floor(scene.look, &frame, matrix, shadow, viewport);
        }
        self.floor.draw_backdrop(scene.look, viewport);
    }

    fn paint_bodies(
        &self,
        scene: &Scene<'_>,
        prepared: &Prepared,
        shadow: Option<(&Shadow, &Framing)>,
        viewport: Viewport,
    ) {
        let program = &self.skin;
        let lights = Lights::seen_from(scene.camera);
        program.use_uniform("eye", conversion::vec3(scene.camera.eye()));
        program.use_uniform("keyDirection", conversion::vec3(lights.key));
        program.use_uniform("fillDirection", conversion::vec3(lights.fill));
        program.use_uniform("rimDirection", conversion::vec3(lights.rim));
        program.use_uniform("bodyScale", prepared.scale);
        program.use_uniform("noiseStrength", f32::from(u8::from(scene.look.dither)));
        let texel = shadow.map_or(0.0, |(shadow, framing)| shadow.texel_size(framing));
        program.use_uniform("keyTexelSize", texel);
        if let Some((shadow, framing)) = shadow {
            shadow.light(program, framing);
        }
        let per_metre = pixels_per_metre(scene.camera, viewport.height);
        for (actor, rows) in scene.actors.iter().zip(&self.poses) {
            let (_, body) = &self.cast[actor.character];
            let small = per_metre * body.height < SMALL;
            let detail = if small { Detail::Small } else { Detail::Full };
            body::place(program, prepared.view_projection, actor.offset);
            body.draw(program, rows, viewport, detail, |program, surface| surface.bind(program));
        }
    }

    fn paint_overlay(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        let Some(overlay) = &self.overlay else { return };
        let matrix = prepared.view_projection;
        let skeletons = scene.actors.iter().map(|actor| (actor, &self.cast[actor.character].0));
        if scene.look.contacts {
            let rings: Vec<_> = skeletons
                .clone()
                .flat_map(|(actor, character)| {
                    let (pose, offset) = (actor.pose, actor.offset);
                    overlay::marks(
                        &character.skeleton,
                        pose,
                        actor.contacts,
                        offset,
                        prepared.scale,
                    )
                })
                .collect();
            overlay.draw_marks(&rings, matrix, viewport);
        }
        if scene.look.bones {
            let mut bones = Bones::default();
            for (actor, character) in skeletons {
                bones.add(&character.skeleton, actor.pose, actor.offset, prepared.scale);
            }
            overlay.draw_bones(&bones, scene.camera.eye(), matrix, viewport);
        }
    }
}

/// How large a metre appears where the camera looks at.
fn pixels_per_metre(camera: &Camera, height: u32) -> f32 {
    let visible_m = 2.0 * camera.distance * (camera.field_of_view / 2.0).tan();
    height as f32 / visible_m.max(1e-6)
}

/// Everything that `paint` adds to `paint_studio`.
fn drawn_bounds(scene: &Scene<'_>, flesh: Bounds, scale: f32) -> Bounds {
    if scene.actors.is_empty() {
        return Bounds::EMPTY;
    }
    let joints = scene
        .actors
        .iter()
        .flat_map(|actor| actor.pose.positions.iter().map(|position| *position + actor.offset));
    let all = joints.fold(flesh, Bounds::with_point);
    let room = Vec3::splat(0.09 * scale);
    Bounds { min: all.min - room, max: all.max + room }
}

/// A floor large enough to fade out unseen, with lines a metre apart or a power of ten of it.
fn floor_frame(prepared: &Prepared, camera: &Camera) -> FloorFrame {
    let spacing = 10_f32.powf(prepared.scale.log10().round());
    let wide = prepared.bounds.size().with_y(0.0).length();
    FloorFrame {
        focus: prepared.bounds.center(),
        reach: (9.0 * prepared.scale).max(2.0 * wide).max(2.2 * camera.distance),
        spacing,
    }
}
