//! Textures stored next to a character's file.
//!
//! An FBX often references its textures instead of embedding them. If a user opens a file from
//! their own disk, textures next to it belong to it. They are looked up by the path that the file
//! states, but only inside the folder of the file, whatever that path is.

use std::{
    cell::Cell,
    fs::File,
    io::Read,
    path::{Component, Path, PathBuf},
};

use limber_formats::{
    glb,
    humanoid::Overrides,
    import::{FileFormat, ImportError, Imported, import_beside},
};

/// Maximum size of a texture file in bytes: four times a photograph of the largest supported
/// dimensions.
const LARGEST_PICTURE_BYTES: u64 = 64 << 20;
/// Maximum number of bytes read for one character.
const MOST_BYTES: u64 = 256 << 20;
/// Extensions of texture files; nothing else is opened.
const ENDINGS: [&str; 3] = ["png", "jpg", "jpeg"];
/// Folders in which programs put the textures of a file.
const USUAL_FOLDERS: [&str; 3] = ["", "textures", "Textures"];

/// The folder of a character's file.
#[derive(Debug)]
struct Neighbours {
    folder: PathBuf,
    /// The folder into which Autodesk programs unpack textures: `hero.fbm` for `hero.fbx`.
    unpacked: PathBuf,
    bytes_left: Cell<u64>,
    opened: Cell<usize>,
}

impl Neighbours {
    fn of(file: &Path) -> Option<Self> {
        let file = file.canonicalize().ok()?;
        let mut unpacked = file.file_stem()?.to_owned();
        unpacked.push(".fbm");
        Some(Self {
            folder: file.parent()?.to_owned(),
            unpacked: unpacked.into(),
            bytes_left: Cell::new(MOST_BYTES),
            opened: Cell::new(0),
        })
    }

    /// Finds and reads a texture by the path that the file states.
    fn picture(&self, told: &str) -> Option<Vec<u8>> {
        let told = told.replace('\\', "/");
        let name = told.rsplit('/').next().filter(|name| is_plain(Path::new(name)))?;
        let as_told = Some(PathBuf::from(&told)).filter(|path| is_plain(path));
        let unpacked = self.unpacked.join(name);
        let usual = USUAL_FOLDERS.iter().map(|folder| Path::new(folder).join(name));
        let bytes =
            as_told.into_iter().chain(usual).chain([unpacked]).find_map(|path| self.open(&path))?;
        self.opened.set(self.opened.get() + 1);
        Some(bytes)
    }

    /// Reads a texture inside the folder; symbolic links are resolved before the check.
    fn open(&self, path: &Path) -> Option<Vec<u8>> {
        let ending = path.extension()?.to_string_lossy().to_lowercase();
        let place = self.folder.join(path).canonicalize().ok()?;
        if !ENDINGS.contains(&ending.as_str()) || !place.starts_with(&self.folder) {
            return None;
        }
        let most = self.bytes_left.get().min(LARGEST_PICTURE_BYTES);
        let known = place.metadata().ok()?;
        if !known.is_file() || known.len() > most {
            return None;
        }
        let mut bytes = Vec::new();
        // the file may grow after the check
        File::open(place).ok()?.take(most).read_to_end(&mut bytes).ok()?;
        self.bytes_left.set(self.bytes_left.get() - bytes.len() as u64);
        (!bytes.is_empty()).then_some(bytes)
    }
}

/// Whether a path is relative and only descends: no root, no drive, no `..`.
fn is_plain(path: &Path) -> bool {
    let has_drive = path.to_string_lossy().contains(':');
    let mut parts = path.components();
    !has_drive
        && parts.clone().next().is_some()
        && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Imports a character from the contents of its file and the textures next to it.
///
/// # Errors
/// See [`ImportError`].
pub fn import_file(file: &Path, bytes: &[u8]) -> Result<Imported, ImportError> {
    let neighbours = Neighbours::of(file);
    let picture = |told: &str| neighbours.as_ref()?.picture(told);
    import_beside(bytes, &Overrides::default(), &picture)
}

/// Returns a character that needs textures from next to its file as a self-contained GLB. `None` if
/// the file itself will do: it embeds everything, there are no textures next to it, or it is not an
/// FBX character.
#[must_use]
pub fn packed(file: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    let neighbours = Neighbours::of(file)?;
    let taken =
        import_beside(bytes, &Overrides::default(), &|told| neighbours.picture(told)).ok()?;
    let is_fbx = matches!(taken.format, FileFormat::Fbx { .. });
    if !is_fbx || neighbours.opened.get() == 0 {
        return None;
    }
    glb::write_character(&taken.character).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_pictures_inside_the_folder_are_opened_whatever_the_file_says() {
        let home = tempfile::tempdir().expect("a folder");
        let own = home.path().join("hero");
        fs::create_dir_all(own.join("hero.fbm")).expect("made");
        fs::create_dir_all(own.join("maps")).expect("made");
        for (place, bytes) in [
            ("secret.png", "outside"),
            ("hero/hero.fbx", "fbx"),
            ("hero/skin.png", "skin"),
            ("hero/notes.txt", "notes"),
            ("hero/empty.png", ""),
            ("hero/maps/hair.JPG", "hair"),
            ("hero/hero.fbm/eye.png", "eye"),
        ] {
            fs::write(home.path().join(place), bytes).expect("written");
        }
        let neighbours = Neighbours::of(&own.join("hero.fbx")).expect("it exists");
        let opened =
            |told: &str| neighbours.picture(told).map(|bytes| String::from_utf8(bytes).ok());
        for (told, found) in [
            ("skin.png", "skin"),
            ("C:\\Users\\somebody\\skin.png", "skin"),
            ("/home/somebody/skin.png", "skin"),
            ("../elsewhere/skin.png", "skin"),
            ("maps\\hair.JPG", "hair"),
            ("eye.png", "eye"),
        ] {
            assert_eq!(opened(told), Some(Some(found.to_owned())), "{told}");
        }
        let absolute = home.path().join("secret.png");
        let absolute = absolute.to_string_lossy().into_owned();
        for told in [
            "../secret.png",
            absolute.as_str(),
            "hair.JPG",
            "notes.txt",
            "empty.png",
            "maps",
            "..",
            "",
        ] {
            assert_eq!(opened(told), None, "{told}");
        }
        assert_eq!(neighbours.opened.get(), 6);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_of_the_folder_is_not_followed() {
        let home = tempfile::tempdir().expect("a folder");
        let own = home.path().join("hero");
        fs::create_dir(&own).expect("made");
        fs::write(own.join("hero.fbx"), "fbx").expect("written");
        fs::write(home.path().join("secret.png"), "outside").expect("written");
        std::os::unix::fs::symlink(home.path().join("secret.png"), own.join("skin.png"))
            .expect("linked");
        let neighbours = Neighbours::of(&own.join("hero.fbx")).expect("it exists");
        assert_eq!(neighbours.picture("skin.png"), None);
    }

    #[test]
    fn too_large_files_are_skipped() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("hero.fbx");
        fs::write(&file, "fbx").expect("written");
        let large = File::create(home.path().join("skin.png")).expect("made");
        large.set_len(LARGEST_PICTURE_BYTES + 1).expect("a hole takes no room");
        let neighbours = Neighbours::of(&file).expect("it exists");
        assert_eq!(neighbours.picture("skin.png"), None);
    }
}
