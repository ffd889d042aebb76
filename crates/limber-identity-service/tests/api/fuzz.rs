//! Fuzzes the running program, based on nothing but the OpenAPI description it serves.

use std::path::PathBuf;

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::deployment::{Deployment, Running};
use crate::fuzzer;
use crate::service::PASSWORD;

/// Starts a service with every feature enabled that works without other services.
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
    // Nothing listens on port 9.
    deployment.set("AUTHSVC_EXTERNAL_GITHUB_URL", "http://127.0.0.1:9");
    let running = deployment.serve().await;
    (deployment, running)
}

/// Writes the fuzzer's configuration: which tokens open which routes.
async fn settings(deployment: &Deployment) -> (TempDir, PathBuf) {
    let secret = deployment.value("AUTHSVC_JWT_SECRET").as_bytes();
    let role = json!({"role": "service_role"});
    let key = EncodingKey::from_secret(secret);
    let administrator = encode(&Header::default(), &role, &key).expect("signing succeeds");
    let http = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let request = http.post(deployment.url(path)).bearer_auth(&administrator).json(&body);
        let answer = request.send().await.expect("the service responds").error_for_status();
        answer.expect("the URL is valid").json().await.expect("JSON")
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

#[tokio::test(flavor = "multi_thread")]
async fn responses_match_the_openapi_description() {
    let Some(program) = fuzzer::installed(env!("CARGO_BIN_EXE_limber-identity")) else { return };
    let (deployment, _running) = start().await;
    let (_folder, file) = settings(&deployment).await;
    let url = deployment.url("/openapi.json");
    // Signing out or deleting accounts invalidates the fuzzer's own tokens, so these come last.
    let last = ["post_logout", "delete_admin_users_user_id"];
    let pick = |option: &'static str| last.into_iter().flat_map(move |id| [option, id]);
    let others: Vec<&str> = pick("--exclude-operation-id").collect();
    fuzzer::run(&program, url.as_str(), &file, fuzzer::seconds(), &others);
    let short = ["--phases", "coverage,fuzzing", "--max-examples", "20"];
    let last: Vec<&str> = pick("--include-operation-id").chain(short).collect();
    fuzzer::run(&program, url.as_str(), &file, 5, &last);
}
