//! Passwords and codes cannot be guessed, and guessing locks nobody out.

use std::time::Duration;

use futures_util::future::join_all;
use limber_identity_service::Config;
use limber_identity_service::config::ProxyRange;
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, SITE, TestService};

const DAY: Duration = Duration::from_secs(86_400);
const TOO_MANY: &str = "over_request_rate_limit";

/// Signs in from another IP address, as reported by the proxy.
async fn sign_in_from(service: &TestService, place: &str, email: &str, password: &str) -> Answer {
    let body = json!({"email": email, "password": password});
    service.post_from(place, "/token?grant_type=password", body).await
}

/// Submits wrong passwords from one address until the next pause lasts two minutes, and returns the
/// statuses.
async fn guess(service: &TestService, email: &str) -> Vec<u16> {
    let wrong = || sign_in_from(service, "198.51.100.1", email, "wrong");
    let mut told = Vec::new();
    for _ in 0..10 {
        told.push(wrong().await.status);
    }
    for doublings in 0..7 {
        service.clock.advance(Duration::from_secs(1 << doublings));
        told.push(wrong().await.status);
    }
    let refused = wrong().await;
    refused.is_error(429, TOO_MANY, "Request rate limit reached");
    let wait_s: u64 =
        refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((100..=128).contains(&wait_s), "{wait_s}");
    told.push(refused.status);
    told
}

#[tokio::test]
async fn after_ten_wrong_passwords_each_attempt_doubles_the_wait() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let told = guess(&service, "ann@b.co").await;
    assert_eq!(told[..17], [400; 17]);
    assert_eq!(
        guess(&service, "nobody@b.co").await,
        told,
        "unknown addresses are limited in the same way"
    );
    // All but a second of the two minutes has passed.
    service.clock.advance(Duration::from_secs(2));
    sign_in_from(&service, "198.51.100.1", "ann@b.co", PASSWORD).await.ok();
    for _ in 0..10 {
        assert_eq!(
            service.sign_in("ann@b.co", "wrong").await.status,
            400,
            "counted from zero again"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_password_guesses_are_counted_like_sequential_ones() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let tries = (0..40).map(|_| sign_in_from(&service, "198.51.100.1", "ann@b.co", "wrong"));
    let answers = join_all(tries).await;
    let looked_at = answers.iter().filter(|answer| answer.status == 400).count();
    // On a slow machine, the first pauses of one and two seconds may elapse in between.
    assert!((10..=12).contains(&looked_at), "{looked_at} passwords were checked");
    assert!(answers.iter().all(|answer| matches!(answer.status, 400 | 429)));
}

#[tokio::test]
async fn guesses_by_others_do_not_lock_users_out() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let (home, away) = ("203.0.113.7", "203.0.113.99");
    sign_in_from(&service, home, "ann@b.co", PASSWORD).await.ok();
    guess(&service, "ann@b.co").await;
    for place in [away, home] {
        sign_in_from(&service, place, "ann@b.co", PASSWORD).await.ok();
    }
    // A fresh code also works.
    service.post("/otp", json!({"email": "ann@b.co"})).await.ok();
    let code = service.mailbox.nth("ann@b.co", 2).await.code();
    let body = json!({"type": "email", "email": "ann@b.co", "token": code});
    let request = service.request(Method::POST, "/verify").json(&body);
    Answer::of(request.header("X-Forwarded-For", away)).await.ok();
    sign_in_from(&service, away, "ann@b.co", PASSWORD).await.ok();
}

/// Number of addresses that exhaust the shared count.
const PLACES: usize = 4;

/// Submits wrong passwords from as many addresses as it takes until everybody must wait.
async fn guess_from_everywhere(service: &TestService, email: &str) {
    for number in 0..PLACES {
        for _ in 0..10 {
            let place = format!("198.51.100.{number}");
            assert_eq!(sign_in_from(service, &place, email, "wrong").await.status, 400);
        }
    }
}

