//! A server of a test's own: to be frozen, killed, and to lose its last word.

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
};
use url::Url;

use super::{Place, TestDatabase, Work};
use crate::{Cluster, PostgresError};

/// How often a server is started over one that was killed, whose processes take a moment to go.
const STARTS: u32 = 600;
const PAUSE: Duration = Duration::from_millis(100);

/// A cluster with one database, whose address stays the same however often its server is started
/// again. Needs Linux, where a server's processes can be found.
#[derive(Debug)]
pub struct TestServer {
    folder: TempDir,
    cluster: Option<Box<Cluster>>,
    database: String,
    url: String,
    wire: Arc<Wire>,
}

/// Between whoever asks and the server.
#[derive(Debug)]
struct Wire {
    /// Where the server listens now; it moves with every start.
    behind: AtomicU16,
    loses_commit: AtomicBool,
}

/// A server that stands still until this is dropped.
#[derive(Debug)]
#[must_use = "it goes on when this is dropped"]
pub struct Frozen(Vec<u32>);

impl Drop for Frozen {
    fn drop(&mut self) {
        signal("CONT", &self.0);
    }
}

impl TestServer {
    /// Starts it, with an empty database of this name.
    ///
    /// # Errors
    /// When there is no PostgreSQL; tests let that fail them.
    pub async fn start(database: &str) -> Result<Self, PostgresError> {
        let folder = TempDir::with_prefix("limber-postgres-").map_err(PostgresError::Folder)?;
        let cluster = start_in(&folder).await?;
        cluster.ensure_database(database).await?;
        let mut url = address(&cluster, database)?;
        let behind = AtomicU16::new(url.port().unwrap_or_default());
        let wire = Arc::new(Wire { behind, loses_commit: AtomicBool::new(false) });
        let door = open_door(Arc::clone(&wire)).await.map_err(PostgresError::Port)?;
        let _ = url.set_port(Some(door));
        let cluster = Some(Box::new(cluster));
        Ok(Self { folder, cluster, database: database.to_owned(), url: url.into(), wire })
    }

    /// Its address, which stays.
    #[must_use]
    pub fn url(&self) -> SecretString {
        self.url.clone().into()
    }

    /// The database, for what takes one; it goes with the server and not before.
    #[must_use]
    pub fn database(&self) -> TestDatabase {
        TestDatabase { url: self.url.clone(), place: Place::Lent }
    }

    /// Stops all of its processes in the middle of whatever they do.
    pub fn freeze(&self) -> Frozen {
        let processes = self.processes();
        signal("STOP", &processes);
        Frozen(processes)
    }

    /// Ends all of its processes at once.
    pub fn kill(&self) {
        signal("KILL", &self.processes());
    }

    /// Starts it over what [`kill`](Self::kill) has left.
    ///
    /// # Errors
    /// When it does not come up in a minute.
    pub async fn start_again(&mut self) -> Result<(), PostgresError> {
        let mut left = STARTS;
        let cluster = loop {
            match start_in(&self.folder).await {
                Ok(cluster) => break cluster,
                Err(error) if left == 0 => return Err(error),
                Err(_) => left -= 1,
            }
            tokio::time::sleep(PAUSE).await;
        };
        let port = address(&cluster, &self.database)?.port().unwrap_or_default();
        self.wire.behind.store(port, SeqCst);
        self.cluster = Some(Box::new(cluster));
        Ok(())
    }

    /// The next `COMMIT` is done, and whoever sent it is not told so: the connection ends instead.
    pub fn lose_next_commit(&self) {
        self.wire.loses_commit.store(true, SeqCst);
    }

    /// The server, and whatever it has started; it starts nothing more once it stands still.
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
        // tests drop inside their runtime, where blocking is not allowed; another thread may
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
    // those that are gone by now need no signal
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

/// The second word after the name, which stands in brackets and may hold any.
fn parent_of(process: u32) -> Option<u32> {
    let line = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    line.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Passes connections on to where the server is at the moment.
async fn open_door(wire: Arc<Wire>) -> io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let port = listener.local_addr()?.port();
    tokio::spawn(async move {
        while let Ok((asker, _)) = listener.accept().await {
            // who is cut off sees it by itself
            tokio::spawn(carry(asker, Arc::clone(&wire)));
        }
    });
    Ok(port)
}

async fn carry(asker: TcpStream, wire: Arc<Wire>) -> io::Result<()> {
    let there = SocketAddr::from(([127, 0, 0, 1], wire.behind.load(SeqCst)));
    let (mut from_server, mut to_server) = TcpStream::connect(there).await?.into_split();
    let (mut from_asker, mut to_asker) = asker.into_split();
    let is_lost = AtomicBool::new(false);
    let asking = async {
        let mut bytes = vec![0; 16 << 10];
        loop {
            let length = from_asker.read(&mut bytes).await?;
            let asked = &bytes[..length];
            if asked.is_empty() {
                return Ok::<(), io::Error>(());
            }
            if asked.windows(6).any(|word| word == b"COMMIT")
                && wire.loses_commit.swap(false, SeqCst)
            {
                is_lost.store(true, SeqCst);
            }
            to_server.write_all(asked).await?;
        }
    };
    let answering = async {
        let mut bytes = vec![0; 16 << 10];
        loop {
            let length = from_server.read(&mut bytes).await?;
            if length == 0 || is_lost.load(SeqCst) {
                return Ok::<(), io::Error>(());
            }
            to_asker.write_all(&bytes[..length]).await?;
        }
    };
    tokio::select! { ended = asking => ended, ended = answering => ended }
}
