//! A cluster in a folder, from its first start to its shutdown.

use std::{
    collections::HashMap,
    fs, io,
    mem::ManuallyDrop,
    path::{Path, PathBuf},
    time::Duration,
};

use limber_system::private;
use postgresql_embedded::{PostgreSQL, Settings};
use rand::RngExt;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpSocket;

use crate::{FetchError, Programs, Stopper, fetched::OnDownloadProgress, sockets, stopper};

/// Why a database is not available.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// PostgreSQL is not installed, and there is no download for this platform.
    #[error("PostgreSQL is not installed; install the package `postgresql` and start again")]
    NotInstalled,
    /// PostgreSQL is not installed and could not be downloaded.
    #[error(
        "PostgreSQL is not installed and could not be downloaded: {0}; install PostgreSQL or try \
         again"
    )]
    NotFetched(#[from] FetchError),
    /// The data folder belongs to another major version, whose programs are missing.
    #[error(
        "the database folder was created by PostgreSQL {folder}, which is not installed; install \
         the package `postgresql-{folder}` and start again; nothing was changed"
    )]
    OtherMajorVersion {
        /// The folder's version, as given in `PG_VERSION`.
        folder: String,
    },
    /// The folder cannot be used.
    #[error("the database folder cannot be used: {0}")]
    Folder(#[source] io::Error),
    /// The process runs as root and is not permitted to switch to another user.
    #[error(
        "PostgreSQL does not run as root, and root cannot switch to another user here; run Limber \
         as an ordinary user"
    )]
    Root,
    /// The cluster or a database could not be created.
    #[error("the database could not be created: {0}")]
    Make(String),
    /// No port could be reserved.
    #[error("no free port was found for the database: {0}")]
    Port(#[source] io::Error),
    /// The server did not start.
    #[error("the database did not start: {0}")]
    Start(String),
    /// The server is running but a query failed.
    #[error("a database query failed: {0}")]
    Query(#[from] sqlx::Error),
}

/// A running cluster. Dropping it leaves the server running; see [`Cluster::stop`].
#[derive(Debug)]
pub struct Cluster {
    // Dropping this value would stop whatever server runs in the folder, including one that was
    // started later.
    server: ManuallyDrop<PostgreSQL>,
}

/// Time limit for starting a server. The slowest first start observed on a busy two-core machine
/// took 9 s.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How clients connect to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectVia {
    /// Through a Unix socket in the cluster's folder, which only the folder's owner may enter.
    /// There is no port, so no one else can connect, and no one can impersonate the server to learn
    /// the password.
    ///
    /// On Windows, PostgreSQL is not set up to use such sockets, and this is the same as
    /// [`ConnectVia::Loopback`]. Equal protection there would require `scram-sha-256` on both
    /// sides, with a client that accepts nothing else.
    Folder,
    /// Through a loopback port with a password; for tests, and for tools that support only ports.
    Loopback,
}

impl Cluster {
    /// Starts the cluster in `folder`, creating it first if the folder is empty. A server left
    /// behind by an earlier owner that was killed is stopped first. Clients connect through
    /// [`ConnectVia::Loopback`], on a free port that differs from start to start. The password is
    /// kept in `folder`, readable only by its owner.
    ///
    /// # Errors
    ///
    /// See [`PostgresError`]. An existing folder is never overwritten.
    pub async fn start(folder: &Path) -> Result<Self, PostgresError> {
        Self::start_with(folder, HashMap::new()).await
    }

    /// Like [`Self::start`], with settings that override ours.
    ///
    /// # Errors
    /// See [`PostgresError`].
    pub async fn start_with(
        folder: &Path,
        overrides: HashMap<String, String>,
    ) -> Result<Self, PostgresError> {
        Self::prepare(folder, ConnectVia::Loopback, overrides, &|_| {}).await?.start().await
    }

