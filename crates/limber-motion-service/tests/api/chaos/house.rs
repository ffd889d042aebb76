//! The installation under test: its own database server behind a proxy with a fixed port, a server
//! and workers as processes, and a folder.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
};

use limber_motion_service::{Billing, Config};
use limber_postgres::Cluster;
use secrecy::{ExposeSecret, SecretString};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};

use crate::{port::Port, studio::until};

const DATABASE: &str = "motion";

pub(super) struct House {
    pub(super) folder: TempDir,
    pub(super) config: Config,
    pub(super) base: String,
    cluster: Option<Cluster>,
    /// The database server's current port, which changes with every start.
    behind: Arc<AtomicU16>,
    /// Reserves the motion server's port.
    _port: Port,
}

impl House {
    pub(super) async fn open() -> Self {
        let folder = TempDir::new().expect("a folder");
        let cluster = Cluster::start(&folder.path().join("postgres")).await.expect("a server");
        cluster.ensure_database(DATABASE).await.expect("a database");
        let url = address(&cluster);
        let behind = Arc::new(AtomicU16::new(url.port().expect("a port")));
        let door = open_door(Arc::clone(&behind)).await;
        let mut through = url.clone();
        through.set_port(Some(door)).expect("an address with a port");
        let url = SecretString::from(through.to_string());
        let mut config = Config::new(url, folder.path().join("files"));
        config.rate_limits = false;
        config.pictures = false;
        config.max_queued = 1000;
        config.billing = Some(Billing::default());
        config.reader.path = env!("CARGO_BIN_EXE_limber-motion").into();
        let port = Port::take();
        config.listen = port.address;
        let base = format!("http://{}", config.listen);
        Self { folder, config, base, cluster: Some(cluster), behind, _port: port }
    }

    pub(super) fn database(&self) -> &str {
        self.config.database_url.expose_secret()
    }

    /// Stops the database server, by killing it or in an orderly way, and starts it again.
    pub(super) async fn restart_database(&mut self, at_once: bool) {
        let cluster = self.cluster.take().expect("it runs");
        if at_once {
            let number = cluster.process_id().expect("it runs");
            let killed = Command::new("kill").args(["-KILL", &number.to_string()]).status();
            assert!(killed.expect("kill is there").success());
        } else {
            cluster.stop().await.expect("it stops");
        }
        let folder = self.folder.path().join("postgres");
        // its child processes take a moment to notice that it is gone
        let cluster = until("the database is back", async || {
            Cluster::start(&folder).await.inspect_err(|error| println!("{error}")).ok()
        })
        .await;
        self.behind.store(address(&cluster).port().expect("a port"), Ordering::SeqCst);
        self.cluster = Some(cluster);
    }

    pub(super) async fn close(mut self) {
        if let Some(cluster) = self.cluster.take() {
            cluster.stop().await.expect("it stops");
        }
    }

    /// Starts a server or a worker.
    pub(super) fn process(&self, command: &str, name: &str) -> Process {
        let log = std::env::var("MOTIONSVC_LOG").unwrap_or_else(|_| "off".to_owned());
        let child = Command::new(env!("CARGO_BIN_EXE_limber-motion"))
            .arg(command)
            .env("MOTIONSVC_LISTEN", self.config.listen.to_string())
            .env("MOTIONSVC_RATE_LIMITS", "off")
            .env("MOTIONSVC_PICTURES", "off")
            .env("MOTIONSVC_BILLING", "on")
            .env("MOTIONSVC_MAX_QUEUED", "1000")
            .env("MOTIONSVC_DATABASE_URL", self.database())
            .env("MOTIONSVC_STORE", self.folder.path().join("files"))
            .env("MOTIONSVC_WORKER_NAME", name)
            .env("MOTIONSVC_LOG", log)
            .stdout(Stdio::null())
            .spawn();
        Process(child.expect("the program starts"))
    }

    /// Returns the names of all contents, and those of partial files.
    pub(super) fn contents(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
        entries(&self.folder.path().join("files/objects"))
            .flat_map(|folder| entries(&folder.path()).collect::<Vec<_>>())
            .map(|file| file.file_name().into_string().expect("text"))
            .partition(|name| name.len() == 64)
    }
}

fn address(cluster: &Cluster) -> url::Url {
    cluster.url(DATABASE).expose_secret().parse().expect("an address")
}

/// Forwards connections to the current port in `behind`.
async fn open_door(behind: Arc<AtomicU16>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut here, _)) = listener.accept().await {
            let there = SocketAddr::from(([127, 0, 0, 1], behind.load(Ordering::SeqCst)));
            tokio::spawn(async move {
                if let Ok(mut there) = TcpStream::connect(there).await {
                    let _ = tokio::io::copy_bidirectional(&mut here, &mut there).await;
                }
            });
        }
    });
    port
}

/// A process, killed on drop.
pub(super) struct Process(Child);

impl Process {
    /// Sends SIGKILL and waits.
    pub(super) fn kill(&mut self) {
        self.0.kill().expect("it can be killed");
        self.0.wait().expect("it ends");
    }

    /// Returns whether the process has exited by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("it is ours").is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
