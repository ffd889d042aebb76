//! Ports of the services: bound by the app, served by its children.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    process::Stdio,
};

use tokio::net::TcpSocket;

/// Connections that wait to be accepted, as tokio's own listeners allow.
const BACKLOG: u32 = 1024;

/// A loopback port that is reserved from before its service starts until the studio stops.
///
/// This process keeps the listening socket and passes it to every process that serves it, as
/// standard output, like `inetd`. If the port were released when a service dies, another user's
/// program could bind it and receive the secrets that clients send. Clients that connect while no
/// service runs wait for the next one.
///
/// Where sockets cannot be passed like this (Windows), the service binds the port by itself, and
/// another program may bind it between two runs. The solution there is `WSADuplicateSocketW`, whose
/// result the child would read with its settings; it needs unsafe code that this workspace does not
/// permit yet.
#[derive(Debug)]
pub(crate) struct Port {
    pub address: SocketAddr,
    socket: Option<TcpListener>,
}

impl Port {
    /// Binds a free port.
    pub(crate) fn take() -> io::Result<Self> {
        let socket = TcpListener::bind(("127.0.0.1", 0))?;
        Ok(Self { address: socket.local_addr()?, socket: Some(socket) })
    }

    /// Returns a listener for a service inside this process.
    #[cfg(all(test, unix))]
    pub(crate) fn listener(&self) -> io::Result<tokio::net::TcpListener> {
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::NotConnected)?.try_clone()?;
        socket.set_nonblocking(true)?;
        tokio::net::TcpListener::from_std(socket)
    }

    /// Returns the standard output for a child that serves the port.
    pub(crate) fn for_child(&mut self) -> io::Result<Stdio> {
        handing::to_child(&mut self.socket)
    }
}

/// Returns the listener inside a child: the inherited socket, or else a new one bound to `address`.
pub(crate) fn listener(address: SocketAddr) -> io::Result<tokio::net::TcpListener> {
    let socket = handing::from_parent(address).map_or_else(|| TcpListener::bind(address), Ok)?;
    socket.set_nonblocking(true)?;
    tokio::net::TcpListener::from_std(socket)
}

/// Listens on a free loopback port that children [reserve](reserve) while they connect to it.
pub(crate) fn listen_for_children() -> io::Result<tokio::net::TcpListener> {
    bind_shared(SocketAddr::from(([127, 0, 0, 1], 0)))?.listen(BACKLOG)
}

/// Reserves a port of [`listen_for_children`] until the result is dropped. If the app is killed,
/// another user's program cannot take the port and receive what a child still sends there.
///
/// Only Linux lets sockets of one user share a port in such a way that those that do not listen
/// receive nothing. Elsewhere nothing is reserved.
pub(crate) fn reserve(address: SocketAddr) -> io::Result<Option<TcpSocket>> {
    if sharing::IS_POSSIBLE { bind_shared(address).map(Some) } else { Ok(None) }
}

