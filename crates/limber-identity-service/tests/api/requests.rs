//! Behaviour shared by all calls: missing fields, audiences, redirect targets, administrators'
//! tokens.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, SITE, TestService};
use crate::token::claims;

#[tokio::test]
async fn null_and_unknown_fields_count_as_missing() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
    ])
    .await;
    let pkce = json!({"code_challenge": null, "code_challenge_method": null,
        "gotrue_meta_security": {"captcha_token": null}, "options": {"anything": [1]}});
    let with = |body: Value| {
        let mut whole = pkce.clone();
        let fields = body.as_object().expect("an object").clone();
        whole.as_object_mut().expect("an object").extend(fields);
        whole
    };
    let body = with(json!({"email": "ann@b.co", "phone": null, "password": PASSWORD,
        "data": null, "channel": null}));
    let token = service.post("/signup", body.clone()).await.ok().access();
    service.post("/token?grant_type=password", body).await.ok();
    let nothing = with(json!({"email": null, "phone": null, "password": null, "data": null}));
    let guest = service.post("/signup", nothing).await.ok();
    assert_eq!(guest.body["user"]["is_anonymous"], true);
    let body = with(json!({"email": "ann@b.co", "phone": null, "create_user": null, "data": null}));
    service.post("/otp", body.clone()).await.ok();
    service.clock.advance(Duration::from_secs(61));
    service.post("/recover", body).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    let body = json!({"type": "recovery", "token": null, "token_hash": mail.parameter("token"),
        "email": null, "phone": null, "redirect_to": null, "password": null});
    service.post("/verify", body).await.ok();
    let body = with(json!({"email": null, "phone": null, "password": null, "data": null,
        "nonce": null, "app_metadata": null, "current_password": null, "channel": null}));
    service.send_as(&token, Method::PUT, "/user", body).await.ok();
    let admin = service.admin_token();
    let body = json!({"email": "bob@b.co", "phone": null, "id": null, "password": null,
        "password_hash": null, "role": null, "aud": null, "email_confirm": null,
        "phone_confirm": null, "user_metadata": null, "app_metadata": null, "ban_duration": null});
    service.send_as(&admin, Method::POST, "/admin/users", body).await.ok();
    let body = json!({"type": "recovery", "email": "bob@b.co", "password": null, "data": null,
        "new_email": null, "redirect_to": null});
    service.send_as(&admin, Method::POST, "/admin/generate_link", body).await.ok();
    let body = json!({"factor_type": "totp", "friendly_name": null, "issuer": null, "phone": null});
    service.send_as(&token, Method::POST, "/factors", body).await.ok();
    let body = json!({"auth_code": null, "code_verifier": null});
    let message = "invalid request: both auth code and code verifier should be non-empty";
    let answer = service.post("/token?grant_type=pkce", body).await;
    answer.is_error(400, "validation_failed", message);
}

#[tokio::test]
async fn one_address_may_have_an_account_in_each_audience() {
    let service =
        TestService::start_from(&[("MAILER_AUTOCONFIRM", "true"), ("JWT_AUD", "films")]).await;
    let ask = |path: &'static str, aud: Option<&'static str>| {
        let body = json!({"email": "ann@b.co", "password": PASSWORD});
        let request = service.request(Method::POST, path).json(&body);
        Answer::of(match aud {
            Some(aud) => request.header("X-JWT-AUD", aud),
            None => request,
        })
    };
    let films = ask("/signup", None).await.ok();
    let games = ask("/signup", Some("games")).await.ok();
    assert_ne!(films.body["user"]["id"], games.body["user"]["id"]);
    for (session, aud) in [(&films, "films"), (&games, "games")] {
        assert_eq!(session.body["user"]["aud"], aud);
        assert_eq!(claims(&session.access())["aud"], aud);
        // The token itself names the audience.
        service.get_as(&session.access(), "/user").await.ok();
    }
    let nobody = ask("/token?grant_type=password", Some("music")).await;
    nobody.is_error(400, "invalid_credentials", "Invalid login credentials");
    let again = ask("/token?grant_type=password", Some("games")).await.ok();
    assert_eq!(again.body["user"]["id"], games.body["user"]["id"]);
}

