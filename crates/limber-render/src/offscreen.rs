//! An OpenGL context without a window or display.

use std::{ffi::CString, sync::Arc};

use glutin::{
    context::{
        ContextApi, ContextAttributesBuilder, NotCurrentGlContext, PossiblyCurrentGlContext,
        Version,
    },
    display::GlDisplay,
    error::Error,
};
use image::RgbaImage;
use raw_window_handle::RawWindowHandle;
use three_d::{Context, context::Context as Functions};

use self::system::{Display, PossiblyCurrentContext, Window};
use crate::{PictureSize, RenderError, Scene, SmoothTarget, Stage};

/// Each operating system has its own way to create a context without a visible window. Every
/// version of this module names its glutin types and has two functions: `open` returns a
/// [`Surfaceless`] on the best available device, and `make_current` makes its context current.
#[cfg_attr(windows, path = "offscreen/wgl.rs")]
#[cfg_attr(target_os = "macos", path = "offscreen/cgl.rs")]
#[cfg_attr(not(any(windows, target_os = "macos")), path = "offscreen/egl.rs")]
mod system;

/// An OpenGL context without a window, with a render target for one image. Must stay on the thread
/// that created it. A thread may have several; each call makes its own context current first.
pub struct Offscreen {
    target: SmoothTarget,
    context: Context,
    // Dropped last, after the resources that were created in this context.
    surfaceless: Surfaceless,
}

/// A context without a surface, the display from which its functions are loaded, and the window
/// that some systems need for it.
///
/// Dropping it releases the context from its thread first. EGL does not destroy a context that is
/// current on a thread and forgets it when the thread ends, so the context would leak for the life
/// of the process, with megabytes of compiled shaders.
struct Surfaceless {
    context: PossiblyCurrentContext,
    display: Display,
    // dropped last: the context needs its window
    window: Window,
}

impl Surfaceless {
    /// Creates an OpenGL 3.3 context on a display and makes it current on this thread. If there is
    /// a window, `config` must be compatible with it.
    #[expect(unsafe_code, reason = "the driver has a C interface; the call is documented")]
    fn on(
        display: Display,
        config: &<Display as GlDisplay>::Config,
        window: Window,
        handle: Option<RawWindowHandle>,
    ) -> Result<Self, RenderError> {
        let attributes = ContextAttributesBuilder::new()
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .build(handle);
        // SAFETY: the handle is that of the window, which is dropped after the context.
        let context = unsafe { display.create_context(config, &attributes) }.map_err(missing)?;
        let surfaceless = Self { context: context.treat_as_possibly_current(), display, window };
        surfaceless.make_current().map_err(missing)?;
        Ok(surfaceless)
    }

    fn make_current(&self) -> Result<(), Error> {
        system::make_current(&self.context, &self.window)
    }

    /// Loads the OpenGL functions. The context must be current.
    #[expect(unsafe_code, reason = "the driver has a C interface; the call is documented")]
    fn functions(&self) -> Functions {
        // SAFETY: functions are loaded from the display whose context is current on this thread.
        unsafe {
            Functions::from_loader_function(|name| match CString::new(name) {
                Ok(name) => self.display.get_proc_address(&name),
                Err(_) => std::ptr::null(),
            })
        }
    }
}

impl Drop for Surfaceless {
    fn drop(&mut self) {
        // fails only if the context is lost, and then it is current nowhere
        let _ = self.context.make_not_current_in_place();
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn missing(error: Error) -> RenderError {
    RenderError::NoGraphics(error.to_string())
}

impl std::fmt::Debug for Offscreen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Offscreen({:?})", self.target.size())
    }
}

impl Offscreen {
    /// Creates a context and a render target of this size.
    ///
    /// # Errors
    /// [`RenderError::Size`] if a side is zero or too long; [`RenderError::NoGraphics`] if there is
    /// no driver or it lacks OpenGL 3.3.
    pub fn new(size: PictureSize) -> Result<Self, RenderError> {
        let max = PictureSize::MAX_SIDE;
        if !(1..=max).contains(&size.width) || !(1..=max).contains(&size.height) {
            return Err(RenderError::Size { width: size.width, height: size.height, max });
        }
        let surfaceless = system::open()?;
        let context = Context::from_gl_context(Arc::new(surfaceless.functions()))?;
        let target = SmoothTarget::new(&context, size)?;
        Ok(Self { target, context, surfaceless })
    }

    /// Returns the context, to create a [`Stage`] in. It is current on this thread until another
    /// one is made current.
    #[must_use]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the size of the images it renders.
    #[must_use]
    pub fn size(&self) -> PictureSize {
        self.target.size()
    }

    /// Makes this context current on the calling thread.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver lost the context.
    pub fn make_current(&self) -> Result<(), RenderError> {
        self.surfaceless.make_current().map_err(|error| RenderError::Driver(error.to_string()))
    }

    /// Renders one frame; rows from the top. The stage must have been created with this context.
    ///
    /// # Errors
    /// See [`Stage::draw`].
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
        // Fields dropped next must be deleted in this context; a lost context has nothing to
        // delete.
        let _ = self.surfaceless.make_current();
    }
}
