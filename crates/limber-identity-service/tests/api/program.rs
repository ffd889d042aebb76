//! The program `limber-identity` as operators start it.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use limber_postgres::TestDatabase;
use reqwest::Url;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::mailbox::Mailbox;

const SECRET: &str = "a secret of more than thirty-two characters";

/// A database and a mail server, and the settings that name them.
struct Deployment {
    database: TestDatabase,
    mailbox: Mailbox,
    settings: Vec<(&'static str, String)>,
}

impl Deployment {
    async fn new() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let database = TestDatabase::create("identity").await.expect("PostgreSQL is there");
        let (mailbox, smtp_port) = Mailbox::start();
        let port = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = port.local_addr().expect("a bound address").port();
        let settings = vec![
            ("DATABASE_URL", database.url().to_owned()),
            ("AUTHSVC_DB_DRIVER", "postgres".to_owned()),
            ("AUTHSVC_SITE_URL", "http://localhost:3000".to_owned()),
            ("AUTHSVC_API_EXTERNAL_URL", format!("http://localhost:{port}")),
            ("AUTHSVC_JWT_SECRET", SECRET.to_owned()),
            ("AUTHSVC_SMTP_ADMIN_EMAIL", "studio@site.example".to_owned()),
            ("AUTHSVC_SMTP_HOST", "127.0.0.1".to_owned()),
            ("AUTHSVC_SMTP_PORT", smtp_port.to_string()),
            ("AUTHSVC_RATE_LIMIT_EMAIL_SENT", "1000000".to_owned()),
            ("AUTHSVC_DB_MAX_POOL_SIZE", "8".to_owned()),
            ("PORT", port.to_string()),
        ];
        Self { database, mailbox, settings }
    }

    fn set(&mut self, name: &'static str, value: &str) {
        self.settings.retain(|(known, _)| *known != name);
        self.settings.push((name, value.to_owned()));
    }

