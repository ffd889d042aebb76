//! Programs that drive others by WebDriver, and sessions with them.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

use fantoccini::{Client, ClientBuilder};
use serde_json::Value;

use crate::window::until;

/// So long one start may take. A driver whose program ended at once would wait for it without an end.
const START: Duration = Duration::from_secs(60);

/// A driver's process; it ends with this.
pub(crate) struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a driver and lets it start what it drives.
pub(crate) async fn drive(mut driver: Command, capabilities: &Value) -> (Client, Driver) {
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
    let process = driver.arg(format!("--port={port}")).stdout(Stdio::null()).spawn();
    let driver = Driver(process.expect("cargo xtask setup installs the drivers"));
    let capabilities = capabilities.as_object().expect("an object");
    let address = format!("http://127.0.0.1:{port}");
    let client = until("a session", async || {
        let connector = hyper_util::client::legacy::connect::HttpConnector::new();
        let mut builder = ClientBuilder::new(connector);
        let connecting = builder.capabilities(capabilities.clone());
        tokio::time::timeout(START, connecting.connect(&address)).await.ok()?.ok()
    })
    .await;
    (client, driver)
}