fn bind_shared(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    sharing::allow(&socket)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Lets other sockets of the same user bind a port, if they allow it, too.
#[cfg(target_os = "linux")]
mod sharing {
    use std::io;

    use tokio::net::TcpSocket;

    pub(super) const IS_POSSIBLE: bool = true;

    pub(super) fn allow(socket: &TcpSocket) -> io::Result<()> {
        socket.set_reuseport(true)
    }
}

/// Fallback where each port has one socket.
#[cfg(not(target_os = "linux"))]
mod sharing {
    use std::io;

    use tokio::net::TcpSocket;

    pub(super) const IS_POSSIBLE: bool = false;

    pub(super) fn allow(_: &TcpSocket) -> io::Result<()> {
        Ok(())
    }
}

/// Passes sockets to children as their standard output.
#[cfg(unix)]
mod handing {
    use std::{
        io,
        net::{SocketAddr, TcpListener},
        os::fd::{AsFd, OwnedFd},
        process::Stdio,
    };

    pub(super) fn to_child(kept: &mut Option<TcpListener>) -> io::Result<Stdio> {
        let kept = kept.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        Ok(OwnedFd::from(kept.try_clone()?).into())
    }

    pub(super) fn from_parent(address: SocketAddr) -> Option<TcpListener> {
        let socket = TcpListener::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
        (socket.local_addr().ok()? == address).then_some(socket)
    }
}

/// Fallback without socket passing: the port is released and the child has to bind it.
#[cfg(not(unix))]
mod handing {
    use std::{
        io,
        net::{SocketAddr, TcpListener},
        process::Stdio,
    };

    #[expect(clippy::unnecessary_wraps, reason = "can fail on other systems")]
    pub(super) fn to_child(kept: &mut Option<TcpListener>) -> io::Result<Stdio> {
        *kept = None;
        Ok(Stdio::null())
    }

    pub(super) fn from_parent(_: SocketAddr) -> Option<TcpListener> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        io::Read,
        net::TcpStream,
        process::{Child, Command},
    };

    use super::*;

    /// A service that answers one connection with this word and exits.
    fn serve(port: &mut Port, word: &str) -> Child {
        // standard output is the listening socket; a shell cannot accept connections, but Perl can,
        // and it is installed everywhere
        let program = format!(
            "open(my $l, '+<&=', 1) or die; accept(my $c, $l) or die; syswrite($c, '{word}');"
        );
        let output = port.for_child().expect("the port can be passed on");
        Command::new("perl")
            .args(["-e", &program])
            .stdout(output)
            .spawn()
            .expect("the program can be started")
    }

    fn hear(mut stream: TcpStream) -> String {
        let mut said = String::new();
        stream.read_to_string(&mut said).expect("the response can be read");
        said
    }

    #[test]
    fn the_port_of_a_crashed_service_stays_reserved() {
        let mut port = Port::take().expect("a port is available");
        let refused = TcpListener::bind(port.address).expect_err("the port is reserved");
        assert_eq!(refused.kind(), io::ErrorKind::AddrInUse, "before the service starts");
        let mut first = Command::new("sleep")
            .arg("60")
            .stdout(port.for_child().expect("the port can be passed on"))
            .spawn()
            .expect("the program can be started");
        first.kill().expect("the child is running");
        first.wait().expect("the child has exited");
        let refused = TcpListener::bind(port.address).expect_err("the port is reserved");
        assert_eq!(refused.kind(), io::ErrorKind::AddrInUse, "while no service is running");
        // early clients wait, and only the next service answers them
        let early = TcpStream::connect(port.address).expect("the connection waits");
        let mut second = serve(&mut port, "second");
        assert_eq!(hear(early), "second");
        second.wait().expect("the child has exited");
        let mut third = serve(&mut port, "third");
        assert_eq!(hear(TcpStream::connect(port.address).expect("the connection waits")), "third");
        third.wait().expect("the child has exited");
    }

    #[tokio::test]
    async fn connections_to_a_reserved_port_reach_its_listener() {
        let listener = listen_for_children().expect("a port is available");
        let address = listener.local_addr().expect("the socket has an address");
        let _reserved = reserve(address).expect("the port can be shared");
        for _ in 0..20 {
            let client = TcpStream::connect(address).expect("the listener is there");
            let (_, from) = listener.accept().await.expect("it accepts connections");
            assert_eq!(from, client.local_addr().expect("the socket has an address"));
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_reserved_port_stays_taken_when_nobody_listens_any_more() {
        let listener = listen_for_children().expect("a port is available");
        let address = listener.local_addr().expect("the socket has an address");
        let reserved = reserve(address).expect("the port can be shared");
        drop(listener);
        let refused = TcpListener::bind(address).expect_err("the port is reserved");
        assert_eq!(refused.kind(), io::ErrorKind::AddrInUse);
        assert!(TcpStream::connect(address).is_err(), "nobody answers");
        drop(reserved);
    }

    #[test]
    fn ports_are_free_again_once_nobody_holds_them() {
        let mut port = Port::take().expect("a port is available");
        let address = port.address;
        let handed = port.for_child().expect("the port can be passed on");
        drop(port);
        assert!(TcpListener::bind(address).is_err(), "a child may still hold the port");
        drop(handed);
        assert!(TcpStream::connect(address).is_err(), "nothing is listening on the port");
    }
}
