//! `POST /token?grant_type=id_token`: ID tokens that an app obtained from a provider itself.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use limber_domain::hex;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::cases_a_to_g::{self, google};
use super::stand_in::{CLIENT_ID, StandIn};
use crate::service::{Answer, TestService};

async fn start(
    change: impl FnOnce(&mut limber_identity_service::Config),
) -> (TestService, StandIn) {
    let stand_in = StandIn::start(google()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        change(config);
    })
    .await;
    (service, stand_in)
}

async fn grant(service: &TestService, body: Value) -> Answer {
    service.post("/token?grant_type=id_token", body).await
}

#[track_caller]
fn is_oauth_error(answer: &Answer, error: &str, description: &str) {
    let expected = json!({"error": error, "error_description": description});
    assert_eq!((answer.status, &answer.body), (400, &expected));
}

fn half_hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(token.as_bytes())[..16])
}

fn hex_hash(nonce: &str) -> String {
    hex(&Sha256::digest(nonce.as_bytes()))
}

#[tokio::test]
async fn id_tokens_sign_in_and_provider_keys_are_cached() {
    let (service, stand_in) = start(|_| {}).await;
    let mut ids = Vec::new();
    for named in ["google", "issuer"] {
        let token = stand_in.id_token(json!({}));
        let body = match named {
            "google" => json!({"provider": "google", "id_token": token, "access_token": null}),
            _ => json!({"client_id": CLIENT_ID, "issuer": stand_in.base(), "id_token": token}),
        };
        let session = grant(&service, body).await.ok();
        assert_eq!(session.body["user"]["email"], "ann@example.co");
        assert_eq!(session.body["user"]["identities"][0]["provider"], "google");
        ids.push(session.body["user"]["id"].clone());
    }
    assert_eq!(ids[0], ids[1]);
    let asked = |path: &str| stand_in.seen().iter().filter(|seen| seen.path == path).count();
    assert_eq!((asked("/keys"), asked("/.well-known/openid-configuration")), (1, 1));
    service.clock.advance(std::time::Duration::from_secs(601));
    let token = stand_in.id_token(json!({"exp": service.now().timestamp() + 9000}));
    grant(&service, json!({"provider": "google", "id_token": token})).await.ok();
    assert_eq!(asked("/keys"), 2, "cached for ten minutes");
}

#[tokio::test]
async fn id_token_nonces_must_match_or_be_absent() {
    let (service, stand_in) = start(|_| {}).await;
    let with = |nonce: Value| stand_in.id_token(json!({"nonce": nonce}));
    let hashed = with(json!(hex_hash("our nonce")));
    let send = |token: String, nonce: Value| {
        grant(&service, json!({"provider": "google", "id_token": token, "nonce": nonce}))
    };
    send(hashed.clone(), json!("our nonce")).await.ok();
    let half = "Passed nonce and nonce in id_token should either both exist or not.";
    is_oauth_error(&send(hashed.clone(), Value::Null).await, "invalid request", half);
    let plain = with(Value::Null);
    is_oauth_error(&send(plain, json!("our nonce")).await, "invalid request", half);
    is_oauth_error(&send(hashed, json!("another")).await, "invalid nonce", "Nonces mismatch");
}

#[tokio::test]
async fn the_nonce_check_can_be_disabled() {
    let (service, stand_in) = start(|config| {
        for provider in config.external.providers.values_mut() {
            provider.skip_nonce_check = true;
        }
    })
    .await;
    let token = stand_in.id_token(json!({"nonce": "made by a library that hides it"}));
    grant(&service, json!({"provider": "google", "id_token": token})).await.ok();
}

#[tokio::test]
async fn access_tokens_must_match_the_id_token() {
    let (service, stand_in) = start(|_| {}).await;
    let token = stand_in.id_token(json!({"at_hash": half_hash("theirs")}));
    let body =
        |access: &str| json!({"provider": "google", "id_token": token, "access_token": access});
    grant(&service, body("theirs")).await.ok();
    is_oauth_error(&grant(&service, body("another")).await, "invalid request", "Bad ID token");
}

#[tokio::test]
async fn missing_id_token_fields_are_named() {
    let (service, stand_in) = start(|_| {}).await;
    let missing = |text| move |answer: Answer| is_oauth_error(&answer, "invalid request", text);
    missing("id_token required")(grant(&service, json!({"provider": "google"})).await);
    let token = stand_in.id_token(json!({}));
    for body in [json!({"id_token": token}), json!({"id_token": token, "issuer": "https://x"})] {
        missing("provider or client_id and issuer required")(grant(&service, body).await);
    }
    let text = "Unacceptable audience in id_token: [somebody else]";
    let token = stand_in.id_token(json!({"aud": ["somebody else"]}));
    missing(text)(grant(&service, json!({"provider": "google", "id_token": token})).await);
}

#[tokio::test]
async fn disabled_and_unsupported_id_token_providers_are_named() {
    let service = TestService::start().await;
    for (provider, issuer) in [
        ("google", "https://accounts.google.com"),
        ("apple", "https://appleid.apple.com"),
        ("facebook", "https://www.facebook.com"),
    ] {
        let text = format!("Provider (issuer \"{issuer}\") is not enabled");
        for body in [
            json!({"provider": provider, "id_token": "x"}),
            json!({"client_id": "x", "issuer": issuer, "id_token": "x"}),
        ] {
            grant(&service, body).await.is_error(400, "provider_disabled", &text);
        }
    }
    for other in ["github", "myspace"] {
        let text = format!("Custom OIDC provider \"{other}\" not allowed");
        let body = json!({"provider": other, "id_token": "x"});
        grant(&service, body).await.is_error(400, "validation_failed", &text);
    }
}

