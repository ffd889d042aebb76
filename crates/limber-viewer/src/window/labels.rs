//! Positions of labels above heads and at axes.

use glam::Vec2;
use limber_render::{Camera, PictureSize};
use three_d::Viewport;

use super::Viewer;
use crate::{controls, figures::Label};

impl Viewer {
    /// Returns the labels of heads and axes, in logical pixels from the top left.
    pub(super) fn names(&self, picture: Viewport, pixel_ratio: f32) -> Vec<(String, [f32; 2])> {
        let area = PictureSize::new(picture.width, picture.height);
        let grid = self.session.grid();
        let size = grid.cell_size(area);
        let size = Vec2::new(size.width as f32, size.height as f32) / pixel_ratio;
        let mut names = Vec::new();
        for (place, cell) in self.session.cells().iter().enumerate() {
            let axes = cell.seen(&self.session.look, |scene| self.stage.axes(scene.actors));
            let axes = axes.map(|(name, place)| Label { words: name.to_owned(), place });
            let labels = cell.figures.iter().filter_map(|figure| figure.label.as_ref());
            let labels = labels.chain(axes.iter().filter(|_| self.session.look.axes));
            let inside = |place: &Vec2| place.clamp(Vec2::ZERO, size) == *place;
            let on_screen = |label: &Label| on_screen(&cell.camera, size, label).filter(inside);
            let (x, y) = grid.corner(place, area);
            let (x, y) = (x as f32 / pixel_ratio, y as f32 / pixel_ratio);
            let placed = controls::place_labels(labels, on_screen);
            names.extend(placed.into_iter().map(|(words, at)| (words, [at[0] + x, at[1] + y])));
        }
        names
    }
}

/// Projects a label into an image of this size, from its top left; `None` behind the camera.
fn on_screen(camera: &Camera, size: Vec2, label: &Label) -> Option<Vec2> {
    let matrix = camera.projection_matrix(size.x / size.y.max(1.0)) * camera.view_matrix();
    let clip = matrix * label.place.extend(1.0);
    let place = clip.truncate().truncate() / clip.w;
    (clip.w > 1e-4).then(|| Vec2::new(place.x * 0.5 + 0.5, 0.5 - place.y * 0.5) * size)
}
