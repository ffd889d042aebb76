//! A listener and all its connections, from the first to a stop that ends in time.

use std::{
    convert::Infallible,
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use axum::{extract::Request, response::Response};
use limber_system::open_files;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

use crate::{
    Limits,
    connection::House,
    register::{Peer, Register},
};

/// To whom there is no place for. Said without having heard the request, which would take a place.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// It fits into an empty buffer of the system, so nobody waits for this.
const FULL_TIME: Duration = Duration::from_millis(10);
/// After an error that is not a caller's.
const BREATH: Duration = Duration::from_millis(20);
/// `ENFILE` and `EMFILE` of every Unix, `WSAEMFILE` of Windows.
const NO_MORE_FILES: [i32; 3] = [23, 24, 10_024];

/// Where connections come in: a bound listener, whoever bound it.
pub trait Door: Send + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next connection and where it comes from; nowhere, if it cannot come from another computer.
    /// Must not lose one when it is dropped.
    ///
    /// # Errors
    /// As the system has them; it is asked again.
    fn accept(
        &mut self,
    ) -> impl Future<Output = io::Result<(Self::Stream, Option<SocketAddr>)>> + Send;
}

impl Door for TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> io::Result<(TcpStream, Option<SocketAddr>)> {
        let (stream, peer) = Self::accept(self).await?;
        // answers are written in one go; what is not done here is only slower
        let _ = stream.set_nodelay(true);
        Ok((stream, Some(peer)))
    }
}

/// Sockets in folders, where a service can be asked by one.
#[cfg(unix)]
mod socket {
    use std::{io, net::SocketAddr};

    use tokio::net::{UnixListener, UnixStream};

    impl super::Door for UnixListener {
        type Stream = UnixStream;

        async fn accept(&mut self) -> io::Result<(UnixStream, Option<SocketAddr>)> {
            Ok((Self::accept(self).await?.0, None))
        }
    }
}

/// How a service ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// Connections that were cut off, because they were not done in time.
    pub cut_off: usize,
}

/// Answers by `app` whoever comes in by `door` until `stop`, and for [`Limits::drain`] at most after
/// it. `is_proxy` says who speaks for many callers and is not counted as one. Handlers find the
/// connection's other end in [`ConnectInfo`](axum::extract::ConnectInfo).
///
/// Raises how many files this process may have open.
pub async fn serve<D, S>(
    mut door: D,
    app: S,
    limits: Limits,
    is_proxy: impl Fn(IpAddr) -> bool + Send + Sync,
    stop: CancellationToken,
) -> Stopped
where
    D: Door,
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let limits = limits.within(open_files::raise());
    let register = Register::new(&limits);
    let over = CancellationToken::new();
    // a server that is dropped answers nobody any more either
    let _dropped = over.clone().drop_guard();
    let house = House { limits, stop: stop.clone(), over: over.clone() };
    let connections = TaskTracker::new();
    let mut is_short = false;
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            accepted = door.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                is_short = false;
                let counted = peer.map(|peer| peer.ip().to_canonical());
                let counted = counted.filter(|address| !is_proxy(*address)).map(Peer::of);
                // by a socket in a folder, from this computer
                let peer = peer.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
                match register.admit(counted) {
                    Some(ticket) => {
                        let house = house.clone();
                        connections.spawn(house.attend(stream, peer, ticket, app.clone()));
                    }
                    None => turn_away(stream).await,
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut is_short, true) {
                    tracing::warn!(%error, "a connection could not be taken; going on");
                }
                recover(&register, &error).await;
            }
        }
    }
    // others may listen there from now on
    drop(door);
    connections.close();
    if timeout(limits.drain, connections.wait()).await.is_ok() {
        return Stopped { cut_off: 0 };
    }
    let cut_off = connections.len();
    tracing::warn!(cut_off, "connections that were not done after the stop were cut off");
    over.cancel();
    connections.wait().await;
    Stopped { cut_off }
}

async fn turn_away(mut stream: impl AsyncWrite + Unpin) {
    let telling = async {
        stream.write_all(FULL).await?;
        stream.shutdown().await
    };
    // whoever does not hear it sees that the connection is closed
    let _ = timeout(FULL_TIME, telling).await;
}

/// What can be done about an error of `accept`, so that the next one may succeed.
async fn recover(register: &Register, error: &io::Error) {
    if error.raw_os_error().is_some_and(|number| NO_MORE_FILES.contains(&number)) {
        // its file is free once its task has run
        register.make_room();
    } else if is_of_the_caller(error) {
        return;
    }
    tokio::time::sleep(BREATH).await;
}

/// It was gone before it was taken.
fn is_of_the_caller(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
