//! Where a server's socket lies: in a folder that nobody but its owner enters.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use limber_system::private;
use postgresql_embedded::Settings;
use rand::RngExt;

/// A name of a socket has room for so many bytes (`sun_path`: 108 on Linux, 104 on macOS and the BSDs),
/// its ending zero included.
const LONGEST_NAME_BYTES: usize = 104;
/// What the server puts behind the folder, at its longest.
const LONGEST_SOCKET: &str = "/.s.PGSQL.65535";
/// The folder's, or that of the link to it, beside the data of the cluster.
const NAME: &str = "socket";
/// Numbers of sockets, as of ports that programs may use.
const NUMBERS: std::ops::Range<u16> = 1024..65535;

/// Has the server of this cluster listen in a folder of its own and nowhere else, and answers where its clients
/// find it.
pub(crate) fn listen(cluster: &Path, settings: &mut Settings) -> io::Result<Option<PathBuf>> {
    Ok(Some(SocketFolder::of(cluster)?.listen(settings)))
}

/// The folder, by the name that clients use and by the one that the server is told.
struct SocketFolder {
    clients: PathBuf,
    server: String,
    number: u16,
}

impl SocketFolder {
    /// In the cluster's own folder, where its name leaves room for a socket's, else in one with a shorter
    /// name among the system's temporary files.
    fn of(folder: &Path) -> io::Result<Self> {
        let own = std::path::absolute(folder)?.join(NAME);
        // of a server that was killed; none runs by now
        clear(&own);
        // differs from start to start, so that a late stop cannot hit a server that it does not mean
        let number = crate::cluster::random_source().random_range(NUMBERS);
        if fits(&own) {
            private::own_folder(&own)?;
            // the server stands in its data folder; a whole path might hold what means something to the
            // shell and the list through which it is told
            return Ok(Self { clients: own, server: format!("../{NAME}"), number });
        }
        let elsewhere = private_elsewhere()?;
        if !fits(elsewhere.path()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidFilename,
                "the name of the folder for temporary files is too long for a socket in it",
            ));
        }
        let elsewhere = elsewhere.keep();
        // the next start finds by it what this one may leave there
        symlink(&elsewhere, &own)?;
        let server = elsewhere.to_string_lossy().into_owned();
        Ok(Self { clients: elsewhere, server, number })
    }

    /// Has the server listen there and nowhere else, and answers where its clients find it.
    fn listen(self, settings: &mut Settings) -> PathBuf {
        settings.port = self.number;
        let words = [
            ("listen_addresses", String::new()),
            ("unix_socket_directories", self.server),
            // the folder keeps others out; this does if somebody opens the folder
            ("unix_socket_permissions", "0700".to_owned()),
        ];
        settings.configuration.extend(words.map(|(name, value)| (name.to_owned(), value)));
        self.clients
    }
}

/// Removes what an earlier start left under the name of the folder: the folder itself, or the link to one
/// elsewhere and what a server leaves in that. A link is not believed any further: somebody may have put
/// it there.
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
    // only if nothing else is in it
    let _ = fs::remove_dir(elsewhere);
    let _ = fs::remove_file(own);
}

/// Removes the link to a folder elsewhere that is gone, if there is one: anybody may make another there.
pub(crate) fn unlink(data: &Path) {
    let _ = fs::remove_file(data.with_file_name(NAME));
}

/// A folder among the system's temporary files that nobody else can look into at any time.
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
    fn what_a_killed_server_left_elsewhere_is_cleared_and_nothing_that_is_not_its_own() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("x".repeat(120));
        fs::create_dir(&folder).expect("made");
        let first = SocketFolder::of(&folder).expect("a folder").clients;
        assert_eq!(fs::read_link(folder.join("socket")).expect("a link"), first);
        for name in [".s.PGSQL.4321", ".s.PGSQL.4321.lock"] {
            fs::write(first.join(name), "").expect("written");
        }
        let second = SocketFolder::of(&folder).expect("a folder").clients;
        assert!(!first.exists() && second.exists());
        // a link that somebody put there takes away nothing
        let precious = place.path().join("precious");
        fs::create_dir(&precious).expect("made");
        fs::write(precious.join("clip"), "years of work").expect("written");
        fs::remove_file(folder.join("socket")).expect("removed");
        symlink(&precious, folder.join("socket")).expect("linked");
        let third = SocketFolder::of(&folder).expect("a folder").clients;
        assert!(precious.join("clip").exists());
        for folder in [second, third] {
            fs::remove_dir(folder).expect("it is empty");
        }
    }

    #[test]
    fn a_folder_elsewhere_is_closed_from_its_first_moment() {
        let elsewhere = private_elsewhere().expect("a folder");
        let mode = fs::metadata(elsewhere.path()).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
