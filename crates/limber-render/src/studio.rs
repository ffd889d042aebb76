//! One character in an off-screen studio: pictures of any pose, frame after frame.

use std::sync::Arc;

use glam::Vec3;
use image::RgbaImage;
use limber_animation::{Character, Clip, Contacts, Seconds};

use crate::{Actor, Camera, Look, Offscreen, PictureSize, RenderError, Scene, Stage};

/// One character in an off-screen studio: pictures of any pose, frame after frame. Belongs to the
/// thread that made it.
#[derive(Debug)]
pub struct Studio {
    // Dropped first, while its context is current: see `Drop`.
    stage: Stage,
    offscreen: Offscreen,
    /// What is shown beside the body.
    pub look: Look,
}

impl Studio {
    /// Makes a studio for pictures of this size.
    ///
    /// # Errors
    /// As [`Offscreen::new`] and [`Stage::new`].
    pub fn new(character: Arc<Character>, size: PictureSize) -> Result<Self, RenderError> {
        let offscreen = Offscreen::new(size)?;
        let stage = Stage::new(offscreen.context(), &[character])?;
        Ok(Self { stage, offscreen, look: Look::default() })
    }

    /// The picture shown by [`crate::Backdrop::Picture`].
    ///
    /// # Errors
    /// As [`Offscreen::make_current`] and [`Stage::set_backdrop_picture`].
    pub fn set_backdrop_picture(&mut self, picture: &RgbaImage) -> Result<(), RenderError> {
        self.offscreen.make_current()?;
        self.stage.set_backdrop_picture(picture)
    }

    /// The size of its pictures.
    #[must_use]
    pub fn size(&self) -> PictureSize {
        self.offscreen.size()
    }

    /// The clip at a time, interpolated between frames, seen by this camera.
    ///
    /// # Errors
    /// As [`Stage::draw`].
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
        // The stage's buffers must be deleted from their own context; a lost one has none left.
        let _ = self.offscreen.make_current();
    }
}
