//! The same against an OpenID provider that is not ours, through its own sign-in and consent.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use limber_api::identity::ProviderName;
use limber_identity_service::config::ProviderConfig;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::stand_in::{CLIENT_ID, CLIENT_SECRET};
use super::travel::{Landing, account, browser, step};
use crate::service::TestService;

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The running provider; ends with the test.
struct Provider {
    process: Child,
    base: Url,
    /// Held, because a program whose output nobody takes any more ends.
    _output: BufReader<ChildStdout>,
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// `None`, and a line that says so, where its packages are not installed.
fn start_provider(product: &str, redirect_uri: &str) -> Option<Provider> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/openid-provider"));
    if !folder.join("node_modules/oidc-provider").exists() {
        println!("skipped: run `npm ci` in tests/openid-provider to sign in at a real provider");
        return None;
    }
    let mut process = Command::new("node")
        .arg(folder.join("provider.mjs"))
        .args([product, redirect_uri])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("node can be started");
    let mut output = BufReader::new(process.stdout.take().expect("it was piped"));
    let lines = output.by_ref().lines();
    let address = lines.map_while(Result::ok).find(|line| line.starts_with("http://"));
    let base = Url::parse(&address.expect("it prints its address")).expect("a whole address");
    Some(Provider { process, base, _output: output })
}

async fn start(product: &str, name: ProviderName) -> Option<(TestService, Provider)> {
    let mut provider = None;
    let service = TestService::start_with(|config| {
        let redirect_uri = config.external_url.join("callback").expect("a valid path");
        provider = start_provider(product, redirect_uri.as_str());
        if let Some(provider) = &provider {
            let mut settings =
                ProviderConfig::new(CLIENT_ID, CLIENT_SECRET.into(), redirect_uri.as_str());
            settings.base = Some(provider.base.as_str().trim_end_matches('/').to_owned());
            config.external.providers.insert(name, settings);
        }
    })
    .await;
    Some((service, provider?))
}

/// A person at the provider, with a browser that keeps cookies and fills in forms.
struct Visitor {
    login: &'static str,
    cookies: BTreeMap<String, String>,
}

impl Visitor {
    fn new(login: &'static str) -> Self {
        Self { login, cookies: BTreeMap::new() }
    }

    /// From the provider's first page to the address of ours it leads to.
    async fn go(&mut self, address: Url, until: &str) -> Url {
        let (mut address, mut form) = (address, None);
        for _ in 0..16 {
            let (next, page) = self.open(&address, form.take()).await;
            match next {
                Some(next) if next.as_str().starts_with(until) => return next,
                Some(next) => address = next,
                None => {
                    form = Some(self.fill_in(&page));
                    let action = between(&page, "action=\"", "\"");
                    address = address.join(&action).expect("a valid path");
                }
            }
        }
        panic!("the provider never led back; it is at {address}")
    }

