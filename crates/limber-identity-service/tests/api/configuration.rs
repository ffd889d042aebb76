//! Which configurations are rejected and accepted at start-up, and how much metadata an account may
//! hold.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use limber_identity_service::{Config, migrate, serve};
use reqwest::{Method, Url};
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::deployment::{Deployment, text};
use crate::service::{Answer, PASSWORD, SITE, TestService};

const LEAST: [(&str, &str); 6] = [
    ("SITE_URL", "https://site.example"),
    ("API_EXTERNAL_URL", "https://id.example"),
    ("DB_DRIVER", "postgres"),
    ("DATABASE_URL", "postgres://u:p@h/d"),
    ("JWT_SECRET", "a secret of more than thirty-two bytes"),
    ("SMTP_ADMIN_EMAIL", "admin@site.example"),
];

/// Reads the required settings, overridden by `settings`.
fn read(settings: &[(&str, &str)]) -> Result<Config, Vec<String>> {
    let all = LEAST.iter().chain(settings);
    Config::from_env(all.map(|(name, value)| (format!("AUTHSVC_{name}"), (*value).to_owned())))
        .map_err(|error| error.problems)
}

#[test]
fn secrets_shorter_than_32_bytes_are_rejected() {
    let (short, enough) = ("x".repeat(31), "x".repeat(32));
    let problems = read(&[("JWT_SECRET", &short)]).expect_err("the secret is too short");
    let sentence = "AUTHSVC_JWT_SECRET is shorter than 32 bytes: set it to a longer random text, \
                    because anyone who guesses it can sign tokens";
    assert_eq!(problems, [sentence]);
    read(&[("JWT_SECRET", &enough)]).expect("the secret is long enough");
    let switch = ("JWT_SHORT_SECRET_FOR_TESTS_ONLY", "true");
    read(&[("JWT_SECRET", &short), switch]).expect("the test-only setting allows short secrets");
}

