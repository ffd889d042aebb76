//! Draws characters in their studio, one frame at a time.

mod paint;

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use limber_animation::{Character, Contacts, Deformation, Face, WorldPose};
use three_d::{ClearState, Context, CoreError, Program, RenderTarget, ScissorBox, Viewport};

use crate::{
    Backdrop, Bounds, Camera, Look, Quality, RenderError, Trail,
    body::{self, Body, Detail, Pass},
    floor::Floor,
    joint_rows::JointRows,
    overlay::{self, Overlay},
    palette::Lights,
    shadow::{Framing, Shadow},
    sweep::DrawnSweep,
    trail::DrawnTrails,
};

/// Height of an adult, in metres. Shadows, bones and lines are designed for it and scaled
/// accordingly.
pub(crate) const HUMAN_HEIGHT: f32 = 1.75;

/// Bodies that appear shorter than this, in pixels, are drawn with coarse meshes, except with
/// [`Quality::Fine`].
const SMALL: f32 = 280.0;

/// A character in a pose at a position.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    /// Index into the list of characters that the stage was created with. Several actors may share
    /// one.
    pub character: usize,
    /// World transforms of the joints.
    pub pose: &'a WorldPose,
    /// Facial expression.
    pub face: &'a Face,
    /// Translation of the whole body, in metres.
    pub offset: Vec3,
    /// Which points of the feet touch the floor; drawn if [`Look::contacts`] is set.
    pub contacts: Contacts,
    /// Overrides the skinning by pose and face, which then only determine the positions of bones.
    pub deformation: Option<&'a Deformation>,
    /// How the body is set apart from others.
    pub finish: Finish,
}

impl<'a> Actor<'a> {
    /// Creates an actor with a plain finish, a neutral face and no offset.
    #[must_use]
    pub const fn new(character: usize, pose: &'a WorldPose) -> Self {
        const UNKNOWN: &Face = &Face::UNKNOWN;
        Self {
            character,
            pose,
            face: UNKNOWN,
            offset: Vec3::ZERO,
            contacts: Contacts::NONE,
            deformation: None,
            finish: Finish::PLAIN,
        }
    }

    /// Whether the body is translucent.
    const fn is_translucent(&self) -> bool {
        self.finish.opacity < 1.0
    }
}

/// How a body is set apart from others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finish {
    /// Tint colour, sRGB 0 to 1.
    pub tint: Vec3,
    /// Strength of the tint, 0 to 1.
    pub tinted: f32,
    /// Whether the body is striped, so that it can be recognised without colour vision.
    pub hatched: bool,
    /// Opacity; below 1 the body is translucent.
    pub opacity: f32,
    /// Whether the body is only a ghost of another frame: it casts no shadow and has no bones or
    /// contact rings.
    pub ghost: bool,
}

impl Finish {
    /// The character's own materials, unchanged.
    pub const PLAIN: Self =
        Self { tint: Vec3::ONE, tinted: 0.0, hatched: false, opacity: 1.0, ghost: false };
}

/// The contents of a frame.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The camera.
    pub camera: &'a Camera,
    /// The bodies.
    pub actors: &'a [Actor<'a>],
    /// Motion trails of joints.
    pub trails: &'a [Trail],
    /// What is shown besides the bodies.
    pub look: &'a Look,
}

/// Characters in their studio, in one OpenGL context. That context must be current on the calling
/// thread for every call, including drop.
pub struct Stage {
    context: Context,
    cast: Vec<(Arc<Character>, Body)>,
    poses: Vec<JointRows>,
    skin: Program,
    /// With harder shadow edges: 10 % more frames per second in software rendering.
    fast_skin: Option<Program>,
    floor: Floor,
    overlay: Option<Overlay>,
    trails: Option<DrawnTrails>,
    sweep: Option<DrawnSweep>,
    shadow: Option<Shadow>,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Stage({} characters)", self.cast.len())
    }
}

/// The results of [`Stage::prepare`] for a frame.
pub(crate) struct Prepared {
    view_projection: Mat4,
    bounds: Bounds,
    scale: f32,
    shadow: Option<Framing>,
    /// Bounds of bodies, bones and rings; empty if there are none.
    drawn: Bounds,
}

