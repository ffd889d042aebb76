//! An off-screen studio with one character.

use std::sync::Arc;

use glam::Vec3;
use image::RgbaImage;
use limber_animation::{Character, Clip, Contacts, Seconds};

use crate::{Actor, Camera, Look, Offscreen, PictureSize, RenderError, Scene, Stage};

/// An off-screen studio with one character, to render any pose, frame after frame. Must stay on the
/// thread that created it.
#[derive(Debug)]
pub struct Studio {
    // Dropped first, while its context is current: see `Drop`.
    stage: Stage,
    offscreen: Offscreen,
    /// What is shown besides the body.
    pub look: Look,
}

impl Studio {
    /// Creates a studio that renders images of this size.
    ///
    /// # Errors
    /// See [`Offscreen::new`] and [`Stage::new`].
    pub fn new(character: Arc<Character>, size: PictureSize) -> Result<Self, RenderError> {
        let offscreen = Offscreen::new(size)?;
        let stage = Stage::new(offscreen.context(), &[character])?;
        Ok(Self { stage, offscreen, look: Look::default() })
    }

    /// Sets the image shown by [`crate::Backdrop::Picture`].
    ///
    /// # Errors
    /// See [`Offscreen::make_current`] and [`Stage::set_backdrop_picture`].
    pub fn set_backdrop_picture(&mut self, picture: &RgbaImage) -> Result<(), RenderError> {
        self.offscreen.make_current()?;
        self.stage.set_backdrop_picture(picture)
    }

    /// Returns the size of the images it renders.
    #[must_use]
    pub fn size(&self) -> PictureSize {
        self.offscreen.size()
    }

    /// Renders the clip at a time, interpolated between frames.
    ///
    /// # Errors
    /// See [`Stage::draw`].
    pub fn picture(
        &mut self,
        clip: &Clip,
        time_s: Seconds,
        camera: &Camera,
    ) -> Result<RgbaImage, RenderError> {
        let now = clip.sample(time_s);
        let pose = clip.skeleton().world(&now);
        let frame = (time_s * clip.fps().per_second()).round().max(0.0) as usize;
        let contacts =
            clip.contacts().map_or(Contacts::NONE, |track| track[frame.min(track.len() - 1)]);
        let offset = Vec3::ZERO;
        let actor = Actor { face: &now.face, offset, contacts, ..Actor::new(0, &pose) };
        let scene = Scene { camera, actors: &[actor], trails: &[], look: &self.look };
        self.offscreen.picture(&mut self.stage, &scene)
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // The stage's buffers must be deleted in their own context; a lost context has none left.
        let _ = self.offscreen.make_current();
    }
}
