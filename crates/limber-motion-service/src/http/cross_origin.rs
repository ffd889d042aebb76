//! Decides which browser origins may call the API (CORS). Requests without an `Origin` header do
//! not come from a browser's cross-origin call and are let through.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::ApiError;
use crate::service::Service;

pub(super) async fn admit(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else {
        return next.run(request).await;
    };
    if !allowed(&service.origins, origin.to_str().unwrap_or_default()) {
        let message = "this web page's origin is not permitted; ask the operator to register it";
        return ApiError::new(StatusCode::FORBIDDEN, "origin_not_allowed", message).into_response();
    }
    let preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if preflight {
        let asked = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
        permit(asked)
    } else {
        next.run(request).await
    };
    mark(response.headers_mut(), origin);
    response
}

fn permit(asked: Option<HeaderValue>) -> Response {
    let mut response = StatusCode::OK.into_response();
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE, OPTIONS");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(asked) = asked {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked);
    }
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

fn mark(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    let exposed = "Location, Range, ETag, Retry-After, X-Request-Id, x-storage-hash";
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
}

/// Returns whether the origin is on the list; `:*` at the end of an entry matches any port.
fn allowed(list: &[String], origin: &str) -> bool {
    list.iter().any(|entry| match entry.strip_suffix(":*") {
        Some(host) => origin.strip_prefix(host).is_some_and(|rest| {
            rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
        }),
        None => entry == origin,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_wildcard_matches_ports_only() {
        let list = ["http://localhost:*".to_owned(), "tauri://localhost".to_owned()];
        for good in ["http://localhost:5173", "tauri://localhost"] {
            assert!(allowed(&list, good), "{good}");
        }
        for bad in [
            "http://localhost",
            "http://localhost:80.evil.example",
            "http://localhost.evil:80",
            "null",
            "",
        ] {
            assert!(!allowed(&list, bad), "{bad}");
        }
    }
}
