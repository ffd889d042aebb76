//! Restricts a service to a single app: requests from everybody else on the computer are rejected
//! before they are processed.
//!
//! Every user and every web page on a computer can connect to loopback. Callers must therefore
//! present a secret that only the app and its service know. A web page does not know it; and
//! because pages may find other ways in, anything that looks like one is rejected even with the
//! secret: a request with an `Origin` or `Sec-Fetch-…` header, and one whose `Host` is not the
//! service's address, which is how DNS rebinding works.

use std::{
    convert::Infallible,
    fmt,
    future::{Ready, ready},
    net::SocketAddr,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    extract::Request,
    http::{HeaderMap, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::future::Either;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;
use tower::Service;

/// Response to rejected requests.
const REFUSAL: &str = "This service only responds to the app that started it.\n";

/// Describes which requests are admitted.
#[derive(Clone)]
pub struct Admission {
    /// The expected `Host`, for example `127.0.0.1:4321`.
    host: String,
    header: &'static str,
    secret: SecretString,
    opened: &'static [&'static str],
}

impl fmt::Debug for Admission {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Admission").field("host", &self.host).finish_non_exhaustive()
    }
}

impl Admission {
    /// Admits only requests that address the service by its listening address and present the
    /// secret in this header.
    #[must_use]
    pub fn new(address: SocketAddr, header: &'static str, secret: SecretString) -> Self {
        Self { host: address.to_string(), header, secret, opened: &[] }
    }

    /// Also admits navigation to these paths in a browser, without the secret: by `GET`, as a
    /// top-level page, and neither in a frame nor by a script.
    #[must_use]
    pub fn with_pages(self, opened: &'static [&'static str]) -> Self {
        Self { opened, ..self }
    }

    fn admits(&self, request: &Request) -> bool {
        let headers = request.headers();
        self.is_meant(request)
            && !headers.contains_key(header::ORIGIN)
            && ((self.has_secret(headers) && !comes_from_a_browser(headers))
                || self.is_opened_page(request))
    }

    /// Tells whether the request has exactly one `Host` header and it is ours.
    fn is_meant(&self, request: &Request) -> bool {
        let mut named = request.headers().get_all(header::HOST).iter();
        let whole = request.uri().authority().is_none_or(|named| named.as_str() == self.host);
        let first = named.next().is_some_and(|name| name.as_bytes() == self.host.as_bytes());
        whole && first && named.next().is_none()
    }

    fn has_secret(&self, headers: &HeaderMap) -> bool {
        let expected = self.secret.expose_secret().as_bytes();
        let mut shown = headers.get_all(self.header).iter();
        let is_right =
            shown.next().is_some_and(|shown| bool::from(shown.as_bytes().ct_eq(expected)));
        is_right && shown.next().is_none()
    }

    fn is_opened_page(&self, request: &Request) -> bool {
        let says = |name: &str, expected: &str| {
            // Browsers older than these headers send none.
            request.headers().get(name).is_none_or(|said| said.as_bytes() == expected.as_bytes())
        };
        request.method() == Method::GET
            && self.opened.contains(&request.uri().path())
            && says("sec-fetch-mode", "navigate")
            && says("sec-fetch-dest", "document")
    }
}

fn comes_from_a_browser(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| name.as_str().starts_with("sec-fetch-"))
}

/// A service behind an admission check, if there is one.
#[derive(Debug, Clone)]
pub struct Admitted<S> {
    admission: Option<Arc<Admission>>,
    service: S,
}

impl<S> Admitted<S> {
    /// Wraps a service. Without an admission, every request is passed on.
    pub fn new(service: S, admission: Option<Admission>) -> Self {
        Self { admission: admission.map(Arc::new), service }
    }
}

impl<S> Service<Request> for Admitted<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Either<S::Future, Ready<Result<Response, Infallible>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let is_admitted =
            self.admission.as_ref().is_none_or(|admission| admission.admits(&request));
        if is_admitted {
            return Either::Left(self.service.call(request));
        }
        let close = [(header::CONNECTION, "close")];
        Either::Right(ready(Ok((StatusCode::FORBIDDEN, close, REFUSAL).into_response())))
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    const SECRET: (&str, &str) = ("x-app", "hush");
    const HOST: (&str, &str) = ("host", "127.0.0.1:4321");

    fn admits(method: &str, path: &str, headers: &[(&str, &str)]) -> bool {
        let address = "127.0.0.1:4321".parse().expect("the address is valid");
        let admission = Admission::new(address, "x-app", "hush".into()).with_pages(&["/verify"]);
        let request = headers
            .iter()
            .fold(Request::builder().method(method).uri(path), |request, (name, value)| {
                request.header(*name, *value)
            });
        admission.admits(&request.body(Body::empty()).expect("the request is valid"))
    }

    #[test]
    fn only_the_correct_secret_is_admitted() {
        assert!(admits("POST", "/token", &[HOST, SECRET]));
        assert!(!admits("POST", "/token", &[HOST]));
        for wrong in ["", "hus", "hush ", "hushh", "HUSH"] {
            assert!(!admits("POST", "/token", &[HOST, ("x-app", wrong)]), "{wrong:?}");
        }
        assert!(!admits("POST", "/token", &[HOST, ("x-app", "guess"), SECRET]));
        assert!(!admits("POST", "/token", &[HOST, SECRET, ("x-app", "guess")]));
    }

    #[test]
    fn web_pages_are_rejected_even_with_the_secret() {
        for of_a_page in [
            ("origin", "https://page.example"),
            ("origin", "null"),
            ("origin", "http://127.0.0.1:4321"),
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-mode", "no-cors"),
        ] {
            assert!(!admits("GET", "/user", &[HOST, SECRET, of_a_page]), "{of_a_page:?}");
        }
    }

    #[test]
    fn requests_to_other_host_names_are_rejected() {
        for name in ["page.example", "localhost:4321", "127.0.0.1", "127.0.0.1:4322", ""] {
            assert!(!admits("GET", "/user", &[("host", name), SECRET]), "{name:?}");
        }
        assert!(!admits("GET", "/user", &[SECRET]));
        assert!(!admits("GET", "/user", &[HOST, ("host", "page.example"), SECRET]));
        assert!(!admits("GET", "http://page.example/user", &[HOST, SECRET]));
        assert!(admits("GET", "http://127.0.0.1:4321/user", &[HOST, SECRET]));
    }

    #[test]
    fn only_page_navigations_are_admitted_without_the_secret() {
        let page = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        assert!(admits("GET", "/verify?token=t", &[HOST]));
        assert!(admits("GET", "/verify?token=t", &[HOST, page[0], page[1]]));
        assert!(!admits("GET", "/verify", &[HOST, page[0], ("sec-fetch-dest", "iframe")]));
        assert!(!admits("GET", "/verify", &[HOST, ("sec-fetch-mode", "cors"), page[1]]));
        assert!(!admits("GET", "/verify", &[HOST, ("origin", "https://page.example")]));
        assert!(!admits("GET", "/verify", &[("host", "page.example")]));
        assert!(!admits("POST", "/verify", &[HOST]));
        assert!(!admits("HEAD", "/verify", &[HOST]));
        for path in ["/verify/", "/Verify", "//verify", "/auth/v1/verify", "/user", "/"] {
            assert!(!admits("GET", path, &[HOST]), "{path}");
        }
    }
}
