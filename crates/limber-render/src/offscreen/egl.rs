//! EGL, for Linux: a context on a device, without a display server.

use glutin::{
    api::egl::{config::Config, device::Device},
    config::{Api, ConfigSurfaceTypes, ConfigTemplateBuilder},
    display::GlDisplay,
    error::Error,
};

use super::{Surfaceless, missing};
use crate::RenderError;

pub(super) use glutin::api::egl::{context::PossiblyCurrentContext, display::Display};

/// EGL needs no window.
pub(super) struct Window;

pub(super) fn make_current(context: &PossiblyCurrentContext, _: &Window) -> Result<(), Error> {
    context.make_current_surfaceless()
}

/// Opens a context on the first device that allows it. EGL lists GPUs before software renderers.
pub(super) fn open() -> Result<Surfaceless, RenderError> {
    let mut last = RenderError::NoGraphics("no device found".into());
    for device in Device::query_devices().map_err(missing)? {
        match on_device(&device) {
            Ok(context) => return Ok(context),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[expect(unsafe_code, reason = "EGL is a C interface; the call is documented")]
fn on_device(device: &Device) -> Result<Surfaceless, RenderError> {
    // SAFETY: no raw display that could dangle is passed.
    let display = unsafe { Display::with_device(device, None) }.map_err(missing)?;
    let config = config(&display)?;
    Surfaceless::on(display, &config, Window, None)
}

#[expect(unsafe_code, reason = "EGL is a C interface; the call is documented")]
fn config(display: &Display) -> Result<Config, RenderError> {
    let template = ConfigTemplateBuilder::new()
        .with_surface_type(ConfigSurfaceTypes::empty())
        .with_api(Api::OPENGL)
        .build();
    // SAFETY: the template names no native window or pixmap.
    let configs = unsafe { display.find_configs(template) };
    configs
        .map_err(missing)?
        .next()
        .ok_or_else(|| RenderError::NoGraphics("the device does not support OpenGL".into()))
}
