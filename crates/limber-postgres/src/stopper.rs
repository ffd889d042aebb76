//! Stops a server from a process that did not start it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// All that another process needs to stop one particular server, and no later one in the same
/// folder. Can be created before the server runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopper {
    /// Path of the program `pg_ctl`.
    pub pg_ctl: PathBuf,
    /// The server's data folder.
    pub data: PathBuf,
    /// The server's port, or its socket number if it has no port. Both differ from start to start.
    pub port: u16,
}

impl Stopper {
    /// Asks the server to end all connections and stop. All committed data is on disk. Returns
    /// false, without doing anything, if that server is not running.
    ///
    /// # Errors
    ///
    /// If `pg_ctl` cannot be run or fails.
    pub fn stop(&self) -> io::Result<bool> {
        let Some(server) = self.server() else { return Ok(false) };
        let status = Command::new(&self.pg_ctl)
            // Unlike `pg_ctl stop`, this cannot hit another server, and it works on every platform.
            .args(["kill", "INT", &server.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if status.success() || self.server() != Some(server) {
            Ok(true)
        } else {
            Err(io::Error::other("pg_ctl refused to stop the server"))
        }
    }

    /// Returns the server's process ID while it is running.
    fn server(&self) -> Option<u32> {
        running(&self.data).filter(|server| server.port == self.port).map(|server| server.process)
    }
}

/// A server, as described by the PID file in its data folder.
pub(crate) struct Server {
    pub(crate) process: u32,
    port: u16,
}

/// Reads the PID file in a data folder. PostgreSQL writes it completely before it does anything
/// else.
pub(crate) fn running(data: &Path) -> Option<Server> {
    let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
    let mut lines = text.lines();
    let process = lines.next()?.trim().parse().ok()?;
    // The port follows after the data folder and the start time.
    let port = lines.nth(2)?.trim().parse().ok()?;
    Some(Server { process, port })
}
