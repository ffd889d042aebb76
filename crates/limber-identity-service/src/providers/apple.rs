//! Apple: an OpenID provider that answers by form and wants a client secret signed anew.
//!
//! Source: Apple's "Sign in with Apple REST API" and "Creating a client secret".

use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::answers::{Answers, CLAIMS, FORM, id, is_true};
use super::profile::{Profile, joined};
use super::recipe::{OPEN_ID, PLAIN, Recipe};
use crate::config::AppleKey;

pub(super) const RECIPE: Recipe = Recipe {
    issuer: "https://appleid.apple.com",
    scopes: &["email", "name"],
    // Apple demands it as soon as a scope is asked for
    parameters: &[("response_mode", "form_post")],
    read,
    openid: Some(OPEN_ID),
    ..PLAIN
};

/// The address counts only if it is in the token; the name is nowhere but in the form.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let claims = answers.get(CLAIMS);
    let name = &answers.get(FORM)["name"];
    Some(
        Profile::new(answers.issuer, id(&claims["sub"])?)
            .email(&claims["email"], is_true(&claims["email_verified"]))
            .name(&joined(&name["firstName"], &name["lastName"]))
            .custom("is_private_email", &private(&claims["is_private_email"])),
    )
}

fn private(value: &Value) -> Value {
    if value.is_null() { Value::Null } else { json!(is_true(value)) }
}

/// Long enough for one question, whatever the clocks say.
const SECRET_LIFETIME_S: i64 = 300;

/// A client secret: a JWT signed with the team's key.
pub(super) fn client_secret(
    key: &AppleKey,
    client_id: &str,
    audience: &str,
    now: DateTime<Utc>,
) -> Option<SecretString> {
    let issued = now.timestamp();
    let claims = json!({
        "iss": key.team_id, "iat": issued, "exp": issued + SECRET_LIFETIME_S,
        "aud": audience, "sub": client_id,
    });
    let header = Header { kid: Some(key.key_id.clone()), ..Header::new(Algorithm::ES256) };
    encode(&header, &claims, &signing_key(key)?).ok().map(Into::into)
}

fn signing_key(key: &AppleKey) -> Option<EncodingKey> {
    EncodingKey::from_ec_pem(key.private_key.expose_secret().as_bytes()).ok()
}

/// Whether a client secret could be signed with it.
pub(crate) fn is_key(key: &AppleKey) -> bool {
    client_secret(key, "", "", DateTime::UNIX_EPOCH).is_some()
}
