//! Initial window placement, restored from the previous run.

use winit::{
    dpi::{LogicalSize, PhysicalPosition},
    event_loop::EventLoop,
    window::{Window, WindowBuilder},
};

use super::Viewer;
use crate::{ViewerError, ViewerOptions, link::Incoming, memory::WindowPlace};

/// Default window size, logical pixels.
const FIRST_SIZE: (f64, f64) = (1120.0, 720.0);
/// Creates the window, at its previous position if that screen still exists.
pub(super) fn window(
    event_loop: &EventLoop<Incoming>,
    options: &ViewerOptions,
    remembered: Option<WindowPlace>,
) -> Result<Window, ViewerError> {
    let before = remembered.map(|place| (place.width, place.height));
    let asked = options.size.map(|(width, height)| (f64::from(width), f64::from(height)));
    let (width, height) = asked.or(before).unwrap_or(FIRST_SIZE);
    let mut builder = WindowBuilder::new()
        .with_inner_size(LogicalSize::new(width, height))
        .with_min_inner_size(LogicalSize::new(720.0, 360.0));
    if let Some(place) = remembered {
        let screens = event_loop.available_monitors().map(|screen| {
            let (corner, size) = (screen.position(), screen.size());
            ((corner.x, corner.y), (size.width, size.height))
        });
        if let Some((x, y)) = place.corner.filter(|_| place.is_on(screens)) {
            builder = builder.with_position(PhysicalPosition::new(x, y));
        }
        builder = builder.with_maximized(place.maximized && options.size.is_none());
    }
    builder.build(event_loop).map_err(|error| ViewerError::Graphics(error.to_string()))
}

impl Viewer {
    /// Returns the current placement, for storage.
    pub(super) fn place(&self) -> WindowPlace {
        let corner = self.window.outer_position().ok().map(|corner| (corner.x, corner.y));
        let size = self.window.inner_size().to_logical::<f64>(self.window.scale_factor());
        let now = WindowPlace {
            width: size.width,
            height: size.height,
            corner,
            maximized: self.window.is_maximized(),
        };
        match self.remembered {
            Some(before) if now.maximized => WindowPlace { maximized: true, ..before },
            None if now.maximized => {
                let (width, height) = FIRST_SIZE;
                WindowPlace { width, height, corner: None, maximized: true }
            }
            _ => now,
        }
    }
}
