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

async fn whoever_asks(ConnectInfo(peer): ConnectInfo<SocketAddr>) -> String {
    peer.to_string()
}

async fn slowly(State(slow): State<Arc<Slow>>) -> &'static str {
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
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (slow, stop) = (Arc::<Slow>::default(), CancellationToken::new());
        let app = Router::new()
            .route("/", get(whoever_asks))
            .route("/slow", get(slowly))
            .with_state(Arc::clone(&slow));
        let served = tokio::spawn(serve(listener, app, limits, move |_| is_proxy, stop.clone()));
        Self { address, slow, stop, served }
    }

    async fn say(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("it listens");
        stream.write_all(bytes).await.expect("it listens");
        stream
    }

    async fn stop(self) -> Stopped {
        self.stop.cancel();
        let served = tokio::time::timeout(PATIENCE, self.served).await;
        served.expect("it ends").expect("it does not panic")
    }
}

/// Reads until the server has sent `end` or closed the connection.
async fn hears(stream: &mut TcpStream, end: &str) -> String {
    let mut heard = Vec::new();
    let hearing = async {
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
    tokio::time::timeout(PATIENCE, hearing).await.expect("an end");
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn handlers_hear_who_asks_and_a_connection_takes_many_requests() {
    let running = Running::start(Limits::default(), false).await;
    let mut stream = running.say(WHOLE).await;
    let own = stream.local_addr().expect("an address").to_string();
    for _ in 0..3 {
        let heard = hears(&mut stream, &own).await;
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        stream.write_all(WHOLE).await.expect("it is kept open");
    }
    assert_eq!(running.stop().await, Stopped { cut_off: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_has_its_time_and_a_request_its_own() {
    let limits = Limits { header_time: Duration::from_millis(200), ..Limits::default() };
    let running = Running::start(limits, false).await;
    let mut slow = running.say(SLOW).await;
    running.slow.begun.notified().await;
    assert_eq!(hears(&mut running.say(HALF).await, "").await, "");
    assert_eq!(hears(&mut running.say(b"").await, "").await, "");
    running.slow.ends.notify_one();
    assert!(hears(&mut slow, "at last").await.ends_with("at last"), "long after the others");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_makes_room_and_without_anybody_who_waits_there_is_none() {
    let limits = Limits { connections: 2, ..Limits::default() };
    let running = Running::start(limits, true).await;
    let mut slow = running.say(SLOW).await;
    running.slow.begun.notified().await;
    let mut half = running.say(HALF).await;
    let mut second = running.say(SLOW).await;
    assert_eq!(hears(&mut half, "").await, "", "half a header made room");
    running.slow.begun.notified().await;
    let mut third = TcpStream::connect(running.address).await.expect("the system takes it");
    let refused = hears(&mut third, "\r\n\r\n").await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("Retry-After"), "{refused}");
    running.slow.ends.notify_one();
    running.slow.ends.notify_waiters();
    let told = tokio::select! {
        told = hears(&mut slow, "at last") => told,
        told = hears(&mut second, "at last") => told,
    };
    assert!(told.ends_with("at last"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_although_connections_are_held_and_lets_requests_finish_that_can() {
    let limits = Limits { drain: PATIENCE, ..Limits::default() };
    let running = Running::start(limits, false).await;
    let mut held = running.say(HALF).await;
    let mut idle = running.say(WHOLE).await;
    let own = idle.local_addr().expect("an address").to_string();
    hears(&mut idle, &own).await;
    let mut ends = running.say(SLOW).await;
    running.slow.begun.notified().await;
    let slow = Arc::clone(&running.slow);
    let stopping = tokio::spawn(running.stop());
    // Idle connections are closed at once.
    assert_eq!(hears(&mut idle, "").await, "");
    slow.ends.notify_one();
    assert!(hears(&mut ends, "at last").await.ends_with("at last"));
    assert_eq!(hears(&mut held, "").await, "");
    assert_eq!(stopping.await.expect("it ends"), Stopped { cut_off: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_end_is_cut_off() {
    let limits = Limits { drain: Duration::from_millis(100), ..Limits::default() };
    let running = Running::start(limits, false).await;
    let mut endless = running.say(SLOW).await;
    running.slow.begun.notified().await;
    assert_eq!(running.stop().await, Stopped { cut_off: 1 });
    assert_eq!(hears(&mut endless, "").await, "");
}
