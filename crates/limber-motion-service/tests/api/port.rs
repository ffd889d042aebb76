//! Reserves TCP ports for tests.

use std::net::SocketAddr;

use tokio::net::TcpSocket;

/// A local port that stays reserved, whether or not one of our servers listens on it. A released
/// port would go to the next process that asks for one, and many tests run in parallel.
#[derive(Debug)]
pub(crate) struct Port {
    pub(crate) address: SocketAddr,
    /// Bound, but not listening.
    _held: Option<TcpSocket>,
}

impl Port {
    pub(crate) fn take() -> Self {
        let socket = bound_to(([127, 0, 0, 1], 0).into());
        let address = socket.local_addr().expect("an address");
        // on other systems, a server could not bind the port at the same time
        Self { address, _held: cfg!(target_os = "linux").then_some(socket) }
    }
}

/// Binds a socket without listening on it.
pub(crate) fn bound_to(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket");
    // allows binding despite recent connections, and lets our server bind the port too
    socket.set_reuseaddr(true).expect("it can be set");
    socket.bind(address).expect("a free port");
    socket
}
