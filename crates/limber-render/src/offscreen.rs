//! A graphics context without window or display.

use std::{ffi::CString, sync::Arc};

use glutin::{
    context::{ContextApi, ContextAttributesBuilder, PossiblyCurrentGlContext, Version},
    display::GlDisplay,
    error::Error,
};
use image::RgbaImage;
use raw_window_handle::RawWindowHandle;
use three_d::{Context, context::Context as Functions};

use self::system::{Display, PossiblyCurrentContext, Window};
use crate::{PictureSize, RenderError, Scene, SmoothTarget, Stage};

/// Each system has its own way to a context that draws into no window. They all say which types of glutin
/// theirs are, and `open` a [`Surfaceless`] on the best device there is.
#[cfg_attr(windows, path = "offscreen/wgl.rs")]
#[cfg_attr(target_os = "macos", path = "offscreen/cgl.rs")]
#[cfg_attr(not(any(windows, target_os = "macos")), path = "offscreen/egl.rs")]
mod system;

/// A graphics context that draws into no window, and room for one picture.
/// Belongs to the thread that made it. Several may live on one thread: each call makes its own
/// context current first.
pub struct Offscreen {
    target: SmoothTarget,
    context: Context,
    // Dropped last: whatever was made in it is deleted from it before.
    surfaceless: Surfaceless,
}

/// A context without a surface, the display that its functions come from, and the window that some systems
/// want for it. It gives its thread up when it is dropped: EGL destroys none that is current somewhere, and
/// forgets it where the thread ends. Each would stay for as long as the process lives, with megabytes of
/// compiled shaders.
struct Surfaceless {
    context: PossiblyCurrentContext,
    display: Display,
    // dropped last: a context is of no use after its window
    _window: Window,
}

impl Surfaceless {
    /// A context with OpenGL 3.3 on this display, current on this thread. Where there is a window, the
    /// configuration is one for it.
    #[expect(unsafe_code, reason = "the driver is a C interface; the call is explained")]
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
        let context = context.make_current_surfaceless().map_err(missing)?;
        Ok(Self { context, display, _window: window })
    }

    fn make_current(&self) -> Result<(), Error> {
        self.context.make_current_surfaceless()
    }

    /// The driver's functions. The context must be current.
    #[expect(unsafe_code, reason = "the driver is a C interface; the call is explained")]
    fn functions(&self) -> Functions {
        // SAFETY: the loader asks the display whose context is current on this thread.
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
        // a lost one is nobody's already
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
    /// Makes a context and room for pictures of this size.
    ///
    /// # Errors
    /// [`RenderError::Size`]; [`RenderError::NoGraphics`] where a driver or OpenGL 3.3 is missing.
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
        self.surfaceless.make_current().map_err(|error| RenderError::Driver(error.to_string()))
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
        let _ = self.surfaceless.make_current();
    }
}
