//! Tests against a local server that hands out complete, broken and wrong archives.

use std::{
    collections::HashMap,
    io::{Read, Write},
    net::TcpListener,
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use flate2::{Compression, write::GzEncoder};

use super::*;
use crate::{Cluster, ConnectVia, PostgresError, Programs};

/// Returns an archive of scripts that run the installed programs.
fn archive_of(programs: &Programs) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for name in ["postgres", "initdb", "pg_ctl"] {
        let real = programs.installation.join("bin").join(name);
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", real.display());
        let mut header = tar::Header::new_gnu();
        header.set_size(script.len() as u64);
        header.set_mode(0o755);
        header.set_cksum();
        let path = format!("programs/bin/{name}");
        tar.append_data(&mut header, path, script.as_bytes()).expect("the archive can be written");
    }
    tar.into_inner()
        .expect("the archive is complete")
        .finish()
        .expect("the archive can be compressed")
}

/// Serves these bytes to every request, with a `Content-Length` of `of`. Returns the URL and a
/// request counter.
fn serve(bytes: Vec<u8>, of: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is available");
    let address = format!(
        "http://{}/programs.tar.gz",
        listener.local_addr().expect("the socket has an address")
    );
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]);
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {of}\r\nconnection: close\r\n\r\n");
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
        }
    });
    (address, asked)
}

fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn archive(major: u32, address: String, sha256: String) -> Archive {
    // Every test calls this; only the first call has an effect.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (version, root) = ("1.2.3".to_owned(), "programs".to_owned());
    Archive { major, version, address, sha256, root, room_bytes: 0 }
}

fn installed() -> Programs {
    Programs::find(None).expect("PostgreSQL is installed for tests")
}

/// Chooses the programs as on a computer without PostgreSQL.
async fn start_with(folder: &Path, archive: &Archive) -> Result<Programs, PostgresError> {
    Programs::chosen(folder, |_| None, Some(archive.clone()), &|_| {}).await
}

/// Asserts that no unusable download is left. The folder for downloads may exist but must be empty.
fn check_nothing_is_left(folder: &Path) {
    let left = fs::read_dir(folder.join("downloaded")).into_iter().flatten().flatten();
    let left: Vec<_> = left.map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_download_of_the_first_start_is_reused_at_the_second() {
    let bytes = archive_of(&installed());
    let (sha256, length) = (sha256_of(&bytes), bytes.len());
    let (address, asked) = serve(bytes, length);
    let archive = archive(installed().major(), address, sha256);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let reported = Mutex::new(Vec::new());
    let on_progress = |progress| reported.lock().expect("the mutex is not poisoned").push(progress);
    for start in ["first", "second"] {
        let programs =
            Programs::chosen(folder.path(), |_| None, Some(archive.clone()), &on_progress).await;
        let runnable = programs.and_then(|p| p.for_this_user(&folder.path().join("programs")));
        let programs = runnable.expect(start);
        let prepared =
            Cluster::prepare_with(folder.path(), programs, ConnectVia::Folder, HashMap::new())
                .await;
        let cluster = prepared.expect(start).start().await.expect(start);
        cluster.check().await.expect("the server responds");
        cluster.stop().await.expect("the server stops");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1, "there was one download");
    let reported = reported.into_inner().expect("the mutex is not poisoned");
    assert!(!reported.is_empty());
    assert!(reported.iter().all(|told| told.of_bytes == Some(length as u64) && told.bytes > 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn archives_with_a_wrong_checksum_are_not_unpacked() {
    let bytes = archive_of(&installed());
    let (other, length) = (sha256_of(&bytes[1..]), bytes.len());
    let (address, _) = serve(bytes, length);
    let archive = archive(installed().major(), address, other);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let error =
        start_with(folder.path(), &archive).await.expect_err("the archive is a different one");
    let refused = PostgresError::NotFetched(FetchError::OtherChecksum);
    assert_eq!(error.to_string(), refused.to_string());
    check_nothing_is_left(folder.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_downloads_leave_nothing_and_are_retried() {
    let bytes = archive_of(&installed());
    let (sha256, length) = (sha256_of(&bytes), bytes.len());
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (address, _) = serve(bytes[..length / 2].to_vec(), length);
    let broken = archive(installed().major(), address, sha256);
    let error =
        start_with(folder.path(), &broken).await.expect_err("half of the archive is missing");
    assert!(matches!(error, PostgresError::NotFetched(FetchError::Network(_))), "{error}");
    check_nothing_is_left(folder.path());
    let (address, _) = serve(bytes, length);
    let whole = Archive { address, ..broken };
    start_with(folder.path(), &whole).await.expect("this time the archive is complete");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_network_the_error_mentions_the_download() {
    // The port was free a moment ago, and nothing listens on it.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is available");
    let address = format!(
        "http://{}/programs.tar.gz",
        listener.local_addr().expect("the socket has an address")
    );
    drop(listener);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let archive = archive(installed().major(), address, String::new());
    let error = start_with(folder.path(), &archive).await.expect_err("no server is listening");
    assert!(matches!(error, PostgresError::NotFetched(FetchError::Network(_))), "{error}");
    assert!(error.to_string().contains("could not be downloaded"), "{error}");
    check_nothing_is_left(folder.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn insufficient_disk_space_is_detected_before_the_download() {
    let bytes = archive_of(&installed());
    let (sha256, length) = (sha256_of(&bytes), bytes.len());
    let (address, asked) = serve(bytes, length);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let room_bytes = disk::free_bytes(folder.path()).expect("the free space can be determined") * 2;
    let archive = Archive { room_bytes, ..archive(installed().major(), address, sha256) };
    let error =
        start_with(folder.path(), &archive).await.expect_err("there is not enough disk space");
    assert!(matches!(error, PostgresError::NotFetched(FetchError::NoRoom)), "{error}");
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    check_nothing_is_left(folder.path());
}

/// Uses a 64 kB file system, which only an administrator may mount.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_during_unpacking_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let mount = |words: &[&str]| {
        let mut mount = Command::new(words[0]);
        let ended = mount.args(&words[1..]).arg(folder.path()).stderr(Stdio::null()).status();
        ended.is_ok_and(|status| status.success())
    };
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]) {
        println!("skipped: file systems cannot be mounted here");
        return;
    }
    let mut bytes = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(1 << 20);
    header.set_mode(0o755);
    header.set_cksum();
    let zeros = vec![0_u8; 1 << 20];
    bytes
        .append_data(&mut header, "programs/bin/postgres", &zeros[..])
        .expect("the archive can be written");
    let bytes = bytes
        .into_inner()
        .expect("the archive is complete")
        .finish()
        .expect("the archive can be compressed");
    let (sha256, length) = (sha256_of(&bytes), bytes.len());
    let (address, _) = serve(bytes, length);
    let archive = archive(installed().major(), address, sha256);
    let refused = start_with(folder.path(), &archive).await;
    let left: Vec<_> = fs::read_dir(folder.path().join("downloaded"))
        .expect("the folder was created")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    assert!(mount(&["umount"]), "the file system can be unmounted");
    let error = refused.expect_err("there is not enough space for a megabyte");
    assert!(matches!(error, PostgresError::NotFetched(FetchError::NoRoom)), "{error}");
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn every_archive_is_pinned_by_checksum() {
    for (_, _, target, sha256) in ARCHIVES {
        let is_hex = sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        assert!(sha256.len() == 64 && is_hex, "{target}");
    }
    assert!(VERSION.starts_with(&format!("{MAJOR}.")));
}
