//! Tests against a small server that behaves well or badly on purpose.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use limber_api::identity::FactorKind;
use serde_json::json;
use tokio::net::{TcpListener, TcpSocket};

use super::*;

fn install_tls() {
    // fails if another test has installed a provider already, which is fine
    let _ = rustls::crypto::ring::default_provider().install_default();
}

async fn client_of(app: Router) -> IdentityClient {
    install_tls();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is available");
    let address = listener.local_addr().expect("the socket has an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    let url = Url::parse(&format!("http://{address}/auth/v1")).expect("the address is valid");
    IdentityClient::new(&url, &IdentityOptions::default()).expect("the address is accepted")
}

fn session(number: usize) -> serde_json::Value {
    json!({
        "access_token": format!("access-{number}"), "token_type": "bearer",
        "expires_in": 3600, "expires_at": 1_900_000_000,
        "refresh_token": format!("refresh-{number}"),
        "user": {
            "id": "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a",
            "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z",
        },
    })
}

type Counter = Arc<AtomicUsize>;

async fn count_and_answer(State(counter): State<Counter>) -> Json<serde_json::Value> {
    let number = counter.fetch_add(1, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(50)).await;
    Json(session(number))
}

#[tokio::test]
async fn concurrent_refreshes_of_one_token_share_one_request() {
    let counter = Counter::default();
    let app = Router::new()
        .route("/auth/v1/token", post(count_and_answer))
        .with_state(Arc::clone(&counter));
    let client = client_of(app).await;
    let token = SecretString::from("shared-token-0");
    let (a, b, c) =
        tokio::join!(client.refresh(&token), client.refresh(&token), client.refresh(&token));
    for outcome in [a, b, c] {
        let session = outcome.expect("every caller gets the session");
        assert_eq!(session.refresh_token.expose_secret(), "refresh-0");
    }
    assert_eq!(counter.load(Ordering::SeqCst), 1, "the service received one request");
    let next = client.refresh(&"refresh-0".into()).await.expect("the next token can be refreshed");
    assert_eq!(next.refresh_token.expose_secret(), "refresh-1");
}

#[tokio::test]
async fn refusals_contain_code_and_message() {
    let refuse = || async {
        let body = json!({"code": 400, "error_code": "invalid_credentials",
                          "msg": "Invalid login credentials"});
        (StatusCode::BAD_REQUEST, Json(body))
    };
    let client = client_of(Router::new().route("/auth/v1/token", post(refuse))).await;
    let error =
        client.sign_in("a@b.co", &"wrong".into()).await.expect_err("the request is rejected");
    assert_eq!(error.code(), Some(ErrorCode::InvalidCredentials));
    assert_eq!(error.to_string(), "Invalid login credentials");
    assert!(!error.ends_session() && !error.is_passing());
}

#[tokio::test]
async fn reads_are_retried_after_a_lost_response() {
    let counter = Counter::default();
    let fail_once = |State(counter): State<Counter>| async move {
        if counter.fetch_add(1, Ordering::SeqCst) == 0 {
            return StatusCode::BAD_GATEWAY.into_response();
        }
        Json(json!({"external": {"email": true}, "disable_signup": false})).into_response()
    };
    let app =
        Router::new().route("/auth/v1/settings", get(fail_once)).with_state(Arc::clone(&counter));
    let settings = client_of(app).await.settings().await.expect("the second try succeeds");
    assert_eq!(settings.external.get("email"), Some(&true));
    assert_eq!(counter.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn requests_that_send_emails_are_not_retried() {
    let counter = Counter::default();
    let fail = |State(counter): State<Counter>| async move {
        counter.fetch_add(1, Ordering::SeqCst);
        StatusCode::INTERNAL_SERVER_ERROR
    };
    let app = Router::new().route("/auth/v1/recover", post(fail)).with_state(Arc::clone(&counter));
    let error = client_of(app).await.recover("a@b.co", None).await.expect_err("the request failed");
    assert_eq!(error, IdentityError::ServiceFailed { status: 500 });
    assert_eq!(counter.load(Ordering::SeqCst), 1);
}

/// Responds to an enrolment with the requested values.
async fn enroll(headers: HeaderMap, Json(wish): Json<serde_json::Value>) -> impl IntoResponse {
    assert_eq!(headers["authorization"], "Bearer access-0");
    Json(json!({
        "id": "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0b", "type": wish["factor_type"],
        "friendly_name": wish["friendly_name"], "phone": wish["phone"],
    }))
}

#[tokio::test]
async fn phones_are_enrolled_by_number_without_a_secret() {
    let client = client_of(Router::new().route("/auth/v1/factors", post(enroll))).await;
    let enrolled = client.enroll_phone(&"access-0".into(), "Phone", "+491701234567").await;
    let enrolled = enrolled.expect("the sign-in was started");
    assert_eq!((enrolled.kind, enrolled.friendly_name.as_str()), (FactorKind::Phone, "Phone"));
    assert_eq!((enrolled.phone.as_deref(), enrolled.totp), (Some("+491701234567"), None));
}

#[tokio::test]
async fn services_without_phone_settings_do_not_offer_phone_factors() {
    let takes_phones = |settings: serde_json::Value| async move {
        let answer = move || async move { Json(settings) };
        let client = client_of(Router::new().route("/auth/v1/settings", get(answer))).await;
        client.settings().await.expect("the settings can be fetched").mfa_phone_enabled
    };
    let silent = json!({"external": {}, "disable_signup": false, "sms_provider": "twilio"});
    let mut telling = silent.clone();
    telling["mfa_phone_enabled"] = true.into();
    assert!(!takes_phones(silent).await);
    assert!(takes_phones(telling).await);
}

#[tokio::test]
async fn browsers_are_not_sent_to_unencrypted_pages() {
    let led_to = async |page: &'static str| {
        let answer = move || std::future::ready(Json(json!({ "url": page })));
        let app = Router::new().route("/auth/v1/user/identities/authorize", get(answer));
        let client = client_of(app).await;
        client.link_address(&"access-0".into(), "github", &RedirectTarget::default()).await
    };
    for page in ["https://provider.example/authorize", "http://127.0.0.1:9000/authorize"] {
        assert_eq!(led_to(page).await.expect("the page may be opened").as_str(), page);
    }
    let refused = led_to("http://provider.example/authorize").await;
    assert_eq!(refused, Err(IdentityError::UnencryptedLink));
    let refused = led_to("file:///etc/passwd").await;
    assert!(matches!(refused, Err(IdentityError::NotUnderstood { .. })), "{refused:?}");
}

#[tokio::test]
async fn connection_errors_do_not_contain_the_address() {
    install_tls();
    // reserved, so that nothing else can listen on it
    let port = TcpSocket::new_v4().expect("a socket can be created");
    port.bind("127.0.0.1:0".parse().expect("the address is valid")).expect("a port is available");
    let address = port.local_addr().expect("the socket has an address");
    let url = Url::parse(&format!("http://{address}/")).expect("the address is valid");
    let client =
        IdentityClient::new(&url, &IdentityOptions::default()).expect("the address is accepted");
    let error = client.settings().await.expect_err("no server is listening");
    assert_eq!(error, IdentityError::Unreachable);
    assert!(!error.to_string().contains("127.0.0.1"));
}

#[test]
fn debug_output_of_a_session_hides_tokens() {
    let response: SessionResponse =
        serde_json::from_value(session(0)).expect("the sample is a session");
    let printed = format!("{response:?} {:?}", Session::from(response.clone()));
    assert!(!printed.contains("access-0") && !printed.contains("refresh-0"), "{printed}");
}
