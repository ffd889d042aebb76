//! Administrators whose account has changed since their token was issued.

use std::time::Duration;

use limber_identity_service::config::CaptchaConfig;
use reqwest::{Method, Url};
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};

/// Creates an account with an administrator role and returns its id.
async fn administrator(service: &TestService, email: &str) -> String {
    let body = json!({"email": email, "password": PASSWORD, "email_confirm": true,
        "role": "service_role"});
    let operator = service.admin_token();
    service.send_as(&operator, Method::POST, "/admin/users", body).await.ok().text("id")
}

/// Returns a token without a session, as an operator could issue it for this account.
fn bare_token(service: &TestService, id: &str) -> String {
    service.token(&json!({"sub": id, "role": "service_role"}))
}

/// Returns the answers of several administrator endpoints.
async fn doors(service: &TestService, token: &str) -> Vec<Answer> {
    let invitation = json!({"email": "guest@b.co"});
    vec![
        service.get_as(token, "/admin/users").await,
        service.get_as(token, "/admin/audit").await,
        service.send_as(token, Method::POST, "/invite", invitation).await,
    ]
}

async fn operate(service: &TestService, id: &str, method: Method, body: Value) {
    let path = format!("/admin/users/{id}");
    service.send_as(&service.admin_token(), method, &path, body).await.ok();
}

#[tokio::test]
async fn banned_demoted_and_deleted_users_lose_access_at_once() {
    let service = TestService::start().await;
    let cases = [
        (Method::PUT, json!({"ban_duration": "1h"}), ["user_banned", "user_banned"]),
        (Method::PUT, json!({"role": "animator"}), ["not_admin", "not_admin"]),
        (Method::DELETE, json!({}), ["session_not_found", "user_not_found"]),
        (
            Method::DELETE,
            json!({"should_soft_delete": true}),
            ["session_not_found", "user_not_found"],
        ),
    ];
    for (number, (method, body, codes)) in cases.into_iter().enumerate() {
        let email = format!("boss{number}@b.co");
        let id = administrator(&service, &email).await;
        let signed_in = service.sign_in(&email, PASSWORD).await.ok().access();
        let tokens = [signed_in, bare_token(&service, &id)];
        for token in &tokens {
            service.get_as(token, "/admin/users").await.ok();
        }
        operate(&service, &id, method, body).await;
        for (token, code) in tokens.iter().zip(codes) {
            for answer in doors(&service, token).await {
                assert_eq!((answer.status, answer.text("error_code").as_str()), (403, code));
            }
        }
        // A token that names no account needs no lookup.
        service.get_as(&service.admin_token(), "/admin/users").await.ok();
        let named = service.token(&json!({"role": "service_role", "sub": "the operator"}));
        service.get_as(&named, "/admin/users").await.ok();
    }
}

#[tokio::test]
async fn admin_rights_depend_on_the_account_and_not_on_the_token() {
    let service = TestService::start().await;
    let id = administrator(&service, "boss@b.co").await;
    let token = bare_token(&service, &id);
    operate(&service, &id, Method::PUT, json!({"ban_duration": "1h"})).await;
    assert_eq!(service.get_as(&token, "/admin/users").await.status, 403);
    operate(&service, &id, Method::PUT, json!({"ban_duration": "none"})).await;
    service.get_as(&token, "/admin/users").await.ok();
    let person = service.confirmed("ann@b.co").await.body["user"]["id"].clone();
    let claimed = service.token(&json!({"sub": person, "role": "service_role"}));
    service.get_as(&claimed, "/admin/users").await.is_error(403, "not_admin", "User not allowed");
}

#[tokio::test]
async fn demoted_admins_cannot_write_app_metadata() {
    let service = TestService::start().await;
    let id = administrator(&service, "boss@b.co").await;
    let token = service.sign_in("boss@b.co", PASSWORD).await.ok().access();
    let plan = |plan: &str| {
        let body = json!({"app_metadata": {"plan": plan}});
        service.send_as(&token, Method::PUT, "/user", body)
    };
    plan("studio").await.ok();
    operate(&service, &id, Method::PUT, json!({"role": "animator"})).await;
    let message = "Updating app_metadata requires admin privileges";
    plan("everything").await.is_error(403, "not_admin", message);
}

#[tokio::test]
async fn demoted_admins_need_a_captcha_again() {
    let service = TestService::start_with(|config| {
        config.captcha = Some(CaptchaConfig {
            address: Url::parse("http://127.0.0.1:9/siteverify").expect("a valid address"),
            secret: "captcha secret".into(),
            timeout: Duration::from_secs(1),
        });
    })
    .await;
    let id = administrator(&service, "boss@b.co").await;
    let token = bare_token(&service, &id);
    let recover =
        || service.send_as(&token, Method::POST, "/recover", json!({"email": "nobody@b.co"}));
    recover().await.ok();
    operate(&service, &id, Method::PUT, json!({"role": "animator"})).await;
    assert_eq!(recover().await.text("error_code"), "captcha_failed");
}
