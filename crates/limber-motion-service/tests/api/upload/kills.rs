//! Killing the server process (SIGKILL).

use super::{DONE, STEP, Session, bytes, goes_on};
use crate::studio::Studio;

#[tokio::test]
async fn acknowledged_bytes_survive_a_killed_server() {
    let mut studio = Studio::open().await;
    let mut server = studio.start_server_process().await;
    let file = bytes(9 * STEP + 123);
    let url = Session::start(&studio).await.url;
    let mut stored = 0;
    while stored < file.len() {
        let session = Session { studio: &studio, url: url.clone() };
        let end = (stored + 2 * STEP).min(file.len());
        let standing = session.piece(&file, stored, end).await;
        server.kill();
        server = studio.start_server_process().await;
        let session = Session { studio: &studio, url: url.clone() };
        assert_eq!(session.ask(&file.len().to_string()).await, standing, "nothing is lost");
        assert_eq!(standing, if end < file.len() { goes_on(end - 1) } else { DONE });
        stored = end;
    }
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn a_large_upload_uses_little_server_memory() {
    let mut studio = Studio::open().await;
    let server = studio.start_server_process().await;
    // warm-up: what any upload costs, however small
    let small = Session::start(&studio).await;
    assert_eq!(super::standing(&small.put("", &bytes(STEP)).await), DONE);
    let before = server.peak_memory_mib();
    let file = bytes(150 << 20);
    let session = Session::start(&studio).await;
    assert_eq!(super::standing(&session.put("", &file).await), DONE);
    let grown = server.peak_memory_mib() - before;
    println!("150 MiB sent: the server grew by {grown} MiB");
    assert!(grown <= 64, "{grown} MiB");
}
