//! Tokens that were not issued here, or were issued for another purpose.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use p256::ecdsa::SigningKey;
use p256::ecdsa::signature::Signer;
use p256::pkcs8::{EncodePublicKey, LineEnding};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Cast, Try, everything_on, no_problem, routes};
use crate::nasty::routes::Door;
use crate::service::TestService;
use crate::wire::ask;

/// Returns an ES256 key. The first signs for the service, the second is foreign.
fn key(seed: u8) -> SigningKey {
    SigningKey::from_slice(&[seed; 32]).expect("any small number is a key")
}

fn jwk(key: &SigningKey, id: &str) -> Value {
    let point = key.verifying_key().to_encoded_point(false);
    let part = |bytes: Option<&[u8]>| BASE64.encode(bytes.expect("it is not compressed"));
    json!({
        "kty": "EC", "crv": "P-256", "alg": "ES256", "kid": id, "key_ops": ["verify"],
        "x": part(point.x().map(AsRef::as_ref)), "y": part(point.y().map(AsRef::as_ref)),
    })
}

fn private_jwk(key: &SigningKey, id: &str) -> Value {
    let mut jwk = jwk(key, id);
    jwk["d"] = BASE64.encode(key.to_bytes()).into();
    jwk["key_ops"] = json!(["sign", "verify"]);
    jwk
}

fn part(value: &Value) -> String {
    BASE64.encode(value.to_string())
}

/// Signs with ES256, whatever the header says.
fn signed(header: &Value, claims: &Value, key: &SigningKey) -> String {
    let text = format!("{}.{}", part(header), part(claims));
    let signature: p256::ecdsa::Signature = key.sign(text.as_bytes());
    format!("{text}.{}", BASE64.encode(signature.to_bytes()))
}

/// Signs with HS256.
fn keyed(id: Option<&str>, claims: &Value, secret: &[u8]) -> String {
    let header = Header { kid: id.map(str::to_owned), ..Header::new(Algorithm::HS256) };
    encode(&header, claims, &EncodingKey::from_secret(secret)).expect("signing succeeds")
}

const KID: &str = "ours";

/// Returns forged tokens, each with a description. `claims` would give access to everything.
fn forged(real: &str, claims: &Value) -> Vec<(&'static str, String)> {
    let (ours, foreign) = (key(1), key(2));
    let pem = ours.verifying_key().to_public_key_pem(LineEnding::LF).expect("a public key");
    let header = json!({"alg": "ES256", "typ": "JWT", "kid": KID});
    let with = |name: &str, value: Value| {
        let mut header = header.clone();
        header[name] = value;
        header
    };
    let pieces: Vec<&str> = real.split('.').collect();
    let [head, body, signature] = pieces[..] else { panic!("three parts") };
    let none = |alg: &str| format!("{}.{}.", part(&with("alg", alg.into())), part(claims));
    let own = "https://evil.example/jwks.json";
    vec![
        ("nothing", String::new()),
        ("a word", "token".to_owned()),
        ("dots", "...".to_owned()),
        ("three words", "a.b.c".to_owned()),
        ("five parts", format!("{real}.a.b")),
        ("10 000 characters", "a".repeat(10_000)),
        ("100 000 characters in three parts", format!("{head}.{}.a", "a".repeat(100_000))),
        ("alg none", none("none")),
        ("alg None", none("None")),
        ("alg NONE and a signature", format!("{}{signature}", none("NONE"))),
        ("alg empty", none("")),
        ("alg unknown", none("HS1")),
        ("alg a number", format!("{}.{}.", part(&with("alg", 1.into())), part(claims))),
        ("no signature", format!("{head}.{body}.")),
        ("another body", format!("{head}.{}.{signature}", part(claims))),
        ("the public key as a secret, PEM", keyed(Some(KID), claims, pem.as_bytes())),
        ("the same without its name", keyed(None, claims, pem.as_bytes())),
        (
            "the public key as a secret, JWK",
            keyed(Some(KID), claims, jwk(&ours, KID).to_string().as_bytes()),
        ),
        ("an empty secret", keyed(None, claims, b"")),
        ("somebody else's key", signed(&header, claims, &foreign)),
        (
            "somebody else's key under its own name",
            signed(&with("kid", "other".into()), claims, &foreign),
        ),
        ("a key that it brings along", signed(&with("jwk", jwk(&foreign, KID)), claims, &foreign)),
        ("a key from its own address", signed(&with("jku", own.into()), claims, &foreign)),
        ("our key called EdDSA", signed(&with("alg", "EdDSA".into()), claims, &ours)),
        ("our key called ES384", signed(&with("alg", "ES384".into()), claims, &ours)),
        ("our key called HS256", signed(&with("alg", "HS256".into()), claims, &ours)),
        (
            "a path as the key's name",
            signed(&with("kid", "../../dev/null".into()), claims, &foreign),
        ),
        (
            "SQL as the key's name",
            signed(&with("kid", "' UNION SELECT 'a".into()), claims, &foreign),
        ),
        ("a critical extension", signed(&with("crit", json!(["exp"])), claims, &foreign)),
    ]
}

