//! `/admin/users`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};

async fn admin(service: &TestService, method: Method, path: &str, body: Value) -> Answer {
    service.send_as(&service.admin_token(), method, path, body).await
}

#[tokio::test]
async fn only_configured_admin_roles_are_accepted() {
    let service = TestService::start().await;
    let person = service.confirmed("ann@b.co").await.access();
    service.get_as(&person, "/admin/users").await.is_error(403, "not_admin", "User not allowed");
    let missing = Answer::of(service.request(Method::GET, "/admin/users")).await;
    let message = "This endpoint requires a valid Bearer token";
    missing.is_error(401, "no_authorization", message);
    let platform = service.token(&json!({"role": "platform_admin", "sub": "not a uuid"}));
    service.get_as(&platform, "/admin/users").await.ok();
}

#[tokio::test]
async fn both_admin_routes_create_accounts_that_can_sign_in() {
    let service = TestService::start_with(|config| config.signup.disabled = true).await;
    let id = "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a";
    let body = json!({"email": "a@b.co", "password": PASSWORD, "email_confirm": true,
        "role": "animator", "user_metadata": {"u": 1}, "app_metadata": {"plan": "studio"}});
    let first = admin(&service, Method::POST, "/admin/users", body).await.ok();
    assert_eq!(
        (first.text("role").as_str(), &first.body["user_metadata"]["u"]),
        ("animator", &json!(1))
    );
    assert_eq!(
        first.body["app_metadata"],
        json!({"plan": "studio", "provider": "email", "providers": ["email"]})
    );
    service.sign_in("a@b.co", PASSWORD).await.ok();
    let path = format!("/admin/users/{id}");
    let body = json!({"email": "c@b.co", "email_confirm": true});
    assert_eq!(admin(&service, Method::POST, &path, body.clone()).await.ok().text("id"), id);
    let taken = json!({"email": "other@b.co"});
    assert_eq!(admin(&service, Method::POST, &path, taken).await.status, 409);
    admin(&service, Method::POST, "/admin/users", body).await.is_error(
        422,
        "email_exists",
        "A user with this email address has already been registered",
    );
    assert_eq!(service.count_mails("c@b.co").await, 0, "no email is sent");
}

async fn stored_hash(service: &TestService, email: &str) -> String {
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    sqlx::query_scalar("SELECT password_hash FROM accounts WHERE email = $1")
        .bind(email)
        .fetch_one(&pool)
        .await
        .expect("the account exists")
}

#[tokio::test]
async fn password_hashes_from_other_services_can_be_imported() {
    let service = TestService::start().await;
    let hash = bcrypt::hash(PASSWORD, 4).expect("the cost is valid");
    let body = json!({"email": "a@b.co", "password_hash": hash, "email_confirm": true});
    admin(&service, Method::POST, "/admin/users", body).await.ok();
    service.sign_in("a@b.co", PASSWORD).await.ok();
    let before = stored_hash(&service, "a@b.co").await;
    assert!(
        before.starts_with("$argon2id$"),
        "the hash is replaced at the first sign-in: {before}"
    );
    service.sign_in("a@b.co", PASSWORD).await.ok();
    assert_eq!(stored_hash(&service, "a@b.co").await, before, "the hash is then kept");
    // The example from github.com/firebase/scrypt.
    let firebase = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,\
        sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==\
        $42xEC+ixf3L2lw==\
        $lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
    let body = json!({"email": "f@b.co", "password_hash": firebase, "email_confirm": true});
    admin(&service, Method::POST, "/admin/users", body).await.ok();
    service.sign_in("f@b.co", "user1password").await.ok();
    service.sign_in("f@b.co", "user1password").await.ok();
    let body = json!({"email": "x@b.co", "password_hash": "md5 of course"});
    assert_eq!(admin(&service, Method::POST, "/admin/users", body).await.status, 400);
}

#[tokio::test]
async fn bans_block_every_sign_in_and_can_be_lifted() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let path = format!("/admin/users/{}", session.body["user"]["id"].as_str().expect("an id"));
    let ban =
        |duration: &str| admin(&service, Method::PUT, &path, json!({"ban_duration": duration}));
    ban("soon").await.is_error(400, "validation_failed", "invalid format for ban duration: soon");
    assert!(ban("1h30m").await.ok().body["banned_until"].is_string());
    service.sign_in("ann@b.co", PASSWORD).await.is_error(400, "user_banned", "User is banned");
    assert_eq!(
        service.sign_in("ann@b.co", "wrong").await.text("error_code"),
        "invalid_credentials"
    );
    let message = "Invalid Refresh Token: User Banned";
    service.refresh(&session.refresh()).await.is_error(400, "user_banned", message);
    service.get_as(&session.access(), "/user").await.is_error(403, "user_banned", "User is banned");
    ban("none").await.ok();
    service.refresh(&session.refresh()).await.ok();
}

#[tokio::test]
async fn admin_changes_apply_at_once_and_a_new_password_ends_all_sessions() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let path = format!("/admin/users/{}", session.body["user"]["id"].as_str().expect("an id"));
    let body = json!({"email": "new@b.co", "email_confirm": true, "password": "battery staple"});
    let answer = admin(&service, Method::PUT, &path, body).await.ok();
    assert_eq!(answer.text("email"), "new@b.co");
    assert_eq!(service.refresh(&session.refresh()).await.status, 400);
    service.sign_in("new@b.co", "battery staple").await.ok();
    let weak = admin(&service, Method::PUT, &path, json!({"password": "x"})).await;
    assert_eq!(weak.text("error_code"), "weak_password");
}