impl Prepared {
    /// Returns the part of the image that contains bodies, with a margin; `None` if there are none.
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
    /// Uploads the characters.
    ///
    /// # Errors
    /// [`RenderError::Character`] if a character's data is inconsistent, [`RenderError::Driver`] if
    /// the driver refuses.
    pub fn new(context: &Context, cast: &[Arc<Character>]) -> Result<Self, RenderError> {
        Ok(Self {
            context: context.clone(),
            cast: cast
                .iter()
                .map(|character| Ok((Arc::clone(character), Body::new(context, character)?)))
                .collect::<Result<_, RenderError>>()?,
            poses: Vec::new(),
            skin: skin_program(context, 3)?,
            fast_skin: None,
            floor: Floor::new(context)?,
            overlay: None,
            trails: None,
            sweep: None,
            shadow: None,
        })
    }

    /// Sets the image shown by [`Backdrop::Picture`].
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses.
    pub fn set_backdrop_picture(&mut self, picture: &image::RgbaImage) -> Result<(), RenderError> {
        self.floor.set_picture(&self.context, picture)
    }

    /// Returns the box around all bodies of a scene.
    #[must_use]
    pub fn bounds(&self, actors: &[Actor<'_>]) -> Bounds {
        actors.iter().fold(Bounds::EMPTY, |all, actor| match self.cast.get(actor.character) {
            Some((_, body)) if actor.pose.positions.len() == actor.pose.rotations.len() => {
                all.union(flesh(body, actor).moved(actor.offset))
            }
            _ => all,
        })
    }

    /// Returns the names and end points of the axes that [`Look::axes`] shows, in metres.
    #[must_use]
    pub fn axes(&self, actors: &[Actor<'_>]) -> [(&'static str, Vec3); 3] {
        let length = overlay::AXIS_LENGTH * self.scale(actors);
        overlay::AXES.map(|(name, way, _)| (name, way * length))
    }

    /// Draws a scene over the whole target.
    ///
    /// # Errors
    /// [`RenderError::NoSuchCharacter`] or [`RenderError::OtherSkeleton`] if the scene does not fit
    /// the stage; [`RenderError::Driver`] if the driver fails.
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        scene: &Scene<'_>,
    ) -> Result<(), RenderError> {
        self.draw_in(target, target.viewport(), scene)
    }

    /// Draws a scene over a part of the target, in physical pixels from its bottom left.
    ///
    /// # Errors
    /// See [`Self::draw`].
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

    /// Checks the scene, uploads the poses and renders the shadow maps.
    pub(crate) fn prepare(
        &mut self,
        scene: &Scene<'_>,
        aspect: f32,
    ) -> Result<Prepared, RenderError> {
        self.check(scene.actors)?;
        self.upload_poses(scene.actors);
        let solid: Vec<_> =
            scene.actors.iter().filter(|actor| !actor.finish.ghost).copied().collect();
        let bounds = self.bounds(&solid);
        let bounds = if bounds.is_empty() {
            Bounds { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) }
        } else {
            bounds
        };
        let scale = self.scale(scene.actors);
        let framing = self.cast_shadows(scene, &bounds, scale)?;
        let look = scene.look;
        if (look.bones || look.contacts || look.axes) && self.overlay.is_none() {
            self.overlay = Some(Overlay::new(&self.context)?);
        }
        if !scene.trails.is_empty() && self.trails.is_none() {
            self.trails = Some(DrawnTrails::new(&self.context)?);
        }
        if let Backdrop::Sweep(wanted) = scene.look.backdrop
            && !self.sweep.as_ref().is_some_and(|drawn| drawn.shows(&wanted))
        {
            self.sweep = Some(DrawnSweep::new(&self.context, wanted)?);
        }
        if scene.look.quality == Quality::Fast && self.fast_skin.is_none() {
            self.fast_skin = Some(skin_program(&self.context, 1)?);
        }
        let camera = scene.camera;
        Ok(Prepared {
            view_projection: camera.projection_matrix(aspect) * camera.view_matrix(),
            bounds,
            scale,
            shadow: framing,
            drawn: self.drawn_bounds(scene, scale),
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
            if actor.deformation.is_some_and(|deformation| !deformation.fits(character)) {
                return Err(RenderError::OtherSkins);
            }
        }
        Ok(())
    }

