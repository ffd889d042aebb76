//! The program `limber-identity` as operators start it.

use std::io::Write;
use std::process::Stdio;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::deployment::{Deployment, text};

#[tokio::test(flavor = "multi_thread")]
async fn doctor_passes_a_good_deployment_and_advises_on_a_bad_one() {
    let mut deployment = Deployment::new().await;
    let before = deployment.run(&["doctor"]);
    assert!(
        text(&before.stdout)
            .contains("FAIL  the schema is up to date: run `limber-identity migrate`")
    );
    assert!(!before.status.success());
    deployment.succeeds(&["migrate"]);
    let good = deployment.succeeds(&["doctor"]);
    assert!(good.contains("ok    the mail server accepts the connection"), "{good}");
    assert!(good.contains("note  callers are not rate limited"), "{good}");
    deployment.set("AUTHSVC_API_EXTERNAL_URL", "http://id.example");
    deployment.set("AUTHSVC_URI_ALLOW_LIST", "https://a.example/*,**");
    deployment.set("AUTHSVC_JWT_SECRET", "short");
    deployment.set("AUTHSVC_JWT_SHORT_SECRET_FOR_TESTS_ONLY", "true");
    deployment.set("AUTHSVC_SMTP_PORT", "1");
    deployment.set("AUTHSVC_SITE_URLS", "x");
    let bad = deployment.run(&["doctor"]);
    let found = text(&bad.stdout);
    for expected in [
        "FAIL  API_EXTERNAL_URL uses https or a local address",
        "FAIL  URI_ALLOW_LIST does not allow every address",
        "FAIL  JWT_SECRET is long enough",
        "FAIL  callers are rate limited",
        "FAIL  callers behind a proxy are told apart",
        "FAIL  the mail server accepts the connection",
        "did you mean AUTHSVC_SITE_URL?",
    ] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    assert!(!bad.status.success() && !found.contains(deployment.value("DATABASE_URL")));
}

