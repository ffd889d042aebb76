//! Window size and position, stored between runs.

use std::{fs, io::Read, path::Path};

use serde::{Deserialize, Serialize};

/// Size limit of the file; a larger one was not written by us.
const MAX_BYTES: u64 = 4096;
/// Sanity limit for a window's side, pixels.
const MAX_SIDE: f64 = 16_384.0;

/// A window's size and position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct WindowPlace {
    /// Width, logical pixels.
    pub(crate) width: f64,
    /// Height, logical pixels.
    pub(crate) height: f64,
    /// Outer top left corner, physical pixels; `None` on desktops that do not report it.
    pub(crate) corner: Option<(i32, i32)>,
    /// Whether the window is maximised; size and corner are then those to restore.
    pub(crate) maximized: bool,
}

impl WindowPlace {
    /// Reads the stored placement; `None` if there is no valid one.
    pub(crate) fn load(file: &Path) -> Option<Self> {
        let mut text = String::new();
        let opened = fs::File::open(file).ok()?;
        opened.take(MAX_BYTES).read_to_string(&mut text).ok()?;
        let place: Self = serde_json::from_str(&text).ok()?;
        let sound = |side: f64| side.is_finite() && (1.0..=MAX_SIDE).contains(&side);
        (sound(place.width) && sound(place.height)).then_some(place)
    }

    /// Stores the placement. Errors are ignored, because the next window can use the default.
    pub(crate) fn save(&self, file: &Path) {
        let write = || -> std::io::Result<()> {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            // several viewers may close at the same time
            let own = file.with_extension(format!("{}.part", std::process::id()));
            fs::write(&own, serde_json::to_vec(self)?)?;
            fs::rename(&own, file)
        };
        let _ = write();
    }

    /// Returns whether the window can be grabbed on one of these screens, given as corner and size
    /// in physical pixels; the screen it was on may have been unplugged.
    pub(crate) fn is_on(&self, screens: impl Iterator<Item = ((i32, i32), (u32, u32))>) -> bool {
        /// How much of the title bar must be visible, pixels.
        const GRIP: i64 = 60;
        let Some((x, y)) = self.corner else { return false };
        let (x, y) = (i64::from(x) + GRIP, i64::from(y) + GRIP / 2);
        screens.into_iter().any(|((left, top), (width, height))| {
            let (left, top) = (i64::from(left), i64::from(top));
            let (right, bottom) = (left + i64::from(width), top + i64::from(height));
            (left..right).contains(&x) && (top..bottom).contains(&y)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: WindowPlace =
        WindowPlace { width: 900.0, height: 640.5, corner: Some((-40, 25)), maximized: true };

    #[test]
    fn a_window_position_is_restored_and_nonsense_ignored() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("of").join("its").join("own.json");
        assert_eq!(WindowPlace::load(&file), None);
        PLACE.save(&file);
        assert_eq!(WindowPlace::load(&file), Some(PLACE));
        let left = fs::read_dir(file.parent().expect("it has one")).expect("it exists");
        assert_eq!(left.count(), 1, "nothing is left next to it");
        for nonsense in ["", "[]", r#"{"width":1e9,"height":5,"corner":null,"maximized":false}"#] {
            fs::write(&file, nonsense).expect("it is writable");
            assert_eq!(WindowPlace::load(&file), None, "{nonsense}");
        }
    }

    #[test]
    fn a_window_is_not_placed_on_a_missing_screen() {
        let first = ((0, 0), (1920, 1080));
        let second = ((1920, 0), (1280, 1024));
        let at = |corner| WindowPlace { corner: Some(corner), ..PLACE };
        assert!(at((1940, 100)).is_on([first, second].into_iter()));
        assert!(!at((1940, 100)).is_on([first].into_iter()));
        assert!(at((-40, 25)).is_on([first].into_iter()));
        assert!(!at((10, 4000)).is_on([first, second].into_iter()));
        assert!(!WindowPlace { corner: None, ..PLACE }.is_on([first].into_iter()));
    }
}