#[tokio::test]
async fn account_lists_are_paged_for_existing_clients() {
    let service = TestService::start().await;
    for number in 0..3 {
        let body = json!({"email": format!("u{number}@b.co")});
        admin(&service, Method::POST, "/admin/users", body).await.ok();
    }
    let get = |path: &str| {
        let token = service.admin_token();
        let request = service.request(Method::GET, path).bearer_auth(token);
        Answer::of(request)
    };
    let page = get("/admin/users?page=1&per_page=2").await.ok();
    assert_eq!(page.body["users"].as_array().expect("a list").len(), 2);
    assert_eq!(page.body["users"][0]["email"], "u2@b.co", "newest first");
    assert_eq!(page.headers["x-total-count"], "3");
    assert!(page.headers["link"].to_str().expect("text").starts_with("</admin/users?page=2&"));
    assert_eq!(page.body["users"][0]["identities"][0]["provider"], "email");
    let oldest = get("/admin/users?page=&per_page=&sort=created_at%20asc").await.ok();
    assert_eq!(oldest.body["users"][0]["email"], "u0@b.co");
    assert_eq!(
        get("/admin/users?filter=U1@").await.ok().body["users"].as_array().map(Vec::len),
        Some(1)
    );
    let exact = get("/admin/users?email=U1@b.co").await.ok();
    assert_eq!(exact.body["users"].as_array().map(Vec::len), Some(1));
    assert_eq!(exact.headers["x-total-count"], "1");
    assert_eq!(get("/admin/users?email=u1@b.c").await.ok().body["users"], json!([]));
    assert_eq!(get("/admin/users?email=nonsense").await.status, 400);
    for bad in ["page=-1", "per_page=x"] {
        let answer = get(&format!("/admin/users?{bad}")).await;
        assert!(answer.text("msg").starts_with("Bad Pagination Parameters: "), "{bad}");
    }
    assert!(get("/admin/users?sort=email").await.text("msg").starts_with("Bad Sort Parameters: "));
}

#[tokio::test]
async fn accounts_are_read_and_deleted_by_id() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let id = session.body["user"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/admin/users/{id}");
    assert_eq!(admin(&service, Method::GET, &path, json!({})).await.ok().text("id"), id);
    assert_eq!(admin(&service, Method::DELETE, &path, json!({})).await.ok().body, json!({}));
    let message = "User not found";
    admin(&service, Method::GET, &path, json!({})).await.is_error(404, "user_not_found", message);
    let gone = "Invalid Refresh Token: Refresh Token Not Found";
    service.refresh(&session.refresh()).await.is_error(400, "refresh_token_not_found", gone);
    let answer = admin(&service, Method::GET, "/admin/users/x", json!({})).await;
    answer.is_error(404, "validation_failed", "user_id must be an UUID");
}

#[tokio::test]
async fn metadata_with_extreme_numbers_can_be_read_back() {
    let service = TestService::start().await;
    let metadata = json!([f64::MAX, f64::MIN, 5e-324, 0.1, 1.0 / 3.0, u64::MAX, i64::MIN]);
    let body = json!({"email": "a@b.co", "user_metadata": {"n": metadata},
        "app_metadata": {"n": metadata}});
    admin(&service, Method::POST, "/admin/users", body).await.ok();
    let all = admin(&service, Method::GET, "/admin/users", json!({})).await.ok();
    for place in ["user_metadata", "app_metadata"] {
        assert_eq!(all.body["users"][0][place]["n"], metadata);
    }
}

/// Metadata at the limit of nesting is nested more deeply still in the responses.
#[tokio::test]
async fn metadata_at_the_nesting_limit_can_be_read_back() {
    let service = TestService::start().await;
    let mut kept = 0;
    for depth in 118..130 {
        let nested = (0..depth).fold(json!(0), |inner, _| json!([inner]));
        let body = json!({"user_metadata": {"n": nested}, "email": format!("a{depth}@b.co")});
        let made = admin(&service, Method::POST, "/admin/users", body).await;
        kept += usize::from(made.status == 200);
        assert!([200, 400].contains(&made.status), "{depth}: {}", made.status);
        admin(&service, Method::GET, "/admin/users", json!({})).await.ok();
    }
    assert!((1..12).contains(&kept), "{kept}");
}

#[tokio::test]
async fn soft_deletion_keeps_the_id_and_erases_personal_data() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let id = session.body["user"]["id"].as_str().expect("an id").to_owned();
    let path = format!("/admin/users/{id}");
    let soft = json!({"should_soft_delete": true});
    admin(&service, Method::DELETE, &path, soft).await.ok();
    let left = admin(&service, Method::GET, &path, json!({})).await.ok();
    assert!(left.body["deleted_at"].is_string());
    assert_eq!((left.text("email").as_str(), &left.body["user_metadata"]), ("", &json!({})));
    assert_eq!(service.get_as(&session.access(), "/user").await.status, 403);
    assert_eq!(service.refresh(&session.refresh()).await.status, 400);
}
