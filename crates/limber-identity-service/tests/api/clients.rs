//! End-to-end journeys with the JavaScript client that integrators use, in its latest and an older
//! version (`tests/auth-client`, one file per journey), and with the Python client.

mod desk;
mod python;

use std::path::{Path, PathBuf};
use std::time::Duration;

use limber_identity_service::Config;
use serde_json::{Value, json};

use crate::service::TestService;
use crate::texts::{by_twilio, carrier};

/// The packages, as named in `package.json`.
pub(crate) const CLIENTS: [&str; 2] = ["@supabase/auth-js", "auth-js-2.72"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/auth-client")
}

/// Tells whether a package is installed; prints what is missing if not.
pub(crate) fn installed(client: &str) -> bool {
    let installed = folder().join("node_modules").join(client).exists();
    if !installed {
        println!("skipped: run `npm ci` in tests/auth-client to test {client}");
    }
    installed
}

/// Runs a journey, which must succeed. `given` is passed to it; see `journey.mjs`.
pub(crate) async fn travel(journey: &str, client: &str, given: &Value) {
    let output = tokio::process::Command::new("node")
        .arg(folder().join(journey).with_extension("mjs"))
        .env("AUTH_CLIENT", client)
        .env("JOURNEY", given.to_string())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(Duration::from_mins(10), output)
        .await
        .expect("the client exits in time")
        .expect("node can be started");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{journey} with {client}: {problems}");
}

/// Runs a journey with both clients, each against its own service without intervals between emails.
async fn both(journey: &str, more: Value, change: impl Fn(&mut Config)) {
    for client in CLIENTS.into_iter().filter(|client| installed(client)) {
        let carrier = carrier().await;
        let service = TestService::start_with(|config| {
            by_twilio(&carrier)(config);
            config.mailer.max_frequency = Some(Duration::ZERO);
            change(config);
        })
        .await;
        service.clock.run();
        let desk = desk::open(&service, &carrier).await;
        let mut given = more.clone();
        given["service"] = service.base.join("/auth/v1").expect("a valid path").as_str().into();
        given["admin"] = service.admin_token().into();
        given["desk"] = desk.as_str().into();
        travel(journey, client, &given).await;
    }
}

async fn as_shipped(journey: &str) {
    both(journey, json!({}), |_| {}).await;
}

#[tokio::test]
async fn clients_sign_up_confirm_and_sign_in() {
    as_shipped("sign-up").await;
}

#[tokio::test]
async fn emailed_links_return_codes_to_the_requesting_client() {
    as_shipped("pkce").await;
}

#[tokio::test]
async fn sessions_are_refreshed_and_end_on_sign_out() {
    as_shipped("sessions").await;
}

#[tokio::test]
async fn expiring_sessions_are_refreshed_automatically() {
    let minute = Duration::from_mins(1);
    both("renewal", json!({}), |config| config.jwt.lifetime = minute).await;
}

#[tokio::test]
async fn clients_reset_a_forgotten_password() {
    as_shipped("recovery").await;
}

#[tokio::test]
async fn clients_change_the_password_with_an_emailed_code() {
    both("reauthentication", json!({}), |config| {
        config.sessions.password_change_needs_nonce = true;
        config.sessions.reauthentication_max_age = Duration::ZERO;
    })
    .await;
}

#[tokio::test]
async fn clients_change_the_email_with_both_confirmations() {
    as_shipped("email-change").await;
}

#[tokio::test]
async fn clients_enroll_use_and_remove_second_factors() {
    both("factors", json!({}), |config| {
        config.factors.phone_enroll = true;
        config.factors.phone_verify = true;
    })
    .await;
}

#[tokio::test]
async fn clients_use_and_change_phone_numbers() {
    as_shipped("phone").await;
}

#[tokio::test]
async fn clients_make_anonymous_accounts_permanent() {
    both("anonymous", json!({}), |config| config.signup.anonymous = true).await;
}

#[tokio::test]
async fn clients_administer_accounts() {
    as_shipped("admin").await;
}

#[tokio::test]
async fn clients_invite_and_generate_links() {
    as_shipped("links").await;
}

/// Generates signing keys with the command line.
fn keys(algorithm: &str) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_limber-identity"))
        .args(["keys", "generate", "--algorithm", &algorithm.to_lowercase()])
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

#[tokio::test]
async fn clients_verify_tokens_locally_with_public_keys() {
    both("claims", json!({"algorithm": "HS256"}), |_| {}).await;
    for algorithm in ["RS256", "ES256"] {
        let keys = keys(algorithm);
        let signing = |config: &mut Config| config.jwt.keys = Some(keys.trim().into());
        both("claims", json!({"algorithm": algorithm}), signing).await;
    }
}
