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
    answer.unwrap_or_else(|_| panic!("waited too long until {what}"))
}

async fn prepare(folder: &Path) -> Prepared {
    Cluster::prepare(folder, ConnectVia::Folder, HashMap::new(), &|_| {})
        .await
        .expect("it is there")
}

async fn write_and_count(cluster: &Cluster) -> i64 {
    let mut connection = PgConnection::connect(cluster.url("kept").expose_secret())
        .await
        .expect("the database takes connections");
    sqlx::raw_sql("create table if not exists rows (n int); insert into rows values (1)")
        .execute(&mut connection)
        .await
        .expect("it takes rows");
    sqlx::query_scalar("select count(*) from rows")
        .fetch_one(&mut connection)
        .await
        .expect("it counts rows")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_committed_survives_a_stop_and_a_kill() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let cluster = Cluster::start(folder.path()).await.expect("it starts in an empty folder");
    cluster.ensure_database("kept").await.expect("it makes a database");
    assert_eq!(write_and_count(&cluster).await, 1);
    cluster.stop().await.expect("it stops");

    let prepared = prepare(folder.path()).await;
    let late = prepared.stopper();
    let cluster = prepared.start().await.expect("it starts again");
    cluster.ensure_database("kept").await.expect("a database that is there stays");
    assert_eq!(write_and_count(&cluster).await, 2);
    let server = cluster.process_id().expect("a running server has a process number");
    // The owner is killed, and nobody stops the server. A second start takes the folder over.
    let cluster = Cluster::start(folder.path()).await.expect("it takes over from an orphan");
    assert!(!late.stop().expect("a server that is gone needs no stop"), "it is another one");
    assert_ne!(cluster.process_id(), Some(server), "the orphan was stopped");
    assert_eq!(write_and_count(&cluster).await, 3);

    // The server itself is killed and leaves a stale PID file.
    let server = cluster.process_id().expect("it runs").to_string();
    let killed = Command::new("kill").args(["-9", &server]).status().expect("kill is there");
    assert!(killed.success());
    until("a killed server does not answer", async || cluster.check().await.err()).await;
    let (stopper, cluster) = until("it starts over a stale file", async || {
        let prepared = prepare(folder.path()).await;
        let stopper = prepared.stopper();
        assert!(!stopper.stop().expect("it looked"), "there is none yet");
        // The server's child processes take a moment to notice its end, and lock the folder until
        // then.
        let started = prepared.start().await.inspect_err(|error| println!("{error}"));
        started.ok().map(|cluster| (stopper, cluster))
    })
    .await;
    assert_eq!(write_and_count(&cluster).await, 4);

    // Another process stops the server.
    assert!(stopper.stop().expect("it can be stopped"));
    until("it has stopped", async || cluster.process_id().is_none().then_some(())).await;
    assert!(cluster.check().await.is_err(), "a stopped server does not answer");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_private_cluster_is_reached_by_a_socket_in_a_closed_folder_and_by_nothing_else() {
    use std::os::unix::fs::PermissionsExt;
    // A path like this has to survive a shell and a list of folders.
    let place = tempfile::tempdir().expect("there is room for a folder");
    let folder = place.path().join("Ada's own, and Bob's");
    let cluster = prepare(&folder).await.start().await.expect("it starts");
    cluster.ensure_database("kept").await.expect("it makes a database");
    assert_eq!(write_and_count(&cluster).await, 1);
    let url: url::Url = cluster.url("kept").expose_secret().parse().expect("an address");
    let port = url.port().expect("the number of its socket");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&folder.join("socket")), 0o700);
    assert!(folder.join(format!("socket/.s.PGSQL.{port}")).exists());
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "there is no port");
    assert!(std::net::TcpStream::connect(("::1", port)).is_err(), "there is no port");
    cluster.stop().await.expect("it stops");
    assert!(!folder.join("socket").exists());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_whose_name_is_too_long_for_sockets_has_its_socket_elsewhere() {
    let place = tempfile::tempdir().expect("there is room for a folder");
    let folder = place.path().join("x".repeat(120));
    let cluster = prepare(&folder).await.start().await.expect("it starts");
    cluster.check().await.expect("it answers");
    let elsewhere = fs::read_link(folder.join("socket")).expect("it says where");
    cluster.stop().await.expect("it stops");
    assert!(!elsewhere.exists() && fs::read_link(folder.join("socket")).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_another_major_version_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("the folder takes a folder");
    fs::write(data.join("PG_VERSION"), "9\n").expect("the folder takes a file");
    fs::write(data.join("precious"), "rows").expect("the folder takes a file");

    let error = Cluster::start(folder.path()).await.expect_err("version 9 is not installed");

    assert!(matches!(&error, PostgresError::OtherMajorVersion { folder } if folder == "9"));
    assert!(error.to_string().contains("postgresql-9"), "it says which package to install");
    assert_eq!(fs::read_to_string(data.join("precious")).expect("it is still there"), "rows");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_test_database_is_empty_and_its_own() {
    let first = TestDatabase::create("same").await.expect("a database can be made");
    let second = TestDatabase::create("same").await.expect("another can be made");
    assert_ne!(first.url(), second.url());
    for database in [&first, &second] {
        let mut connection =
            PgConnection::connect(database.url()).await.expect("it takes connections");
        sqlx::raw_sql("create table mine (n int)")
            .execute(&mut connection)
            .await
            .expect("no other test has made this table");
    }
}
