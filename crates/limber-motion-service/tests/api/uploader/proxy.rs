//! A proxy that counts bytes, and can be slow or drop connections.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use limber_client::motion::MotionClient;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, tcp},
};

use crate::studio::Studio;

#[derive(Debug, Default)]
struct Counts {
    sent: AtomicU64,
    /// Bytes after which a connection is dropped; 0 is never.
    cut_every: AtomicU64,
    cuts: AtomicU64,
    /// Bandwidth limit; 0 is unlimited.
    bytes_per_second: AtomicU64,
}

/// A proxy in front of a studio's server. URLs in the server's responses lead through it too.
pub(crate) struct Proxy {
    pub(crate) base: String,
    counts: Arc<Counts>,
    running: tokio::task::JoinHandle<()>,
}

impl Proxy {
    pub(crate) async fn before(studio: &mut Studio) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        studio.config.public_url = Some(base.parse().expect("an address"));
        studio.kill_server().await;
        studio.start_server().await;
        let server = studio.base.trim_start_matches("http://").to_owned();
        let counts = Arc::new(Counts::default());
        let shared = Arc::clone(&counts);
        let running = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, server.clone(), Arc::clone(&shared)));
            }
        });
        Self { base, counts, running }
    }

    /// Returns a client that connects through it.
    pub(crate) fn client(&self, studio: &Studio) -> MotionClient {
        MotionClient::new(&self.base, studio.id.clone(), studio.secret.clone()).expect("an address")
    }

    /// Returns the number of bytes sent by clients.
    pub(crate) fn sent(&self) -> u64 {
        self.counts.sent.load(Relaxed)
    }

    pub(crate) fn cut_every(&self, bytes: u64) {
        self.counts.cut_every.store(bytes, Relaxed);
    }

    pub(crate) fn cuts(&self) -> u64 {
        self.counts.cuts.load(Relaxed)
    }

    pub(crate) fn slow_down(&self, bytes_per_second: u64) {
        self.counts.bytes_per_second.store(bytes_per_second, Relaxed);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn carry(client: TcpStream, server: String, counts: Arc<Counts>) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    // when one direction ends, close both
    tokio::select! {
        () = there(from_client, to_server, &counts) => {}
        () = back(from_server, to_client) => {}
    }
}

async fn there(mut from: tcp::OwnedReadHalf, mut to: tcp::OwnedWriteHalf, counts: &Counts) {
    let mut buffer = vec![0; 64 << 10];
    let mut carried = 0;
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        counts.sent.fetch_add(count as u64, Relaxed);
        carried += count as u64;
        let rate = counts.bytes_per_second.load(Relaxed);
        if rate > 0 {
            let wait = std::time::Duration::from_secs_f64(count as f64 / rate as f64);
            tokio::time::sleep(wait).await;
        }
        let limit = counts.cut_every.load(Relaxed);
        if limit > 0 && carried > limit {
            counts.cuts.fetch_add(1, Relaxed);
            return;
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}

async fn back(mut from: tcp::OwnedReadHalf, mut to: tcp::OwnedWriteHalf) {
    let _ = tokio::io::copy(&mut from, &mut to).await;
}
