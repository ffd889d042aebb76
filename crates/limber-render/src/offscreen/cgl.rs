//! CGL, for macOS: a context of the system's OpenGL without a view.

use glutin::{config::ConfigTemplateBuilder, display::GlDisplay, error::Error};
use raw_window_handle::{AppKitDisplayHandle, RawDisplayHandle};

use super::{Surfaceless, missing};
use crate::RenderError;

pub(super) use glutin::api::cgl::{context::PossiblyCurrentContext, display::Display};

/// CGL needs no window.
pub(super) struct Window;

pub(super) fn make_current(context: &PossiblyCurrentContext, _: &Window) -> Result<(), Error> {
    context.make_current_surfaceless()
}

/// Opens a context on the device that the system chooses.
#[expect(unsafe_code, reason = "CGL is a C interface; each call is documented")]
pub(super) fn open() -> Result<Surfaceless, RenderError> {
    let display = RawDisplayHandle::AppKit(AppKitDisplayHandle::new());
    // SAFETY: macOS has one display, which has no handle that could dangle.
    let display = unsafe { Display::new(display) }.map_err(missing)?;
    // SAFETY: the template names no native window.
    let config = unsafe { display.find_configs(ConfigTemplateBuilder::new().build()) }
        .map_err(missing)?
        .next();
    let config = config
        .ok_or_else(|| RenderError::NoGraphics("the system does not support OpenGL".into()))?;
    Surfaceless::on(display, &config, Window, None)
}
