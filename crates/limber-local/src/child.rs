//! One child process: started with its settings on standard input, ended by closing it.

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

/// How long a child may take to finish what it is doing.
const GOODBYE: Duration = Duration::from_secs(5);

/// The variables of one service. May hold secrets; never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings(pub BTreeMap<String, String>);

impl std::fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

/// A running child.
#[derive(Debug)]
pub(crate) struct Running {
    process: Child,
    life_line: Option<ChildStdin>,
}

impl Running {
    /// Starts this program again as `service`, which listens on `port`; what it says goes to `log`.
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

    /// Waits until it ends by itself.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.process.wait().await
    }

    /// Lets it finish, and ends it when it does not.
    pub(crate) async fn stop(mut self) {
        drop(self.life_line.take());
        if timeout(GOODBYE, self.process.wait()).await.is_err() {
            tracing::warn!("a service did not end in time and was killed");
            let _ = self.process.kill().await;
        }
    }
}
