//! Failures on the way: invalid states, misbehaving providers, foreign redirect targets.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::cases_a_to_g::{gitlab, google};
use super::cases_k_to_w::twitter;
use super::stand_in::{CLIENT_SECRET, Mood, StandIn};
use super::travel::{
    Landing, answer, authorize_path, browser, round_trip, step, to_callback, with,
};
use crate::service::{SITE, TestService};

async fn start() -> (TestService, StandIn) {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| stand_in.enable(config)).await;
    (service, stand_in)
}

/// Asserts a redirect to the site with the error in the query only.
#[track_caller]
fn is_at_the_site(landing: &Landing, code: &str, description: &str) {
    assert_eq!(landing.status, 303);
    assert!(landing.address.as_str().starts_with(SITE), "{landing:?}");
    assert_eq!(landing.query("error").as_deref(), Some("invalid_request"));
    assert_eq!(landing.query("error_code").as_deref(), Some(code));
    assert_eq!(landing.query("error_description").as_deref(), Some(description));
    assert_eq!(landing.address.fragment(), None);
}

const UNKNOWN_STATE: (&str, &str) = ("bad_oauth_state", "OAuth state not found or expired");

#[tokio::test]
async fn callbacks_without_a_valid_state_end_at_the_site() {
    let (service, _) = start().await;
    let landing = step(service.request(Method::GET, "/callback?code=x")).await;
    is_at_the_site(&landing, "bad_oauth_callback", "OAuth state parameter missing");
    let long = "x".repeat(5000);
    for state in ["nonsense", "00000000-0000-4000-8000-000000000000", "%00", &long] {
        let path = format!("/callback?code=x&state={state}");
        let landing = step(service.request(Method::GET, &path)).await;
        let missing = state == "%00";
        let (code, text) = if missing {
            ("bad_oauth_callback", "OAuth state parameter missing")
        } else {
            UNKNOWN_STATE
        };
        is_at_the_site(&landing, code, text);
    }
}

#[tokio::test]
async fn states_can_be_used_once() {
    let (service, stand_in) = start().await;
    let back = to_callback(&service, &stand_in, "").await;
    let again = back.try_clone().expect("the body is not a stream");
    step(back).await.access();
    is_at_the_site(&step(again).await, UNKNOWN_STATE.0, UNKNOWN_STATE.1);
}

#[tokio::test]
async fn states_expire_after_five_minutes() {
    let (service, stand_in) = start().await;
    let back = to_callback(&service, &stand_in, "").await;
    service.clock.advance(Duration::from_secs(299));
    step(back).await.access();
    let back = to_callback(&service, &stand_in, "").await;
    service.clock.advance(Duration::from_secs(301));
    is_at_the_site(&step(back).await, UNKNOWN_STATE.0, UNKNOWN_STATE.1);
}

/// Begins a sign-in and opens its callback URL with other parameters.
async fn with_state_of_ours(service: &TestService, stand_in: &StandIn, rest: &str) -> Landing {
    let path = authorize_path(&stand_in.case(), "");
    let away = step(service.request(Method::GET, &path)).await;
    let state = away.query("state").expect("the URL contains a state");
    let back = service.request(Method::GET, &format!("/callback?state={state}{rest}"));
    step(with(back, &away.cookies)).await
}

#[tokio::test]
async fn provider_errors_are_passed_on() {
    let (service, stand_in) = start().await;
    let rest = "&error=access_denied&error_description=The+person+said+no";
    let landing = with_state_of_ours(&service, &stand_in, rest).await;
    landing.is_error("access_denied", "bad_oauth_callback", "The person said no");
    with_state_of_ours(&service, &stand_in, "").await.is_error(
        "invalid_request",
        "bad_oauth_callback",
        "OAuth callback with missing authorization code",
    );
}

#[tokio::test]
async fn code_exchange_errors_do_not_reveal_the_response() {
    let (service, stand_in) = start().await;
    for mood in [Mood::Chatty, Mood::Endless, Mood::Redirecting] {
        stand_in.set_mood(mood);
        let landing = round_trip(&service, &stand_in, "").await;
        landing.is_error("server_error", "unexpected_failure", "Unable to exchange external code");
        let text = landing.address.as_str();
        for secret in ["the-code", CLIENT_SECRET, "our+secret", "our%20secret"] {
            assert!(!text.contains(secret), "{mood:?}: {text}");
        }
    }
    assert!(
        !stand_in.seen().iter().any(|seen| seen.path == "/stranger"),
        "redirects are not followed"
    );
    stand_in.set_mood(Mood::Mute);
    round_trip(&service, &stand_in, "").await.is_error(
        "server_error",
        "unexpected_failure",
        "Error getting user profile from external provider",
    );
}

#[tokio::test]
async fn unresponsive_providers_time_out_before_the_request() {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        // A provider is given at most ten seconds.
        config.max_request_duration = Duration::from_secs(20);
    })
    .await;
    stand_in.set_mood(Mood::Silent);
    let landing = round_trip(&service, &stand_in, "").await;
    landing.is_error("server_error", "unexpected_failure", "Unable to exchange external code");
}

