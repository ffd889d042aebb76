//! A server for a single test, which can be frozen at any time or right after a commit, killed, and
//! made to lose the confirmation of a commit.

use std::{
    collections::HashMap,
    fs, io,
    net::SocketAddr,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU16, Ordering::SeqCst},
        mpsc,
    },
    time::Duration,
};

use secrecy::{ExposeSecret, SecretString};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};
use url::Url;

use super::{Place, TestDatabase, Work};
use crate::{Cluster, PostgresError};

/// Maximum number of attempts to start a server after it was killed, while its old processes
/// disappear.
const START_ATTEMPTS: u32 = 600;
const PAUSE: Duration = Duration::from_millis(100);

/// A cluster with one database, whose URL stays the same however often the server is restarted.
/// Requires Linux, where a server's processes can be enumerated.
#[derive(Debug)]
pub struct TestServer {
    folder: TempDir,
    cluster: Option<Box<Cluster>>,
    database: String,
    url: String,
    proxy: Arc<TcpProxy>,
}

/// A TCP proxy between clients and the server.
#[derive(Debug)]
struct TcpProxy {
    /// The server's current port, which changes with every start.
    behind: AtomicU16,
    loses_commit: AtomicBool,
    freezes_after_commit: AtomicBool,
    /// Whether requests are held back, as in the buffers of a server that hangs.
    is_frozen: watch::Sender<bool>,
}

/// A frozen server, which resumes when this value is dropped.
#[derive(Debug)]
#[must_use = "the server resumes when this is dropped"]
pub struct Frozen(Vec<u32>);

impl Drop for Frozen {
    fn drop(&mut self) {
        signal("CONT", &self.0);
    }
}

impl TestServer {
    /// Starts a server with an empty database of this name.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, which should fail the test.
    pub async fn start(database: &str) -> Result<Self, PostgresError> {
        let folder = TempDir::with_prefix("limber-postgres-").map_err(PostgresError::Folder)?;
        let cluster = start_in(&folder).await?;
        cluster.ensure_database(database).await?;
        let mut url = address(&cluster, database)?;
        let behind = AtomicU16::new(url.port().unwrap_or_default());
        let proxy = Arc::new(TcpProxy {
            behind,
            loses_commit: AtomicBool::new(false),
            freezes_after_commit: AtomicBool::new(false),
            is_frozen: watch::Sender::new(false),
        });
        let port = start_proxy(Arc::clone(&proxy)).await.map_err(PostgresError::Port)?;
        let _ = url.set_port(Some(port));
        let cluster = Some(Box::new(cluster));
        Ok(Self { folder, cluster, database: database.to_owned(), url: url.into(), proxy })
    }

    /// Returns the database's URL, which stays the same after a restart.
    #[must_use]
    pub fn url(&self) -> SecretString {
        self.url.clone().into()
    }

    /// Returns the database as a [`TestDatabase`], which lasts as long as the server.
    #[must_use]
    pub fn database(&self) -> TestDatabase {
        TestDatabase { url: self.url.clone(), place: Place::Borrowed }
    }

    /// Stops all of the server's processes with SIGSTOP, whatever they are doing.
    pub fn freeze(&self) -> Frozen {
        let processes = self.processes();
        signal("STOP", &processes);
        Frozen(processes)
    }

    /// Kills all of the server's processes with SIGKILL.
    pub fn kill(&self) {
        signal("KILL", &self.processes());
    }

    /// Restarts the server after [`kill`](Self::kill).
    ///
    /// # Errors
    ///
    /// If it does not start within a minute.
    pub async fn start_again(&mut self) -> Result<(), PostgresError> {
        let mut left = START_ATTEMPTS;
        let cluster = loop {
            match start_in(&self.folder).await {
                Ok(cluster) => break cluster,
                Err(error) if left == 0 => return Err(error),
                Err(_) => left -= 1,
            }
            tokio::time::sleep(PAUSE).await;
        };
        let port = address(&cluster, &self.database)?.port().unwrap_or_default();
        self.proxy.behind.store(port, SeqCst);
        self.cluster = Some(Box::new(cluster));
        Ok(())
    }

    /// Executes the next `COMMIT` without confirming it: the client's connection is closed instead.
    pub fn lose_next_commit(&self) {
        self.proxy.loses_commit.store(true, SeqCst);
    }

