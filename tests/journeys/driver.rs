//! WebDriver processes, and sessions with them.

use std::{
    fs,
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

use fantoccini::{Client, ClientBuilder};
use serde_json::Value;

use crate::window::until;

/// Timeout for starting. A driver whose program exits at once would wait for it forever.
const START: Duration = Duration::from_secs(120);

/// A driver process, killed when dropped.
pub(crate) struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    /// Starts the driver on a port that was free a moment ago.
    fn start(command: &Command) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").expect("a port is available");
        let port = socket.local_addr().expect("the socket has an address").port();
        drop(socket);
        let mut own = Command::new(command.get_program());
        own.args(command.get_args()).arg(format!("--port={port}")).stdout(Stdio::null());
        own.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Self {
            process: own.spawn().expect("the drivers are installed; run `cargo xtask setup`"),
            port,
        }
    }

    fn has_ended(&mut self) -> bool {
        self.process.try_wait().is_ok_and(|ended| ended.is_some())
    }

    /// Returns whether this process itself listens on the port: another one that took it meanwhile
    /// may be the driver of another journey.
    fn listens(&self) -> bool {
        let (port, id) = (format!(":{:04X}", self.port), self.process.id());
        let sockets = fs::read_to_string("/proc/net/tcp").unwrap_or_default();
        let words = sockets.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let listening = words
            .filter(|words| words.len() > 9 && words[1].ends_with(&port) && words[3] == "0A")
            .map(|words| format!("socket:[{}]", words[9]));
        let listening: Vec<String> = listening.collect();
        let files = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
        let mut targets = files.filter_map(|file| fs::read_link(file.path()).ok());
        targets.any(|target| listening.iter().any(|socket| target.as_os_str() == socket.as_str()))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a driver, which starts the program under test.
pub(crate) async fn drive(command: &Command, capabilities: &Value) -> (Client, Driver) {
    let capabilities = capabilities.as_object().expect("the value is an object");
    let mut driver = Driver::start(command);
    let client = until("a session", async || {
        if driver.has_ended() {
            driver = Driver::start(command);
        }
        if !driver.listens() {
            return None;
        }
        let address = format!("http://127.0.0.1:{}", driver.port);
        let connector = hyper_util::client::legacy::connect::HttpConnector::new();
        let mut builder = ClientBuilder::new(connector);
        let connecting = builder.capabilities(capabilities.clone());
        tokio::time::timeout(START, connecting.connect(&address)).await.ok()?.ok()
    })
    .await;
    (client, driver)
}
