//! Stops a server from a process that did not start it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// All that another process needs to stop one particular server, and no later one in the same
/// folder. It may be had before the server runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopper {
    /// The program `pg_ctl`.
    pub pg_ctl: PathBuf,
    /// The server's data folder.
    pub data: PathBuf,
    /// Its port, or the number of its socket where it has none; both differ from start to start.
    pub port: u16,
}

impl Stopper {
    /// Asks the server to end all connections and stop; what was committed is on disk. Does nothing
    /// when that server does not run, and says so with `false`.
    ///
    /// # Errors
    /// When `pg_ctl` cannot be run or refuses.
    pub fn stop(&self) -> io::Result<bool> {
        let Some(server) = self.server() else { return Ok(false) };
        let status = Command::new(&self.pg_ctl)
            // unlike `pg_ctl stop`, this cannot hit another server, and it works on every system
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

    /// The process number of the server, while it runs.
    fn server(&self) -> Option<u32> {
        running(&self.data).filter(|server| server.port == self.port).map(|server| server.process)
    }
}

/// A server, as the file in its data folder says.
pub(crate) struct Server {
    pub(crate) process: u32,
    port: u16,
}

/// The server in a data folder. Its file is whole before it does anything else.
pub(crate) fn running(data: &Path) -> Option<Server> {
    let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
    let mut lines = text.lines();
    let process = lines.next()?.trim().parse().ok()?;
    // after the folder and the time of the start
    let port = lines.nth(2)?.trim().parse().ok()?;
    Some(Server { process, port })
}
