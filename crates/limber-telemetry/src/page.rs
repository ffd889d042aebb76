//! Metrics page for Prometheus, on a separate port so that it can be restricted to the scraper. It
//! has the connection limits of a service, because not every installation restricts it.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use limber_serve::Limits;
use prometheus::{Encoder, Registry, TextEncoder};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{TelemetryConfig, TelemetryError};

/// Maximum number of connections to the page, and of those from one address. There are few
/// scrapers, and the process needs its file descriptors for its clients.
const MAX_CONNECTIONS: usize = 100;
const MAX_CONNECTIONS_OF_ONE: usize = 50;

pub(super) async fn serve(
    config: &TelemetryConfig,
    registry: Registry,
) -> Result<JoinHandle<()>, TelemetryError> {
    let (host, port) = (config.page_host.clone(), config.page_port);
    let listener = TcpListener::bind((host.as_str(), port)).await;
    let listener = listener.map_err(|source| TelemetryError::Listen { host, port, source })?;
    Ok(serve_on(listener, config.page_limits, registry))
}

/// Serves the page until the task is aborted, which also ends its connections.
fn serve_on(listener: TcpListener, limits: Limits, registry: Registry) -> JoinHandle<()> {
    let limits = Limits {
        connections: limits.connections.min(MAX_CONNECTIONS),
        connections_of_one: limits.connections_of_one.min(MAX_CONNECTIONS_OF_ONE),
        ..limits
    };
    let app = Router::new().route("/", get(page)).route("/metrics", get(page)).with_state(registry);
    tokio::spawn(async move {
        // scrapers do not connect through the proxies that clients use
        limber_serve::serve(listener, app, limits, |_| false, CancellationToken::new()).await;
    })
}

async fn page(State(registry): State<Registry>) -> Response {
    let (encoder, mut text) = (TextEncoder::new(), Vec::new());
    match encoder.encode(&registry.gather(), &mut text) {
        Ok(()) => {
            ([(header::CONTENT_TYPE, encoder.format_type().to_owned())], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "the metrics could not be encoded");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    use super::*;

    /// Time limit, longer than anything here takes.
    const PATIENCE: Duration = Duration::from_secs(120);

    async fn send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.expect("the page accepts connections");
        // it may have been closed already to make room
        let _ = stream.write_all(bytes).await;
        stream
    }

    /// Reads until the page has closed the connection.
    async fn receive(stream: &mut TcpStream) -> String {
        let mut received = Vec::new();
        let receiving = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut received)).await;
        // a reset also ends the connection
        assert!(receiving.is_ok(), "the connection is still open");
        String::from_utf8_lossy(&received).into_owned()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn incomplete_headers_evict_each_other_and_no_scraper() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is available");
        let address = listener.local_addr().expect("the socket has an address");
        let served = serve_on(listener, Limits::default(), Registry::new());
        let mut half = Vec::new();
        for _ in 0..MAX_CONNECTIONS_OF_ONE + 10 {
            half.push(send(address, b"GET /metrics HTTP/1.1\r\nHost: a\r\n").await);
        }
        for stream in half.iter_mut().take(10) {
            assert_eq!(receive(stream).await, "");
        }
        let whole = b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        let page = receive(&mut send(address, whole).await).await;
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        served.abort();
        for stream in half.iter_mut().skip(10) {
            assert_eq!(receive(stream).await, "", "all connections are closed at the end");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn slow_headers_close_the_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is available");
        let address = listener.local_addr().expect("the socket has an address");
        let limits = Limits { header_time: Duration::from_millis(200), ..Limits::default() };
        let _served = serve_on(listener, limits, Registry::new());
        assert_eq!(receive(&mut send(address, b"GET /metrics HTTP/1.1\r\n").await).await, "");
    }
}