#[tokio::test]
async fn unavailable_providers_are_reported_as_unavailable() {
    let stand_in = StandIn::start(google()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        for provider in config.external.providers.values_mut() {
            // Nothing listens on this port.
            provider.base = Some("http://127.0.0.1:9".into());
        }
    })
    .await;
    let answer = answer(service.request(Method::GET, "/authorize?provider=google")).await;
    assert_eq!((answer.status, answer.text("error_code").as_str()), (503, "unexpected_failure"));
    assert_eq!(answer.text("msg"), "The sign-in provider does not answer. Try again in a moment.");
}

#[tokio::test]
async fn request_tokens_of_other_sign_ins_are_rejected() {
    let stand_in = StandIn::start(twitter()).await;
    let service = TestService::start_with(|config| stand_in.enable(config)).await;
    let back = to_callback(&service, &stand_in, "").await.build().expect("a request");
    let mut address = back.url().clone();
    let cookies = back.headers()["cookie"].to_str().expect("text");
    let pairs: Vec<_> = address.query_pairs().into_owned().collect();
    address.query_pairs_mut().clear().extend_pairs(pairs.into_iter().map(|(name, value)| {
        let value = if name == "oauth_token" { "anothers".to_owned() } else { value };
        (name, value)
    }));
    step(with(browser().get(address), cookies)).await.is_error(
        "invalid_request",
        "bad_oauth_state",
        "OAuth state does not belong to this sign-in",
    );
    let back = to_callback(&service, &stand_in, "").await.build().expect("a request");
    let state = back.url().query_pairs().find(|(n, _)| n == "state").map(|(_, v)| v.into_owned());
    let path = format!("/callback?denied=request-token&state={}", state.expect("a state"));
    let cookies = back.headers()["cookie"].to_str().expect("text");
    let landing = step(with(service.request(Method::GET, &path), cookies)).await;
    landing.is_error(
        "access_denied",
        "bad_oauth_callback",
        "The sign-in was not completed at the provider",
    );
}

#[tokio::test]
async fn provider_sessions_are_redirected_only_to_allowed_urls() {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        config.uri_allow_list =
            vec!["https://*.site.example/**".into(), "com.limber.app://signed-in/**".into()];
    })
    .await;
    let tricks = [
        "https://evil.org/",
        "http://site.example@evil.org/",
        "http://site.example:x@evil.org/",
        "http://evil.org/http://site.example/",
        "http://evil.org#http://site.example/",
        "http://evil.org\\@site.example/",
        "http://evil.org\\.site.example/",
        "\\\\evil.org/",
        "//evil.org/",
        "http:evil.org",
        "http://site.example.evil.org/",
        "http://site%2Eexample.evil.org/",
        "https://evil.org%2F.site.example/",
        "https://evil.org%00.site.example/",
        "https://evil.org/.site.example/x",
        "https://evil.org?.site.example/x",
        "https://evil?.site.example/x",
        "https://evil\\.site.example/x",
        "https://evil:80@x.site.example/",
        "https://evil。org/",
        "http://2130706433.evil.org/",
        "http://3232235777/",
        "http://0xC0A80101/",
        "http://0300.0250.0001.0001/",
        "http://192.168.1.1/",
        "http://[::ffff:192.168.1.1]/",
        "http://[2001:db8::1]/",
        "javascript:alert(1)",
        "data:text/html,hello",
        "http://site.example\r\nSet-Cookie:a=b",
    ];
    for target in tricks {
        let more = format!(
            "&redirect_to={}",
            url::form_urlencoded::byte_serialize(target.as_bytes()).collect::<String>()
        );
        let landing = round_trip(&service, &stand_in, &more).await;
        landing.access();
        assert_eq!(landing.address.host_str(), Some("site.example"), "{target} -> {landing:?}");
        assert_eq!((landing.address.scheme(), landing.address.port()), ("http", None), "{target}");
        assert_eq!((landing.address.username(), landing.address.path()), ("", "/"), "{target}");
    }
    for target in ["https://studio.site.example/in", "com.limber.app://signed-in/now"] {
        let landing = round_trip(&service, &stand_in, &format!("&redirect_to={target}")).await;
        landing.access();
        assert!(landing.address.as_str().starts_with(&format!("{target}#")), "{landing:?}");
    }
}

#[tokio::test]
async fn the_database_stores_a_hash_of_the_state() {
    use secrecy::ExposeSecret;
    let (service, stand_in) = start().await;
    let path = authorize_path(&stand_in.case(), "");
    let away = step(service.request(Method::GET, &path)).await;
    let state = away.query("state").expect("the URL contains a state");
    let url = service.database.secret_url();
    let pool = sqlx::PgPool::connect(url.expose_secret()).await.expect("the call succeeds");
    let kept: Vec<u8> = sqlx::query_scalar("SELECT state_hash FROM provider_flows")
        .fetch_one(&pool)
        .await
        .expect("one sign-in is in progress");
    assert_ne!(kept, state.as_bytes());
    assert_eq!(json!(kept.len()), 32);
}
