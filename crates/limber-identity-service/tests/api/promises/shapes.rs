//! The exact keys and types of tokens and responses.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::factors::{code, enroll, give};
use crate::service::{Answer, PASSWORD, TestService};
use crate::token::claims;

/// Returns `name: type` for every key, sorted by name.
fn shape(value: &Value) -> Vec<String> {
    let kind = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fields = value.as_object().expect("an object").iter();
    let mut fields: Vec<String> = fields.map(|(name, v)| format!("{name}: {}", kind(v))).collect();
    fields.sort();
    fields
}

async fn start() -> TestService {
    TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
    ])
    .await
}

async fn ann(service: &TestService) -> Answer {
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok()
}

const CLAIMS: [&str; 14] = [
    "aal: string",
    "amr: array",
    "app_metadata: object",
    "aud: string",
    "email: string",
    "exp: integer",
    "iat: integer",
    "is_anonymous: boolean",
    "iss: string",
    "phone: string",
    "role: string",
    "session_id: string",
    "sub: string",
    "user_metadata: object",
];

#[tokio::test]
async fn an_access_token_has_exactly_these_claims() {
    let service = start().await;
    let person = ann(&service).await;
    let guest = service.post("/signup", json!({})).await.ok();
    let enrolled = enroll(&service, &person.access(), "").await.ok();
    let id = enrolled.text("id");
    let lifted = give(&service, &person.access(), &id, &code(&service, &enrolled, 0)).await.ok();
    for session in [&person, &guest, &lifted] {
        let claims = claims(&session.access());
        assert_eq!(shape(&claims), CLAIMS);
        assert_eq!(shape(&claims["amr"][0]), ["method: string", "timestamp: integer"]);
        assert_eq!(claims["sub"], session.body["user"]["id"]);
        let head = session.access().split('.').next().expect("a header").to_owned();
        let head: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(head).expect("base64url"))
            .expect("JSON");
        assert_eq!(head, json!({"alg": "HS256", "typ": "JWT"}));
    }
    assert_eq!(claims(&guest.access())["email"], "", "empty where there is none");
}

#[tokio::test]
async fn sessions_accounts_identities_and_factors_have_exactly_these_fields() {
    let service = start().await;
    let session = ann(&service).await;
    let fields = [
        "access_token: string",
        "expires_at: integer",
        "expires_in: integer",
        "refresh_token: string",
        "token_type: string",
        "user: object",
    ];
    assert_eq!(shape(&session.body), fields);
    let refreshed = service.refresh(&session.refresh()).await.ok();
    assert_eq!(shape(&refreshed.body), fields);
    let account = [
        "app_metadata: object",
        "aud: string",
        "confirmed_at: string",
        "created_at: string",
        "email: string",
        "email_confirmed_at: string",
        "id: string",
        "identities: array",
        "is_anonymous: boolean",
        "last_sign_in_at: string",
        "phone: string",
        "role: string",
        "updated_at: string",
        "user_metadata: object",
    ];
    let user = service.get_as(&session.access(), "/user").await.ok().body;
    assert_eq!(shape(&user), account);
    for name in ["created_at", "updated_at", "confirmed_at", "last_sign_in_at"] {
        let time = user[name].as_str().expect("text");
        assert!(time.ends_with('Z') && time.contains('T') && time.contains('.'), "{name}: {time}");
    }
    let identity = [
        "created_at: string",
        "email: string",
        "id: string",
        "identity_data: object",
        "identity_id: string",
        "last_sign_in_at: string",
        "provider: string",
        "updated_at: string",
        "user_id: string",
    ];
    assert_eq!(shape(&user["identities"][0]), identity);
    let enrolled = enroll(&service, &session.access(), "mine").await.ok();
    assert_eq!(
        shape(&enrolled.body),
        ["friendly_name: string", "id: string", "totp: object", "type: string"]
    );
    assert_eq!(shape(&enrolled.body["totp"]), ["qr_code: string", "secret: string", "uri: string"]);
    let path = format!("/factors/{}/challenge", enrolled.text("id"));
    let challenge = service.send_as(&session.access(), Method::POST, &path, json!({})).await.ok();
    assert_eq!(shape(&challenge.body), ["expires_at: integer", "id: string", "type: string"]);
    let user = service.get_as(&session.access(), "/user").await.ok().body;
    let factor = [
        "created_at: string",
        "factor_type: string",
        "friendly_name: string",
        "id: string",
        "last_challenged_at: string",
        "status: string",
        "updated_at: string",
    ];
    assert_eq!(shape(&user["factors"][0]), factor);
    let guest = service.post("/signup", json!({})).await.ok().body;
    let without = ["confirmed_at: string", "email_confirmed_at: string"];
    let rest: Vec<&str> = account.into_iter().filter(|field| !without.contains(field)).collect();
    assert_eq!(shape(&guest["user"]), rest);
}

#[tokio::test]
async fn links_settings_errors_and_health_have_exactly_these_fields() {
    let service = start().await;
    ann(&service).await;
    let body = json!({"type": "recovery", "email": "ann@b.co"});
    let admin = service.admin_token();
    let link = service.send_as(&admin, Method::POST, "/admin/generate_link", body).await.ok();
    let user = service.get_as(&admin, "/admin/users").await.ok().body["users"][0].clone();
    let mut expected = shape(&user);
    for field in ["action_link", "email_otp", "hashed_token", "redirect_to", "verification_type"] {
        expected.push(format!("{field}: string"));
    }
    expected.sort();
    assert_eq!(shape(&link.body), expected);
    let settings = Answer::of(service.request(Method::GET, "/settings")).await.ok().body;
    let fields = [
        "autoconfirm: boolean",
        "disable_signup: boolean",
        "external: object",
        "mailer_autoconfirm: boolean",
        "mfa_phone_enabled: boolean",
        "passkeys_enabled: boolean",
        "phone_autoconfirm: boolean",
        "saml_enabled: boolean",
        "sms_provider: string",
    ];
    assert_eq!(shape(&settings), fields);
    assert!(shape(&settings["external"]).iter().all(|field| field.ends_with(": boolean")));
    let health = Answer::of(service.request(Method::GET, "/health")).await.ok().body;
    assert_eq!(shape(&health), ["description: string", "name: string", "version: string"]);
    let error = service.sign_in("ann@b.co", "wrong").await.body;
    assert_eq!(shape(&error), ["code: integer", "error_code: string", "msg: string"]);
    let weak = json!({"email": "b@b.co", "password": "x"});
    let request = service.request(Method::POST, "/signup").json(&weak);
    let weak = Answer::of(request.header("X-Supabase-Api-Version", "2024-01-01")).await;
    let expected = json!({"code": "weak_password",
        "message": "Password should be at least 6 characters.",
        "weak_password": {"reasons": ["length"]}});
    assert_eq!(weak.body, expected);
    assert_eq!(weak.headers["x-sb-error-code"], "weak_password");
    let resent = json!({"type": "signup", "email": "b@b.co"});
    assert_eq!(shape(&service.post("/resend", resent).await.ok().body), ["message_id: string"]);
}
