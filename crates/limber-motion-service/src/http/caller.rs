//! Identifies the caller of a request: applies the rate limit first, then authenticates.

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, header, request::Parts},
};
use limber_api::proxies::{FORWARDED_FOR, as_one_caller, caller_behind, entries};

use super::{ApiError, rate::Counted};
use crate::{accounts::AccountId, service::Service};

/// An extractor: the caller's account, taken from a valid session.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) account: AccountId,
}

impl FromRequestParts<Arc<Service>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, ApiError> {
        let session = session_of(&parts.headers, service);
        // a forged cookie counts against the address, so forging cookies does not evade the limit
        let who = session.clone().unwrap_or_else(|| address_of(parts, service));
        service.limiter.count(Counted::Any, &who)?;
        let path = parts.uri.path();
        if path.starts_with("/job/v1/status") || path.starts_with("/job/v1/list") {
            service.limiter.count(Counted::Reading, &who)?;
        }
        let session = session.ok_or_else(ApiError::not_authenticated)?;
        let account = service.accounts.of_session(&session).await?;
        Ok(Self { account: account.ok_or_else(ApiError::not_authenticated)? })
    }
}

/// Returns the session id from a correctly signed cookie or bearer token.
fn session_of(headers: &HeaderMap, service: &Service) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let in_cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .find_map(|value| service.cookies.session_in_header(value));
    in_cookies.or_else(|| {
        let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        scheme
            .eq_ignore_ascii_case("bearer")
            .then(|| service.cookies.session_in_value(token))
            .flatten()
    })
}

/// An extractor: the caller's address, for rate limits; see [`address_of`].
#[derive(Debug)]
pub(super) struct Whence(pub(super) String);

impl FromRequestParts<Arc<Service>> for Whence {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, Infallible> {
        Ok(Self(address_of(parts, service)))
    }
}

/// Returns the caller's IP address: the connecting address or, behind proxies that the operator
/// trusts, the last hop before them. All addresses of an IPv6 network count as one.
pub(super) fn address_of(parts: &Parts, service: &Service) -> String {
    let Some(ConnectInfo(peer)) = parts.extensions.get::<ConnectInfo<SocketAddr>>() else {
        return String::new();
    };
    let lines = parts.headers.get_all(FORWARDED_FOR).iter();
    let forwarded: Vec<&str> = lines.flat_map(|line| entries(line.as_bytes())).collect();
    as_one_caller(caller_behind(&service.trusted_proxies, peer.ip(), &forwarded)).to_string()
}
