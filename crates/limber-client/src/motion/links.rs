//! URLs from responses: links to files, upload URLs, and redirects to the file store.

use reqwest::{Client, Method, RequestBuilder};
use url::Url;

use super::MotionError;
use crate::ConnectionPolicy;

/// Follows URLs from the service's responses, unless others could eavesdrop.
#[derive(Debug)]
pub(super) struct Links {
    http: Client,
    connection: ConnectionPolicy,
    service: Url,
}

impl Links {
    /// Belongs to the service at this URL. `http` must have been built for the same `connection`.
    pub(super) fn new(http: Client, connection: ConnectionPolicy, service: Url) -> Self {
        Self { http, connection, service }
    }

    /// Creates a request to a URL from a response, without cookie and secret.
    pub(super) fn request(
        &self,
        method: Method,
        address: &str,
    ) -> Result<RequestBuilder, MotionError> {
        Ok(self.http.request(method, self.check(address)?))
    }

    /// Returns the URL if it may be followed.
    pub(super) fn check(&self, address: &str) -> Result<Url, MotionError> {
        let address = Url::parse(address).map_err(|_| MotionError::UnexpectedAnswer)?;
        if self.connection.may_follow(&self.service, &address) {
            Ok(address)
        } else if address.scheme() == "http" {
            Err(MotionError::UnencryptedLink)
        } else {
            Err(MotionError::UnexpectedAnswer)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::ready,
        net::SocketAddr,
        path::PathBuf,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use axum::{Router, http::StatusCode, routing::get};

    use crate::{
        ConnectionPolicy, Unencrypted,
        motion::{FetchLimits, MotionClient, MotionError},
    };

    /// Starts a server with a file at `/file`, and a redirect to it at `/store` through a URL that
    /// does not look local. Returns its address and a counter of requests for the file.
    async fn service() -> (SocketAddr, Arc<AtomicUsize>) {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener =
            tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is available");
        let address = listener.local_addr().expect("the socket has an address");
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let file = move || {
            count.fetch_add(1, Ordering::SeqCst);
            ready("walk")
        };
        let there = non_local(address);
        let store = move || ready((StatusCode::TEMPORARY_REDIRECT, [("location", there)]));
        let router = Router::new().route("/file", get(file)).route("/store", get(store));
        tokio::spawn(async move { axum::serve(listener, router).await });
        (address, asked)
    }

    /// Returns the same port under an address that does not count as local.
    fn non_local(address: SocketAddr) -> String {
        format!("http://0.0.0.0:{}/file", address.port())
    }

    fn target(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("limber-links-{name}-{}", std::process::id()))
    }

    #[tokio::test]
    async fn files_are_not_downloaded_from_unencrypted_links() {
        let (address, asked) = service().await;
        let base = format!("http://{address}");
        let client =
            MotionClient::new(&base, "id", "secret".into()).expect("the client can be created");
        let to = target("refused");
        for link in [non_local(address), format!("{base}/store")] {
            let fetched = client.fetch(&link, &to, FetchLimits::default()).await;
            assert!(matches!(fetched, Err(MotionError::UnencryptedLink)), "{link}: {fetched:?}");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn files_are_downloaded_from_unencrypted_links_if_allowed() {
        let (address, asked) = service().await;
        let base = format!("http://{address}");
        let connection = ConnectionPolicy {
            unencrypted: Unencrypted::ToThisServer,
            ..ConnectionPolicy::default()
        };
        let client = MotionClient::with_policy(&connection, &base, "id", "secret".into())
            .expect("the client can be created");
        let to = target("allowed");
        for link in [non_local(address), format!("{base}/store")] {
            client
                .fetch(&link, &to, FetchLimits::default())
                .await
                .expect("the file can be downloaded");
            assert_eq!(std::fs::read_to_string(&to).expect("the file can be read"), "walk");
            std::fs::remove_file(&to).expect("the file can be removed");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 2);
    }
}