#[tokio::test]
async fn the_redirect_is_the_first_allowed_of_header_query_and_referer() {
    let service = TestService::start().await;
    let (site, evil) = (format!("{SITE}/a"), "https://evil.example/".to_owned());
    let (query, referer) = (format!("{SITE}/b"), format!("{SITE}/c"));
    for (header, in_query, from, expected) in [
        (Some(&site), Some(&query), Some(&referer), site.as_str()),
        (Some(&evil), Some(&query), Some(&referer), &query),
        (None, Some(&evil), Some(&referer), &referer),
        (None, None, Some(&evil), SITE),
        (None, None, None, SITE),
    ] {
        let mut request =
            service.request(Method::GET, "/verify").query(&[("type", "signup"), ("token", "x")]);
        if let Some(target) = header {
            request = request.header("redirect_to", target);
        }
        if let Some(target) = in_query {
            request = request.query(&[("redirect_to", target)]);
        }
        if let Some(target) = from {
            request = request.header("Referer", target);
        }
        let answer = Answer::of(request).await;
        let location = answer.headers["location"].to_str().expect("text");
        let led = location.split('#').next().unwrap_or_default().trim_end_matches('/');
        assert_eq!(led, expected);
    }
}

#[tokio::test]
async fn admin_tokens_need_few_claims_but_a_named_session_must_exist() {
    let service = TestService::start_from(&[("MAILER_AUTOCONFIRM", "true")]).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let session = service.post("/signup", body).await.ok().access();
    let id = claims(&session)["session_id"].clone();
    let list = async |claims: Value| service.get_as(&service.token(&claims), "/admin/users").await;
    list(json!({"role": "service_role"})).await.ok();
    list(json!({"role": "platform_admin", "sub": "the operator"})).await.ok();
    list(json!({"role": "service_role", "session_id": id})).await.ok();
    list(json!({})).await.is_error(403, "not_admin", "User not allowed");
    service.send_as(&session, Method::POST, "/logout", json!({})).await.ok();
    let gone = "Session from session_id claim in JWT does not exist";
    let answer = list(json!({"role": "service_role", "session_id": id})).await;
    answer.is_error(403, "session_not_found", gone);
    // The authentication scheme is case-insensitive.
    let request = service.request(Method::GET, "/admin/users");
    let token = format!("bEaReR {}", service.admin_token());
    Answer::of(request.header("Authorization", token)).await.ok();
    let basic = service.request(Method::GET, "/admin/users").basic_auth("a", Some("b"));
    let message = "This endpoint requires a valid Bearer token";
    Answer::of(basic).await.is_error(401, "no_authorization", message);
}

#[tokio::test]
async fn incomplete_malformed_and_expired_pkce_challenges_get_different_errors() {
    let service = TestService::start_from(&[
        ("EXTERNAL_PHONE_ENABLED", "true"),
        ("SMS_TEST_OTP", "41791234567:123456"),
    ])
    .await;
    let failed = "validation_failed";
    let good = "x".repeat(43);
    for (challenge, method, message) in [
        ("x".repeat(42), "s256", "code challenge has to be between 43 and 128 characters"),
        ("x".repeat(129), "plain", "code challenge has to be between 43 and 128 characters"),
        (
            "+".repeat(43),
            "S256",
            "code challenge can only contain alphanumeric characters, hyphens, periods, \
             underscores and tildes",
        ),
        (good.clone(), "", "PKCE flow requires code_challenge_method and code_challenge"),
        (good.clone(), "md5", "code_challenge_method must be s256 or plain"),
    ] {
        for path in ["/signup", "/otp", "/magiclink", "/recover"] {
            let body = json!({"email": "ann@b.co", "password": PASSWORD,
                "code_challenge": challenge, "code_challenge_method": method});
            service.post(path, body).await.is_error(400, failed, message);
        }
    }
    let body = json!({"phone": "+41791234567", "password": PASSWORD,
        "code_challenge": good, "code_challenge_method": "plain"});
    let message = "PKCE not supported for phone signups";
    service.post("/signup", body).await.is_error(400, failed, message);

    let body = json!({"email": "ann@b.co", "password": PASSWORD,
        "code_challenge": good, "code_challenge_method": "PLAIN"});
    service.post("/signup", body).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    // An email may be opened late: the five-minute limit applies to the auth code alone.
    service.clock.advance(Duration::from_secs(3600));
    let path = mail.link().trim_start_matches(service.base.as_str().trim_end_matches('/'));
    let answer = Answer::of(service.request(Method::GET, path)).await;
    let location = answer.headers["location"].to_str().expect("text").to_owned();
    let code = location.split_once("?code=").expect("a code in the query").1.to_owned();
    service.clock.advance(Duration::from_secs(301));
    let body = json!({"auth_code": code, "code_verifier": good});
    let late = service.post("/token?grant_type=pkce", body).await;
    late.is_error(422, "flow_state_expired", "invalid flow state, flow state has expired");
    // A failed link reports the error in both places where clients may look.
    let again = Answer::of(service.request(Method::GET, path)).await;
    let location = again.headers["location"].to_str().expect("text").to_owned();
    assert_eq!(location.matches("error_code=otp_expired").count(), 2, "{location}");
}

