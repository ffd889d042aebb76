//! `/account/v1/auth` and `/account/v1/creditBalance`.

use limber_client::motion::{MotionClient, MotionError};
use secrecy::{ExposeSecret, SecretString};

use crate::studio::{Studio, read};

#[tokio::test]
async fn id_and_secret_give_a_five_day_cookie_without_equals_signs() {
    let studio = Studio::open().await;
    let request = studio.http.get(studio.url("/account/v1/auth"));
    let answer = request.basic_auth(&studio.id, Some(studio.secret.expose_secret())).send().await;
    let answer = answer.expect("an answer");
    assert_eq!(answer.status(), 200);
    let cookie = answer.headers()["set-cookie"].to_str().expect("text").to_owned();
    assert!(cookie.starts_with("svcsess=s%3A"), "{cookie}");
    for part in ["; Path=/", "; Expires=", "; Max-Age=432000", "; HttpOnly", "; SameSite=Lax"] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    assert!(!cookie.contains("Secure"), "the address is not https");
    let value = cookie.split(';').next().and_then(|pair| pair.split_once('=')).expect("a pair").1;
    assert!(!value.contains('='), "{value}");
}

#[tokio::test]
async fn a_wrong_secret_and_an_unknown_id_get_the_same_answer() {
    let studio = Studio::open().await;
    let mut bodies = Vec::new();
    for (id, secret) in [(studio.id.as_str(), "wrong"), ("nobody", "wrong"), ("a\0b", "c")] {
        let request = studio.http.get(studio.url("/account/v1/auth")).basic_auth(id, Some(secret));
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 401);
        assert_eq!(answer.headers()["www-authenticate"], "Basic realm=\"motion\"");
        let mut body: serde_json::Value = answer.json().await.expect("JSON");
        assert_eq!(body["type"], "not_authenticated");
        body["requestId"].take();
        bodies.push(body);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    let stranger = MotionClient::new(&studio.base, "nobody", SecretString::from("x".to_owned()));
    let refused = stranger.expect("an address").sign_in().await;
    assert!(matches!(refused, Err(MotionError::CredentialsRejected)), "{refused:?}");
}

#[tokio::test]
async fn junk_next_to_the_cookie_is_ignored_and_forged_cookies_are_rejected() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    let balance = studio.url("/account/v1/creditBalance");
    let ask = async |cookie: &str| {
        read(
            studio
                .http
                .get(&balance)
                .header("cookie", cookie)
                .header("authorization", "Basic eA=="),
        )
        .await
        .0
    };
    assert_eq!(ask(&cookie).await, 200);
    assert_eq!(ask(&format!("{cookie}; Path")).await, 200);
    assert_eq!(ask(&format!("theme=dark; Path=/; HttpOnly; {cookie}")).await, 200);
    assert_eq!(ask(&format!("{cookie}x")).await, 401);
    assert_eq!(ask("svcsess=s%3Aabc.def").await, 401);
    assert_eq!(ask("svcsess=").await, 401);
    let bearer = cookie.split_once('=').expect("a pair").1;
    let answer = read(studio.http.get(&balance).bearer_auth(bearer)).await;
    assert_eq!(answer.0, 200);
}

#[tokio::test]
async fn sessions_survive_a_restart_and_end_with_their_account() {
    let mut studio = Studio::open().await;
    let cookie = studio.cookie().await;
    studio.kill_server().await;
    studio.start_server().await;
    let ask = async || {
        read(studio.http.get(studio.url("/account/v1/creditBalance")).header("cookie", &cookie))
            .await
            .0
    };
    assert_eq!(ask().await, 200);
    studio.sql("update accounts set revoked_ms = 1").await;
    assert_eq!(ask().await, 401);
}

#[tokio::test]
async fn an_account_keeps_its_newest_64_sessions() {
    let studio = Studio::open().await;
    let first = studio.cookie().await;
    studio
        .sql(
            "insert into sessions (id, account_id, created_ms, expires_ms)
             select 'filler' || n, (select id from accounts), s.created_ms + n, s.expires_ms
             from generate_series(1, 63) n, (select * from sessions limit 1) s",
        )
        .await;
    let ask = async |cookie: &str| {
        read(studio.http.get(studio.url("/account/v1/creditBalance")).header("cookie", cookie))
            .await
            .0
    };
    assert_eq!(ask(&first).await, 200, "64 sessions are allowed");
    let last = studio.cookie().await;
    assert_eq!(ask(&last).await, 200);
    assert_eq!(ask(&first).await, 401, "the oldest had to go");
}

#[tokio::test]
async fn with_billing_off_everyone_has_a_constant_balance() {
    let studio = Studio::open_with(|config| config.max_variants = 4).await;
    let balance = studio.client().balance().await.expect("a balance");
    assert_eq!(balance.credits, 1000.0);
    assert_eq!(balance.subscription.feature_limits.max_variants_generation, 4);
    let period = balance.subscription.current_period;
    assert!(period.start < period.end);
}

#[tokio::test]
async fn an_expired_session_is_renewed_silently() {
    let studio = Studio::open().await;
    let client = studio.client();
    client.balance().await.expect("signed in");
    studio.sql("update sessions set expires_ms = 1").await;
    client.balance().await.expect("signed in again");
    studio.sql("delete from sessions").await;
    studio.sql("update accounts set revoked_ms = 1").await;
    assert!(matches!(client.balance().await, Err(MotionError::CredentialsRejected)));
}