    /// Does everything that [`Self::start_with`] does before the server starts, so that a caller
    /// who must be able to stop the server under all circumstances can prepare for that. If
    /// PostgreSQL is not installed, it is downloaded once; `on_progress` receives the progress.
    ///
    /// # Errors
    ///
    /// See [`PostgresError`].
    pub async fn prepare(
        folder: &Path,
        via: ConnectVia,
        overrides: HashMap<String, String>,
        on_progress: OnDownloadProgress<'_>,
    ) -> Result<Prepared, PostgresError> {
        private::own_folder(folder).map_err(PostgresError::Folder)?;
        let programs = Programs::for_folder(folder, on_progress).await?;
        Self::prepare_with(folder, programs, via, overrides).await
    }

    pub(crate) async fn prepare_with(
        folder: &Path,
        programs: Programs,
        via: ConnectVia,
        overrides: HashMap<String, String>,
    ) -> Result<Prepared, PostgresError> {
        let settings = settings(folder, programs, overrides)?;
        let mut server = ManuallyDrop::new(PostgreSQL::new(settings));
        let is_new = !server.settings().data_dir.join("PG_VERSION").exists();
        server.setup().await.map_err(|error| PostgresError::Make(error.to_string()))?;
        if !is_new && server.settings().data_dir.join("postmaster.pid").exists() {
            // Fails if the PID file is stale, which PostgreSQL itself detects when it starts.
            if let Err(error) = server.stop().await {
                tracing::debug!(%error, "the previous database server had already stopped");
            }
        }
        let mut settings = server.settings().clone();
        let sockets = match via {
            ConnectVia::Folder => {
                sockets::listen(folder, &mut settings).map_err(PostgresError::Folder)?
            }
            ConnectVia::Loopback => None,
        };
        let mut port = None;
        if sockets.is_none() {
            let taken = port.insert(Port::take().map_err(PostgresError::Port)?);
            settings.port = taken.number;
        }
        Ok(Prepared { server: ManuallyDrop::new(PostgreSQL::new(settings)), port, sockets })
    }

    /// Returns the URL of a database in this cluster, including the password.
    #[must_use]
    pub fn url(&self, database: &str) -> SecretString {
        self.server.settings().url(database).into()
    }

    /// Creates a database unless it exists.
    ///
    /// # Errors
    ///
    /// If the server does not answer or refuses.
    pub async fn ensure_database(&self, name: &str) -> Result<(), PostgresError> {
        let failed = |error: postgresql_embedded::Error| PostgresError::Make(error.to_string());
        if !self.server.database_exists(name).await.map_err(failed)? {
            self.server.create_database(name).await.map_err(failed)?;
        }
        Ok(())
    }

    /// Returns the server's process ID, as recorded in its PID file, for monitoring.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        stopper::running(&self.server.settings().data_dir).map(|server| server.process)
    }

    /// Checks that the server accepts connections.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub async fn check(&self) -> Result<(), PostgresError> {
        use sqlx::{Connection, PgConnection};
        let mut connection = PgConnection::connect(self.url("postgres").expose_secret()).await?;
        sqlx::query("select 1").execute(&mut connection).await?;
        connection.close().await?;
        Ok(())
    }

    /// Ends all connections and stops the server. All committed data is on disk.
    ///
    /// # Errors
    ///
    /// If the server does not stop in time.
    pub async fn stop(self) -> Result<(), PostgresError> {
        self.server.stop().await.map_err(|error| PostgresError::Start(error.to_string()))?;
        if let Some(sockets) = &self.server.settings().socket_dir {
            // The folder is empty by now; the next start creates it again.
            let _ = fs::remove_dir(sockets);
            sockets::unlink(&self.server.settings().data_dir);
        }
        Ok(())
    }
}

/// A cluster that is ready to be started.
#[derive(Debug)]
pub struct Prepared {
    server: ManuallyDrop<PostgreSQL>,
    /// The reserved port. `None` if the server listens on a socket only.
    port: Option<Port>,
    /// The folder of the server's socket, if it has one.
    sockets: Option<PathBuf>,
}

