//! Where the window was, kept from one start to the next.

use std::{fs, io::Read, path::Path};

use serde::{Deserialize, Serialize};

/// A file that is larger is none of ours.
const MAX_BYTES: u64 = 4096;
/// No screen is larger, pixels.
const MAX_SIDE: f64 = 16_384.0;

/// A window's size and place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct WindowPlace {
    /// Logical pixels.
    pub(crate) width: f64,
    /// Logical pixels.
    pub(crate) height: f64,
    /// The outer corner, physical pixels; some desktops do not tell.
    pub(crate) corner: Option<(i32, i32)>,
    /// It fills the screen; size and corner are what it goes back to.
    pub(crate) maximized: bool,
}

impl WindowPlace {
    /// What was kept; `None` when there is nothing usable.
    pub(crate) fn load(file: &Path) -> Option<Self> {
        let mut text = String::new();
        let opened = fs::File::open(file).ok()?;
        opened.take(MAX_BYTES).read_to_string(&mut text).ok()?;
        let place: Self = serde_json::from_str(&text).ok()?;
        let sound = |side: f64| side.is_finite() && (1.0..=MAX_SIDE).contains(&side);
        (sound(place.width) && sound(place.height)).then_some(place)
    }

    /// Keeps it. A place that cannot be kept is no reason to trouble anybody: the next window has
    /// the usual one.
    pub(crate) fn save(&self, file: &Path) {
        let write = || -> std::io::Result<()> {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            // several viewers may close at once
            let own = file.with_extension(format!("{}.part", std::process::id()));
            fs::write(&own, serde_json::to_vec(self)?)?;
            fs::rename(&own, file)
        };
        let _ = write();
    }

    /// Whether a person can get hold of the window on one of these screens, each a corner and a
    /// size, physical pixels: one that was there may be unplugged.
    pub(crate) fn is_on(&self, screens: impl Iterator<Item = ((i32, i32), (u32, u32))>) -> bool {
        /// So much of the title must be seen.
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
    fn a_place_comes_back_and_nonsense_is_passed_over() {
        let folder = tempfile::tempdir().expect("a folder of its own");
        let file = folder.path().join("of").join("its").join("own.json");
        assert_eq!(WindowPlace::load(&file), None);
        PLACE.save(&file);
        assert_eq!(WindowPlace::load(&file), Some(PLACE));
        let left = fs::read_dir(file.parent().expect("it has one")).expect("it is there");
        assert_eq!(left.count(), 1, "nothing is left beside it");
        for nonsense in ["", "[]", r#"{"width":1e9,"height":5,"corner":null,"maximized":false}"#] {
            fs::write(&file, nonsense).expect("it is writable");
            assert_eq!(WindowPlace::load(&file), None, "{nonsense}");
        }
    }

    #[test]
    fn a_window_on_a_screen_that_is_gone_is_not_put_there() {
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
