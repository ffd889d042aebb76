//! What is really on the display: screenshots from the X server, whichever program drew them.

use image::{Rgb, RgbImage};
use x11rb::{
    connection::Connection,
    protocol::xproto::{AtomEnum, ConnectionExt, ImageFormat, InputFocus, Window},
    rust_connection::RustConnection,
};

/// Returns a screenshot of a process's window; `None` while it has no visible one.
pub(crate) fn window_of(process: u32) -> Option<RgbImage> {
    let (display, screen) = x11rb::connect(None).expect("journeys run on a display");
    let root = display.setup().roots[screen].root;
    let window = find(&display, root, process)?;
    let room = display.get_geometry(window).ok()?.reply().ok()?;
    let place = display.translate_coordinates(window, root, 0, 0).ok()?.reply().ok()?;
    let whole = display.get_geometry(root).ok()?.reply().ok()?;
    // clip what is outside the screen
    let left = place.dst_x.max(0);
    let top = place.dst_y.max(0);
    let width = room.width.min(whole.width.saturating_sub(left.unsigned_abs()));
    let height = room.height.min(whole.height.saturating_sub(top.unsigned_abs()));
    let asked = display.get_image(ImageFormat::Z_PIXMAP, root, left, top, width, height, !0);
    let pixels = asked.ok()?.reply().ok()?.data;
    let picture = RgbImage::from_fn(width.into(), height.into(), |x, y| {
        let at = 4 * (y as usize * usize::from(width) + x as usize);
        Rgb([pixels[at + 2], pixels[at + 1], pixels[at]])
    });
    Some(picture)
}

/// Takes the focus away from all windows, as when the user switches to another program.
pub(crate) fn remove_focus() {
    let (display, _) = x11rb::connect(None).expect("journeys run on a display");
    let asked = display.set_input_focus(InputFocus::NONE, x11rb::NONE, x11rb::CURRENT_TIME);
    asked.expect("the request can be sent").check().expect("the focus can be removed");
}

/// Finds a process's window; without a window manager, every window is a child of the root.
fn find(display: &RustConnection, root: Window, process: u32) -> Option<Window> {
    let mark = display.intern_atom(false, b"_NET_WM_PID").ok()?.reply().ok()?.atom;
    let owner = |window: Window| {
        let asked = display.get_property(false, window, mark, AtomEnum::CARDINAL, 0, 1).ok()?;
        asked.reply().ok()?.value32()?.next()
    };
    let windows = display.query_tree(root).ok()?.reply().ok()?.children;
    windows.into_iter().find(|window| owner(*window) == Some(process))
}

/// Counts pixels that are lighter than any background.
pub(crate) fn light_pixels(picture: &RgbImage) -> usize {
    picture.pixels().filter(|pixel| is_light(pixel)).count()
}

fn is_light(pixel: &Rgb<u8>) -> bool {
    pixel.0.iter().map(|band| u32::from(*band)).sum::<u32>() > 360
}

/// Height of the viewer's control bar, with a margin.
const BAR: u32 = 100;

/// Checks that a screenshot of the viewer shows a light character, upright in front of a dark
/// background; returns what is wrong otherwise.
pub(crate) fn shows_character(picture: &RgbImage) -> Result<(), String> {
    let (width, height) = (picture.width(), picture.height().saturating_sub(BAR));
    let is_body = |x: u32, y: u32| is_light(picture.get_pixel(x, y));
    let rows = (0..height).filter(|y| (0..width).any(|x| is_body(x, *y))).count() as u32;
    let columns = (0..width).filter(|x| (0..height).any(|y| is_body(*x, y))).count() as u32;
    let body = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pixels = body.filter(|(x, y)| is_body(*x, *y)).count() as u32;
    let edge = width / 10;
    let outside = |x: u32| x < edge || x >= width - edge;
    let clean = (0..height).all(|y| (0..width).filter(|x| outside(*x)).all(|x| !is_body(x, y)));
    // a person takes a few per cent of an image that it fills from top to bottom
    let upright = rows * 10 > height * 4 && columns * 2 < width;
    let dense = pixels * 100 > width * height && pixels * 5 < width * height;
    if upright && dense && clean {
        Ok(())
    } else {
        Err(format!(
            "{pixels} light pixels in {columns} columns and {rows} rows of {width} × {height}, \
             edges {}",
            if clean { "dark" } else { "light" }
        ))
    }
}

/// Counts pixels above the control bar that differ clearly.
pub(crate) fn changed_pixels(one: &RgbImage, other: &RgbImage) -> usize {
    let height = one.height().saturating_sub(BAR);
    let differ = |a: &Rgb<u8>, b: &Rgb<u8>| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 40);
    let both = one.enumerate_pixels().zip(other.pixels());
    both.filter(|((_, y, a), b)| *y < height && differ(a, b)).count()
}

/// Saves a screenshot for the documentation, as `Window::inspect` does.
pub(crate) fn save_screenshot(picture: &RgbImage, name: &str) {
    if let Some(folder) = std::env::var_os("LIMBER_PICTURES") {
        let file = std::path::Path::new(&folder).join(name).with_extension("png");
        picture.save(file).expect("LIMBER_PICTURES is a writable folder");
    }
}