#[tokio::test]
async fn invalid_emails_and_phones_get_their_exact_errors() {
    let service = TestService::start_from(&[
        ("EXTERNAL_PHONE_ENABLED", "true"),
        ("SMS_TEST_OTP", "41791234567:123456"),
    ])
    .await;
    let failed = "validation_failed";
    let admin = service.admin_token();
    for (email, message) in [
        (String::new(), "An email address is required"),
        (format!("{}@b.co", "a".repeat(255)), "An email address is too long"),
        ("xx:;x@x.x".to_owned(), "Unable to validate email address: invalid format"),
    ] {
        let body = json!({"email": email});
        let answer = service.send_as(&admin, Method::POST, "/invite", body).await;
        answer.is_error(400, failed, message);
    }
    for phone in ["079", "+1 2 x", "1234567890123456"] {
        let body = json!({"phone": phone, "password": PASSWORD});
        let message = "Invalid phone number format (E.164 required)";
        service.post("/signup", body).await.is_error(400, failed, message);
    }
    let message = "A magic link requires an email";
    service.post("/magiclink", json!({})).await.is_error(422, failed, message);
    // An unconfirmed number gets no code.
    let body = json!({"phone": "+41791234567"});
    let made = service.send_as(&admin, Method::POST, "/admin/users", body).await.ok();
    let token = service.token(&json!({"sub": made.text("id"), "role": "x"}));
    let answer = service.get_as(&token, "/reauthenticate").await;
    answer.is_error(422, "phone_not_confirmed", "Please verify your phone first.");
}

#[tokio::test]
async fn admin_calls_get_their_exact_errors() {
    let service = TestService::start().await;
    let id = "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a";
    let path = format!("/admin/users/{id}");
    let post = |path: &str, body: Value| {
        let (service, path) = (&service, path.to_owned());
        async move { service.send_as(&service.admin_token(), Method::POST, &path, body).await }
    };
    post(&path, json!({"email": "ann@b.co"})).await.ok();
    let failed = "validation_failed";
    for (path, body, status, code, message) in [
        (
            path.as_str(),
            json!({"email": "b@b.co"}),
            409,
            "conflict",
            "A user with this id already exists",
        ),
        (
            "/admin/users",
            json!({"password": PASSWORD}),
            400,
            failed,
            "Cannot create a user without either an email or phone",
        ),
        (
            "/admin/users",
            json!({"email": "b@b.co", "id": "seven"}),
            400,
            failed,
            "ID must conform to the uuid v4 format",
        ),
        (
            "/admin/users",
            json!({"email": "b@b.co", "password": PASSWORD, "password_hash": "$2a$10$x"}),
            400,
            failed,
            "Only a password or a password hash should be provided",
        ),
        (
            "/admin/users",
            json!({"email": "b@b.co", "password_hash": "md5"}),
            400,
            failed,
            "password_hash must be a bcrypt hash, an argon2 PHC string or a firebase-scrypt hash",
        ),
        ("/admin/users/x", json!({"email": "b@b.co"}), 404, failed, "user_id must be an UUID"),
        (
            "/admin/users",
            json!({"email": "b@b.co", "ban_duration": "-1h"}),
            400,
            failed,
            "invalid format for ban duration: -1h",
        ),
    ] {
        post(path, body).await.is_error(status, code, message);
    }
    for method in [Method::PUT, Method::DELETE] {
        let unknown = "/admin/users/00000000-0000-4000-8000-000000000000";
        let answer = service.send_as(&service.admin_token(), method, unknown, json!({})).await;
        answer.is_error(404, "user_not_found", "User not found");
    }
}

