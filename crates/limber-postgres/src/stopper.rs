//! Stops a server from a process that did not start it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// All that another process needs to stop one particular server, and no later one in the same
/// folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopper {
    /// The program `pg_ctl`.
    pub pg_ctl: PathBuf,
    /// The server's data folder.
    pub data: PathBuf,
    /// Its process number.
    pub server: u32,
}

impl Stopper {
    /// Asks the server to end all connections and stop; what was committed is on disk. Does nothing
    /// when that server does not run any more.
    ///
    /// # Errors
    /// When `pg_ctl` cannot be run or refuses.
    pub fn stop(&self) -> io::Result<()> {
        if running(&self.data) != Some(self.server) {
            return Ok(());
        }
        let status = Command::new(&self.pg_ctl)
            // unlike `pg_ctl stop`, this cannot hit another server, and it works on every system
            .args(["kill", "INT", &self.server.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if status.success() || running(&self.data) != Some(self.server) {
            Ok(())
        } else {
            Err(io::Error::other("pg_ctl refused to stop the server"))
        }
    }
}

/// The process number of the server in a data folder, as its own file says.
pub(crate) fn running(data: &Path) -> Option<u32> {
    let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
    text.lines().next()?.trim().parse().ok()
}