#[tokio::test]
async fn distributed_guesses_do_not_delay_the_owners_known_address() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let (home, away) = ("203.0.113.7", "203.0.113.99");
    sign_in_from(&service, home, "ann@b.co", PASSWORD).await.ok();
    for email in ["ann@b.co", "nobody@b.co"] {
        guess_from_everywhere(&service, email).await;
        let refused = sign_in_from(&service, away, email, PASSWORD).await;
        refused.is_error(429, TOO_MANY, "Request rate limit reached");
    }
    sign_in_from(&service, home, "ann@b.co", PASSWORD).await.ok();
    service.clock.advance(Duration::from_secs(2));
    sign_in_from(&service, away, "ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn owners_can_sign_in_while_an_attacker_guesses() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let (eve, away) = ("198.51.100.1", "203.0.113.99");
    guess(&service, "ann@b.co").await;
    let theirs = json!({"email": "ann@b.co", "code_challenge": "e".repeat(43),
        "code_challenge_method": "plain"});
    for path in ["/recover", "/otp"] {
        service.post_from(eve, path, theirs.clone()).await;
    }
    let guess_code = || {
        let body = json!({"type": "recovery", "email": "ann@b.co", "token": "000000"});
        service.post_from(eve, "/verify", body)
    };
    for _ in 0..40 {
        guess_code().await;
    }
    sign_in_from(&service, away, "ann@b.co", PASSWORD).await.ok();
    // Ann can request her own link although Eve has just requested one.
    service.post_from(away, "/recover", json!({"email": "ann@b.co"})).await.ok();
    let mails = service.count_mails("ann@b.co").await;
    let mail = service.mailbox.nth("ann@b.co", mails).await;
    let code = mail.code();
    // Neither a later request nor wrong guesses invalidate it.
    service.clock.advance(Duration::from_secs(61));
    service.post_from(eve, "/recover", theirs.clone()).await.ok();
    for _ in 0..12 {
        guess_code().await;
    }
    let body = json!({"type": "recovery", "email": "ann@b.co", "token": code});
    service.post_from(away, "/verify", body).await.ok();
    service.post_from(away, "/recover", json!({"email": "ann@b.co"})).await.ok();
    let mails = service.count_mails("ann@b.co").await;
    let token = service.mailbox.nth("ann@b.co", mails).await.parameter("token");
    service.clock.advance(Duration::from_secs(61));
    service.post_from(eve, "/recover", theirs).await.ok();
    let body = json!({"type": "recovery", "token_hash": token});
    service.post_from(away, "/verify", body).await.ok();
}

#[tokio::test]
async fn one_caller_cannot_use_up_the_email_limit() {
    let service = TestService::start_with(|config| {
        config.limits.by_ip = true;
        config.limits.emails = limber_identity_service::config::MessageLimit::PerHour(10);
    })
    .await;
    let ask = |place: &'static str, number: usize| {
        let body = json!({"email": format!("n{number}@b.co")});
        let service = &service;
        async move { service.post_from(place, "/otp", body).await }
    };
    for number in 0..5 {
        ask("198.51.100.1", number).await.ok();
    }
    let refused = ask("198.51.100.1", 5).await;
    refused.is_error(429, "over_email_send_rate_limit", "email rate limit exceeded");
    ask("203.0.113.99", 6).await.ok();
}

#[tokio::test]
async fn guesses_from_a_known_address_are_counted_too() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let home = "203.0.113.7";
    sign_in_from(&service, home, "ann@b.co", PASSWORD).await.ok();
    guess_from_everywhere(&service, "ann@b.co").await;
    let mut told = Vec::new();
    for _ in 0..20 {
        told.push(sign_in_from(&service, home, "ann@b.co", "wrong").await.status);
    }
    let looked_at = told.iter().filter(|status| **status == 400).count();
    assert!((10..=12).contains(&looked_at), "{told:?}");
}

