//! Ports that nobody else gets.

use std::net::SocketAddr;

use tokio::net::TcpSocket;

/// A port of this computer that stays ours for as long as this lives, whichever of our servers listens
/// there, or none: one that is let go goes to the next who asks, and many tests run at once.
#[derive(Debug)]
pub(crate) struct Port {
    pub(crate) address: SocketAddr,
    /// Nobody listens to it.
    _held: Option<TcpSocket>,
}

impl Port {
    pub(crate) fn take() -> Self {
        let socket = bound_to(([127, 0, 0, 1], 0).into());
        let address = socket.local_addr().expect("an address");
        // elsewhere a server could not have the port at the same time
        Self { address, _held: cfg!(target_os = "linux").then_some(socket) }
    }
}

/// A socket that nobody can reach, and a port that nobody else gets.
pub(crate) fn bound_to(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket");
    // what hung up there a moment ago keeps nobody out, nor does this a server of ours
    socket.set_reuseaddr(true).expect("it can be set");
    socket.bind(address).expect("a free port");
    socket
}
