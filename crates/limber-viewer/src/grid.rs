//! Layout of several images in one area, such as the variants of a prompt.

use image::{Rgba, RgbaImage, imageops};
use limber_render::{Backdrop, Look, Offscreen, PictureSize, RenderError, Scene, Stage};

use crate::{ViewerError, lineup::Lineup, screenshot::undrawn, session::Session};

/// Gap between two images, pixels.
const GAP: u32 = 2;

/// Images of equal size in rows and columns, in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    columns: u32,
    rows: u32,
}

impl Grid {
    /// Returns the grid with the largest square that fits into each image, since a standing person
    /// needs as much width as height; among equals, the one with fewer empty cells. `aspect` is
    /// width over height of the whole area.
    pub(crate) fn of(cells: usize, aspect: f32) -> Self {
        let cells = cells.max(1) as u32;
        let grids = (1..=cells).map(|columns| Self { columns, rows: cells.div_ceil(columns) });
        let side = |grid: &Self| (aspect / grid.columns as f32).min(1.0 / grid.rows as f32);
        let left = |grid: &Self| grid.columns * grid.rows - cells;
        let better = |one: &Self, other: &Self| {
            side(one).total_cmp(&side(other)).then(left(other).cmp(&left(one)))
        };
        grids.max_by(better).unwrap_or(Self { columns: 1, rows: 1 })
    }

    /// Returns width over height of each image.
    pub(crate) fn cell_aspect(self, aspect: f32) -> f32 {
        aspect * self.rows as f32 / self.columns as f32
    }

    /// Returns the size of each image in an area.
    pub(crate) fn cell_size(self, area: PictureSize) -> PictureSize {
        let share =
            |whole: u32, parts: u32| (whole.saturating_sub(GAP * (parts - 1)) / parts).max(1);
        PictureSize::new(share(area.width, self.columns), share(area.height, self.rows))
    }

    /// Returns the top left corner of an image, in pixels from that of the area.
    pub(crate) fn corner(self, cell: usize, area: PictureSize) -> (u32, u32) {
        let size = self.cell_size(area);
        let (column, row) = (cell as u32 % self.columns, cell as u32 / self.columns);
        (column * (size.width + GAP), row * (size.height + GAP))
    }
}

/// Colour of the gaps, sRGB.
pub(crate) const fn between(backdrop: &Backdrop) -> [u8; 3] {
    match backdrop {
        Backdrop::Light => [205, 209, 214],
        _ => [8, 9, 11],
    }
}

/// Makes an offscreen renderer for a lineup, with a total image of this size.
pub(crate) fn offscreen(
    lineup: &Lineup,
    size: PictureSize,
) -> Result<(Offscreen, Stage), ViewerError> {
    let max = PictureSize::MAX_SIDE;
    if size.width > max || size.height > max {
        return Err(undrawn(RenderError::Size { width: size.width, height: size.height, max }));
    }
    let cell = Grid::of(lineup.cells(), size.aspect()).cell_size(size);
    let offscreen = Offscreen::new(cell).map_err(undrawn)?;
    let stage = Stage::new(offscreen.context(), &lineup.cast)?;
    Ok((offscreen, stage))
}

impl Session {
    /// Returns the grid for an area with the session's aspect ratio.
    pub(crate) fn grid(&self) -> Grid {
        Grid::of(self.lineup.cells(), self.aspect)
    }

    /// Composes all current images into one. `draw` renders each at the size given by
    /// [`Grid::cell_size`].
    pub(crate) fn picture(
        &self,
        size: PictureSize,
        look: &Look,
        mut draw: impl FnMut(&Scene<'_>) -> Result<RgbaImage, RenderError>,
    ) -> Result<RgbaImage, RenderError> {
        let (grid, cells) = (self.grid(), self.cells());
        if let [only] = cells.as_slice() {
            return only.seen(look, draw);
        }
        let [red, green, blue] = between(&look.backdrop);
        let mut whole =
            RgbaImage::from_pixel(size.width, size.height, Rgba([red, green, blue, u8::MAX]));
        for (place, cell) in cells.iter().enumerate() {
            let (x, y) = grid.corner(place, size);
            imageops::replace(&mut whole, &cell.seen(look, &mut draw)?, x.into(), y.into());
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_two_rows_if_wide_and_two_columns_if_tall() {
        for (cells, columns, rows) in [(1, 1, 1), (4, 2, 2), (5, 3, 2), (6, 3, 2), (8, 4, 2)] {
            assert_eq!(Grid::of(cells, 16.0 / 9.0), Grid { columns, rows }, "{cells}");
            assert_eq!(
                Grid::of(cells, 9.0 / 16.0),
                Grid { columns: rows, rows: columns },
                "{cells}"
            );
        }
    }

    #[test]
    fn views_never_overlap_and_stay_inside() {
        for (cells, width, height) in [(4, 1281, 717), (7, 640, 400), (16, 3, 3)] {
            let area = PictureSize::new(width, height);
            let grid = Grid::of(cells, area.aspect());
            let size = grid.cell_size(area);
            for cell in 1..cells {
                let ((x, y), (before, above)) =
                    (grid.corner(cell, area), grid.corner(cell - 1, area));
                assert!(x >= before + size.width || y >= above + size.height);
                assert!(width < 100 || (x + size.width <= width && y + size.height <= height));
            }
        }
    }
}
