//! Writes files to a folder: all or none, and never over an existing file.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use crate::Output;

/// Writes the files of all outputs. If one fails, those written before are deleted.
pub(super) fn all(folder: &Path, outputs: &[Output]) -> io::Result<Vec<PathBuf>> {
    let made_folder = !folder.exists();
    fs::create_dir_all(folder)?;
    let suffix = free_suffix(folder, outputs);
    let mut written = Vec::new();
    let result = outputs
        .iter()
        .flat_map(|output| output.files.iter().map(move |file| (output, file)))
        .try_for_each(|(output, file)| {
            let path = folder.join(name(&output.name, file.kind.extension(), suffix));
            one(&path, &file.bytes)?;
            written.push(path);
            Ok(())
        });
    match result {
        Ok(()) => Ok(written),
        Err(error) => {
            for path in &written {
                let _ = fs::remove_file(path);
            }
            if made_folder {
                let _ = fs::remove_dir(folder);
            }
            Err(error)
        }
    }
}

/// Returns `walk_v1.glb`, or `walk_v1-2.glb` if names without a number are taken.
fn name(stem: &str, extension: &str, suffix: u32) -> String {
    if suffix < 2 { format!("{stem}.{extension}") } else { format!("{stem}-{suffix}.{extension}") }
}

/// Returns the smallest suffix with which all names are free; all files of a run share it.
fn free_suffix(folder: &Path, outputs: &[Output]) -> u32 {
    let taken = |suffix: u32| {
        outputs.iter().any(|output| {
            output
                .files
                .iter()
                .any(|file| folder.join(name(&output.name, file.kind.extension(), suffix)).exists())
        })
    };
    (1..).find(|suffix| !taken(*suffix)).unwrap_or(1)
}

/// Writes a temporary file first, so that a file with the final name is always complete. A hard
/// link fails if the name is taken, while renaming would overwrite; on file systems without hard
/// links the file is renamed.
fn one(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(part);
    let written = fs::File::create_new(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let placed = written.and_then(|()| match fs::hard_link(&part, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) if !path.exists() => fs::rename(&part, path),
        other => other,
    });
    let _ = fs::remove_file(&part);
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_never_overwritten() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("walk_v1.glb");
        one(&path, b"first").expect("it is free");
        assert!(one(&path, b"second").is_err());
        assert_eq!(fs::read(&path).expect("it exists"), b"first");
        assert_eq!(fs::read_dir(folder.path()).expect("it can be listed").count(), 1);
    }

    #[test]
    fn names_get_a_number_when_taken() {
        assert_eq!(name("walk_v1", "glb", 1), "walk_v1.glb");
        assert_eq!(name("walk_v1", "glb", 3), "walk_v1-3.glb");
    }
}
