//! WGL, for Windows. It creates contexts for windows only, so each context has a window that is
//! never shown; rendering goes to a texture.

use std::num::{NonZeroIsize, NonZeroU32};

use glutin::{
    api::wgl::surface::Surface,
    config::ConfigTemplateBuilder,
    context::PossiblyCurrentGlContext,
    display::GlDisplay,
    error::Error,
    surface::{SurfaceAttributesBuilder, WindowSurface},
};
use raw_window_handle::{
    RawDisplayHandle, RawWindowHandle, Win32WindowHandle, WindowsDisplayHandle,
};
use windows_sys::{
    Win32::{
        Foundation::HWND,
        System::LibraryLoader::GetModuleHandleW,
        UI::WindowsAndMessaging::{CreateWindowExW, DestroyWindow},
    },
    w,
};

use super::{Surfaceless, missing};
use crate::RenderError;

pub(super) use glutin::api::wgl::{context::PossiblyCurrentContext, display::Display};

/// Opens a context on the device that draws the desktop. Fails in a session without a desktop.
#[expect(unsafe_code, reason = "WGL is a C interface; each call is documented")]
pub(super) fn open() -> Result<Surfaceless, RenderError> {
    let window = NativeWindow::new()?;
    let handle = window.handle()?;
    let display = RawDisplayHandle::Windows(WindowsDisplayHandle::new());
    // SAFETY: the window lives as long as the display and is dropped after it.
    let display = unsafe { Display::new(display, Some(handle)) }.map_err(missing)?;
    let template = ConfigTemplateBuilder::new().compatible_with_native_window(handle).build();
    // SAFETY: as above.
    let config = unsafe { display.find_configs(template) }.map_err(missing)?.next();
    let config = config
        .ok_or_else(|| RenderError::NoGraphics("the driver does not support OpenGL".into()))?;
    // SAFETY: as above. Without this call, the window's device context has no pixel format that the
    // OpenGL context could share.
    unsafe { config.apply_on_native_window(&handle) }.map_err(missing)?;
    let attributes = SurfaceAttributesBuilder::<WindowSurface>::new().build(
        handle,
        NonZeroU32::MIN,
        NonZeroU32::MIN,
    );
    // SAFETY: the window is dropped after the surface.
    let surface =
        unsafe { display.create_window_surface(&config, &attributes) }.map_err(missing)?;
    Surfaceless::on(display, &config, Window { surface, _native: window }, Some(handle))
}

/// A window with the surface that WGL requires to make a context current.
pub(super) struct Window {
    surface: Surface<WindowSurface>,
    // dropped last: the surface belongs to it
    _native: NativeWindow,
}

pub(super) fn make_current(context: &PossiblyCurrentContext, window: &Window) -> Result<(), Error> {
    context.make_current(&window.surface)
}

/// A window of one of the system's own classes, which is never shown and gets no messages. Must
/// stay on the thread that created it, as Windows requires.
struct NativeWindow(HWND);

impl NativeWindow {
    #[expect(
        unsafe_code,
        reason = "windows are created through a C interface; the call is documented"
    )]
    fn new() -> Result<Self, RenderError> {
        // SAFETY: the class is one of the system's, the names are constants, and all other
        // arguments may be null.
        let window = unsafe {
            CreateWindowExW(
                0,
                w!("STATIC"),
                w!("Limber"),
                0,
                0,
                0,
                1,
                1,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                GetModuleHandleW(std::ptr::null()),
                std::ptr::null(),
            )
        };
        if window.is_null() {
            let error = std::io::Error::last_os_error();
            return Err(RenderError::NoGraphics(format!("no window could be created: {error}")));
        }
        Ok(Self(window))
    }

    #[expect(unsafe_code, reason = "a C interface; the call is documented")]
    fn handle(&self) -> Result<RawWindowHandle, RenderError> {
        let no_handle = || RenderError::NoGraphics("the window has no handle".into());
        let mut handle =
            Win32WindowHandle::new(NonZeroIsize::new(self.0 as isize).ok_or_else(no_handle)?);
        // SAFETY: null returns this program's own module, which stays loaded.
        handle.hinstance =
            NonZeroIsize::new(unsafe { GetModuleHandleW(std::ptr::null()) } as isize);
        Ok(RawWindowHandle::Win32(handle))
    }
}

impl Drop for NativeWindow {
    #[expect(unsafe_code, reason = "a C interface; the call is documented")]
    fn drop(&mut self) {
        // SAFETY: we created the window, and it is destroyed on the thread that created it.
        unsafe { DestroyWindow(self.0) };
    }
}
