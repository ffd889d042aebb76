//! One cluster in one folder, from first start to stop.

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

use crate::{FetchError, Programs, Stopper, fetched::HearFetching, sockets, stopper};

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// No installed PostgreSQL was found, and there is none to download for this kind of computer.
    #[error("PostgreSQL is not installed; install the package `postgresql` and start again")]
    NotInstalled,
    /// No installed PostgreSQL was found, and none could be downloaded.
    #[error("PostgreSQL is not installed, and {0}; install PostgreSQL or try again")]
    NotFetched(#[from] FetchError),
    /// The folder belongs to another major version, whose programs are missing.
    #[error(
        "the database folder was made by PostgreSQL {folder}, which is not installed here; \
         install the package `postgresql-{folder}` and start again; nothing was changed"
    )]
    OtherMajorVersion {
        /// The folder's version as it stands in `PG_VERSION`.
        folder: String,
    },
    /// The folder cannot be used.
    #[error("the database folder cannot be used: {0}")]
    Folder(#[source] io::Error),
    /// We are root and may not become somebody else.
    #[error(
        "PostgreSQL does not run as root, and root may not become anybody else here; \
         run Limber as an ordinary user"
    )]
    Root,
    /// The cluster could not be made.
    #[error("the database could not be made: {0}")]
    Make(String),
    /// No port is free on this computer.
    #[error("the database finds no free port: {0}")]
    Port(#[source] io::Error),
    /// The server did not start.
    #[error("the database did not start: {0}")]
    Start(String),
    /// The server runs but does not do what we ask.
    #[error("the database does not answer: {0}")]
    Query(#[from] sqlx::Error),
}

/// A running cluster. Dropping it leaves the server running; see [`Cluster::stop`].
#[derive(Debug)]
pub struct Cluster {
    // Dropped by itself it would stop whatever server runs in the folder, also one that a later
    // start put there.
    server: ManuallyDrop<PostgreSQL>,
}

/// The slowest first start seen on a busy two-core machine was 9 s.
const PATIENCE: Duration = Duration::from_secs(60);

/// How programs reach a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// By a socket in its folder, which nobody but the folder's owner may enter: there is no port, so
    /// nobody else can knock, and nobody can take the server's place and be told the password.
    ///
    /// Windows knows no such folders to `PostgreSQL`; there it is as with [`Reach::Loopback`]. To be as safe
    /// there takes `scram-sha-256` on both sides, with a client that accepts nothing else.
    Folder,
    /// By a port of loopback and the password; for tests and tools that know ports only.
    Loopback,
}

