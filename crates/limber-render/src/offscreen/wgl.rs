//! WGL, as Windows has it. It gives contexts to windows only, so each comes with a window that is never shown;
//! pictures are drawn beside it.

use std::num::NonZeroIsize;

use glutin::{config::ConfigTemplateBuilder, display::GlDisplay};
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

/// Whatever device the desktop is drawn with. There is none in a session without a desktop.
#[expect(unsafe_code, reason = "WGL is a C interface; each call is explained")]
pub(super) fn open() -> Result<Surfaceless, RenderError> {
    let window = Window::new()?;
    let handle = window.handle()?;
    let display = RawDisplayHandle::Windows(WindowsDisplayHandle::new());
    // SAFETY: the window goes where the display goes, and is dropped after it.
    let display = unsafe { Display::new(display, Some(handle)) }.map_err(missing)?;
    let template = ConfigTemplateBuilder::new().compatible_with_native_window(handle).build();
    // SAFETY: as above.
    let config = unsafe { display.find_configs(template) }.map_err(missing)?.next();
    let config =
        config.ok_or_else(|| RenderError::NoGraphics("the driver draws no OpenGL".into()))?;
    // SAFETY: as above. Without it, the window's device has no format that the context could share.
    unsafe { config.apply_on_native_window(&handle) }.map_err(missing)?;
    Surfaceless::on(display, &config, window, Some(handle))
}

/// A window of one of the system's own classes that is never shown and gets no messages. Belongs to the thread
/// that made it, as Windows demands.
pub(super) struct Window(HWND);

impl Window {
    #[expect(unsafe_code, reason = "windows are made by a C interface; the call is explained")]
    fn new() -> Result<Self, RenderError> {
        // SAFETY: the class is one of the system's, the names are constants, everything else may be null.
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
            return Err(RenderError::NoGraphics(format!("no window could be made: {error}")));
        }
        Ok(Self(window))
    }

    #[expect(unsafe_code, reason = "a C interface; the call is explained")]
    fn handle(&self) -> Result<RawWindowHandle, RenderError> {
        let no_handle = || RenderError::NoGraphics("the window has no handle".into());
        let mut handle =
            Win32WindowHandle::new(NonZeroIsize::new(self.0 as isize).ok_or_else(no_handle)?);
        // SAFETY: null asks for this program's own module, which stays loaded.
        handle.hinstance =
            NonZeroIsize::new(unsafe { GetModuleHandleW(std::ptr::null()) } as isize);
        Ok(RawWindowHandle::Win32(handle))
    }
}

impl Drop for Window {
    #[expect(unsafe_code, reason = "a C interface; the call is explained")]
    fn drop(&mut self) {
        // SAFETY: the window is ours, and neither it nor its owner ever left this thread.
        unsafe { DestroyWindow(self.0) };
    }
}