    /// Returns the height at rest of the largest body, relative to an adult. Does not change during
    /// motion.
    fn scale(&self, actors: &[Actor<'_>]) -> f32 {
        let heights = actors.iter().filter_map(|actor| self.cast.get(actor.character));
        let tallest = heights.map(|(_, body)| body.height).fold(0.0, f32::max);
        (tallest / HUMAN_HEIGHT).max(1e-4)
    }

    /// Uploads every actor's pose.
    fn upload_poses(&mut self, actors: &[Actor<'_>]) {
        for (place, actor) in actors.iter().enumerate() {
            let (character, _) = &self.cast[actor.character];
            if self.poses.get(place).is_none_or(|rows| rows.character != actor.character) {
                self.poses.truncate(place);
                self.poses.push(JointRows::new(&self.context, actor.character, character));
            }
            self.poses[place].upload_pose(character, (actor.pose, actor.face), actor.deformation);
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
            let actors = scene.actors.iter().zip(&self.poses);
            for (actor, rows) in actors.filter(|(actor, _)| !actor.finish.ghost) {
                body::place(program, matrix, actor.offset);
                let (_, body) = &self.cast[actor.character];
                body.draw(program, rows, viewport, (Detail::Shadow, Pass::Solid), |_, _| {});
            }
        })?;
        Ok(Some(framing))
    }

    /// Returns the bounds of everything that `paint` draws in addition to `paint_studio`: no
    /// vertex, bone or trail lies outside.
    fn drawn_bounds(&self, scene: &Scene<'_>, scale: f32) -> Bounds {
        let all = scene.actors.iter().fold(Bounds::EMPTY, |all, actor| {
            let (character, body) = &self.cast[actor.character];
            let reach = match actor.deformation {
                Some(deformation) => {
                    let reach = body.bounds.reach(&deformation.skins);
                    // weights above 1 or below 0 extrapolate the morph targets
                    let weights = deformation.shapes.iter().flatten();
                    let most = weights.fold(1.0, |most: f32, weight| most.max(weight.abs()));
                    let backwards = deformation.shapes.iter().flatten().any(|it| *it < 0.0);
                    let more = if backwards { most } else { most - 1.0 };
                    let room = reach.size() * more.min(100.0);
                    Bounds { min: reach.min - room, max: reach.max + room }
                }
                None => {
                    let skins: Vec<_> =
                        character.skins.iter().map(|skin| skin.matrices(actor.pose)).collect();
                    body.bounds.reach(&skins)
                }
            };
            let joints = actor.pose.positions.iter().copied();
            all.union(joints.fold(reach, Bounds::with_point).moved(actor.offset))
        });
        let points = scene.trails.iter().flat_map(|trail| &trail.points);
        let all = points.fold(all, |all, point| all.with_point(*point));
        let axes = overlay::AXES.iter().filter(|_| scene.look.axes);
        let tips = axes.map(|(_, way, _)| *way * overlay::AXIS_LENGTH * scale);
        let all = tips.fold(all, |all, tip| all.with_point(tip).with_point(Vec3::ZERO));
        if all.is_empty() {
            return all;
        }
        let room = Vec3::splat(0.09 * scale);
        Bounds { min: all.min - room, max: all.max + room }
    }
}

/// Compiles the program that shades bodies. `key_box` is the width, in texels, of the filter that
/// softens the key light's shadow.
fn skin_program(context: &Context, key_box: u32) -> Result<Program, RenderError> {
    let surface = format!(
        "const int KEY_BOX = {key_box};\n{}{}{}",
        include_str!("shaders/display.glsl"),
        include_str!("shaders/shadow.glsl"),
        include_str!("shaders/skin.frag")
    );
    Ok(Program::from_source(context, include_str!("shaders/skin.vert"), &surface)?)
}

/// Returns the box around a body.
fn flesh(body: &Body, actor: &Actor<'_>) -> Bounds {
    match actor.deformation {
        Some(deformation) => body.bounds.deformed(deformation),
        None => body.bounds.at(actor.pose),
    }
}
