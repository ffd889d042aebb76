//! `GET /account/v1/auth`: exchanges a client id and secret for a session cookie.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, alphabet, engine};
use chrono::DateTime;
use limber_api::motion::AuthAnswer;
use secrecy::SecretString;

use super::{ApiError, acting::Acting, caller::Whence, rate::Counted};
use crate::service::Service;

/// Base64 with or without padding.
const BASE64: engine::GeneralPurpose = engine::GeneralPurpose::new(
    &alphabet::STANDARD,
    engine::GeneralPurposeConfig::new()
        .with_decode_padding_mode(engine::DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Exchanges a client id and secret for a session cookie.
#[utoipa::path(get, path = "/account/v1/auth", tag = "Account", security(("credentials" = [])),
    responses((status = 200, body = AuthAnswer, headers(("set-cookie" = String, description = "The session.")))))]
pub(super) async fn authenticate(
    _: Acting,
    State(service): State<Arc<Service>>,
    Whence(caller): Whence,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    service.limiter.count(Counted::SignIn, &caller)?;
    let (id, secret) = basic(&headers).ok_or_else(rejected)?;
    let attempt = service.limiter.try_secret(&caller, &id)?;
    let session = match service.accounts.sign_in(&id, secret, service.session_life_ms).await {
        Ok(session) => session.ok_or_else(rejected)?,
        Err(error) => {
            attempt.was_not_looked_at();
            return Err(error.into());
        }
    };
    attempt.was_right();
    let cookie = set_cookie(&service, &session.id, session.expires_ms);
    let answer = AuthAnswer {
        result: true,
        expires_at: session.expires_ms,
        account: session.account.as_str().to_owned(),
    };
    let mut response = Json(answer).into_response();
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| ApiError::internal())?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn rejected() -> ApiError {
    let mut error = ApiError::new(
        axum::http::StatusCode::UNAUTHORIZED,
        "not_authenticated",
        "the client id or the client secret is wrong; send both as Authorization: Basic",
    );
    error.ask_for_basic = true;
    error
}

fn basic(headers: &HeaderMap) -> Option<(String, SecretString)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim();
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(BASE64.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    // PostgreSQL text cannot contain NUL, and longer ids or secrets do not exist
    let plausible = !id.contains('\0') && id.len() <= 200 && secret.len() <= 1000;
    plausible.then(|| (id.to_owned(), SecretString::from(secret.to_owned())))
}

fn set_cookie(service: &Service, session: &str, expires_ms: i64) -> String {
    let pair = service.cookies.pair(session);
    let expires = DateTime::from_timestamp_millis(expires_ms).unwrap_or_default();
    let expires = expires.format("%a, %d %b %Y %H:%M:%S GMT");
    let life_s = service.session_life_ms / 1000;
    let mut cookie =
        format!("{pair}; Path=/; Expires={expires}; Max-Age={life_s}; HttpOnly; SameSite=Lax");
    if service.public_base.starts_with("https://") {
        cookie.push_str("; Secure");
    }
    if let Some(domain) = &service.cookie_domain {
        cookie.push_str("; Domain=");
        cookie.push_str(domain);
    }
    cookie
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn read(value: &str) -> Option<(String, String)> {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, HeaderValue::from_str(value).expect("a header"));
        basic(&headers).map(|(id, secret)| (id, secret.expose_secret().to_owned()))
    }

    #[test]
    fn secrets_may_contain_colons_and_padding_is_optional() {
        // "id:se:cret"
        let expected = Some(("id".to_owned(), "se:cret".to_owned()));
        assert_eq!(read("Basic aWQ6c2U6Y3JldA=="), expected);
        assert_eq!(read("bASIC   aWQ6c2U6Y3JldA"), expected);
        for bad in ["Basic", "Basic !!!", "Bearer aWQ6c2U6Y3JldA==", "Basic aWQ=", "Basic //4="] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
