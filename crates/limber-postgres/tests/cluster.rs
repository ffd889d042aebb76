//! The life of a real cluster: first start, kill, version mismatch, stop.

use std::{collections::HashMap, fs, path::Path, process::Command, time::Duration};

use limber_postgres::{Cluster, ConnectVia, PostgresError, Prepared, TestDatabase};
use secrecy::ExposeSecret;
use sqlx::{Connection, PgConnection};

/// Time limit, longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(300);

/// Polls until there is an answer.
async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let answer = tokio::time::timeout(PATIENCE, asking).await;
    answer.unwrap_or_else(|_| panic!("timed out waiting until {what}"))
}

async fn prepare(folder: &Path) -> Prepared {
    Cluster::prepare(folder, ConnectVia::Folder, HashMap::new(), &|_| {})
        .await
        .expect("the path exists")
}

async fn write_and_count(cluster: &Cluster) -> i64 {
    let mut connection = PgConnection::connect(cluster.url("kept").expose_secret())
        .await
        .expect("the database accepts connections");
    sqlx::raw_sql("create table if not exists rows (n int); insert into rows values (1)")
        .execute(&mut connection)
        .await
        .expect("rows can be inserted");
    sqlx::query_scalar("select count(*) from rows")
        .fetch_one(&mut connection)
        .await
        .expect("rows can be counted")
}

#[tokio::test(flavor = "multi_thread")]
async fn committed_data_survives_a_stop_and_a_kill() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let cluster =
        Cluster::start(folder.path()).await.expect("the cluster starts in an empty folder");
    cluster.ensure_database("kept").await.expect("a database can be created");
    assert_eq!(write_and_count(&cluster).await, 1);
    cluster.stop().await.expect("the server stops");

    let prepared = prepare(folder.path()).await;
    let late = prepared.stopper();
    let cluster = prepared.start().await.expect("the cluster starts again");
    cluster.ensure_database("kept").await.expect("an existing database is kept");
    assert_eq!(write_and_count(&cluster).await, 2);
    let server = cluster.process_id().expect("a running server has a process id");
    // The owner is killed, and nothing stops the server. A second start takes over the folder.
    let cluster =
        Cluster::start(folder.path()).await.expect("the cluster replaces an orphaned server");
    assert!(
        !late.stop().expect("a stopped server needs no stop"),
        "the process is a different one"
    );
    assert_ne!(cluster.process_id(), Some(server), "the orphan was stopped");
    assert_eq!(write_and_count(&cluster).await, 3);

    // The server itself is killed and leaves a stale PID file.
    let server = cluster.process_id().expect("the server is running").to_string();
    let killed = Command::new("kill").args(["-9", &server]).status().expect("`kill` is available");
    assert!(killed.success());
    until("a killed server does not answer", async || cluster.check().await.err()).await;
    let (stopper, cluster) = until("the cluster starts despite a stale file", async || {
        let prepared = prepare(folder.path()).await;
        let stopper = prepared.stopper();
        assert!(!stopper.stop().expect("the process table can be read"), "there is no server yet");
        // The server's child processes take a moment to notice its end, and lock the folder until
        // then.
        let started = prepared.start().await.inspect_err(|error| println!("{error}"));
        started.ok().map(|cluster| (stopper, cluster))
    })
    .await;
    assert_eq!(write_and_count(&cluster).await, 4);

    // Another process stops the server.
    assert!(stopper.stop().expect("the cluster can be stopped"));
    until("the server has stopped", async || cluster.process_id().is_none().then_some(())).await;
    assert!(cluster.check().await.is_err(), "a stopped server does not answer");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn private_clusters_listen_only_on_a_socket_in_a_private_folder() {
    use std::os::unix::fs::PermissionsExt;
    // A path like this has to survive a shell and a list of folders.
    let place = tempfile::tempdir().expect("a temporary folder can be created");
    let folder = place.path().join("Ada's own, and Bob's");
    let cluster = prepare(&folder).await.start().await.expect("the server starts");
    cluster.ensure_database("kept").await.expect("a database can be created");
    assert_eq!(write_and_count(&cluster).await, 1);
    let url: url::Url = cluster.url("kept").expose_secret().parse().expect("the address is valid");
    let port = url.port().expect("the number in the name of the socket");
    let mode =
        |path: &Path| fs::metadata(path).expect("the path exists").permissions().mode() & 0o777;
    assert_eq!(mode(&folder.join("socket")), 0o700);
    assert!(folder.join(format!("socket/.s.PGSQL.{port}")).exists());
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "no port is open");
    assert!(std::net::TcpStream::connect(("::1", port)).is_err(), "no port is open");
    cluster.stop().await.expect("the server stops");
    assert!(!folder.join("socket").exists());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn sockets_are_elsewhere_if_the_path_of_the_folder_is_too_long() {
    let place = tempfile::tempdir().expect("a temporary folder can be created");
    let folder = place.path().join("x".repeat(120));
    let cluster = prepare(&folder).await.start().await.expect("the server starts");
    cluster.check().await.expect("the server responds");
    let elsewhere =
        fs::read_link(folder.join("socket")).expect("the URL contains the socket folder");
    cluster.stop().await.expect("the server stops");
    assert!(!elsewhere.exists() && fs::read_link(folder.join("socket")).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn data_folders_of_another_major_version_are_rejected_unchanged() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("a folder can be created");
    fs::write(data.join("PG_VERSION"), "9\n").expect("a file can be written");
    fs::write(data.join("precious"), "rows").expect("a file can be written");

    let error = Cluster::start(folder.path()).await.expect_err("version 9 is not installed");

    assert!(matches!(&error, PostgresError::OtherMajorVersion { folder } if folder == "9"));
    assert!(error.to_string().contains("postgresql-9"), "the error names the package");
    assert_eq!(fs::read_to_string(data.join("precious")).expect("the folder is unchanged"), "rows");
}

#[tokio::test(flavor = "multi_thread")]
async fn test_databases_are_empty_and_separate() {
    let first = TestDatabase::create("same").await.expect("a database can be created");
    let second = TestDatabase::create("same").await.expect("a second database can be created");
    assert_ne!(first.url(), second.url());
    for database in [&first, &second] {
        let mut connection =
            PgConnection::connect(database.url()).await.expect("the database accepts connections");
        sqlx::raw_sql("create table mine (n int)")
            .execute(&mut connection)
            .await
            .expect("no other test has created this table");
    }
}
