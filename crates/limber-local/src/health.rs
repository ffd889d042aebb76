//! Whether a service answers.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a service that starts is asked.
const PACE: Duration = Duration::from_millis(40);

/// Waits until somebody speaks HTTP there. Answers `false` when nobody did in time.
pub(crate) async fn wait_for_http(address: SocketAddr, limit: Duration) -> bool {
    let asking = async {
        while !speaks_http(address).await {
            sleep(PACE).await;
        }
    };
    timeout(limit, asking).await.is_ok()
}

/// Any answer will do: it means that the database behind it was reached and migrated.
async fn speaks_http(address: SocketAddr) -> bool {
    let question = async {
        let mut stream = TcpStream::connect(address).await?;
        stream
            .write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .await?;
        let mut head = [0; 9];
        stream.read_exact(&mut head).await?;
        Ok::<_, io::Error>(head.starts_with(b"HTTP/1.1 "))
    };
    matches!(timeout(PATIENCE, question).await, Ok(Ok(true)))
}

/// A loopback port that is free now.
pub(crate) fn free_address() -> io::Result<SocketAddr> {
    std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()
}