#[tokio::test]
async fn callers_are_limited_by_default_and_cannot_forge_their_identity() {
    let site = reqwest::Url::parse(SITE).expect("a valid address");
    let config = Config::new(site.clone(), site, "".into(), "".into());
    assert!(config.limits.by_ip && config.trusted_proxies.is_empty());
    let service = TestService::start_with(|config| {
        config.limits.by_ip = true;
        config.limits.header = Some("X-Real-Ip".to_owned());
        config.trusted_proxies = Vec::new();
    })
    .await;
    let ask = |number: usize| {
        let request = service.request(Method::POST, "/verify").json(&json!({}));
        let forged = format!("198.51.100.{number}");
        let request = request.header("X-Forwarded-For", &forged).header("X-Real-Ip", &forged);
        Answer::of(request.header("Forwarded", format!("for={forged}")))
    };
    for number in 0..30 {
        assert_eq!(ask(number).await.status, 400);
    }
    assert_eq!(ask(31).await.status, 429);
}

#[tokio::test]
async fn behind_proxies_the_last_untrusted_hop_is_the_caller() {
    let service = TestService::start_with(|config| {
        config.limits.by_ip = true;
        config.trusted_proxies.push(ProxyRange::parse("10.0.0.0/8").expect("a block"));
    })
    .await;
    let ask = |hops: &[String]| {
        let request = service.request(Method::POST, "/verify").json(&json!({}));
        let request =
            hops.iter().fold(request, |request, hop| request.header("X-Forwarded-For", hop));
        Answer::of(request)
    };
    for number in 0..30 {
        let hops = match number % 3 {
            0 => vec![format!("192.0.2.{number}, 203.0.113.7, 10.0.0.1")],
            1 => vec![format!("192.0.2.{number}"), "203.0.113.7:4711".to_owned()],
            _ => vec!["nonsense, ::ffff:203.0.113.7,10.9.9.9 , 10.0.0.1".to_owned()],
        };
        assert_eq!(ask(&hops).await.status, 400, "{hops:?}");
    }
    assert_eq!(ask(&["203.0.113.7".to_owned()]).await.status, 429);
    assert_eq!(ask(&["203.0.113.7, 203.0.113.8".to_owned()]).await.status, 400);
    // All addresses in an IPv6 /64 count as one caller.
    for number in 0..30 {
        assert_eq!(ask(&[format!("2001:db8:1:2:{number}::1")]).await.status, 400);
    }
    assert_eq!(ask(&["2001:db8:1:2:ffff::9".to_owned()]).await.status, 429);
}

#[tokio::test]
async fn invalid_text_in_a_header_does_not_hide_the_caller() {
    let service = TestService::start_with(|config| config.limits.by_ip = true).await;
    let ask = |last: &str| {
        let line = [b"\xff\xfe, ".as_slice(), last.as_bytes()].concat();
        let line = HeaderValue::from_bytes(&line).expect("the value is valid in a header");
        let request = service.request(Method::POST, "/verify").json(&json!({}));
        Answer::of(request.header("X-Forwarded-For", line))
    };
    for _ in 0..30 {
        assert_eq!(ask("203.0.113.7").await.status, 400);
    }
    assert_eq!(ask("203.0.113.7").await.status, 429);
    assert_eq!(ask("203.0.113.8").await.status, 400, "they are two different callers");
}

#[tokio::test]
async fn callers_named_by_a_header_are_grouped_by_network() {
    let service =
        TestService::start_with(|config| config.limits.header = Some("X-Real-Ip".to_owned())).await;
    let ask = |address: String| {
        let request = service.request(Method::POST, "/verify").json(&json!({}));
        Answer::of(request.header("X-Real-Ip", address))
    };
    for number in 0..15 {
        assert_eq!(ask(format!("2001:db8:1:2:{number}::1")).await.status, 400);
        assert_eq!(ask(format!("[2001:db8:1:2::9]:{number}")).await.status, 400);
    }
    assert_eq!(ask("2001:db8:1:2:ffff::9".to_owned()).await.status, 429);
    assert_eq!(ask("2001:db8:1:3::1".to_owned()).await.status, 400);
}