    fn value(&self, name: &str) -> &str {
        let found = self.settings.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// Only these settings, whatever the tests themselves run with.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_limber-identity"));
        command.args(arguments).env_clear().current_dir(std::env::temp_dir());
        command.envs(self.settings.iter().map(|(name, value)| (*name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {out}{err}");
        out
    }

    fn url(&self, path: &str) -> Url {
        let base = self.value("AUTHSVC_API_EXTERNAL_URL").replace("localhost", "127.0.0.1");
        Url::parse(&format!("{base}{path}")).expect("a valid address")
    }

    /// The program, serving.
    async fn serve(&self) -> std::process::Child {
        let mut command = self.command(&[]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("the program starts");
        let http = reqwest::Client::new();
        for _ in 0..600 {
            if http.get(self.url("/health/ready")).send().await.is_ok_and(|r| r.status() == 200) {
                return child;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the program does not serve");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_nothing_in_a_good_deployment_and_says_what_to_do_in_a_bad_one() {
    let mut deployment = Deployment::new().await;
    let before = deployment.run(&["doctor"]);
    assert!(
        text(&before.stdout)
            .contains("FAIL  the schema is up to date: run `limber-identity migrate`")
    );
    assert!(!before.status.success());
    deployment.succeeds(&["migrate"]);
    let good = deployment.succeeds(&["doctor"]);
    assert!(good.contains("ok    the mail server answers"), "{good}");
    assert!(good.contains("note  callers are not limited"), "{good}");
    deployment.set("AUTHSVC_API_EXTERNAL_URL", "http://id.example");
    deployment.set("AUTHSVC_URI_ALLOW_LIST", "https://a.example/*,**");
    deployment.set("AUTHSVC_JWT_SECRET", "short");
    deployment.set("AUTHSVC_SMTP_PORT", "1");
    deployment.set("AUTHSVC_SITE_URLS", "x");
    let bad = deployment.run(&["doctor"]);
    let found = text(&bad.stdout);
    for expected in [
        "FAIL  API_EXTERNAL_URL is encrypted",
        "FAIL  URI_ALLOW_LIST does not allow every address",
        "FAIL  JWT_SECRET is long enough",
        "FAIL  callers are limited",
        "FAIL  the mail server answers",
        "did you mean AUTHSVC_SITE_URL?",
    ] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    assert!(!bad.status.success() && !found.contains(deployment.value("DATABASE_URL")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_lists_every_problem_at_once_and_quotes_no_secret() {
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
async fn accounts_are_made_and_deleted_from_the_command_line() {
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
    let made = child.wait_with_output().expect("it ends");
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
    let session: Value = session.expect("it answers").json().await.expect("JSON");
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
    server.kill().expect("it runs");
    server.wait().expect("it ends");
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
    let session =
        http.post(deployment.url("/signup")).json(&body).send().await.expect("it answers");
    let session: Value = session.json().await.expect("JSON");
    let token = session["access_token"].as_str().expect("a token").to_owned();
    assert_eq!(header(&token)["alg"], "RS256", "the default of `keys generate`");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    let rotated = deployment.succeeds(&["keys", "rotate", "--algorithm", "es256"]);
    deployment.set("AUTHSVC_JWT_KEYS", rotated.trim());
    let mut server = deployment.serve().await;
    let set: Value = jwks(&deployment).await.expect("it answers").json().await.expect("JSON");
    let ids: Vec<&Value> =
        set["keys"].as_array().expect("a list").iter().map(|k| &k["kid"]).collect();
    assert!(ids.len() == 2 && ids.contains(&&header(&token)["kid"]), "both keys are shown: {set}");
    assert!(!set.to_string().contains("\"d\""), "no private part is shown");
    let user =
        http.get(deployment.url("/user")).bearer_auth(&token).send().await.expect("it answers");
    assert_eq!(user.status(), 200, "a token of the retired key still counts");
    let body = json!({"refresh_token": session["refresh_token"]});
    let next =
        http.post(deployment.url("/token?grant_type=refresh_token")).json(&body).send().await;
    let next: Value = next.expect("it answers").json().await.expect("JSON");
    assert_eq!(header(next["access_token"].as_str().expect("a token"))["alg"], "ES256");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_kill_under_load_loses_no_accepted_sign_up_and_no_mail() {
    let deployment = Deployment::new().await;
    let mut server = deployment.serve().await;
    let http = reqwest::Client::new();
    let taken = AtomicUsize::new(0);
    let taken = &taken;
    let ask = |number: usize| {
        let (http, url) = (http.clone(), deployment.url("/signup"));
        async move {
            let email = format!("u{number}@b.co");
            let body = json!({"email": email, "password": "correct horse"});
            let answer = http.post(url).json(&body).send().await;
            let accepted = answer.is_ok_and(|answer| answer.status() == 200);
            taken.fetch_add(usize::from(accepted), Ordering::SeqCst);
            accepted.then_some(email)
        }
    };
    let load = futures_util::future::join_all((0..8).map(|worker| async move {
        let mut accepted = Vec::new();
        for round in 0..500 {
            match ask(worker * 1000 + round).await {
                Some(email) => accepted.push(email),
                None => break,
            }
        }
        accepted
    }));
    let kill = async {
        // in the middle of it, however fast this machine is
        for _ in 0..3000 {
            if taken.load(Ordering::SeqCst) >= 40 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        server.kill().expect("it runs");
        server.wait().expect("it ends");
    };
    let (accepted, ()) = tokio::join!(load, kill);
    let accepted: Vec<String> = accepted.into_iter().flatten().collect();
    assert!(accepted.len() >= 16, "the load was no load: {}", accepted.len());
    let mut again = deployment.serve().await;
    let pool = sqlx::PgPool::connect(deployment.database.url()).await.expect("the database");
    let kept: Vec<String> = sqlx::query_scalar("SELECT email FROM accounts")
        .fetch_all(&pool)
        .await
        .expect("the table is there");
    let waiting: Vec<String> = sqlx::query_scalar("SELECT recipient FROM mail_outbox")
        .fetch_all(&pool)
        .await
        .expect("the table is there");
    for email in &accepted {
        assert!(kept.contains(email), "{email} was accepted and is gone");
        let sent = deployment.mailbox.count(email).await;
        assert!(sent == 1 || (sent == 0 && waiting.contains(email)), "{email}: {sent} mails");
    }
    again.kill().expect("it runs");
    again.wait().expect("it ends");
}