#[tokio::test]
async fn forged_expired_and_foreign_id_tokens_are_rejected() {
    let (service, stand_in) = start(|_| {}).await;
    let other = StandIn::start(google()).await;
    let now = service.now().timestamp();
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let claims = json!({
        "iss": stand_in.base(), "aud": CLIENT_ID, "sub": "1", "exp": now + 600, "iat": now,
        "email": "ann@example.co", "email_verified": true,
    });
    let unsigned =
        format!("{}.{}.", part(json!({"alg": "none", "kid": "k1"})), part(claims.clone()));
    // The public key, used as an HMAC secret (algorithm confusion).
    let header = jsonwebtoken::Header { kid: Some("k1".into()), ..Default::default() };
    let key = jsonwebtoken::EncodingKey::from_secret(b"the public key, for example");
    let swapped = jsonwebtoken::encode(&header, &claims, &key).expect("signing succeeds");
    let bad = [
        ("not a token", "nonsense".to_owned()),
        ("empty parts", "..".to_owned()),
        ("unsigned", unsigned),
        ("a secret for a key", swapped),
        ("signed by another", other.id_token(json!({"iss": stand_in.base()}))),
        (
            "of another issuer",
            stand_in.id_token(json!({"iss": "https://accounts.google.com.evil.org"})),
        ),
        ("expired", stand_in.id_token(json!({"exp": now - 120}))),
        ("without end", stand_in.id_token(json!({"exp": null}))),
        ("from the future", stand_in.id_token(json!({"iat": now + 600}))),
        ("without a subject", stand_in.id_token(json!({"sub": null}))),
        ("endless", "x".repeat(100_000)),
    ];
    for (what, token) in bad {
        let answer = grant(&service, json!({"provider": "google", "id_token": token})).await;
        assert_eq!(
            answer.body,
            json!({"error": "invalid request", "error_description": "Bad ID token"}),
            "{what}"
        );
    }
    // Google spells its issuer in two ways.
    let token = stand_in.id_token(json!({"iss": "accounts.google.com"}));
    grant(&service, json!({"provider": "google", "id_token": token})).await.ok();
}

#[tokio::test]
async fn id_tokens_with_unverified_emails_require_confirmation() {
    let (service, stand_in) = start(|_| {}).await;
    let token = stand_in.id_token(json!({"email_verified": false}));
    let answer = grant(&service, json!({"provider": "google", "id_token": token})).await;
    answer.is_error(
        422,
        "provider_email_needs_verification",
        "Unverified email with google. A confirmation email has been sent to your google email",
    );
    service.mailbox.nth("ann@example.co", 1).await;
}

#[tokio::test]
async fn signed_in_users_link_identities_with_id_tokens() {
    let (service, stand_in) = start(|config| config.external.manual_linking = true).await;
    let session = service.confirmed("own@example.co").await;
    let body = json!({
        "provider": "google", "id_token": stand_in.id_token(json!({})), "link_identity": true,
    });
    let path = "/token?grant_type=id_token";
    let linked = service.send_as(&session.access(), Method::POST, path, body.clone()).await.ok();
    assert_eq!(linked.body["user"]["id"], session.body["user"]["id"]);
    assert_eq!(linked.body["user"]["email"], "own@example.co");
    assert_eq!(linked.body["user"]["app_metadata"]["providers"], json!(["email", "google"]));
    let again = service.send_as(&session.access(), Method::POST, path, body.clone()).await;
    again.is_error(422, "identity_already_exists", "Identity is already linked");
    let text = "This endpoint requires a valid Bearer token";
    grant(&service, body).await.is_error(401, "no_authorization", text);
}

#[tokio::test]
async fn apple_azure_and_facebook_id_tokens_are_accepted() {
    for case in cases_a_to_g::all() {
        let name = case.name.as_str();
        if !matches!(name, "apple" | "azure" | "facebook") {
            continue;
        }
        let stand_in = StandIn::start(case).await;
        let service = TestService::start_with(|config| stand_in.enable(config)).await;
        let claims = match name {
            "facebook" => json!({
                "sub": "10153", "email": "ann@example.co", "name": "Ann Face",
                "picture": "https://f.example/p",
            }),
            _ => json!({}),
        };
        let token = stand_in.id_token(claims);
        let session = grant(&service, json!({"provider": name, "id_token": token})).await.ok();
        assert_eq!(session.body["user"]["email"], "ann@example.co", "{name}");
        assert_eq!(session.body["user"]["app_metadata"]["provider"], name);
    }
}

#[tokio::test]
async fn unavailable_provider_keys_are_not_reported_as_bad_tokens() {
    let (service, stand_in) = start(|config| {
        for provider in config.external.providers.values_mut() {
            // Nothing listens on this port.
            provider.base = Some("http://127.0.0.1:9".into());
        }
    })
    .await;
    let token = stand_in.id_token(json!({}));
    let answer = grant(&service, json!({"provider": "google", "id_token": token})).await;
    assert_eq!((answer.status, answer.text("error_code").as_str()), (503, "unexpected_failure"));
    assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
}
