//! Health checks of services.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

/// Timeout of a single check.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval between checks of a starting service.
const PACE: Duration = Duration::from_millis(40);

/// Waits until the address answers HTTP. Returns `false` on timeout.
pub(crate) async fn wait_for_http(address: SocketAddr, limit: Duration) -> bool {
    let asking = async {
        // this process bound the port before starting the service, so no other program can answer
        while !speaks_http(address).await {
            sleep(PACE).await;
        }
    };
    timeout(limit, asking).await.is_ok()
}

/// Any HTTP response counts: the service listens only after connecting to and migrating its
/// database.
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

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpListener,
    };

    use super::*;

    #[tokio::test]
    async fn services_are_healthy_once_they_respond_to_http() {
        let silent = TcpListener::bind(("127.0.0.1", 0)).expect("a port is available");
        let address = silent.local_addr().expect("the socket has an address");
        assert!(!wait_for_http(address, Duration::from_millis(200)).await);
        let server = TcpListener::bind(("127.0.0.1", 0)).expect("a port is available");
        let address = server.local_addr().expect("the socket has an address");
        std::thread::spawn(move || {
            // the caller may already have given up and tried again
            for mut stream in server.incoming().flatten() {
                let _ = stream.read(&mut [0; 256]);
                let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\n\r\n");
            }
        });
        assert!(wait_for_http(address, Duration::from_secs(60)).await);
    }
}
