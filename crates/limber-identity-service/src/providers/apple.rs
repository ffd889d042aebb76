//! Apple: an OpenID provider that responds by form post and requires a freshly signed client
//! secret.
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
    // Apple requires it whenever a scope is requested.
    parameters: &[("response_mode", "form_post")],
    read,
    openid: Some(OPEN_ID),
    ..PLAIN
};

/// Reads the profile. Only an email address in the token is trusted; the name is sent only in the
/// form.
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

/// Lifetime of a client secret. Long enough for one request even if the clocks differ.
const SECRET_LIFETIME_S: i64 = 300;

/// Returns a client secret: a JWT signed with the team's key.
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

/// Tells whether a client secret can be signed with the key.
pub(crate) fn is_key(key: &AppleKey) -> bool {
    client_secret(key, "", "", DateTime::UNIX_EPOCH).is_some()
}
