//! An empty database for each test.

use std::collections::HashMap;

use secrecy::{ExposeSecret, SecretString};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use url::Url;

use crate::{Cluster, PostgresError};

/// An empty database that is gone when the value is dropped.
///
/// With `LIMBER_TEST_POSTGRES` (the address of a cluster whose user may make databases, as the
/// test command sets it) it is made there; without it, on a cluster of its own, which takes two
/// seconds.
#[derive(Debug)]
pub struct TestDatabase {
    url: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Shared { admin_url: String, name: String },
    Own { cluster: Option<Box<Cluster>>, _folder: TempDir },
}

impl TestDatabase {
    /// Makes an empty database whose name begins with `hint`.
    ///
    /// # Errors
    /// When there is no PostgreSQL; tests let that fail them.
    pub async fn create(hint: &str) -> Result<Self, PostgresError> {
        match std::env::var("LIMBER_TEST_POSTGRES") {
            Ok(admin_url) => Self::on_shared_cluster(hint, admin_url).await,
            Err(_) => Self::on_own_cluster().await,
        }
    }

    async fn on_shared_cluster(hint: &str, admin_url: String) -> Result<Self, PostgresError> {
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
        sqlx::query(AssertSqlSafe(format!("create database \"{name}\"")))
            .execute(&mut admin)
            .await?;
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

    /// The database's address.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The database's address, wrapped as the services want it.
    #[must_use]
    pub fn secret_url(&self) -> SecretString {
        self.url.clone().into()
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // Tests drop inside their runtime, where blocking is not allowed; another thread may.
        let work = match &mut self.place {
            Place::Shared { admin_url, name } => Work::Drop(admin_url.clone(), name.clone()),
            Place::Own { cluster, .. } => Work::Stop(cluster.take()),
        };
        let done = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map(|runtime| runtime.block_on(work.run()))
        });
        if !matches!(done.join(), Ok(Ok(Ok(())))) {
            tracing::warn!("a test database was left behind");
        }
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
