//! The way to a service: who may listen on it, and how one shows oneself at its end.

use std::net::Ipv6Addr;

use limber_api::local::SECRET_HEADER;
use reqwest::header::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// Where secrets may travel unencrypted, by `http://`. Everybody on the way reads what does, and may
/// answer in the service's place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unencrypted {
    /// Within this computer.
    #[default]
    OnThisComputer,
    /// To this server too: a person has said so.
    ToThisServer,
}

impl Unencrypted {
    /// Whether secrets may be sent there.
    #[must_use]
    pub fn allows(self, address: &Url) -> bool {
        match self {
            Self::ToThisServer => true,
            Self::OnThisComputer => address.scheme() == "https" || is_on_this_computer(address),
        }
    }
}

/// A name may be anybody's, but for the one that is reserved (RFC 6761).
fn is_on_this_computer(address: &Url) -> bool {
    match address.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip == Ipv6Addr::LOCALHOST,
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// How a service is reached.
#[derive(Debug, Clone, Default)]
pub struct Way {
    /// What may be sent unencrypted.
    pub unencrypted: Unencrypted,
    /// For a service on this computer that answers one app alone: what shows that it is this one.
    pub app_secret: Option<SecretString>,
}

impl Way {
    /// What speaks to the service at this address.
    ///
    /// A proxy that the environment or the system names gets nothing of what stays within this computer: it
    /// would be told, unencrypted, what nobody else may hear.
    pub(crate) fn http(&self, address: &Url) -> reqwest::ClientBuilder {
        let builder = reqwest::Client::builder()
            // a service answers calls itself; a redirect would carry secrets away
            .redirect(reqwest::redirect::Policy::none())
            // one on this computer keeps its files itself, so nobody else is asked with these
            .default_headers(self.headers())
            .user_agent(concat!("limber/", env!("CARGO_PKG_VERSION")));
        if is_on_this_computer(address) { builder.no_proxy() } else { builder }
    }

    /// Whether an address that the service at `service` gave out may be followed there.
    ///
    /// It is a secret by itself, and what is fetched or sent there is somebody's own. Nor has a service
    /// elsewhere any business with what listens on this computer. And a service of one app is shown the app's
    /// secret with every request, which is meant for nobody else.
    pub(crate) fn leads(&self, service: &Url, address: &Url) -> bool {
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

    /// What every request carries.
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
        text.parse().expect("an address")
    }

    fn clients(address: &str, way: &Way) -> (Option<IdentityError>, Option<MotionError>) {
        // every test asks; only the first succeeds
        let _ = rustls::crypto::ring::default_provider().install_default();
        let options = IdentityOptions { way: way.clone(), ..IdentityOptions::default() };
        (
            IdentityClient::new(&url(address), &options).err(),
            MotionClient::by(way, address, "id", "secret".into()).err(),
        )
    }

    #[test]
    fn no_client_is_made_for_a_way_on_which_others_may_listen() {
        for address in ELSEWHERE {
            let refused = clients(address, &Way::default());
            let is_told = matches!(
                refused,
                (Some(IdentityError::Unencrypted), Some(MotionError::Unencrypted))
            );
            assert!(is_told, "{address}: {refused:?}");
        }
    }

    #[test]
    fn what_is_encrypted_or_stays_here_needs_nobodys_word() {
        for address in [
            "https://studio.example",
            "http://127.0.0.1:8081",
            "http://127.8.9.10",
            "http://[::1]:8081",
            "http://localhost:8081",
            "http://LOCALHOST",
        ] {
            let refused = clients(address, &Way::default());
            assert!(matches!(refused, (None, None)), "{address}: {refused:?}");
        }
    }

    #[test]
    fn a_person_may_say_that_others_may_listen() {
        let way = Way { unencrypted: Unencrypted::ToThisServer, ..Way::default() };
        for address in ELSEWHERE {
            let refused = clients(address, &way);
            assert!(matches!(refused, (None, None)), "{address}: {refused:?}");
        }
    }

    #[test]
    fn addresses_that_a_service_gives_out_lead_where_nobody_listens() {
        let (server, here) = ("https://studio.example", "http://127.0.0.1:8081");
        let trusted = Way { unencrypted: Unencrypted::ToThisServer, ..Way::default() };
        let of_one_app = Way { app_secret: Some("hush".into()), ..Way::default() };
        for (way, service, address, leads) in [
            (&Way::default(), server, "https://store.example/a?sig=1", true),
            (&Way::default(), server, "http://studio.example/a", false),
            (&Way::default(), server, "http://127.0.0.1:9000/a", false),
            (&Way::default(), server, "file:///etc/passwd", false),
            (&Way::default(), here, "http://localhost:9000/a", true),
            (&Way::default(), here, "http://192.168.1.10:9000/a", false),
            (&trusted, "http://studio.example", "http://store.example/a", true),
            (&trusted, "http://studio.example", "ftp://store.example/a", false),
            (&of_one_app, here, "http://127.0.0.1:8081/a", true),
            (&of_one_app, here, "http://127.0.0.1:9000/a", false),
            (&of_one_app, here, "https://store.example/a", false),
        ] {
            assert_eq!(way.leads(&url(service), &url(address)), leads, "{service}: {address}");
        }
    }

    /// Answers everybody with a refusal; tells where, and how many came.
    fn refuse_all() -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it");
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

    /// In the environment of the program that calls, which is this one once more: whom to call.
    const CALLED: &str = "LIMBER_TEST_CALLED";

    #[tokio::test]
    async fn what_stays_on_this_computer_is_told_to_no_proxy() {
        if let Ok(called) = std::env::var(CALLED) {
            let _ = rustls::crypto::ring::default_provider().install_default();
            let identity = IdentityClient::new(&url(&called), &IdentityOptions::default());
            identity.expect("a client").settings().await.expect_err("it refuses all");
            let motion = MotionClient::new(&called, "id", "secret".into()).expect("a client");
            motion.sign_in().await.expect_err("it refuses all");
            return;
        }
        let ((service, came), (proxy, asked)) = (refuse_all(), refuse_all());
        let program = std::env::current_exe().expect("this one");
        let caller = Command::new(program)
            .args(["--exact", "way::tests::what_stays_on_this_computer_is_told_to_no_proxy"])
            .env(CALLED, format!("http://{service}"))
            .envs(["HTTP_PROXY", "http_proxy", "ALL_PROXY"].map(|n| (n, format!("http://{proxy}"))))
            .env_remove("NO_PROXY")
            .env_remove("no_proxy")
            .output()
            .expect("it runs");
        assert!(caller.status.success(), "{}", String::from_utf8_lossy(&caller.stdout));
        assert_eq!((came.load(Ordering::SeqCst), asked.load(Ordering::SeqCst)), (2, 0));
    }

    #[test]
    fn the_secret_is_in_no_words_about_the_way() {
        let way = Way { app_secret: Some("hush".into()), ..Way::default() };
        assert!(!format!("{way:?} {:?}", way.headers()).contains("hush"));
        assert_eq!(way.headers()[SECRET_HEADER], "hush");
    }
}