#[tokio::test(flavor = "multi_thread")]
async fn startup_reports_all_problems_at_once_without_secrets() {
    let mut deployment = Deployment::new().await;
    deployment.set("AUTHSVC_JWT_KEYS", "not json at all");
    deployment.set("AUTHSVC_DISABLE_SIGNUP", "perhaps");
    deployment.set("AUTHSVC_DB_DRIVER", "mysql");
    let output = deployment.run(&["serve"]);
    let told = text(&output.stderr);
    assert!(!output.status.success());
    for name in ["JWT_KEYS", "DISABLE_SIGNUP", "DB_DRIVER"] {
        assert!(told.contains(&format!("AUTHSVC_{name}")), "{name}: {told}");
    }
    assert!(!told.contains("not json at all"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_settings_are_logged_at_startup_with_the_nearest_known_one() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("identity.log");
    let mut deployment = Deployment::new().await;
    deployment.set("AUTHSVC_LOG_FILE", file.to_str().expect("a plain path"));
    deployment.set("AUTHSVC_SITE_URLS", "x");
    deployment.set("AUTHSVC_QWERTY", "x");
    deployment.set("GOTRUE_JWT_ADMIN_ROLE", "x");
    deployment.set("GOTRUE_JWT_EXP", "120");
    deployment.serve().await.terminate();
    let log = std::fs::read_to_string(&file).expect("the log file exists");
    let told: Vec<&str> = log.lines().filter(|l| l.contains("is not a setting")).collect();
    for expected in [
        "AUTHSVC_SITE_URLS is not a setting of this service; did you mean AUTHSVC_SITE_URL?",
        "AUTHSVC_QWERTY is not a setting of this service\"",
        "GOTRUE_JWT_ADMIN_ROLE is not a setting of this service; \
         did you mean GOTRUE_JWT_ADMIN_ROLES?",
    ] {
        assert!(told.iter().any(|line| line.contains(expected)), "{expected}: {log}");
    }
    assert!(told.iter().all(|line| line.contains("WARN")), "{log}");
    assert!(!log.contains("GOTRUE_JWT_EXP"), "an alias of a setting is known: {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_created_and_deleted_from_the_command_line() {
    let deployment = Deployment::new().await;
    assert!(deployment.succeeds(&["version"]).starts_with("limber-identity "));
    deployment.succeeds(&["migrate"]);
    deployment.succeeds(&["migrate"]);
    let mut child = deployment
        .command(&["admin", "createuser", "ann@b.co", "--confirm", "--admin"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(b"correct horse\n").expect("it reads");
    let made = child.wait_with_output().expect("the process ends");
    assert!(made.status.success(), "{}", text(&made.stderr));
    let id = text(&made.stdout).trim().to_owned();
    let twice = deployment.run(&["admin", "createuser", "ann@b.co", "correct horse"]);
    assert!(text(&twice.stderr).contains("already been registered"), "{}", text(&twice.stderr));
    let weak = deployment.run(&["admin", "createuser", "bob@b.co", "x"]);
    assert!(text(&weak.stderr).contains("at least 6 characters"), "{}", text(&weak.stderr));
    let mut server = deployment.serve().await;
    let body = json!({"email": "ann@b.co", "password": "correct horse"});
    let http = reqwest::Client::new();
    let session = http.post(deployment.url("/token?grant_type=password")).json(&body).send().await;
    let session: Value = session.expect("the service responds").json().await.expect("JSON");
    assert_eq!(
        (&session["user"]["id"], &session["user"]["role"]),
        (&json!(id), &json!("service_role"))
    );
    assert_eq!(
        deployment.succeeds(&["admin", "deleteuser", "ANN@b.co"]).trim(),
        format!("deleted {id}")
    );
    let gone = deployment.run(&["admin", "deleteuser", &id]);
    assert!(text(&gone.stderr).contains("User not found"));
    server.kill();
}

fn header(token: &str) -> Value {
    let first = token.split('.').next().unwrap_or_default();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(first).expect("base64url")).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_rotated_without_signing_anybody_out() {
    let mut deployment = Deployment::new().await;
    deployment.set("AUTHSVC_MAILER_AUTOCONFIRM", "true");
    deployment.set("AUTHSVC_JWT_KEYS", deployment.succeeds(&["keys", "generate"]).clone().trim());
    let http = reqwest::Client::new();
    let jwks = |deployment: &Deployment| http.get(deployment.url("/.well-known/jwks.json")).send();
    let mut server = deployment.serve().await;
    let body = json!({"email": "ann@b.co", "password": "correct horse"});
    let session = http
        .post(deployment.url("/signup"))
        .json(&body)
        .send()
        .await
        .expect("the service responds");
    let session: Value = session.json().await.expect("JSON");
    let token = session["access_token"].as_str().expect("a token").to_owned();
    assert_eq!(header(&token)["alg"], "RS256", "the default of `keys generate`");
    server.kill();
    let rotated = deployment.succeeds(&["keys", "rotate", "--algorithm", "es256"]);
    deployment.set("AUTHSVC_JWT_KEYS", rotated.trim());
    let mut server = deployment.serve().await;
    let set: Value =
        jwks(&deployment).await.expect("the service responds").json().await.expect("JSON");
    let ids: Vec<&Value> =
        set["keys"].as_array().expect("a list").iter().map(|k| &k["kid"]).collect();
    assert!(
        ids.len() == 2 && ids.contains(&&header(&token)["kid"]),
        "both keys are in the set: {set}"
    );
    assert!(!set.to_string().contains("\"d\""), "no private part is shown");
    let user = http
        .get(deployment.url("/user"))
        .bearer_auth(&token)
        .send()
        .await
        .expect("the service responds");
    assert_eq!(user.status(), 200, "a token signed with the retired key is still valid");
    let body = json!({"refresh_token": session["refresh_token"]});
    let next =
        http.post(deployment.url("/token?grant_type=refresh_token")).json(&body).send().await;
    let next: Value = next.expect("the service responds").json().await.expect("JSON");
    assert_eq!(header(next["access_token"].as_str().expect("a token"))["alg"], "ES256");
    server.kill();
}
