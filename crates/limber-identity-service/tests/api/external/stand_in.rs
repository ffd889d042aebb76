//! A simulated provider, which answers and rejects requests as the real one does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use limber_api::identity::ProviderName;
use limber_domain::environment::{Clock, SystemClock};
use limber_identity_service::config::{AppleKey, ClientSecret, Config, ProviderConfig};
use p256::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

use super::oauth1;

pub(crate) const CLIENT_ID: &str = "our-client";
pub(crate) const CLIENT_SECRET: &str = "our secret & more";
pub(crate) const ACCESS_TOKEN: &str = "access/token+of=them";

/// How the code is exchanged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Form,
    FormWithBasic,
    JsonWithBasic,
    /// Form encoding, with a client secret JWT signed by Apple's key.
    Signed,
    OAuth1,
}

/// A provider according to its documentation, with one user.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: ProviderName,
    /// Path of the configured base URL, after the host.
    pub(crate) base: &'static str,
    pub(crate) authorize: &'static str,
    /// All requested scopes, in the provider's format.
    pub(crate) scope: &'static str,
    /// Additional parameters required in the authorisation URL.
    pub(crate) parameters: &'static [(&'static str, &'static str)],
    /// Query parameters that the client adds to `/authorize`.
    pub(crate) asked: &'static str,
    pub(crate) pkce: bool,
    pub(crate) token: &'static str,
    pub(crate) style: Style,
    pub(crate) token_answer: Value,
    pub(crate) questions: Vec<Question>,
    /// Claims of the ID token, for providers that return one with the code.
    pub(crate) claims: Option<Value>,
    /// Claims that the account's identity must have.
    pub(crate) identity: Value,
}

/// An API call about the user.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// Required headers or query parameters.
    pub(crate) needs: &'static [(&'static str, &'static str)],
    pub(crate) answer: Value,
}

pub(crate) fn question(path: &'static str, answer: Value) -> Question {
    Question { method: Method::GET, path, needs: &[], answer }
}

/// A request that reached the simulated provider.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: HashMap<String, String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    fn fields(&self) -> HashMap<String, String> {
        serde_json::from_str(&self.body).unwrap_or_else(|_| {
            url::form_urlencoded::parse(self.body.as_bytes()).into_owned().collect()
        })
    }
}

/// How the simulated provider misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mood {
    #[default]
    Good,
    /// Does not answer the token request.
    Silent,
    /// Answers the token request with two megabytes.
    Endless,
    /// Redirects the token request to another URL.
    Redirecting,
    /// Rejects the code and quotes the client secret it was sent.
    Chatty,
    /// Returns no data about the user.
    Mute,
}

struct Inner {
    base: String,
    /// Start time, in seconds. It stays fixed, because the clock of the service under test does
    /// too.
    start_s: i64,
    case: Mutex<Case>,
    mood: Mutex<Mood>,
    seen: Mutex<Vec<Seen>>,
    redirect_uri: Mutex<String>,
    /// PKCE challenges of all pending sign-ins.
    challenges: Mutex<Vec<String>>,
    key: p256::SecretKey,
    apple: p256::SecretKey,
    /// Added to the claims of every ID token.
    claims: Mutex<Value>,
}

/// A running simulated provider.
#[derive(Clone)]
pub(crate) struct StandIn(Arc<Inner>);

impl StandIn {
    pub(crate) async fn start(case: Case) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("a bound address"));
        let random = || p256::SecretKey::random(&mut rsa::rand_core::OsRng);
        let inner = Arc::new(Inner {
            base,
            start_s: SystemClock.now().timestamp(),
            case: Mutex::new(case),
            mood: Mutex::default(),
            seen: Mutex::default(),
            redirect_uri: Mutex::default(),
            challenges: Mutex::default(),
            key: random(),
            apple: random(),
            claims: Mutex::new(json!({})),
        });
        let app = Router::new().fallback(answer).with_state(Arc::clone(&inner));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self(inner)
    }

    /// Enables the provider in the configuration and points it here.
    pub(crate) fn enable(&self, config: &mut Config) {
        let case = self.case();
        let redirect_uri = config.external_url.join("callback").expect("a valid path");
        self.0.redirect_uri.lock().expect("free").clone_from(&redirect_uri.to_string());
        let mut provider =
            ProviderConfig::new(CLIENT_ID, CLIENT_SECRET.into(), redirect_uri.as_str());
        provider.base = Some(format!("{}{}", self.0.base, case.base));
        if case.style == Style::Signed {
            let pem = self.0.apple.to_pkcs8_pem(LineEnding::LF).expect("the key is valid");
            provider.secret = ClientSecret::Signed(AppleKey {
                team_id: "TEAM".into(),
                key_id: "KEY".into(),
                private_key: pem.to_string().into(),
            });
        }
        if case.name == ProviderName::Workos {
            provider.tenants = vec!["conn_01E4".to_owned()];
        }
        config.external.providers.insert(case.name, provider);
    }

    pub(crate) fn case(&self) -> Case {
        self.0.case.lock().expect("free").clone()
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Case)) {
        change(&mut self.0.case.lock().expect("free"));
    }

    pub(crate) fn set_mood(&self, mood: Mood) {
        *self.0.mood.lock().expect("free") = mood;
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.0.seen.lock().expect("free").clone()
    }

    /// Returns the last request to a path.
    pub(crate) fn last(&self, path: &str) -> Seen {
        let found = self.seen().into_iter().rev().find(|seen| seen.path == path);
        found.unwrap_or_else(|| panic!("{path} was not requested"))
    }

    pub(crate) fn base(&self) -> String {
        format!("{}{}", self.0.base, self.case().base)
    }

    /// Returns an ID token with these claims besides the usual ones.
    pub(crate) fn id_token(&self, claims: Value) -> String {
        *self.0.claims.lock().expect("free") = claims;
        self.0.id_token()
    }
}