#[tokio::test]
async fn refreshes_blocked_for_five_seconds_are_rejected() {
    let service = TestService::start_from(&[("MAILER_AUTOCONFIRM", "true")]).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().refresh();
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let mut held = pool.begin().await.expect("a transaction");
    for sql in ["SELECT * FROM sessions FOR UPDATE", "SELECT * FROM refresh_tokens FOR UPDATE"] {
        sqlx::query(sql).execute(&mut *held).await.expect("no other transaction holds the lock");
    }
    let message = "Too many concurrent token refresh requests on the same session or refresh token";
    let refused = service.refresh(&token).await;
    // Clients end their session at any 4xx status.
    assert_eq!((refused.status, refused.text("error_code").as_str()), (503, "conflict"));
    assert_eq!(refused.text("msg"), message);
    assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
    held.rollback().await.expect("the process ends");
    service.refresh(&token).await.ok();
}

#[tokio::test]
async fn head_requests_use_nothing_up() {
    let service = TestService::start().await;
    for path in ["/callback?state=x&code=y", "/verify?type=signup&token=x"] {
        let answer = Answer::of(service.request(Method::HEAD, path)).await;
        assert_eq!((answer.status, answer.body), (200, Value::Null), "{path}");
    }
}

#[tokio::test]
async fn accounts_show_when_messages_were_sent() {
    let service = TestService::start().await;
    let token = service.confirmed("ann@b.co").await.access();
    service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
    let user = service.get_as(&token, "/user").await.ok();
    let invite = json!({"email": "bob@b.co"});
    let admin = service.admin_token();
    let invited = service.send_as(&admin, Method::POST, "/invite", invite).await.ok();
    let times = [&user.body["recovery_sent_at"], &invited.body["invited_at"]];
    for time in times {
        let time = time.as_str().expect("text");
        let parsed = chrono::DateTime::parse_from_rfc3339(time).expect("RFC 3339");
        assert!((service.now() - parsed.to_utc()).num_seconds().abs() < 30, "{time}");
        assert!(time.ends_with('Z') && time.contains('.'), "{time}");
    }
    assert!(invited.body.get("email_confirmed_at").is_none());
}

#[tokio::test]
async fn user_calls_need_a_token_and_the_others_none() {
    let service = TestService::start().await;
    let ask = async |method: Method, path: &str| {
        Answer::of(service.request(method, path).json(&json!({}))).await.status
    };
    let (get, post) = (Method::GET, Method::POST);
    for (method, path) in [
        (&get, "/user"),
        (&Method::PUT, "/user"),
        (&get, "/reauthenticate"),
        (&post, "/logout"),
        (&post, "/invite"),
        (&post, "/admin/generate_link"),
        (&post, "/admin/users"),
        (&post, "/admin/users/7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a"),
        (&get, "/sessions"),
        (&post, "/factors"),
        (&get, "/user/identities/authorize"),
        (&get, "/admin/audit"),
    ] {
        assert_eq!(ask(method.clone(), path).await, 401, "{method} {path}");
    }
    for (method, path) in [
        (&get, "/settings"),
        (&post, "/signup"),
        (&post, "/resend"),
        (&post, "/verify"),
        (&get, "/verify"),
        (&post, "/otp"),
        (&post, "/magiclink"),
        (&post, "/recover"),
        (&post, "/token"),
        (&get, "/authorize"),
        (&get, "/callback"),
        (&get, "/health"),
    ] {
        let status = ask(method.clone(), path).await;
        assert!(status != 401 && status < 500, "{method} {path}: {status}");
    }
}