    /// Executes and confirms the next `COMMIT`, then holds back everything that clients send until
    /// [`thaw`](Self::thaw).
    pub fn freeze_after_next_commit(&self) {
        self.proxy.freezes_after_commit.store(true, SeqCst);
    }

    /// Passes on what was held back since
    /// [`freeze_after_next_commit`](Self::freeze_after_next_commit).
    pub fn thaw(&self) {
        self.proxy.is_frozen.send_replace(false);
    }

    /// Returns the processes of the server, which is stopped first so that it starts no further
    /// ones.
    fn processes(&self) -> Vec<u32> {
        let server = self.cluster.as_ref().and_then(|cluster| cluster.process_id());
        let Some(server) = server else { return Vec::new() };
        signal("STOP", &[server]);
        let mut processes = children_of(server);
        processes.push(server);
        processes
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let work = Work::Stop(self.cluster.take());
        let (done, is_done) = mpsc::channel();
        // Values are dropped inside the test's runtime, where blocking is not allowed; another
        // thread may block.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let _ = runtime.map(|runtime| runtime.block_on(work.run()));
            let _ = done.send(());
        });
        let _ = is_done.recv();
    }
}

async fn start_in(folder: &TempDir) -> Result<Cluster, PostgresError> {
    let quick = HashMap::from([("fsync".to_owned(), "off".to_owned())]);
    Cluster::start_with(folder.path(), quick).await
}

fn address(cluster: &Cluster, database: &str) -> Result<Url, PostgresError> {
    let url = cluster.url(database);
    Url::parse(url.expose_secret()).map_err(|error| PostgresError::Start(error.to_string()))
}

fn signal(name: &str, processes: &[u32]) {
    if processes.is_empty() {
        return;
    }
    // Processes that have exited by now need no signal.
    let _ = Command::new("kill")
        .arg(format!("-{name}"))
        .args(processes.iter().map(ToString::to_string))
        .status();
}

fn children_of(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| parent_of(*number) == Some(parent)).collect()
}

/// Returns the parent process, which is the second word after the name. The name is in parentheses
/// and may contain any characters.
fn parent_of(process: u32) -> Option<u32> {
    let line = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    line.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Starts a proxy that forwards connections to the server's current port. Returns the proxy's own
/// port.
async fn start_proxy(proxy: Arc<TcpProxy>) -> io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let port = listener.local_addr()?.port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            // A client notices when its connection breaks.
            tokio::spawn(forward(client, Arc::clone(&proxy)));
        }
    });
    Ok(port)
}

async fn forward(client: TcpStream, proxy: Arc<TcpProxy>) -> io::Result<()> {
    let there = SocketAddr::from(([127, 0, 0, 1], proxy.behind.load(SeqCst)));
    let (mut from_server, mut to_server) = TcpStream::connect(there).await?.into_split();
    let (mut from_client, mut to_client) = client.into_split();
    let is_lost = AtomicBool::new(false);
    let mut is_frozen = proxy.is_frozen.subscribe();
    let asking = async {
        let mut bytes = vec![0; 16 << 10];
        loop {
            let length = from_client.read(&mut bytes).await?;
            let asked = &bytes[..length];
            if asked.is_empty() {
                return Ok::<(), io::Error>(());
            }
            // The sender lives as long as the proxy, which is borrowed here.
            let _ = is_frozen.wait_for(|is_frozen| !is_frozen).await;
            let commits = asked.windows(6).any(|word| word == b"COMMIT");
            if commits && proxy.loses_commit.swap(false, SeqCst) {
                is_lost.store(true, SeqCst);
            }
            to_server.write_all(asked).await?;
            if commits && proxy.freezes_after_commit.swap(false, SeqCst) {
                proxy.is_frozen.send_replace(true);
            }
        }
    };
    let answering = async {
        let mut bytes = vec![0; 16 << 10];
        loop {
            let length = from_server.read(&mut bytes).await?;
            if length == 0 || is_lost.load(SeqCst) {
                return Ok::<(), io::Error>(());
            }
            to_client.write_all(&bytes[..length]).await?;
        }
    };
    tokio::select! { ended = asking => ended, ended = answering => ended }
}
