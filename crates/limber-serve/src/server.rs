//! A listener with all its connections, from the first one to a bounded shutdown.

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
    connection::ConnectionContext,
    register::{Peer, Register},
};

/// Response to clients for which there is no place. Sent without reading the request, which would
/// occupy a place.
const SERVICE_UNAVAILABLE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
/// Time limit for sending [`SERVICE_UNAVAILABLE`]. It fits into an empty send buffer, so it
/// normally takes no time.
const REJECT_TIMEOUT: Duration = Duration::from_millis(10);
/// Pause after an error that is not the client's.
const ERROR_PAUSE: Duration = Duration::from_millis(20);
/// Error numbers for exhausted files: `ENFILE` and `EMFILE` on Unix, `WSAEMFILE` on Windows.
const NO_MORE_FILES: [i32; 3] = [23, 24, 10_024];

/// A source of connections, which is a bound listener.
pub trait Accept: Send + 'static {
    /// The type of its connections.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Accepts the next connection and returns it with the client's address, or `None` if
    /// connections cannot come from another computer. Must be cancel-safe: no connection may be
    /// lost when the future is dropped.
    ///
    /// # Errors
    ///
    /// Those of the operating system. The caller tries again.
    fn accept(
        &mut self,
    ) -> impl Future<Output = io::Result<(Self::Stream, Option<SocketAddr>)>> + Send;
}

impl Accept for TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> io::Result<(TcpStream, Option<SocketAddr>)> {
        let (stream, peer) = Self::accept(self).await?;
        // Responses are written in one go; if this fails, they are merely slower.
        let _ = stream.set_nodelay(true);
        Ok((stream, Some(peer)))
    }
}

/// Unix sockets, on systems that have them.
#[cfg(unix)]
mod socket {
    use std::{io, net::SocketAddr};

    use tokio::net::{UnixListener, UnixStream};

    impl super::Accept for UnixListener {
        type Stream = UnixStream;

        async fn accept(&mut self) -> io::Result<(UnixStream, Option<SocketAddr>)> {
            Ok((Self::accept(self).await?.0, None))
        }
    }
}

/// How a service ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// Number of connections that were cut because they did not finish in time.
    pub cut_off: usize,
}

/// Serves `app` on connections from `listener` until `stop`, then for at most [`Limits::drain`].
/// `is_proxy` identifies proxies, which speak for many clients and are not limited as one. Handlers
/// find the client's address in [`ConnectInfo`](axum::extract::ConnectInfo).
///
/// Raises the process's limit on open files.
pub async fn serve<L, S>(
    mut listener: L,
    app: S,
    limits: Limits,
    is_proxy: impl Fn(IpAddr) -> bool + Send + Sync,
    stop: CancellationToken,
) -> Stopped
where
    L: Accept,
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let limits = limits.within(open_files::raise());
    let register = Register::new(&limits);
    let abort = CancellationToken::new();
    // If this future is dropped, all connections end as well.
    let _dropped = abort.clone().drop_guard();
    let context = ConnectionContext { limits, stop: stop.clone(), abort: abort.clone() };
    let connections = TaskTracker::new();
    let mut is_short = false;
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                is_short = false;
                let counted = peer.map(|peer| peer.ip().to_canonical());
                let counted = counted.filter(|address| !is_proxy(*address)).map(Peer::of);
                // Unix sockets are reached only from this computer.
                let peer = peer.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
                match register.admit(counted) {
                    Some(ticket) => {
                        let context = context.clone();
                        connections.spawn(context.serve(stream, peer, ticket, app.clone()));
                    }
                    None => reject(stream).await,
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut is_short, true) {
                    tracing::warn!(%error, "a connection could not be accepted");
                }
                recover(&register, &error).await;
            }
        }
    }
    // Free the address for others.
    drop(listener);
    connections.close();
    if timeout(limits.drain, connections.wait()).await.is_ok() {
        return Stopped { cut_off: 0 };
    }
    let cut_off = connections.len();
    tracing::warn!(cut_off, "connections that did not finish within the grace period were cut off");
    abort.cancel();
    connections.wait().await;
    Stopped { cut_off }
}

async fn reject(mut stream: impl AsyncWrite + Unpin) {
    let sending = async {
        stream.write_all(SERVICE_UNAVAILABLE).await?;
        stream.shutdown().await
    };
    // A client that does not read this still notices that the connection is closed.
    let _ = timeout(REJECT_TIMEOUT, sending).await;
}

/// Handles an error of `accept`, so that the next call may succeed.
async fn recover(register: &Register, error: &io::Error) {
    if error.raw_os_error().is_some_and(|number| NO_MORE_FILES.contains(&number)) {
        // The closed connection's file becomes free once its task has run.
        register.make_room();
    } else if is_of_the_caller(error) {
        return;
    }
    tokio::time::sleep(ERROR_PAUSE).await;
}

/// Tells whether the error concerns a connection that ended before it was accepted.
fn is_of_the_caller(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
