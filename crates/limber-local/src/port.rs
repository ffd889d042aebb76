//! The ports of the services: bound by the app, served by its children.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    process::Stdio,
};

/// A loopback port that is ours from before its service starts.
///
/// Its open socket goes to the service as standard output, as `inetd` hands over those of its own: were
/// the port let go first, another program could get it and be taken for the service. Where sockets cannot
/// be handed on (Windows) the service binds the port by itself, and that may happen.
#[derive(Debug)]
pub(crate) struct Port {
    pub address: SocketAddr,
    /// Until the first service has it. It is not kept longer, so that a service that has died is noticed
    /// at once: nobody waits on a port where nobody listens.
    held: Option<TcpListener>,
}

impl Port {
    /// A free one.
    pub(crate) fn take() -> io::Result<Self> {
        let socket = TcpListener::bind(("127.0.0.1", 0))?;
        Ok(Self { address: socket.local_addr()?, held: Some(socket) })
    }

    /// The standard output of the child that serves it.
    pub(crate) fn for_child(&mut self) -> io::Result<Stdio> {
        let held = self.held.take();
        #[cfg(unix)]
        {
            let socket = held.map_or_else(|| TcpListener::bind(self.address), Ok)?;
            Ok(std::os::fd::OwnedFd::from(socket).into())
        }
        #[cfg(not(unix))]
        {
            drop(held);
            Ok(Stdio::null())
        }
    }
}

/// In a child: the socket that its parent handed over, or else `address` bound anew.
pub(crate) fn listener(address: SocketAddr) -> io::Result<tokio::net::TcpListener> {
    let socket = handed_over(address).map_or_else(|| TcpListener::bind(address), Ok)?;
    socket.set_nonblocking(true)?;
    tokio::net::TcpListener::from_std(socket)
}

#[cfg(unix)]
fn handed_over(address: SocketAddr) -> Option<TcpListener> {
    use std::os::fd::AsFd;
    let socket = TcpListener::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    (socket.local_addr().ok()? == address).then_some(socket)
}

#[cfg(not(unix))]
fn handed_over(_: SocketAddr) -> Option<TcpListener> {
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn nobody_gets_a_port_that_is_held_and_its_next_service_gets_it_again() {
        // between two services another program may get it, which does not happen every time
        assert!((0..5).any(|_| is_held_and_had_again()));
    }

    /// Answers `false` when somebody else had the port while no service did.
    fn is_held_and_had_again() -> bool {
        let mut port = Port::take().expect("one");
        assert_ne!(port.address, Port::take().expect("another").address);
        for is_had_before in [false, true] {
            let output = match port.for_child() {
                Err(error) if is_had_before && error.kind() == io::ErrorKind::AddrInUse => {
                    return false;
                }
                other => other.expect("it is ours"),
            };
            let mut child =
                Command::new("sleep").arg("60").stdout(output).spawn().expect("started");
            #[cfg(unix)]
            {
                let taken = TcpListener::bind(port.address).expect_err("the child has it");
                assert_eq!(taken.kind(), io::ErrorKind::AddrInUse);
                std::net::TcpStream::connect(port.address).expect("it waits to be served");
            }
            child.kill().expect("it lives");
            child.wait().expect("it ended");
            #[cfg(unix)]
            if std::net::TcpStream::connect(port.address).is_ok() {
                return false;
            }
        }
        true
    }
}
