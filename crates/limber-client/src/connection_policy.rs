//! How a service may be reached: where unencrypted connections are allowed, and how the app
//! authenticates to a local service.

use std::net::Ipv6Addr;

use limber_api::local::SECRET_HEADER;
use reqwest::header::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// Where secrets may be sent over unencrypted `http://`. Everyone on the network path can read such
/// traffic, and can respond in place of the service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unencrypted {
    /// Only within this computer.
    #[default]
    OnThisComputer,
    /// Also to this server, because the user has allowed it.
    ToThisServer,
}

impl Unencrypted {
    /// Returns whether secrets may be sent to this address.
    #[must_use]
    pub fn allows(self, address: &Url) -> bool {
        match self {
            Self::ToThisServer => true,
            Self::OnThisComputer => address.scheme() == "https" || is_on_this_computer(address),
        }
    }
}

/// Returns whether the address is local. Of all names, only `localhost` is reserved (RFC 6761) and
/// can be relied upon.
fn is_on_this_computer(address: &Url) -> bool {
    match address.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip == Ipv6Addr::LOCALHOST,
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// How a service may be reached.
#[derive(Debug, Clone, Default)]
pub struct ConnectionPolicy {
    /// Where unencrypted connections are allowed.
    pub unencrypted: Unencrypted,
    /// Secret that authenticates this app to a local service that serves one app only.
    pub app_secret: Option<SecretString>,
}

impl ConnectionPolicy {
    /// Returns a builder for an HTTP client of the service at this address.
    ///
    /// Proxies from the environment or system settings are not used for local addresses: they would
    /// see unencrypted traffic that must not leave this computer.
    pub(crate) fn http(&self, address: &Url) -> reqwest::ClientBuilder {
        let builder = reqwest::Client::builder()
            // services respond directly; a redirect could carry secrets elsewhere
            .redirect(reqwest::redirect::Policy::none())
            // includes the app secret, which is safe: a local service does not redirect to other
            // hosts
            .default_headers(self.headers())
            .user_agent(concat!("limber/", env!("CARGO_PKG_VERSION")));
        if is_on_this_computer(address) { builder.no_proxy() } else { builder }
    }

    /// Returns whether a URL from a response of the service at `service` may be followed.
    ///
    /// Such a URL is itself a secret, and so are the files behind it. A remote service must not
    /// make the client call local servers. With an app secret, which is sent with every request,
    /// only the service itself may be called.
    pub(crate) fn may_follow(&self, service: &Url, address: &Url) -> bool {
        if self.app_secret.is_some() && address.origin() != service.origin() {
            return false;
        }
        match address.scheme() {
            "https" => true,
            "http" => {
                self.unencrypted == Unencrypted::ToThisServer
                    || (is_on_this_computer(service) && is_on_this_computer(address))
            }
            _ => false,
        }
    }

    /// Returns the headers that are sent with every request.
    fn headers(&self) -> HeaderMap {
        let shown = self.app_secret.as_ref();
        let shown = shown.and_then(|secret| HeaderValue::from_str(secret.expose_secret()).ok());
        let shown = shown.map(|mut value| {
            value.set_sensitive(true);
            (reqwest::header::HeaderName::from_static(SECRET_HEADER), value)
        });
        shown.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::{SocketAddr, TcpListener},
        process::Command,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use super::*;
    use crate::{
        identity::{IdentityClient, IdentityError, IdentityOptions},
        motion::{MotionClient, MotionError},
    };

    const ELSEWHERE: [&str; 7] = [
        "http://studio.example",
        "http://192.168.1.10:8081",
        "http://127.0.0.1.studio.example",
        "http://localhost.studio.example",
        "http://0.0.0.0:8081",
        "http://[fe80::1]:8081",
        "http://[::ffff:10.0.0.1]",
    ];

    fn url(text: &str) -> Url {
        text.parse().expect("the address is valid")
    }

    fn clients(
        address: &str,
        connection: &ConnectionPolicy,
    ) -> (Option<IdentityError>, Option<MotionError>) {
        // fails if another test has installed a provider already, which is fine
        let _ = rustls::crypto::ring::default_provider().install_default();
        let options =
            IdentityOptions { connection: connection.clone(), ..IdentityOptions::default() };
        (
            IdentityClient::new(&url(address), &options).err(),
            MotionClient::with_policy(connection, address, "id", "secret".into()).err(),
        )
    }

    #[test]
    fn unencrypted_remote_addresses_are_rejected_by_default() {
        for address in ELSEWHERE {
            let refused = clients(address, &ConnectionPolicy::default());
            let is_told = matches!(
                refused,
                (Some(IdentityError::Unencrypted), Some(MotionError::Unencrypted))
            );
            assert!(is_told, "{address}: {refused:?}");
        }
    }

    #[test]
    fn https_and_loopback_addresses_need_no_permission() {
        for address in [
            "https://studio.example",
            "http://127.0.0.1:8081",
            "http://127.8.9.10",
            "http://[::1]:8081",
            "http://localhost:8081",
            "http://LOCALHOST",
        ] {
            let refused = clients(address, &ConnectionPolicy::default());
            assert!(matches!(refused, (None, None)), "{address}: {refused:?}");
        }
    }

    #[test]
    fn unencrypted_connections_can_be_allowed() {
        let connection = ConnectionPolicy {
            unencrypted: Unencrypted::ToThisServer,
            ..ConnectionPolicy::default()
        };
        for address in ELSEWHERE {
            let refused = clients(address, &connection);
            assert!(matches!(refused, (None, None)), "{address}: {refused:?}");
        }
    }

    #[test]
    fn links_from_a_service_must_be_encrypted_or_local() {
        let (server, here) = ("https://studio.example", "http://127.0.0.1:8081");
        let trusted = ConnectionPolicy {
            unencrypted: Unencrypted::ToThisServer,
            ..ConnectionPolicy::default()
        };
        let of_one_app =
            ConnectionPolicy { app_secret: Some("hush".into()), ..ConnectionPolicy::default() };
        for (connection, service, address, may_follow) in [
            (&ConnectionPolicy::default(), server, "https://store.example/a?sig=1", true),
            (&ConnectionPolicy::default(), server, "http://studio.example/a", false),
            (&ConnectionPolicy::default(), server, "http://127.0.0.1:9000/a", false),
            (&ConnectionPolicy::default(), server, "file:///etc/passwd", false),
            (&ConnectionPolicy::default(), here, "http://localhost:9000/a", true),
            (&ConnectionPolicy::default(), here, "http://192.168.1.10:9000/a", false),
            (&trusted, "http://studio.example", "http://store.example/a", true),
            (&trusted, "http://studio.example", "ftp://store.example/a", false),
            (&of_one_app, here, "http://127.0.0.1:8081/a", true),
            (&of_one_app, here, "http://127.0.0.1:9000/a", false),
            (&of_one_app, here, "https://store.example/a", false),
        ] {
            assert_eq!(
                connection.may_follow(&url(service), &url(address)),
                may_follow,
                "{service}: {address}"
            );
        }
    }

    /// Starts a server that rejects all requests; returns its address and a counter of connections.
    fn refuse_all() -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is available");
        let address = listener.local_addr().expect("the socket has an address");
        let came = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&came);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4096]);
                let refusal =
                    "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(refusal.as_bytes());
            }
        });
        (address, came)
    }

    /// Environment variable that tells the child process, which is this test again, which address
    /// to call.
    const CALLED: &str = "LIMBER_TEST_CALLED";

    #[tokio::test]
    async fn loopback_requests_bypass_the_proxy() {
        if let Ok(called) = std::env::var(CALLED) {
            let _ = rustls::crypto::ring::default_provider().install_default();
            let identity = IdentityClient::new(&url(&called), &IdentityOptions::default());
            identity
                .expect("the client can be created")
                .settings()
                .await
                .expect_err("the server rejects all requests");
            let motion = MotionClient::new(&called, "id", "secret".into())
                .expect("the client can be created");
            motion.sign_in().await.expect_err("the server rejects all requests");
            return;
        }
        let ((service, came), (proxy, asked)) = (refuse_all(), refuse_all());
        let program = std::env::current_exe().expect("the path of this program is known");
        let caller = Command::new(program)
            .args(["--exact", "connection_policy::tests::loopback_requests_bypass_the_proxy"])
            .env(CALLED, format!("http://{service}"))
            .envs(["HTTP_PROXY", "http_proxy", "ALL_PROXY"].map(|n| (n, format!("http://{proxy}"))))
            .env_remove("NO_PROXY")
            .env_remove("no_proxy")
            .output()
            .expect("the program can be started");
        assert!(caller.status.success(), "{}", String::from_utf8_lossy(&caller.stdout));
        assert_eq!((came.load(Ordering::SeqCst), asked.load(Ordering::SeqCst)), (2, 0));
    }

    #[test]
    fn debug_output_hides_the_app_secret() {
        let connection =
            ConnectionPolicy { app_secret: Some("hush".into()), ..ConnectionPolicy::default() };
        assert!(!format!("{connection:?} {:?}", connection.headers()).contains("hush"));
        assert_eq!(connection.headers()[SECRET_HEADER], "hush");
    }
}
