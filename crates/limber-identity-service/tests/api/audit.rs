//! `GET /admin/audit`: the audit log.

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};

async fn entries(service: &TestService, query: &str) -> Answer {
    let path = format!("/admin/audit?{query}");
    service.get_as(&service.admin_token(), &path).await
}

fn actions(answer: &Answer) -> Vec<&str> {
    let list = answer.body.as_array().expect("a bare list");
    list.iter().map(|entry| entry["payload"]["action"].as_str().expect("a word")).collect()
}

#[tokio::test]
async fn user_actions_are_logged_newest_first() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let session = service.refresh(&session.refresh()).await.ok();
    let change = json!({"password": "battery staple", "data": {"full_name": "Ann B"}});
    service.send_as(&session.access(), Method::PUT, "/user", change).await.ok();
    service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
    service.send_as(&session.access(), Method::POST, "/logout", json!({})).await.ok();
    service.post("/signup", json!({"email": "ann@b.co", "password": PASSWORD})).await;
    let log = entries(&service, "").await.ok();
    let mut found = actions(&log);
    found.sort_unstable();
    let mut expected = vec![
        "user_repeated_signup",
        "logout",
        "user_recovery_requested",
        "user_updated_password",
        "user_modified",
        "token_refreshed",
        "token_revoked",
        "login",
        "user_signedup",
        "user_confirmation_requested",
        // Logged without an actor, for the decoy work of a sign-up with a taken address.
        "user_confirmation_requested",
    ];
    assert_eq!(actions(&log)[0], expected[0], "newest first");
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(log.headers["x-total-count"], "11");
    let newest = &log.body[0];
    assert_eq!(newest["payload"]["actor_username"], "ann@b.co");
    assert_eq!(newest["payload"]["actor_name"], "Ann B");
    assert_eq!(newest["payload"]["log_type"], "user");
    assert_eq!(newest["ip_address"], "127.0.0.1");
    assert!(newest["id"].is_string() && newest["created_at"].is_string());
}

#[tokio::test]
async fn audit_log_scopes_filter_and_pages_are_linked() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    service.confirmed("bob@b.co").await;
    let by_ann = entries(&service, "query=author:ANN").await.ok();
    assert_eq!(actions(&by_ann), ["login", "user_signedup", "user_confirmation_requested"]);
    assert_eq!(actions(&entries(&service, "query=action:login").await.ok()).len(), 2);
    assert_eq!(actions(&entries(&service, "query=type:team").await.ok()).len(), 2);
    let page = entries(&service, "query=type:team&per_page=1").await.ok();
    assert_eq!(
        (actions(&page).len(), &page.headers["x-total-count"]),
        (1, &"2".parse().expect("text"))
    );
    assert!(page.headers["link"].to_str().expect("text").starts_with("</admin/audit?page=2&"));
    let message = "Invalid query scope: colour";
    entries(&service, "query=colour:red").await.is_error(400, "validation_failed", message);
    let person = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    assert_eq!(service.get_as(&person, "/admin/audit").await.status, 403);
}

#[tokio::test]
async fn admin_audit_entries_name_the_role_and_the_account() {
    let service = TestService::start().await;
    let admin = service.admin_token();
    let body = json!({"email": "ann@b.co"});
    let id = service.send_as(&admin, Method::POST, "/admin/users", body).await.ok().text("id");
    let path = format!("/admin/users/{id}");
    service.send_as(&admin, Method::PUT, &path, json!({"role": "x"})).await.ok();
    service.send_as(&admin, Method::DELETE, &path, json!({})).await.ok();
    let log = entries(&service, "").await.ok();
    assert_eq!(actions(&log), ["user_deleted", "user_modified", "user_signedup"]);
    for entry in log.body.as_array().expect("a list") {
        assert_eq!(entry["payload"]["actor_username"], "service_role");
        assert_eq!(entry["payload"]["traits"]["user_id"], id);
        assert_eq!(entry["payload"]["traits"]["user_email"], "ann@b.co");
    }
}

#[tokio::test]
async fn the_audit_log_is_not_stored_if_disabled() {
    let service = TestService::start_with(|config| config.audit.in_database = false).await;
    service.confirmed("ann@b.co").await;
    assert_eq!(entries(&service, "").await.ok().body, Value::Array(Vec::new()));
}
