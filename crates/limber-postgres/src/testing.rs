//! Databases for tests, and servers that tests may break.

mod server;

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::mpsc,
    time::Duration,
};

use secrecy::{ExposeSecret, SecretString};
use sqlx::{AssertSqlSafe, Connection, PgConnection, migrate::Migrator};
use tempfile::TempDir;
use url::Url;

pub use server::{Frozen, TestServer};

use crate::{Cluster, PostgresError};

/// How long a test waits until its database is dropped.
///
/// PostgreSQL neither drops nor creates databases while a connection is being established anywhere
/// in the cluster. A connection that the test's own runtime was establishing when the test ended is
/// blocked by this very wait, and would hold up all tests for the minute after which the server
/// gives up on it; the end of the process ends it as well. If dropping takes longer than this, the
/// server finishes it on its own, or the database is left behind, which in a cluster that lasts for
/// one test run only costs disk space.
const DROP_TIMEOUT: Duration = Duration::from_millis(500);
/// Attempts to rename a template that is still in use. PostgreSQL waits five seconds in each.
const RENAME_ATTEMPTS: u32 = 12;

/// An empty database that is dropped together with this value.
///
/// If `LIMBER_TEST_POSTGRES` is set (to the URL of a cluster whose user may create databases, as
/// the test command does), it is created there; otherwise on its own cluster, which takes two
/// seconds.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Shared {
        admin_url: String,
        name: String,
    },
    Own {
        cluster: Option<Box<Cluster>>,
        _folder: TempDir,
    },
    /// Owned and stopped elsewhere.
    Borrowed,
}

impl TestDatabase {
    /// Creates an empty database whose name begins with `hint`.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not available, which should fail the test.
    pub async fn create(hint: &str) -> Result<Self, PostgresError> {
        match std::env::var("LIMBER_TEST_POSTGRES") {
            Ok(admin_url) => Self::on_shared_cluster(hint, admin_url, "template1").await,
            Err(_) => Self::on_own_cluster().await,
        }
    }

    /// Creates a database with the tables of `migrations`. Because migrating takes longer than most
    /// tests, the database is copied from a template, which the first caller creates by running
    /// `migrate` on an empty database. The template is kept, also for other processes. Without a
    /// shared cluster, the new database itself is migrated.
    ///
    /// # Errors
    ///
    /// As [`Self::create`], and any error of `migrate`.
    pub async fn create_migrated<E: From<PostgresError>>(
        hint: &str,
        migrations: &Migrator,
        migrate: impl AsyncFnOnce(SecretString) -> Result<(), E>,
    ) -> Result<Self, E> {
        let Ok(admin_url) = std::env::var("LIMBER_TEST_POSTGRES") else {
            let own = Self::on_own_cluster().await?;
            migrate(own.secret_url()).await?;
            return Ok(own);
        };
        let template = &template_name(hint, migrations);
        let mut admin = PgConnection::connect(&admin_url).await.map_err(PostgresError::from)?;
        let lock = sqlx::query("select pg_advisory_lock(hashtext($1))").bind(template);
        lock.execute(&mut admin).await.map_err(PostgresError::from)?;
        let found = sqlx::query("select 1 from pg_database where datname = $1").bind(template);
        if found.fetch_optional(&mut admin).await.map_err(PostgresError::from)?.is_none() {
            let half = Self::on_shared_cluster(hint, admin_url.clone(), "template1").await?;
            migrate(half.secret_url()).await?;
            // Renamed last, so that a template whose creation was killed half-way never has this
            // name.
            half.rename(&mut admin, template).await?;
        }
        // Closing the connection releases the lock.
        admin.close().await.map_err(PostgresError::from)?;
        Ok(Self::on_shared_cluster(hint, admin_url, template).await?)
    }