impl Cluster {
    /// Starts the cluster that lives in `folder`, making it first when the folder is empty. A
    /// server that an earlier, killed owner left behind is stopped before. It is reached by
    /// [`Reach::Loopback`], on a port that is free at that moment and differs from start to start; the
    /// password stays, in `folder`, readable by its owner only.
    ///
    /// # Errors
    /// See [`PostgresError`]; an existing folder is never overwritten.
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
        Self::prepare(folder, Reach::Loopback, overrides, &|_| {}).await?.start().await
    }

    /// All that [`Self::start_with`] does before there is a server: whoever has to stop it, come what
    /// may, can get ready. Where PostgreSQL is not installed it is downloaded once, which `hear` hears.
    ///
    /// # Errors
    /// See [`PostgresError`].
    pub async fn prepare(
        folder: &Path,
        reach: Reach,
        overrides: HashMap<String, String>,
        hear: HearFetching<'_>,
    ) -> Result<Prepared, PostgresError> {
        private::own_folder(folder).map_err(PostgresError::Folder)?;
        let programs = Programs::for_folder(folder, hear).await?;
        Self::prepare_with(folder, programs, reach, overrides).await
    }

    pub(crate) async fn prepare_with(
        folder: &Path,
        programs: Programs,
        reach: Reach,
        overrides: HashMap<String, String>,
    ) -> Result<Prepared, PostgresError> {
        let settings = settings(folder, programs, overrides)?;
        let mut server = ManuallyDrop::new(PostgreSQL::new(settings));
        let is_new = !server.settings().data_dir.join("PG_VERSION").exists();
        server.setup().await.map_err(|error| PostgresError::Make(error.to_string()))?;
        if !is_new && server.settings().data_dir.join("postmaster.pid").exists() {
            // Fails when the file is stale, which PostgreSQL itself finds out when it starts.
            if let Err(error) = server.stop().await {
                tracing::debug!(%error, "the earlier database server was gone already");
            }
        }
        let mut settings = server.settings().clone();
        let sockets = match reach {
            Reach::Folder => {
                sockets::listen(folder, &mut settings).map_err(PostgresError::Folder)?
            }
            Reach::Loopback => None,
        };
        let mut port = None;
        if sockets.is_none() {
            let taken = port.insert(Port::take().map_err(PostgresError::Port)?);
            settings.port = taken.number;
        }
        Ok(Prepared { server: ManuallyDrop::new(PostgreSQL::new(settings)), port, sockets })
    }

    /// The address of one of its databases, password included.
    #[must_use]
    pub fn url(&self, database: &str) -> SecretString {
        self.server.settings().url(database).into()
    }

    /// Makes a database unless it is there.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn ensure_database(&self, name: &str) -> Result<(), PostgresError> {
        let failed = |error: postgresql_embedded::Error| PostgresError::Make(error.to_string());
        if !self.server.database_exists(name).await.map_err(failed)? {
            self.server.create_database(name).await.map_err(failed)?;
        }
        Ok(())
    }

    /// The process number of the server, as its own file says; for whoever watches it.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        stopper::running(&self.server.settings().data_dir).map(|server| server.process)
    }

    /// Asks the server whether it takes connections.
    ///
    /// # Errors
    /// When it does not.
    pub async fn check(&self) -> Result<(), PostgresError> {
        use sqlx::{Connection, PgConnection};
        let mut connection = PgConnection::connect(self.url("postgres").expose_secret()).await?;
        sqlx::query("select 1").execute(&mut connection).await?;
        connection.close().await?;
        Ok(())
    }

    /// Ends all connections and stops the server; what was committed is on disk.
    ///
    /// # Errors
    /// When the server does not stop in time.
    pub async fn stop(self) -> Result<(), PostgresError> {
        self.server.stop().await.map_err(|error| PostgresError::Start(error.to_string()))?;
        if let Some(sockets) = &self.server.settings().socket_dir {
            // empty by now; the next start makes it again
            let _ = fs::remove_dir(sockets);
            sockets::unlink(&self.server.settings().data_dir);
        }
        Ok(())
    }
}

/// A cluster whose server is about to be started.
#[derive(Debug)]
pub struct Prepared {
    server: ManuallyDrop<PostgreSQL>,
    /// `None`: it has none.
    port: Option<Port>,
    /// Where its clients find its socket, if it has one.
    sockets: Option<PathBuf>,
}

impl Prepared {
    /// What another process needs to stop the server, now or later.
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
    /// When it does not start.
    pub async fn start(mut self) -> Result<Cluster, PostgresError> {
        let started = self.server.start().await;
        // the server has it
        drop(self.port);
        started.map_err(|error| PostgresError::Start(error.to_string()))?;
        let settings = Settings { socket_dir: self.sockets, ..self.server.settings().clone() };
        Ok(Cluster { server: ManuallyDrop::new(PostgreSQL::new(settings)) })
    }
}

/// A free port, which nobody but the server gets as long as this lives.
#[derive(Debug)]
struct Port {
    number: u16,
    /// Nobody listens to it.
    _held: Option<TcpSocket>,
}

impl Port {
    fn take() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        // two may have a port that both are willing to share, until one listens there
        socket.set_reuseaddr(true)?;
        socket.bind(([127, 0, 0, 1], 0).into())?;
        let number = socket.local_addr()?.port();
        // elsewhere the server could not have it at the same time
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
            // The crate starts the server with `-F`; nothing a user made may hang on that.
            ("fsync", "on"),
            ("listen_addresses", "127.0.0.1"),
            ("unix_socket_directories", ""),
            ("max_connections", "100"),
            // A cluster for one person: small, quiet.
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
        timeout: Some(PATIENCE),
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
    reason = "a password nobody may ever repeat is drawn from the system, once per cluster"
)]
pub(crate) fn random_source() -> impl rand::Rng {
    rand::rng()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_not_written_into_a_file_that_somebody_left_there() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("password");
        fs::write(&path, "").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("opened");
        let held = fs::File::open(&path).expect("open");
        let password = remembered_password(folder.path()).expect("drawn");
        assert_eq!(io::read_to_string(held).expect("read"), "");
        assert_eq!(fs::read_to_string(&path).expect("there"), password.expose_secret());
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }
}
