//! Access tokens: signed JWTs, of which nothing is stored.

use chrono::{DateTime, Utc};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Header, Validation, decode, decode_header, encode};
use limber_api::identity::Metadata;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::keys::KeyRing;
use crate::refusal::{Outcome, Refusal, refuse};

/// Maximum size of a token, in bytes. Longer input is not parsed.
const MAX_TOKEN_BYTES: usize = 256 * 1024;

/// The claims of our access tokens (identity behaviour, 4.4).
#[derive(Serialize)]
pub(crate) struct Claims<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) iss: &'a str,
    pub(crate) sub: String,
    pub(crate) aud: &'a str,
    pub(crate) exp: i64,
    pub(crate) iat: i64,
    pub(crate) email: &'a str,
    pub(crate) phone: &'a str,
    pub(crate) app_metadata: &'a Metadata,
    pub(crate) user_metadata: &'a Metadata,
    pub(crate) role: &'a str,
    pub(crate) aal: &'a str,
    pub(crate) amr: &'a Value,
    pub(crate) session_id: String,
    pub(crate) is_anonymous: bool,
}

pub(crate) fn sign(keys: &KeyRing, claims: &Claims<'_>) -> Outcome<String> {
    let mut header = Header::new(keys.signing.algorithm);
    header.kid.clone_from(&keys.signing.id);
    Ok(encode(&header, claims, &keys.signing.key)?)
}

/// The relevant claims of a presented token. Administrators' tokens are made elsewhere and may lack
/// most of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Presented {
    pub(crate) sub: Option<String>,
    aud: Value,
    exp: Option<f64>,
    nbf: Option<f64>,
    pub(crate) role: Option<String>,
    pub(crate) session_id: Option<String>,
}

impl Presented {
    /// Returns the audience, or the first of several.
    pub(crate) fn audience(&self) -> Option<&str> {
        match &self.aud {
            Value::String(one) => Some(one),
            Value::Array(many) => many.first().and_then(Value::as_str),
            _ => None,
        }
    }
}

/// Verifies the signature and the validity period.
pub(crate) fn verify(keys: &KeyRing, token: &str, now: DateTime<Utc>) -> Outcome<Presented> {
    if token.len() > MAX_TOKEN_BYTES {
        return refuse(Refusal::bad_token("token is malformed: it is too long"));
    }
    let header = decode_header(token).map_err(|e| Refusal::bad_token(reason(e.kind())))?;
    let Some((key, algorithm)) = keys.verifying(header.kid.as_deref(), header.alg) else {
        return refuse(Refusal::bad_token("token is unverifiable: no key for its kid and alg"));
    };
    // Times are checked below, against the injected clock.
    let mut validation = Validation::new(algorithm);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    let presented = decode::<Presented>(token, key, &validation)
        .map_err(|e| Refusal::bad_token(reason(e.kind())))?
        .claims;
    if [&presented.sub, &presented.session_id].into_iter().flatten().any(|id| is_zero(id)) {
        return refuse(Refusal::bad_token("token has invalid claims: an id of zeros is nobody's"));
    }
    let now_s = now.timestamp() as f64;
    if presented.exp.is_some_and(|exp| exp <= now_s) {
        return refuse(Refusal::bad_token("token has invalid claims: token is expired"));
    }
    if presented.nbf.is_some_and(|nbf| nbf > now_s) {
        return refuse(Refusal::bad_token("token has invalid claims: token is not valid yet"));
    }
    Ok(presented)
}

/// Tells whether the id is the nil UUID, in any notation.
fn is_zero(id: &str) -> bool {
    id.parse::<Uuid>().is_ok_and(|id| id.is_nil())
}

fn reason(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidSignature => "token signature is invalid",
        ErrorKind::InvalidAlgorithm => "token is unverifiable: unexpected signing method",
        _ => "token is malformed",
    }
}

#[cfg(test)]
mod tests {
    use limber_domain::environment::SystemRandom;
    use serde_json::json;

    use super::*;
    use crate::config::{Config, JwtConfig};
    use crate::refusal::RequestError;
    use crate::tokens::keys::{NewKey, generate};

    fn jwt_config() -> JwtConfig {
        let url = url::Url::parse("http://id.example").expect("a valid address");
        Config::new(url.clone(), url, "".into(), "a secret for tests".into()).jwt
    }

    fn sample(keys: &KeyRing, exp: i64) -> String {
        let empty = Metadata::new();
        let claims = Claims {
            iss: "",
            sub: "x".into(),
            aud: "a",
            exp,
            iat: 0,
            email: "",
            phone: "",
            app_metadata: &empty,
            user_metadata: &empty,
            role: "",
            aal: "aal1",
            amr: &json!([]),
            session_id: String::new(),
            is_anonymous: false,
        };
        sign(keys, &claims).expect("signing succeeds")
    }

    #[test]
    fn the_nil_uuid_is_recognised_in_every_spelling() {
        for zero in [
            "00000000-0000-0000-0000-000000000000",
            "00000000000000000000000000000000",
            "{00000000-0000-0000-0000-000000000000}",
            "urn:uuid:00000000-0000-0000-0000-000000000000",
        ] {
            assert!(is_zero(zero), "{zero}");
        }
        for other in ["", "0", "the operator", "00000000-0000-4000-8000-000000000000"] {
            assert!(!is_zero(other), "{other}");
        }
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("a valid time")
    }

    #[test]
    fn every_kind_of_key_signs_and_verifies_and_the_secret_still_verifies() {
        let secret_only = KeyRing::new(&jwt_config()).expect("a secret is enough");
        let service_token = sample(&secret_only, 100);
        for kind in [NewKey::Rs256, NewKey::Es256, NewKey::Eddsa] {
            let keys = Some(generate(kind, &SystemRandom).into());
            let ring = KeyRing::new(&JwtConfig { keys, ..jwt_config() }).expect("a good key");
            let token = sample(&ring, 100);
            let presented = verify(&ring, &token, at(99)).expect("our own token");
            assert_eq!((presented.sub.as_deref(), presented.audience()), (Some("x"), Some("a")));
            verify(&ring, &service_token, at(99))
                .expect("HS256 with the secret is always accepted");
            assert!(verify(&secret_only, &token, at(99)).is_err(), "{kind:?} without its key");
        }
    }

    #[test]
    fn expired_forged_and_malformed_tokens_say_invalid_jwt() {
        let ring = KeyRing::new(&jwt_config()).expect("a secret is enough");
        let good = sample(&ring, 100);
        let forged = format!("{}x", &good[..good.len() - 2]);
        for (token, now) in [(good.as_str(), 100), (&forged, 0), ("nonsense", 0), ("", 0)] {
            let Err(RequestError::Refused(refusal)) = verify(&ring, token, at(now)) else {
                panic!("{token} was accepted")
            };
            assert_eq!(refusal.status, 403);
            assert!(
                refusal.message.starts_with("invalid JWT: unable to parse or verify signature")
            );
        }
    }
}