impl Prepared {
    /// Returns what another process needs to stop the server, now or later.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        let settings = self.server.settings();
        let pg_ctl =
            settings.binary_dir().join("pg_ctl").with_extension(std::env::consts::EXE_EXTENSION);
        Stopper { pg_ctl, data: settings.data_dir.clone(), port: settings.port }
    }

    /// Starts the server.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn start(mut self) -> Result<Cluster, PostgresError> {
        let started = self.server.start().await;
        // The server is using the port by now.
        drop(self.port);
        started.map_err(|error| PostgresError::Start(error.to_string()))?;
        let settings = Settings { socket_dir: self.sockets, ..self.server.settings().clone() };
        Ok(Cluster { server: ManuallyDrop::new(PostgreSQL::new(settings)) })
    }
}

/// A free port, reserved for the server for the lifetime of this value.
#[derive(Debug)]
struct Port {
    number: u16,
    /// Bound but not listening.
    _held: Option<TcpSocket>,
}

impl Port {
    fn take() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        // With `SO_REUSEADDR` on both sides, the server can bind the same port, as long as nothing
        // else listens on it.
        socket.set_reuseaddr(true)?;
        socket.bind(([127, 0, 0, 1], 0).into())?;
        let number = socket.local_addr()?.port();
        // On other systems, the server could not bind the port while it is held.
        Ok(Self { number, _held: cfg!(target_os = "linux").then_some(socket) })
    }
}

fn settings(
    folder: &Path,
    programs: Programs,
    overrides: HashMap<String, String>,
) -> Result<Settings, PostgresError> {
    let password = remembered_password(folder).map_err(PostgresError::Folder)?;
    let mut configuration = HashMap::from(
        [
            // `postgresql_embedded` starts the server with `-F` (no fsync), which would put user
            // data at risk.
            ("fsync", "on"),
            ("listen_addresses", "127.0.0.1"),
            ("unix_socket_directories", ""),
            ("max_connections", "100"),
            // Tuned for a single user: small and quiet.
            ("shared_buffers", "32MB"),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned())),
    );
    configuration.extend(overrides);
    Ok(Settings {
        trust_installation_dir: true,
        installation_dir: programs.installation,
        password_file: folder.join("password"),
        password: password.expose_secret().to_owned(),
        data_dir: folder.join("data"),
        host: "127.0.0.1".to_owned(),
        port: 0,
        temporary: false,
        timeout: Some(START_TIMEOUT),
        configuration,
        ..Settings::new()
    })
}

fn remembered_password(folder: &Path) -> io::Result<SecretString> {
    let path: PathBuf = folder.join("password");
    if let Ok(password) = fs::read_to_string(&path)
        && !password.is_empty()
    {
        return Ok(password.into());
    }
    let mut chance = random_source();
    let letters = b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let password: String =
        (0..32).map(|_| char::from(letters[chance.random_range(0..letters.len())])).collect();
    private::write(&path, password.as_bytes())?;
    Ok(password.into())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the password has to be unpredictable, so it comes from the operating system"
)]
pub(crate) fn random_source() -> impl rand::Rng {
    rand::rng()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_not_written_into_an_existing_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let path = folder.path().join("password");
        fs::write(&path, "").expect("the file can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666))
            .expect("the permissions can be changed");
        let held = fs::File::open(&path).expect("the file can be opened");
        let password = remembered_password(folder.path()).expect("the password can be created");
        assert_eq!(io::read_to_string(held).expect("the file can be read"), "");
        assert_eq!(
            fs::read_to_string(&path).expect("the file can be read"),
            password.expose_secret()
        );
        assert_eq!(
            fs::metadata(&path).expect("the file exists").permissions().mode() & 0o777,
            0o600
        );
    }
}