#[test]
fn weak_signing_keys_are_rejected() {
    let oct = |bytes: usize, ops: &str| {
        let k = URL_SAFE_NO_PAD.encode(vec![7; bytes]);
        format!(r#"{{"kty":"oct","kid":"o","alg":"HS256","key_ops":["{ops}"],"k":"{k}"}}"#)
    };
    let rsa = |bits: usize| {
        let n = URL_SAFE_NO_PAD.encode(vec![0xff; bits / 8]);
        format!(
            r#"{{"kty":"RSA","kid":"r","alg":"RS256","key_ops":["verify"],"n":"{n}","e":"AQAB"}}"#
        )
    };
    let start = |keys: &[String]| read(&[("JWT_KEYS", &format!("[{}]", keys.join(",")))]);
    let short = "AUTHSVC_JWT_KEYS contains an oct key shorter than 32 bytes: use at least 32 \
                 random bytes, because anyone who guesses it can sign tokens";
    let small = "AUTHSVC_JWT_KEYS contains an RSA key shorter than 2048 bits: generate one of at \
                 least 2048 bits, because anyone who computes the private key can sign tokens";
    start(&[oct(32, "sign"), rsa(2048)]).expect("the keys are long enough");
    assert_eq!(start(&[oct(31, "sign")]).expect_err("the key can sign"), [short]);
    // Whoever has a shared verification key can also sign with it.
    assert_eq!(
        start(&[oct(32, "sign"), oct(1, "verify")]).expect_err("the key can verify"),
        [short]
    );
    assert_eq!(start(&[oct(32, "sign"), rsa(1024)]).expect_err("it is small"), [small]);
}

#[tokio::test]
async fn embedded_services_also_reject_short_secrets() {
    let service = TestService::start().await;
    let (site, url) = (Url::parse(SITE).expect("an address"), service.database.secret_url());
    let start = async |switch: bool| {
        let mut config = Config::new(site.clone(), site.clone(), url.clone(), "short".into());
        config.jwt.short_secret_for_tests = switch;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        serve(config, listener, std::future::ready(())).await
    };
    let error = start(false).await.expect_err("the secret is too short");
    assert!(error.to_string().contains("AUTHSVC_JWT_SECRET is shorter than 32 bytes"), "{error}");
    start(true).await.expect("tests may");
}

#[test]
fn the_external_url_may_be_host_and_port() {
    for (written, url) in [
        ("localhost:9999", "http://localhost:9999/"),
        ("id.example:8443", "https://id.example:8443/"),
        ("https://id.example/auth/v1", "https://id.example/auth/v1"),
    ] {
        let config = read(&[("API_EXTERNAL_URL", written)]).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(config.external_url.as_str(), url, "{written}");
    }
    // GoTrue does not accept these either.
    for written in ["id.example", "localhost", "/auth", ":9999"] {
        let problems = read(&[("API_EXTERNAL_URL", written)]).expect_err(written);
        assert!(problems.len() == 1 && problems[0].contains("API_EXTERNAL_URL"), "{problems:?}");
    }
}

#[test]
fn unused_text_providers_need_no_credentials() {
    for carrier in ["twilio", "messagebird", "textlocal", "vonage"] {
        let named = ("SMS_PROVIDER", carrier);
        let config = read(&[named]).unwrap_or_else(|problems| panic!("{carrier}: {problems:?}"));
        assert_eq!(config.texts.carrier.expect("the provider is configured").name(), carrier);
        for needs in ["EXTERNAL_PHONE_ENABLED", "MFA_PHONE_VERIFY_ENABLED"] {
            let problems = read(&[named, (needs, "true")]).expect_err(carrier);
            let own = format!("AUTHSVC_SMS_{}_", carrier.to_uppercase());
            assert!(problems.iter().any(|text| text.contains(&own)), "{problems:?}");
        }
    }
    let github = [("EXTERNAL_GITHUB_ENABLED", "false"), ("EXTERNAL_GITHUB_CLIENT_ID", "")];
    assert!(read(&github).expect("the feature is disabled").external.providers.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn all_configuration_problems_are_reported_at_once() {
    let mut deployment = Deployment::new().await;
    let wrong = [
        ("AUTHSVC_JWT_SECRET", "short"),
        ("DATABASE_URL", "hush hush"),
        ("AUTHSVC_API_EXTERNAL_URL", "nowhere"),
        ("AUTHSVC_TRUSTED_PROXIES", "everybody"),
        ("AUTHSVC_DISABLE_SIGNUP", "perhaps"),
        ("AUTHSVC_EXTERNAL_PHONE_ENABLED", "true"),
        ("AUTHSVC_SMS_PROVIDER", "pigeon"),
        ("AUTHSVC_EXTERNAL_GITHUB_ENABLED", "true"),
        ("AUTHSVC_EXTERNAL_AZURE_TENANTS", "common"),
    ];
    for (name, value) in wrong {
        deployment.set(name, value);
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    std::fs::write(folder.path().join(".env"), "hush hush\nAUTHSVC_JWT_EXP=soon\n")
        .expect("a file");
    let mut command = deployment.command(&["serve"]);
    let output = command.current_dir(folder.path()).output().expect("the program starts");
    let told = text(&output.stderr);
    assert!(!output.status.success() && !told.contains("hush"), "{told}");
    let all = wrong.iter().map(|(name, _)| name.trim_start_matches("AUTHSVC_"));
    for name in all.map(|name| name.trim_end_matches("_ENABLED")).chain([".env", "JWT_EXP"]) {
        assert!(told.contains(name), "{name}: {told}");
    }
}

#[tokio::test]
async fn with_an_empty_database_the_service_is_alive_but_not_ready() {
    let service = TestService::start_empty().await;
    let status =
        async |path: &'static str| Answer::of(service.request(Method::GET, path)).await.status;
    assert_eq!((status("/health").await, status("/health/ready").await), (200, 503));
    let (site, url) = (Url::parse(SITE).expect("an address"), service.database.secret_url());
    let secret = SecretString::from("a secret of more than thirty-two bytes");
    let config = Config::new(site.clone(), site, url, secret);
    migrate(&config).await.expect("the schema can be made");
    assert_eq!(status("/health/ready").await, 200);
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok();
}

/// Returns metadata of this size.
fn data(bytes: usize) -> Value {
    json!({"a": "x".repeat(bytes - r#"{"a":""}"#.len())})
}

const MOST: usize = 65_536;
const MOST_OF_STRANGERS: usize = 8192;
const TOO_LARGE_OF_STRANGERS: &str = "The data of a sign-up cannot be larger than 8192 bytes";
const TOO_LARGE: &str = "The metadata of an account cannot be larger than 65536 bytes";

#[tokio::test]
async fn metadata_is_limited_wherever_it_can_be_set() {
    let service = TestService::start_with(|config| config.signup.anonymous = true).await;
    let admin = service.admin_token();
    let calls = |email: &str, data: &Value| {
        let with = |mut body: Value, field: &str| {
            body[field] = data.clone();
            body
        };
        let account = json!({"email": email, "password": PASSWORD});
        let link = json!({"email": email, "type": "invite"});
        [
            ("/signup", with(account.clone(), "data")),
            ("/signup", with(json!({}), "data")),
            ("/otp", with(account.clone(), "data")),
            ("/magiclink", with(account.clone(), "data")),
            ("/invite", with(account.clone(), "data")),
            ("/admin/generate_link", with(link, "data")),
            ("/admin/users", with(account.clone(), "user_metadata")),
            ("/admin/users", with(account, "app_metadata")),
        ]
    };
    // The first four calls need no authentication.
    let limits = [(MOST_OF_STRANGERS, TOO_LARGE_OF_STRANGERS); 4].into_iter();
    for (number, (most, message)) in limits.chain([(MOST, TOO_LARGE); 4]).enumerate() {
        let (path, body) = calls("much@b.co", &data(most + 1))[number].clone();
        let refused = service.send_as(&admin, Method::POST, path, body).await;
        refused.is_error(400, "validation_failed", message);
        let email = format!("n{number}@b.co");
        let (path, body) = calls(&email, &data(most))[number].clone();
        service.send_as(&admin, Method::POST, path, body).await.ok();
    }
}

#[tokio::test]
async fn the_metadata_limit_applies_to_the_result_of_a_change() {
    let service = TestService::start().await;
    let token = service.confirmed("ann@b.co").await.access();
    let change = |field: &str, data: Value| {
        let body = json!({field: data});
        service.send_as(&token, Method::PUT, "/user", body)
    };
    change("data", json!({"b": "x".repeat(40_000)})).await.ok();
    let more = || json!({"c": "x".repeat(40_000)});
    change("data", more()).await.is_error(400, "validation_failed", TOO_LARGE);
    // Deleted keys free up space within the same call.
    change("data", json!({"b": null, "c": "x".repeat(60_000)})).await.ok();
    let user = service.get_as(&token, "/user").await.ok().body["user_metadata"].clone();
    assert!(user.get("b").is_none() && user["c"].as_str().is_some_and(|c| c.len() == 60_000));
    // Tokens contain the metadata and must still be accepted.
    let session = service.sign_in("ann@b.co", PASSWORD).await.ok();
    service.get_as(&session.access(), "/user").await.ok();
}
