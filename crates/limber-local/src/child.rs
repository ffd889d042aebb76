//! A child process that receives its settings on standard input and stops when that is closed.

use std::{
    collections::BTreeMap,
    fs::File,
    io,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use limber_system::children;
use tokio::{
    io::AsyncWriteExt,
    process::{Child, ChildStdin, Command},
    time::timeout,
};

use crate::{Service, port::Port};

/// Grace period before a child that was asked to stop is killed.
const GOODBYE: Duration = Duration::from_secs(5);

/// Environment-style settings of a service. May contain secrets; `Debug` prints the names only.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings(pub BTreeMap<String, String>);

impl std::fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

/// A running child process.
#[derive(Debug)]
pub(crate) struct Running {
    process: Child,
    life_line: Option<ChildStdin>,
}

impl Running {
    /// Starts this executable as `service`, serving `port`; its output is appended to `log`.
    pub(crate) async fn start(
        service: Service,
        settings: &Settings,
        port: Option<&mut Port>,
        log: &Path,
    ) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        children::apart_from_terminal(command.as_std_mut());
        let mut process = command
            .args(["service", service.word()])
            .stdin(Stdio::piped())
            .stdout(port.map_or_else(|| Ok(Stdio::null()), Port::for_child)?)
            .stderr(File::options().append(true).create(true).open(log)?)
            .kill_on_drop(true)
            .spawn()?;
        let mut life_line = process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut line = serde_json::to_vec(&settings.0)?;
        line.push(b'\n');
        life_line.write_all(&line).await?;
        life_line.flush().await?;
        Ok(Self { process, life_line: Some(life_line) })
    }

    /// Waits until the child exits.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.process.wait().await
    }

    /// Asks the child to stop, and kills it if it does not.
    pub(crate) async fn stop(mut self) {
        drop(self.life_line.take());
        if timeout(GOODBYE, self.process.wait()).await.is_err() {
            tracing::warn!("a service did not stop in time and was killed");
            let _ = self.process.kill().await;
        }
    }
}
