//! The provider's side of OAuth 1.0a, which verifies every signature.

use std::collections::BTreeMap;
use std::sync::Mutex;

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Url;
use sha1::Sha1;

use super::stand_in::{ACCESS_TOKEN, CLIENT_ID, CLIENT_SECRET, Seen};

fn encode(text: &str) -> String {
    // Unlike the service's implementation: form encoding, corrected to RFC 3986.
    url::form_urlencoded::byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
        .replace('*', "%2A")
        .replace("%7E", "~")
}

/// Returns the decoded parameters of the `Authorization` header.
fn parameters(seen: &Seen) -> BTreeMap<String, String> {
    let header = seen.header("authorization").strip_prefix("OAuth ").unwrap_or_default();
    header
        .split(", ")
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| {
            let value = value.trim_matches('"').replace('+', "%2B");
            let text = format!("v={value}");
            let decoded = url::form_urlencoded::parse(text.as_bytes()).next();
            (name.to_owned(), decoded.map(|(_, v)| v.into_owned()).unwrap_or_default())
        })
        .collect()
}

/// Tells whether the signature is valid for this token secret.
pub(crate) fn is_signed(seen: &Seen, base: &str, token_secret: &str) -> bool {
    let mut parameters = parameters(seen);
    let Some(signature) = parameters.remove("oauth_signature") else { return false };
    if parameters.get("oauth_consumer_key").map(String::as_str) != Some(CLIENT_ID) {
        return false;
    }
    parameters.extend(seen.query.clone());
    let mut pairs: Vec<String> =
        parameters.iter().map(|(n, v)| format!("{}={}", encode(n), encode(v))).collect();
    pairs.sort();
    let url = format!("{base}{}", seen.path);
    let text = format!("{}&{}&{}", seen.method, encode(&url), encode(&pairs.join("&")));
    let key = format!("{}&{}", encode(CLIENT_SECRET), encode(token_secret));
    let mut mac = Hmac::<Sha1>::new_from_slice(key.as_bytes()).expect("any length");
    mac.update(text.as_bytes());
    STANDARD.encode(mac.finalize().into_bytes()) == signature
}

/// Callback URLs by request token. One simulated provider serves one test.
static CALLBACKS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// Answers the three steps before the profile request.
pub(crate) fn answer(seen: &Seen, base: &str) -> Option<Response> {
    let refused = || Some(StatusCode::UNAUTHORIZED.into_response());
    match (&seen.method, seen.path.as_str()) {
        (&Method::POST, "/oauth/request_token") => {
            if !is_signed(seen, base, "") {
                return refused();
            }
            let callback = parameters(seen).remove("oauth_callback")?;
            CALLBACKS.lock().expect("free").insert(base.to_owned(), callback);
            let text = "oauth_token=request-token&oauth_token_secret=request-secret\
                        &oauth_callback_confirmed=true";
            Some(text.into_response())
        }
        (&Method::GET, "/oauth/authenticate") => {
            let callback = CALLBACKS.lock().expect("free").get(base).cloned()?;
            let mut url = Url::parse(&callback).ok()?;
            let token = seen.query.get("oauth_token")?;
            url.query_pairs_mut()
                .append_pair("oauth_token", token)
                .append_pair("oauth_verifier", "the-code");
            Some((StatusCode::FOUND, [(header::LOCATION, url.to_string())]).into_response())
        }
        (&Method::POST, "/oauth/access_token") => {
            let sent = parameters(seen);
            let known = is_signed(seen, base, "request-secret")
                && sent.get("oauth_verifier").map(String::as_str) == Some("the-code");
            if !known {
                return refused();
            }
            let token = encode(ACCESS_TOKEN);
            let text = format!(
                "oauth_token={token}&oauth_token_secret=token-secret&user_id=6253282&screen_name=ann"
            );
            Some(text.into_response())
        }
        _ => None,
    }
}