/// Starts a service that requires a code for every password change, with a signed-in account.
async fn careful() -> (TestService, String) {
    let service = TestService::start_with(|config| {
        config.sessions.password_change_needs_nonce = true;
        config.sessions.reauthentication_max_age = Duration::ZERO;
        config.jwt.lifetime = DAY;
    })
    .await;
    let token = service.confirmed("ann@b.co").await.access();
    (service, token)
}

async fn change_password(service: &TestService, token: &str, nonce: &str) -> Answer {
    let body = json!({"password": "battery staple", "nonce": nonce});
    service.send_as(token, Method::PUT, "/user", body).await
}

/// Requests a code and reads it from the `number`th email.
async fn fresh_code(service: &TestService, token: &str, number: usize) -> String {
    service.get_as(token, "/reauthenticate").await.ok();
    service.clock.advance(Duration::from_secs(61));
    let mail = service.mailbox.nth("ann@b.co", number).await;
    mail.text.split("code: ").nth(1).expect("a code")[..6].to_owned()
}

fn wrong(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn a_new_reauthentication_code_does_not_reset_the_guess_count() {
    let (service, token) = careful().await;
    for number in 2..4 {
        let code = fresh_code(&service, &token, number).await;
        for _ in 0..5 {
            let told = change_password(&service, &token, wrong(&code)).await;
            assert_eq!(told.text("error_code"), "reauthentication_not_valid");
        }
    }
    let code = fresh_code(&service, &token, 4).await;
    assert_eq!(change_password(&service, &token, &code).await.text("error_code"), TOO_MANY);
    service.clock.advance(Duration::from_secs(3600));
    let code = fresh_code(&service, &token, 5).await;
    change_password(&service, &token, &code).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_reauthentication_codes_are_all_counted() {
    let (service, token) = careful().await;
    let code = fresh_code(&service, &token, 2).await;
    let tries = (0..40).map(|_| change_password(&service, &token, wrong(&code)));
    let answers = join_all(tries).await;
    let looked_at = answers.iter().filter(|answer| answer.status == 422).count();
    assert_eq!(looked_at, 10);
    assert!(answers.iter().all(|answer| matches!(answer.status, 422 | 429)));
}

#[tokio::test]
async fn stolen_sessions_cannot_be_used_to_guess_the_password() {
    let service =
        TestService::start_with(|config| config.sessions.password_change_needs_current = true)
            .await;
    service.confirmed("ann@b.co").await;
    let token = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    let change = |current: &str| {
        let body = json!({"password": "battery staple", "current_password": current});
        service.send_as(&token, Method::PUT, "/user", body)
    };
    for _ in 0..10 {
        assert_eq!(change("wrong").await.text("error_code"), "current_password_invalid");
    }
    assert_eq!(change(PASSWORD).await.text("error_code"), TOO_MANY);
}

#[tokio::test]
async fn failed_changes_do_not_reveal_whether_the_password_was_right() {
    let service = TestService::start().await;
    let token = service.confirmed("ann@b.co").await.access();
    let change = |password: &str, bytes: usize| {
        let body = json!({"password": password, "data": {"a": "x".repeat(bytes)}});
        service.send_as(&token, Method::PUT, "/user", body)
    };
    for number in 0..10 {
        // Nothing is changed, but the answer would reveal whether the guess was right.
        let failed = change(&format!("guess {number}"), 70_000).await;
        assert_eq!(failed.text("error_code"), "validation_failed");
    }
    assert_eq!(change(PASSWORD, 70_000).await.text("error_code"), TOO_MANY);
    service.clock.advance(Duration::from_secs(3600 - 60));
    let token = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    service.clock.advance(Duration::from_secs(61));
    // A genuine change resets the count.
    for number in 0..12 {
        let body = json!({"password": format!("password {number}")});
        service.send_as(&token, Method::PUT, "/user", body).await.ok();
    }
}

async fn verify(service: &TestService, body: Value) -> Answer {
    service.post("/verify", body).await
}

#[tokio::test]
async fn ten_wrong_codes_invalidate_the_code_but_not_the_link() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    let code = mail.code();
    let by_code = |token: &str| {
        verify(&service, json!({"type": "recovery", "email": "ann@b.co", "token": token}))
    };
    for _ in 0..10 {
        assert_eq!(by_code(wrong(&code)).await.status, 403);
    }
    assert_eq!(by_code(&code).await.text("error_code"), "otp_expired");
    let body = json!({"type": "recovery", "token_hash": mail.parameter("token")});
    verify(&service, body).await.ok();
}

#[tokio::test]
async fn code_guesses_by_others_do_not_block_new_links() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let body = json!({"type": "recovery", "email": "ann@b.co", "token": "000000"});
    for _ in 0..35 {
        assert!(verify(&service, body.clone()).await.status >= 400);
    }
    assert_eq!(verify(&service, body.clone()).await.status, 429);
    service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    // An hour later, their guesses are checked again.
    service.clock.advance(Duration::from_secs(3600));
    let code = mail.code();
    let body = json!({"type": "recovery", "email": "ann@b.co", "token": wrong(&code)});
    for _ in 0..12 {
        assert_eq!(verify(&service, body.clone()).await.status, 403);
    }
    let body = json!({"type": "recovery", "token_hash": mail.parameter("token")});
    verify(&service, body).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_codes_are_checked_at_most_ten_times() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
    let code = service.mailbox.nth("ann@b.co", 2).await.code();
    let body = json!({"type": "recovery", "email": "ann@b.co", "token": wrong(&code)});
    join_all((0..25).map(|_| verify(&service, body.clone()))).await;
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let looked_at: i32 = sqlx::query_scalar("SELECT wrong_attempts FROM one_time_tokens")
        .fetch_one(&pool)
        .await
        .expect("the code exists");
    assert_eq!(looked_at, 10);
}

