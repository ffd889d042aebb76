//! The running program, asked by a fuzzer that knows nothing but the served description.
//!
//! `cargo xtask soak fuzz` gives it minutes and another seed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::deployment::{Deployment, Running, text};
use crate::service::PASSWORD;

/// As part of all tests.
const SECONDS: u32 = 40;
const SEED: u32 = 1;

/// What must hold of every answer. That good requests succeed and bad ones are refused is not
/// among them: a description cannot say which codes and passwords are right.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,ignored_auth,unsupported_method,\
    allow_header_conformance,use_after_free";

/// No answer may take longer.
const MOST_SECONDS: &str = "10";

/// `None`, and a line that says so, where the fuzzer is not installed.
fn fuzzer() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_limber-identity")).ancestors().nth(2);
    let program = target.expect("a folder").join("tools/fuzzer/bin/schemathesis");
    if !program.exists() {
        println!("skipped: run `cargo xtask setup` to install the fuzzer");
        return None;
    }
    Some(program)
}

fn from_environment(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Everything on that can be reached without another service.
async fn start() -> (Deployment, Running) {
    let mut deployment = Deployment::new().await;
    for name in [
        "AUTHSVC_EXTERNAL_PHONE_ENABLED",
        "AUTHSVC_EXTERNAL_ANONYMOUS_USERS_ENABLED",
        "AUTHSVC_SECURITY_MANUAL_LINKING_ENABLED",
        "AUTHSVC_MFA_PHONE_ENROLL_ENABLED",
        "AUTHSVC_MFA_PHONE_VERIFY_ENABLED",
        "AUTHSVC_EXTERNAL_GITHUB_ENABLED",
    ] {
        deployment.set(name, "true");
    }
    deployment.set("AUTHSVC_SMS_TEST_OTP", "41791234567=123456");
    deployment.set("AUTHSVC_EXTERNAL_GITHUB_CLIENT_ID", "id");
    deployment.set("AUTHSVC_EXTERNAL_GITHUB_SECRET", "secret");
    deployment.set("AUTHSVC_EXTERNAL_GITHUB_REDIRECT_URI", "http://localhost/callback");
    // nobody listens on port 9
    deployment.set("AUTHSVC_EXTERNAL_GITHUB_URL", "http://127.0.0.1:9");
    let running = deployment.serve().await;
    (deployment, running)
}

/// Settings of the fuzzer: whose tokens open which routes.
async fn settings(deployment: &Deployment) -> (TempDir, PathBuf) {
    let secret = deployment.value("AUTHSVC_JWT_SECRET").as_bytes();
    let role = json!({"role": "service_role"});
    let key = EncodingKey::from_secret(secret);
    let administrator = encode(&Header::default(), &role, &key).expect("signing succeeds");
    let http = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let request = http.post(deployment.url(path)).bearer_auth(&administrator).json(&body);
        let answer = request.send().await.expect("the service answers").error_for_status();
        answer.expect("it is good").json().await.expect("JSON")
    };
    let ann = json!({"email": "ann@b.co", "password": PASSWORD, "email_confirm": true});
    post("/admin/users", ann).await;
    let login = json!({"email": "ann@b.co", "password": PASSWORD});
    let session = post("/token?grant_type=password", login).await;
    let person = session["access_token"].as_str().expect("a token");
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schemathesis.toml");
    let settings = format!(
        "[auth.openapi.person]\nbearer = \"{person}\"\n\
         [auth.openapi.administrator]\nbearer = \"{administrator}\"\n"
    );
    std::fs::write(&file, settings).expect("it can be written");
    (folder, file)
}

/// Tries the routes that `which` picks.
fn run(program: &Path, deployment: &Deployment, file: &Path, seconds: u32, which: &[&str]) {
    let seed = from_environment("LIMBER_SOAK_SEED", SEED).to_string();
    let mut command = Command::new(program);
    command.current_dir(file.parent().expect("a folder"));
    command.arg("--config-file").arg(file).args(["run", "--no-color", "--warnings", "off"]);
    command.args(["--checks", CHECKS, "--seed", &seed, "--max-time", &seconds.to_string()]);
    command.args(["--request-timeout", MOST_SECONDS, "--max-response-time", MOST_SECONDS]);
    // of its threads more than one stumble over each other in Python 3.11
    command.args(["--workers", "1", "--suppress-health-check", "all"]);
    command.args(["--generation-database", "none", "--continue-on-failure"]);
    command.args(which).arg(deployment.url("/openapi.json").as_str());
    let output: Output = command.output().expect("the fuzzer starts");
    let told = text(&output.stdout);
    let tail = told.lines().rev().take(12).collect::<Vec<_>>();
    println!("{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    assert!(output.status.success(), "seed {seed}:\n{told}{}", text(&output.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_as_the_description_says() {
    let Some(program) = fuzzer() else { return };
    let (deployment, _running) = start().await;
    let (_folder, file) = settings(&deployment).await;
    let seconds = from_environment("LIMBER_SOAK_SECONDS", SECONDS);
    // who signs out or deletes accounts turns the fuzzer itself away, so that comes last
    let last = ["post_logout", "delete_admin_users_user_id"];
    let pick = |option: &'static str| last.into_iter().flat_map(move |id| [option, id]);
    let others: Vec<&str> = pick("--exclude-operation-id").collect();
    run(&program, &deployment, &file, seconds, &others);
    let short = ["--phases", "coverage,fuzzing", "--max-examples", "20"];
    let last: Vec<&str> = pick("--include-operation-id").chain(short).collect();
    run(&program, &deployment, &file, 5, &last);
}
