//! Real connections to a real listener: which are admitted, which make room, and how the server
//! stops.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{ConnectInfo, State},
    routing::get,
};
use limber_serve::{Limits, Stopped, serve};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

/// Time limit, longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);
const WHOLE: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const SLOW: &[u8] = b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n";
const HALF: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n";

/// Signals that a slow request has begun, and lets it finish.
#[derive(Debug, Default)]
struct Slow {
    begun: Notify,
    ends: Notify,
}

async fn client_address(ConnectInfo(peer): ConnectInfo<SocketAddr>) -> String {
    peer.to_string()
}

async fn slow_response(State(slow): State<Arc<Slow>>) -> &'static str {
    slow.begun.notify_one();
    slow.ends.notified().await;
    "at last"
}

struct Running {
    address: SocketAddr,
    slow: Arc<Slow>,
    stop: CancellationToken,
    served: JoinHandle<Stopped>,
}

impl Running {
    async fn start(limits: Limits, is_proxy: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is available");
        let address = listener.local_addr().expect("the socket has an address");
        let (slow, stop) = (Arc::<Slow>::default(), CancellationToken::new());
        let app = Router::new()
            .route("/", get(client_address))
            .route("/slow", get(slow_response))
            .with_state(Arc::clone(&slow));
        let served = tokio::spawn(serve(listener, app, limits, move |_| is_proxy, stop.clone()));
        Self { address, slow, stop, served }
    }

    async fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream =
            TcpStream::connect(self.address).await.expect("the server accepts connections");
        stream.write_all(bytes).await.expect("the server accepts connections");
        stream
    }

    async fn stop(self) -> Stopped {
        self.stop.cancel();
        let served = tokio::time::timeout(PATIENCE, self.served).await;
        served.expect("the server stops").expect("the server does not panic")
    }
}

/// Reads until the server has sent `end` or closed the connection.
async fn receive(stream: &mut TcpStream, end: &str) -> String {
    let mut heard = Vec::new();
    let receiving = async {
        loop {
            let mut bytes = [0; 1024];
            match stream.read(&mut bytes).await {
                // A reset also ends the connection.
                Ok(0) | Err(_) => return,
                Ok(length) => heard.extend_from_slice(&bytes[..length]),
            }
            if !end.is_empty() && String::from_utf8_lossy(&heard).contains(end) {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, receiving).await.expect("the response ends");
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn handlers_get_the_client_address_and_connections_are_reused() {
    let running = Running::start(Limits::default(), false).await;
    let mut stream = running.send(WHOLE).await;
    let own = stream.local_addr().expect("the socket has an address").to_string();
    for _ in 0..3 {
        let heard = receive(&mut stream, &own).await;
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        stream.write_all(WHOLE).await.expect("the connection is kept open");
    }
    assert_eq!(running.stop().await, Stopped { cut_off: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_headers_time_out_and_slow_requests_do_not() {
    let limits = Limits { header_time: Duration::from_millis(200), ..Limits::default() };
    let running = Running::start(limits, false).await;
    let mut slow = running.send(SLOW).await;
    running.slow.begun.notified().await;
    assert_eq!(receive(&mut running.send(HALF).await, "").await, "");
    assert_eq!(receive(&mut running.send(b"").await, "").await, "");
    running.slow.ends.notify_one();
    assert!(
        receive(&mut slow, "at last").await.ends_with("at last"),
        "the slow request is not affected"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_connections_make_room_and_active_ones_do_not() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let running = Running::start(limits, true).await;
    let mut slow = running.send(SLOW).await;
    running.slow.begun.notified().await;
    let mut half = running.send(HALF).await;
    let mut second = running.send(SLOW).await;
    assert_eq!(receive(&mut half, "").await, "", "the incomplete header made room");
    running.slow.begun.notified().await;
    let mut third =
        TcpStream::connect(running.address).await.expect("the system accepts the connection");
    let refused = receive(&mut third, "\r\n\r\n").await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("Retry-After"), "{refused}");
    running.slow.ends.notify_one();
    running.slow.ends.notify_waiters();
    let response = tokio::select! {
        response = receive(&mut slow, "at last") => response,
        response = receive(&mut second, "at last") => response,
    };
    assert!(response.ends_with("at last"), "{response}");
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_closes_waiting_connections_and_lets_requests_finish() {
    let limits = Limits { drain: PATIENCE, ..Limits::default() };
    let running = Running::start(limits, false).await;
    let mut held = running.send(HALF).await;
    let mut idle = running.send(WHOLE).await;
    let own = idle.local_addr().expect("the socket has an address").to_string();
    receive(&mut idle, &own).await;
    let mut ends = running.send(SLOW).await;
    running.slow.begun.notified().await;
    let slow = Arc::clone(&running.slow);
    let stopping = tokio::spawn(running.stop());
    // Idle connections are closed at once.
    assert_eq!(receive(&mut idle, "").await, "");
    slow.ends.notify_one();
    assert!(receive(&mut ends, "at last").await.ends_with("at last"));
    assert_eq!(receive(&mut held, "").await, "");
    assert_eq!(stopping.await.expect("the task does not panic"), Stopped { cut_off: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_outlast_the_grace_period_are_cut_off() {
    let limits = Limits { drain: Duration::from_millis(100), ..Limits::default() };
    let running = Running::start(limits, false).await;
    let mut endless = running.send(SLOW).await;
    running.slow.begun.notified().await;
    assert_eq!(running.stop().await, Stopped { cut_off: 1 });
    assert_eq!(receive(&mut endless, "").await, "");
}
