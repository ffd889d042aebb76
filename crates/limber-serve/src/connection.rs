//! The life of one connection.

use std::{
    convert::Infallible, future::Future, net::SocketAddr, pin::pin, sync::Arc, time::Duration,
};

use axum::{
    body::Body,
    extract::{ConnectInfo, Request},
    response::Response,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tower::{Service, ServiceExt as _};

use crate::{
    Limits,
    limits::HEADER_BYTES,
    register::{Connection, Phase, Ticket},
    tracking::{TrackedBody, TrackedStream},
};

/// State shared by all connections of a listener.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionContext {
    pub(crate) limits: Limits,
    /// Cancelled when the service stops: no new requests are started.
    pub(crate) stop: CancellationToken,
    /// Cancelled when the grace period is over: connections are cut.
    pub(crate) abort: CancellationToken,
}

impl ConnectionContext {
    /// Serves requests until the client closes the connection, is too slow or must make room, or
    /// the service stops.
    pub(crate) async fn serve<T, S>(self, stream: T, peer: SocketAddr, ticket: Ticket, app: S)
    where
        T: AsyncRead + AsyncWrite + Unpin,
        S: Service<Request, Response = Response, Error = Infallible> + Clone + Send,
        S::Future: Send,
    {
        let connection = Arc::clone(&ticket.0);
        let stream = TrackedStream::new(stream, Arc::clone(&connection), self.limits.write_time);
        let served = Arc::clone(&connection);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            answer(app.clone(), Arc::clone(&served), peer, request)
        });
        let http = http1::Builder::new()
            // The time limit for headers is enforced below, together with that for idle
            // connections.
            .header_read_timeout(None::<Duration>)
            .max_header_size(HEADER_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        let mut http = pin!(http);
        let mut phase = connection.watch();
        let mut is_stopping = false;
        loop {
            let now = *phase.borrow_and_update();
            if now == Phase::Evicted {
                break;
            }
            tokio::select! {
                ended = http.as_mut() => {
                    if let Err(error) = ended {
                        // Clients may disconnect at any time.
                        tracing::debug!(%error, "a connection ended");
                    }
                    break;
                }
                _ = phase.changed() => {}
                () = elapsed(self.limits.of(now, is_stopping)) => {
                    tracing::debug!(phase = ?now, "a connection was closed after its time");
                    break;
                }
                () = self.stop.cancelled(), if !is_stopping => {
                    is_stopping = true;
                    http.as_mut().graceful_shutdown();
                }
                () = self.abort.cancelled() => break,
            }
        }
    }
}

async fn elapsed(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

fn answer<S>(
    app: S,
    connection: Arc<Connection>,
    peer: SocketAddr,
    request: hyper::Request<Incoming>,
) -> impl Future<Output = Result<hyper::Response<TrackedBody>, Infallible>>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    let in_time = connection.begin_request();
    async move {
        if !in_time {
            // The connection is about to be closed, and the request was not processed.
            return std::future::pending().await;
        }
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let response = app.oneshot(request).await?;
        Ok(response.map(|body| TrackedBody::new(body, connection)))
    }
}