/// Simulates a flood of guesses at unknown addresses, which evicts all counts except those of
/// accounts.
async fn push_out(service: &TestService) {
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let done = sqlx::query("DELETE FROM guesses WHERE NOT of_account").execute(&pool).await;
    assert!(done.expect("the statement succeeds").rows_affected() > 0);
}

#[tokio::test]
async fn evicting_guess_counts_gains_no_password_guesses() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let told = guess(&service, "nobody@b.co").await;
    assert_eq!(guess(&service, "ann@b.co").await, told);
    push_out(&service).await;
    // Two minutes remain according to the hidden count.
    for email in ["nobody@b.co", "ann@b.co"] {
        let unread = sign_in_from(&service, "198.51.100.1", email, PASSWORD).await;
        unread.is_error(400, "invalid_credentials", "Invalid login credentials");
    }
    service.clock.advance(Duration::from_secs(128));
    sign_in_from(&service, "198.51.100.1", "ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn evicting_guess_counts_gains_no_code_guesses() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let mut code = String::new();
    for number in 2..6 {
        service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
        service.clock.advance(Duration::from_secs(61));
        code = service.mailbox.nth("ann@b.co", number).await.code();
        let body = json!({"type": "recovery", "email": "ann@b.co", "token": wrong(&code)});
        for _ in 0..10 {
            if number < 5 {
                assert_eq!(verify(&service, body.clone()).await.status, 403);
            }
        }
    }
    push_out(&service).await;
    let body = json!({"type": "recovery", "email": "ann@b.co", "token": code});
    assert_eq!(verify(&service, body.clone()).await.text("error_code"), "otp_expired");
    service.clock.advance(Duration::from_secs(3600));
    verify(&service, body).await.ok();
}