    async fn open(&mut self, address: &Url, form: Option<Fields>) -> (Option<Url>, String) {
        let request = match form {
            Some(fields) => browser().post(address.clone()).form(&fields),
            None => browser().get(address.clone()),
        };
        let cookies: Vec<String> = self.cookies.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let response =
            request.header("cookie", cookies.join("; ")).send().await.expect("it answers");
        for cookie in response.headers().get_all("set-cookie") {
            let text = cookie.to_str().expect("plain text").split(';').next().unwrap_or_default();
            let (name, value) = text.split_once('=').expect("a cookie has a name");
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let location = response.headers().get("location").and_then(|l| l.to_str().ok());
        let next = location.map(|l| address.join(l).expect("a whole address"));
        (next, response.text().await.expect("a page"))
    }

    /// Signs in on one page and agrees on the other.
    fn fill_in(&self, page: &str) -> Fields {
        let prompt = between(page, "name=\"prompt\" value=\"", "\"");
        let mut fields = vec![("prompt", prompt.clone())];
        if prompt == "login" {
            fields.extend([("login", self.login.to_owned()), ("password", "any".to_owned())]);
        }
        fields
    }
}

type Fields = Vec<(&'static str, String)>;

#[track_caller]
fn between(page: &str, from: &str, to: &str) -> String {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("{from} in {page}")).1;
    rest.split(to).next().unwrap_or_default().to_owned()
}

async fn sign_in(service: &TestService, visitor: &mut Visitor, path: &str) -> Landing {
    let away = step(service.request(Method::GET, path)).await;
    let back = visitor.go(away.address, service.base.as_str()).await;
    step(browser().get(back)).await
}

#[tokio::test]
async fn a_realm_of_keycloak_signs_people_in() {
    let Some((service, provider)) = start("keycloak", ProviderName::Keycloak).await else { return };
    let path = "/authorize?provider=keycloak&scopes=openid";
    let landing = sign_in(&service, &mut Visitor::new("ann"), path).await;
    let user = account(&service, &landing).await;
    assert_eq!(
        (&user["email"], &user["identities"][0]["id"]),
        (&json!("ann@example.co"), &json!("ann"))
    );
    let data = &user["identities"][0]["identity_data"];
    assert_eq!(data["iss"], provider.base.as_str().trim_end_matches('/'));
    assert_eq!((&data["name"], &data["preferred_username"]), (&json!("Person ann"), &json!("ann")));
    assert!(landing.fragment("provider_token").is_some(), "openid is one more than the defaults");
    let landing = sign_in(&service, &mut Visitor::new("unproven-bob"), path).await;
    landing.is_error(
        "access_denied",
        "provider_email_needs_verification",
        "Unverified email with keycloak. A confirmation email has been sent to your keycloak email",
    );
}

#[tokio::test]
async fn a_gitlab_signs_people_in_with_a_challenge_of_the_client() {
    let Some((service, _provider)) = start("gitlab", ProviderName::Gitlab).await else { return };
    let path =
        format!("/authorize?provider=gitlab&code_challenge={CHALLENGE}&code_challenge_method=s256");
    let mut visitor = Visitor::new("ann");
    let mut ids = Vec::new();
    for _ in 0..2 {
        let landing = sign_in(&service, &mut visitor, &path).await;
        let code = landing.query("code").unwrap_or_else(|| panic!("no code: {landing:?}"));
        let body = json!({"auth_code": code, "code_verifier": VERIFIER});
        let session = service.post("/token?grant_type=pkce", body).await.ok();
        assert_eq!(session.body["user"]["email"], "ann@example.co");
        assert_eq!(session.body["user"]["user_metadata"]["user_name"], "ann");
        assert!(session.body["provider_token"].is_null());
        ids.push(session.body["user"]["id"].clone());
    }
    assert_eq!(ids[0], ids[1], "the second time the provider knows the person already");
}

#[tokio::test]
async fn a_token_that_a_real_provider_signed_is_taken() {
    let Some((service, provider)) = start("keycloak", ProviderName::Keycloak).await else { return };
    let redirect_uri = service.base.join("callback").expect("a valid path");
    let nonce: String =
        Sha256::digest(b"our nonce").iter().map(|byte| format!("{byte:02x}")).collect();
    let mut address = provider.base.clone();
    address.set_path("/realms/studio/protocol/openid-connect/auth");
    address.query_pairs_mut().extend_pairs([
        ("client_id", CLIENT_ID),
        ("redirect_uri", redirect_uri.as_str()),
        ("response_type", "code"),
        ("scope", "openid profile email"),
        ("state", "ours"),
        ("nonce", &nonce),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]);
    let back = Visitor::new("carl").go(address.clone(), service.base.as_str()).await;
    let code = back.query_pairs().find(|(n, _)| n == "code").map(|(_, v)| v.into_owned());
    address.set_path("/realms/studio/protocol/openid-connect/token");
    address.set_query(None);
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &code.expect("a code")),
        ("redirect_uri", redirect_uri.as_str()),
        ("client_id", CLIENT_ID),
        ("client_secret", CLIENT_SECRET),
        ("code_verifier", VERIFIER),
    ];
    let answer = browser().post(address).form(&fields).send().await.expect("it answers");
    let tokens: Value = answer.json().await.expect("JSON");
    let body = json!({
        "provider": "keycloak", "id_token": tokens["id_token"],
        "access_token": tokens["access_token"], "nonce": "our nonce",
    });
    let session = service.post("/token?grant_type=id_token", body.clone()).await.ok();
    assert_eq!(session.body["user"]["email"], "carl@example.co");
    let nonce = json!({"provider": "keycloak", "nonce": "another", "id_token": tokens["id_token"]});
    let refused = service.post("/token?grant_type=id_token", nonce).await;
    assert_eq!(refused.body["error_description"], "Nonces mismatch");
}