/// Returns claims that give no access even with a valid signature.
fn useless(account: &str, now: i64) -> Vec<(&'static str, Value)> {
    let person = json!({"sub": account, "exp": now + 600});
    let with = |name: &str, value: Value| {
        let mut claims = person.clone();
        claims[name] = value;
        claims
    };
    let mut without_subject = person.clone();
    without_subject.as_object_mut().expect("an object").remove("sub");
    vec![
        ("expired", with("exp", (now - 1).into())),
        ("expired long ago", with("exp", (-1_i64).into())),
        ("not valid yet", with("nbf", (now + 600).into())),
        ("an expiry in words", with("exp", "never".into())),
        ("no subject", without_subject),
        ("a subject that is no id", with("sub", "ann".into())),
        ("a subject that is a number", with("sub", 1.into())),
        ("nobody's subject", with("sub", "00000000-0000-4000-8000-000000000000".into())),
        ("claims that are no object", json!(["sub"])),
        ("a role that is an object", with("role", json!({"a": "service_role"}))),
        ("U+0000 in the subject", with("sub", format!("{account}\0").into())),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_route_accepts_forged_expired_or_future_tokens() {
    let service = TestService::start_with(|config| {
        everything_on(config);
        config.jwt.keys = Some(json!([private_jwk(&key(1), KID)]).to_string().into());
    })
    .await;
    let cast = Cast::of(&service).await;
    let now = service.now().timestamp();
    let account = service.get_as(&cast.person, "/user").await.ok().text("id");
    let open = json!({"sub": account, "role": "service_role", "exp": now + 600});
    let mut tokens = forged(&cast.person, &open);
    tokens.extend(useless(&account, now).into_iter().map(|(what, claims)| {
        let header = json!({"alg": "ES256", "typ": "JWT", "kid": KID});
        (what, signed(&header, &claims, &key(1)))
    }));
    let mut requests = Vec::new();
    for route in routes::all() {
        for (what, token) in &tokens {
            let mut request = cast.request(&route);
            request.headers.retain(|(name, _)| name != "Authorization");
            let mut one = Try::new(&route, what, request.bearer(token));
            one.refused = route.door != Door::Open;
            requests.push(one);
        }
    }
    no_problem(&service.base, requests).await;
    // A valid token does give access, provided the account has the role as well.
    let role = json!({"role": "service_role"});
    let path = format!("/admin/users/{account}");
    service.send_as(&service.admin_token(), Method::PUT, &path, role).await.ok();
    let good = signed(&json!({"alg": "ES256", "kid": KID}), &open, &key(1));
    service.get_as(&good, "/user").await.ok();
    service.get_as(&good, "/admin/users").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_accepts_only_bearer_tokens() {
    let service = TestService::start_with(everything_on).await;
    let cast = Cast::of(&service).await;
    let guarded = routes::all().into_iter().filter(|route| route.door != Door::Open);
    for route in guarded {
        let token = cast.token(route.door).expect("the route requires a token");
        let headers: [&[u8]; 6] = [
            b"Basic YWRtaW46YWRtaW4=",
            b"Bearer",
            b"Bearer \xff\xfe",
            b"Digest username=\"a\"",
            b"",
            format!("Token {token}").leak().as_bytes(),
        ];
        for header in headers {
            let mut request = cast.request(&route);
            request.headers.retain(|(name, _)| name != "Authorization");
            let told = ask(&service.base, &request.header("Authorization", header)).await;
            assert!(matches!(told.status, 401 | 403), "{}: {told:?}", route.path);
            assert_eq!(told.problem(), None, "{}", route.path);
        }
    }
}
