//! Who is calling: counted first, then authenticated.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, header, request::Parts},
};

use super::{ApiError, rate::Counted};
use crate::{accounts::AccountId, service::Service};

/// A caller with a valid session.
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
        // a forged cookie counts against the address, so that it buys no fresh bucket
        let who = session.clone().unwrap_or_else(|| address_of(parts));
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

/// The genuine session of the cookies, or of a bearer token with the same value.
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

/// The caller's address.
pub(super) fn address_of(parts: &Parts) -> String {
    let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    connection.map_or_else(String::new, |info| info.0.ip().to_string())
}