    /// Renames the database, which from then on is kept.
    async fn rename(self, admin: &mut PgConnection, to: &str) -> Result<(), PostgresError> {
        if let Place::Shared { name, .. } = &self.place {
            let statement = format!("alter database \"{name}\" rename to \"{to}\"");
            for left in (0..RENAME_ATTEMPTS).rev() {
                let query = sqlx::query(AssertSqlSafe(statement.clone()));
                match query.execute(&mut *admin).await {
                    // The connection that migrated it is about to close.
                    Err(error) if left > 0 && is_in_use(&error) => {}
                    named => return Ok(named.map(drop)?),
                }
            }
        }
        Ok(())
    }

    async fn on_shared_cluster(
        hint: &str,
        admin_url: String,
        template: &str,
    ) -> Result<Self, PostgresError> {
        let unique = TempDir::with_prefix("db-").map_err(PostgresError::Folder)?;
        let suffix: String = unique
            .path()
            .file_name()
            .map(|name| {
                name.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect()
            })
            .unwrap_or_default();
        let name = format!("{hint}_{}_{suffix}", std::process::id()).to_lowercase();
        let mut admin = PgConnection::connect(&admin_url).await?;
        let statement = format!("create database \"{name}\" template \"{template}\"");
        sqlx::query(AssertSqlSafe(statement)).execute(&mut admin).await?;
        admin.close().await?;
        let mut url =
            Url::parse(&admin_url).map_err(|error| PostgresError::Start(error.to_string()))?;
        url.set_path(&name);
        Ok(Self { url: url.into(), place: Place::Shared { admin_url, name } })
    }

    async fn on_own_cluster() -> Result<Self, PostgresError> {
        let folder = TempDir::with_prefix("limber-postgres-").map_err(PostgresError::Folder)?;
        let quick = HashMap::from([("fsync".to_owned(), "off".to_owned())]);
        let cluster = Cluster::start_with(folder.path(), quick).await?;
        cluster.ensure_database("test").await?;
        let url = cluster.url("test").expose_secret().to_owned();
        Ok(Self { url, place: Place::Own { cluster: Some(Box::new(cluster)), _folder: folder } })
    }

    /// Returns the database's URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the database's URL as a secret, as the services expect it.
    #[must_use]
    pub fn secret_url(&self) -> SecretString {
        self.url.clone().into()
    }
}

/// Tells whether the operation failed because there are connections to the database.
fn is_in_use(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("55006"))
}

/// Returns the template's name, which contains a hash of all migrations.
fn template_name(hint: &str, migrations: &Migrator) -> String {
    let mut contents = DefaultHasher::new();
    for migration in migrations.iter() {
        migration.checksum.hash(&mut contents);
    }
    format!("{hint}_template_{:x}", contents.finish())
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // Values are dropped inside the test's runtime, where blocking is not allowed; another
        // thread may block.
        let (work, patience) = match &mut self.place {
            Place::Shared { admin_url, name } => {
                (Work::Drop(admin_url.clone(), name.clone()), DROP_TIMEOUT)
            }
            Place::Own { cluster, .. } => (Work::Stop(cluster.take()), Duration::MAX),
            Place::Borrowed => return,
        };
        let (done, is_done) = mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let _ = runtime.map(|runtime| runtime.block_on(work.run()));
            // There is no receiver if waiting was given up.
            let _ = done.send(());
        });
        let _ = is_done.recv_timeout(patience);
    }
}

enum Work {
    Drop(String, String),
    Stop(Option<Box<Cluster>>),
}

impl Work {
    async fn run(self) -> Result<(), PostgresError> {
        match self {
            Self::Drop(admin_url, name) => {
                let mut admin = PgConnection::connect(&admin_url).await?;
                let statement = format!("drop database if exists \"{name}\" with (force)");
                sqlx::query(AssertSqlSafe(statement)).execute(&mut admin).await?;
                admin.close().await?;
                Ok(())
            }
            Self::Stop(Some(cluster)) => cluster.stop().await,
            Self::Stop(None) => Ok(()),
        }
    }
}
