//! Whether the time of an answer tells that an account exists.

use std::time::{Duration, Instant};

use limber_identity_service::config::MessageLimit;
use serde_json::{Value, json};

use crate::service::{PASSWORD, TestService};

#[expect(clippy::disallowed_methods, reason = "this test measures how long answers take")]
fn now() -> Instant {
    Instant::now()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

/// Medians in milliseconds for known and unknown, asked in turn.
async fn compare(
    service: &TestService,
    path: &str,
    tries: usize,
    body: impl Fn(&str) -> Value,
) -> (f64, f64) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for number in 0..tries {
        let stranger = format!("stranger{number}@b.co");
        // now the one first, now the other: a machine under load has rhythms of its own
        for known_now in [number % 2 == 0, number % 2 == 1] {
            let email = if known_now { "known@b.co" } else { &stranger };
            let begun = now();
            let answer = service.post(path, body(email)).await;
            let times = if known_now { &mut known } else { &mut unknown };
            times.push(begun.elapsed());
            assert!(answer.status < 429, "{answer:?}");
        }
    }
    (median(known), median(unknown))
}

/// By hand on a quiet machine and without debugging information:
/// `cargo test --release -p limber-identity-service --test api timing -- --ignored --nocapture`.
#[tokio::test]
#[ignore = "needs a quiet machine"]
async fn known_and_unknown_accounts_take_the_same_time() {
    let service = TestService::start_with(|config| {
        config.limits.emails = MessageLimit::PerHour(1_000_000);
        config.mailer.max_frequency = Some(Duration::ZERO);
    })
    .await;
    service.confirmed("known@b.co").await;
    let wrong = |email: &str| json!({"email": email, "password": "wrong"});
    let email = |email: &str| json!({"email": email});
    assert_ne!(PASSWORD, "wrong");
    let tries = 500;
    let mut failures = Vec::new();
    for (name, (known, unknown)) in [
        ("login", compare(&service, "/token?grant_type=password", tries, wrong).await),
        ("recover", compare(&service, "/recover", tries, email).await),
        ("otp", compare(&service, "/otp", tries, email).await),
    ] {
        let difference = (known - unknown).abs() / known.max(unknown) * 100.0;
        println!("{name}: known {known:.2} ms, unknown {unknown:.2} ms, {difference:.1} % apart");
        if difference > 5.0 {
            failures.push(name);
        }
    }
    assert!(failures.is_empty(), "{failures:?} tell who has an account");
}
