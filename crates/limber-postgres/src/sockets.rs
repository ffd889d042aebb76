//! Location of a server's Unix socket: a folder that only its owner may enter.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use limber_system::private;
use postgresql_embedded::Settings;
use rand::RngExt;

/// Maximum length of a socket path in bytes, including the terminating zero (`sun_path`: 108 on
/// Linux, 104 on macOS and the BSDs).
const LONGEST_NAME_BYTES: usize = 104;
/// The longest file name that the server appends to the folder.
const LONGEST_SOCKET: &str = "/.s.PGSQL.65535";
/// Name of the socket folder, or of the symbolic link to it, beside the cluster's data.
const NAME: &str = "socket";
/// Range of socket numbers, which is that of unprivileged ports.
const NUMBERS: std::ops::Range<u16> = 1024..65535;

/// Configures the server of this cluster to listen in a socket folder only, and returns the folder
/// for clients.
pub(crate) fn listen(cluster: &Path, settings: &mut Settings) -> io::Result<Option<PathBuf>> {
    Ok(Some(SocketFolder::of(cluster)?.listen(settings)))
}

/// A socket folder, with its path for clients and its path for the server.
struct SocketFolder {
    clients: PathBuf,
    server: String,
    number: u16,
}

impl SocketFolder {
    /// Creates the socket folder inside the cluster's folder if the path is short enough, or else
    /// among the system's temporary files, where paths are shorter.
    fn of(folder: &Path) -> io::Result<Self> {
        let own = std::path::absolute(folder)?.join(NAME);
        // Left behind by a server that was killed; none is running by now.
        clear(&own);
        // The number differs from start to start, so that a late stop request cannot hit a newer
        // server.
        let number = crate::cluster::random_source().random_range(NUMBERS);
        if fits(&own) {
            private::own_folder(&own)?;
            // Relative to the server's working directory, its data folder. An absolute path might
            // contain characters with a meaning to the shell or to the list in which it is passed.
            return Ok(Self { clients: own, server: format!("../{NAME}"), number });
        }
        let elsewhere = private_elsewhere()?;
        if !fits(elsewhere.path()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidFilename,
                "the path of the folder for temporary files is too long for a socket",
            ));
        }
        let elsewhere = elsewhere.keep();
        // Through this link, the next start finds and removes what this one may leave there.
        symlink(&elsewhere, &own)?;
        let server = elsewhere.to_string_lossy().into_owned();
        Ok(Self { clients: elsewhere, server, number })
    }

    /// Configures the server to listen in this folder only, and returns the folder for clients.
    fn listen(self, settings: &mut Settings) -> PathBuf {
        settings.port = self.number;
        let words = [
            ("listen_addresses", String::new()),
            ("unix_socket_directories", self.server),
            // The folder already keeps others out; this applies if the folder is opened up.
            ("unix_socket_permissions", "0700".to_owned()),
        ];
        settings.configuration.extend(words.map(|(name, value)| (name.to_owned(), value)));
        self.clients
    }
}

/// Removes what an earlier start left at this path: the folder itself, or the link with the socket
/// files in its target. The link is not trusted beyond that, because another user may have created
/// it.
fn clear(own: &Path) {
    let Ok(elsewhere) = fs::read_link(own) else {
        let _ = fs::remove_dir_all(own);
        return;
    };
    let is_socket = |name: &str| name.starts_with(".s.PGSQL.");
    for entry in fs::read_dir(&elsewhere).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_socket) {
            let _ = fs::remove_file(entry.path());
        }
    }
    // Succeeds only if the folder is otherwise empty.
    let _ = fs::remove_dir(elsewhere);
    let _ = fs::remove_file(own);
}

/// Removes the link to a temporary folder that is gone; anybody could create another folder in its
/// place.
pub(crate) fn unlink(data: &Path) {
    let _ = fs::remove_file(data.with_file_name(NAME));
}

/// Creates a temporary folder that is private from the moment it exists.
fn private_elsewhere() -> io::Result<tempfile::TempDir> {
    let mut new = tempfile::Builder::new();
    new.prefix("limber-").permissions(Permissions::from_mode(0o700)).tempdir()
}

fn fits(folder: &Path) -> bool {
    folder.as_os_str().len() + LONGEST_SOCKET.len() < LONGEST_NAME_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftover_socket_folders_are_removed_and_other_folders_are_kept() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let folder = place.path().join("x".repeat(120));
        fs::create_dir(&folder).expect("the folder can be created");
        let first = SocketFolder::of(&folder).expect("the socket folder can be created").clients;
        assert_eq!(fs::read_link(folder.join("socket")).expect("a link"), first);
        for name in [".s.PGSQL.4321", ".s.PGSQL.4321.lock"] {
            fs::write(first.join(name), "").expect("the file can be written");
        }
        let second = SocketFolder::of(&folder).expect("the socket folder can be created").clients;
        assert!(!first.exists() && second.exists());
        // A link planted by another user must not cause any loss.
        let precious = place.path().join("precious");
        fs::create_dir(&precious).expect("the folder can be created");
        fs::write(precious.join("clip"), "years of work").expect("the file can be written");
        fs::remove_file(folder.join("socket")).expect("the file can be removed");
        symlink(&precious, folder.join("socket")).expect("the link can be created");
        let third = SocketFolder::of(&folder).expect("the socket folder can be created").clients;
        assert!(precious.join("clip").exists());
        for folder in [second, third] {
            fs::remove_dir(folder).expect("the folder is empty");
        }
    }

    #[test]
    fn socket_folders_are_private_from_the_start() {
        let elsewhere = private_elsewhere().expect("a private folder can be created");
        let mode = fs::metadata(elsewhere.path()).expect("the file exists").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