fn merge(into: &mut Value, from: &Value) {
    for (name, value) in from.as_object().into_iter().flatten() {
        into[name] = value.clone();
    }
}

impl Inner {
    fn issuer(&self) -> String {
        let case = self.case.lock().expect("free");
        // Microsoft's issuer has the tenant where its configuration URL has "common".
        if case.name == ProviderName::Azure {
            return format!("{}/the-tenant/v2.0", self.base);
        }
        format!("{}{}", self.base, case.base)
    }

    fn id_token(&self) -> String {
        let mut claims = json!({
            "iss": self.issuer(), "aud": CLIENT_ID, "iat": self.start_s,
            "exp": self.start_s + 600,
        });
        let case = self.case.lock().expect("free").claims.clone().unwrap_or_default();
        merge(&mut claims, &case);
        merge(&mut claims, &self.claims.lock().expect("free"));
        claims.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        let header = Header { kid: Some("k1".into()), ..Header::new(Algorithm::ES256) };
        encode(&header, &claims, &self.signing_key()).expect("signing succeeds")
    }

    fn signing_key(&self) -> EncodingKey {
        let der = self.key.to_pkcs8_der().expect("the key is valid");
        EncodingKey::from_ec_der(der.as_bytes())
    }

    fn keys(&self) -> Value {
        let mut jwk = Jwk::from_encoding_key(&self.signing_key(), Algorithm::ES256).expect("a key");
        jwk.common.key_id = Some("k1".into());
        // A key of an unknown type must not hide the others.
        json!({"keys": [{"kty": "LATTICE", "kid": "k0", "alg": "ML-DSA-44"}, jwk]})
    }

