//! CGL, as macOS has it: a context of the system's own OpenGL, without a view.

use glutin::{config::ConfigTemplateBuilder, display::GlDisplay};
use raw_window_handle::{AppKitDisplayHandle, RawDisplayHandle};

use super::{Surfaceless, missing};
use crate::RenderError;

pub(super) use glutin::api::cgl::{context::PossiblyCurrentContext, display::Display};

/// CGL wants none.
pub(super) type Window = ();

/// On whatever device the system chooses.
#[expect(unsafe_code, reason = "CGL is a C interface; each call is explained")]
pub(super) fn open() -> Result<Surfaceless, RenderError> {
    let display = RawDisplayHandle::AppKit(AppKitDisplayHandle::new());
    // SAFETY: macOS has one display, which has no handle that could dangle.
    let display = unsafe { Display::new(display) }.map_err(missing)?;
    // SAFETY: the template names no native window.
    let config = unsafe { display.find_configs(ConfigTemplateBuilder::new().build()) }
        .map_err(missing)?
        .next();
    let config =
        config.ok_or_else(|| RenderError::NoGraphics("the system draws no OpenGL".into()))?;
    Surfaceless::on(display, &config, (), None)
}
