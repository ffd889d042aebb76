//! A graphics context without window or display.

use std::ffi::CString;
use std::sync::Arc;

use glutin::{
    api::egl::{config::Config, context::PossiblyCurrentContext, device::Device, display::Display},
    config::{Api, ConfigSurfaceTypes, ConfigTemplateBuilder},
    context::{ContextApi, ContextAttributesBuilder, PossiblyCurrentGlContext, Version},
    display::GlDisplay,
};
use image::RgbaImage;
use three_d::Context;

use crate::{PictureSize, RenderError, Scene, SmoothTarget, Stage};

/// A graphics context without window or display (EGL, surfaceless) and room for one picture.
/// Belongs to the thread that made it. Several may live on one thread: each call makes its own
/// context current first.
pub struct Offscreen {
    target: SmoothTarget,
    context: Context,
    // Dropped last: whatever was made in it is deleted from it before.
    current: Current,
}

/// A context that gives its thread up when it is dropped. EGL destroys none that is current somewhere, and
/// forgets it where the thread ends: each would stay for as long as the process lives, with megabytes of
/// compiled shaders.
struct Current(PossiblyCurrentContext);

impl Drop for Current {
    fn drop(&mut self) {
        // a lost one is nobody's already
        let _ = self.0.make_not_current_in_place();
    }
}

impl std::fmt::Debug for Offscreen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Offscreen({:?})", self.target.size())
    }
}

impl Offscreen {
    /// Makes a context and room for pictures of this size.
    ///
    /// # Errors
    /// [`RenderError::Size`]; [`RenderError::NoGraphics`] where EGL, a driver or OpenGL 3.3 is
    /// missing.
    pub fn new(size: PictureSize) -> Result<Self, RenderError> {
        let max = PictureSize::MAX_SIDE;
        if !(1..=max).contains(&size.width) || !(1..=max).contains(&size.height) {
            return Err(RenderError::Size { width: size.width, height: size.height, max });
        }
        let (current, context) = surfaceless()?;
        let target = SmoothTarget::new(&context, size)?;
        Ok(Self { target, context, current })
    }

    /// The context, to bring characters to. Current on this thread until another is made so.
    #[must_use]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// The size of its pictures.
    #[must_use]
    pub fn size(&self) -> PictureSize {
        self.target.size()
    }

    /// Makes this context the thread's current one.
    ///
    /// # Errors
    /// [`RenderError::Driver`] when the driver lost it.
    pub fn make_current(&self) -> Result<(), RenderError> {
        self.current
            .0
            .make_current_surfaceless()
            .map_err(|error| RenderError::Driver(error.to_string()))
    }

    /// One frame, rows from the top. The stage must have been made with this context.
    ///
    /// # Errors
    /// As [`Stage::draw`].
    pub fn picture(
        &mut self,
        stage: &mut Stage,
        scene: &Scene<'_>,
    ) -> Result<RgbaImage, RenderError> {
        self.make_current()?;
        self.target.read(stage, scene)
    }
}

impl Drop for Offscreen {
    fn drop(&mut self) {
        // What is dropped next must be deleted from this context; a lost one has nothing left.
        let _ = self.current.0.make_current_surfaceless();
    }
}

/// The first device that gives a context: graphics hardware first, as EGL lists it, then software.
fn surfaceless() -> Result<(Current, Context), RenderError> {
    let missing = |error: glutin::error::Error| RenderError::NoGraphics(error.to_string());
    let mut last = RenderError::NoGraphics("no device found".into());
    for device in Device::query_devices().map_err(missing)? {
        match on_device(&device) {
            Ok(both) => return Ok(both),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[expect(unsafe_code, reason = "EGL is a C interface; each call is explained")]
fn on_device(device: &Device) -> Result<(Current, Context), RenderError> {
    let missing = |error: glutin::error::Error| RenderError::NoGraphics(error.to_string());
    // SAFETY: no raw display is passed that could dangle.
    let display = unsafe { Display::with_device(device, None) }.map_err(missing)?;
    let config = config(&display)?;
    let attributes = ContextAttributesBuilder::new()
        .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
        .build(None);
    // SAFETY: no raw window is passed that could dangle.
    let context = unsafe { display.create_context(&config, &attributes) }.map_err(missing)?;
    let current = Current(context.make_current_surfaceless().map_err(missing)?);
    // SAFETY: the loader asks the display whose context is current on this thread.
    let functions = unsafe {
        three_d::context::Context::from_loader_function(|name| match CString::new(name) {
            Ok(name) => display.get_proc_address(&name),
            Err(_) => std::ptr::null(),
        })
    };
    Ok((current, Context::from_gl_context(Arc::new(functions))?))
}

#[expect(unsafe_code, reason = "EGL is a C interface; the call is explained")]
fn config(display: &Display) -> Result<Config, RenderError> {
    let template = ConfigTemplateBuilder::new()
        .with_surface_type(ConfigSurfaceTypes::empty())
        .with_api(Api::OPENGL)
        .build();
    // SAFETY: the template names no native window or pixmap.
    let configs = unsafe { display.find_configs(template) };
    configs
        .map_err(|error| RenderError::NoGraphics(error.to_string()))?
        .next()
        .ok_or_else(|| RenderError::NoGraphics("the device draws no OpenGL".into()))
}