    fn configuration(&self) -> Value {
        let case = self.case.lock().expect("free");
        let issuer = match case.name {
            ProviderName::Azure => format!("{}/{{tenantid}}/v2.0", self.base),
            _ => format!("{}{}", self.base, case.base),
        };
        json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{}{}", self.base, case.authorize),
            "token_endpoint": format!("{}{}", self.base, case.token),
            "jwks_uri": format!("{}/keys", self.base),
        })
    }

    /// Handles the authorisation request; the user consents at once.
    fn authorize(&self, seen: &Seen) -> Response {
        let get = |name: &str| seen.query.get(name).cloned().unwrap_or_default();
        let redirect_uri = get("redirect_uri");
        let good = get("response_type") == "code"
            && get("client_id") == CLIENT_ID
            && redirect_uri == *self.redirect_uri.lock().expect("free");
        if !good {
            return (StatusCode::BAD_REQUEST, "bad request").into_response();
        }
        let challenge = seen.query.get("code_challenge").cloned();
        assert!(challenge.is_none() || get("code_challenge_method") == "S256");
        self.challenges.lock().expect("free").extend(challenge);
        if get("response_mode") == "form_post" {
            let user = r#"{"name":{"firstName":"Ann","lastName":"Appleseed"},"email":"evil@x.co"}"#;
            let user = user.replace('"', "&quot;");
            return Html(format!(
                r#"<form method="post" action="{redirect_uri}"><input name="state" value="{}"><input name="code" value="the-code"><input name="user" value="{user}"></form>"#,
                get("state")
            ))
            .into_response();
        }
        let mut url = Url::parse(&redirect_uri).expect("we sent it");
        url.query_pairs_mut().append_pair("code", "the-code").append_pair("state", &get("state"));
        (StatusCode::FOUND, [(header::LOCATION, url.to_string())]).into_response()
    }

    /// Handles the token request. Rejects it with an OAuth 2.0 error unless everything is correct.
    fn exchange(&self, seen: &Seen, case: &Case) -> Response {
        let refuse = |why: &str| {
            (StatusCode::BAD_REQUEST, axum::Json(json!({"error": why}))).into_response()
        };
        let fields = seen.fields();
        let get = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
        let basic = STANDARD.encode(format!("{CLIENT_ID}:{CLIENT_SECRET}"));
        let by_basic = seen.header("authorization") == format!("Basic {basic}");
        let is_json = seen.header("content-type").starts_with("application/json");
        let by_fields = get("client_id") == CLIENT_ID && get("client_secret") == CLIENT_SECRET;
        let known = match case.style {
            Style::Form => by_fields && !is_json,
            Style::FormWithBasic => by_basic && !is_json,
            Style::JsonWithBasic => by_basic && is_json,
            Style::Signed => get("client_id") == CLIENT_ID && self.signed(get("client_secret")),
            Style::OAuth1 => false,
        };
        if !known {
            return refuse("invalid_client");
        }
        let digest = Sha256::digest(get("code_verifier").as_bytes());
        let challenge = URL_SAFE_NO_PAD.encode(digest);
        let proven = !case.pkce || self.challenges.lock().expect("free").contains(&challenge);
        let good = get("grant_type") == "authorization_code"
            && get("code") == "the-code"
            && get("redirect_uri") == *self.redirect_uri.lock().expect("free");
        if !proven || !good {
            return refuse("invalid_grant");
        }
        let mut answer = case.token_answer.clone();
        if case.claims.is_some() {
            answer["id_token"] = json!(self.id_token());
        }
        axum::Json(answer).into_response()
    }

    /// Tells whether the client secret is a JWT as Apple requires.
    fn signed(&self, secret: &str) -> bool {
        let pem =
            self.apple.public_key().to_public_key_pem(LineEnding::LF).expect("the key is valid");
        let key = DecodingKey::from_ec_pem(pem.as_bytes()).expect("a public key");
        let mut validation = Validation::new(Algorithm::ES256);
        validation.set_audience(&[self.issuer()]);
        validation.set_issuer(&["TEAM"]);
        let token = decode::<Value>(secret, &key, &validation);
        token.is_ok_and(|t| t.claims["sub"] == CLIENT_ID && t.header.kid.as_deref() == Some("KEY"))
    }

    fn tell(&self, seen: &Seen, question: &Question, case: &Case) -> Response {
        let known = match case.style {
            Style::OAuth1 => oauth1::is_signed(seen, &self.base, "token-secret"),
            _ => seen.header("authorization") == format!("Bearer {ACCESS_TOKEN}"),
        };
        let complete = question.needs.iter().all(|(name, value)| {
            seen.header(name) == *value || seen.query.get(*name).is_some_and(|v| v == value)
        });
        if !known || !complete {
            return (StatusCode::UNAUTHORIZED, axum::Json(json!({"error": "who?"})))
                .into_response();
        }
        axum::Json(question.answer.clone()).into_response()
    }
}

async fn answer(
    State(inner): State<Arc<Inner>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let query = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let seen = Seen {
        method,
        path: uri.path().to_owned(),
        query: query.into_owned().collect(),
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    inner.seen.lock().expect("free").push(seen.clone());
    let (case, mood) =
        (inner.case.lock().expect("free").clone(), *inner.mood.lock().expect("free"));
    let path = seen.path.as_str();
    let question = case.questions.iter().find(|q| q.path == path && q.method == seen.method);
    if case.style == Style::OAuth1
        && let Some(response) = oauth1::answer(&seen, &inner.base)
    {
        return response;
    }
    match (mood, question) {
        (Mood::Mute, Some(_)) => axum::Json(json!({"message": "nothing"})).into_response(),
        (_, Some(question)) => inner.tell(&seen, question, &case),
        (_, None) if path.contains("openid-configuration") => {
            axum::Json(inner.configuration()).into_response()
        }
        (_, None) if path == "/keys" => axum::Json(inner.keys()).into_response(),
        (_, None) if path == case.authorize => inner.authorize(&seen),
        (Mood::Good | Mood::Mute, None) if path == case.token => inner.exchange(&seen, &case),
        (mood, None) if path == case.token => misbehave(mood, &inner, &seen).await,
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn misbehave(mood: Mood, inner: &Inner, seen: &Seen) -> Response {
    match mood {
        Mood::Silent => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            StatusCode::OK.into_response()
        }
        Mood::Endless => {
            format!("{{\"access_token\":\"{}\"}}", "x".repeat(2_000_000)).into_response()
        }
        Mood::Redirecting => {
            Redirect::temporary(&format!("{}/stranger", inner.base)).into_response()
        }
        _ => {
            let why = format!("no such code for {}", seen.body);
            let body = json!({"error": why, "error_description": seen.body});
            (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
        }
    }
}
