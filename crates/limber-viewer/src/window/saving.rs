//! What is shown as a picture of its own.

use limber_render::{Look, PictureSize, Quality, Scene, SmoothTarget};
use three_d::Viewport;

use super::Viewer;
use crate::{ViewerError, figures::Figure, screenshot};

impl Viewer {
    /// Saves what is shown as a picture of its own, and says where.
    pub(super) fn save_picture(&mut self, picture: Viewport) -> Result<(), ViewerError> {
        let mut fine =
            SmoothTarget::new(&self.context, PictureSize::new(picture.width, picture.height))?;
        let figures = self.session.figures();
        let actors: Vec<_> = figures.iter().map(Figure::actor).collect();
        let (camera, trails) = (self.session.camera(), self.session.trails(&figures));
        let look = Look { quality: Quality::Fine, ..self.session.look };
        let scene = Scene { camera: &camera, actors: &actors, trails: &trails, look: &look };
        let drawn = fine.read(&mut self.stage, &scene)?;
        let label = self.session.lineup.lanes.first().map_or("picture", |lane| &lane.label);
        let frame = self.session.playback.frame();
        let saved = screenshot::packed(drawn)
            .and_then(|png| screenshot::save_new(&self.pictures, (label, frame), &png));
        let folder = self.pictures.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.session.notice = Some(match saved {
            Ok(name) if folder.is_empty() => format!("Saved “{name}”"),
            Ok(name) => format!("Saved “{name}” in {folder}"),
            Err(error) => error.to_string(),
        });
        self.dirty = true;
        Ok(())
    }
}
