//! Sign-in through an independent OpenID provider, with its own login and consent pages.

use std::path::Path;

use limber_api::identity::ProviderName;
use limber_domain::hex;
use limber_identity_service::config::ProviderConfig;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::travel::{Landing, account, browser, step, with};
use crate::service::TestService;

#[path = "../../../../../tests/openid-provider/provider.rs"]
mod provider;

use provider::{CLIENT_ID, CLIENT_SECRET, Provider, Visitor};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/openid-provider");
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

async fn start(product: &str, name: ProviderName) -> Option<(TestService, Provider)> {
    let mut provider = None;
    let service = TestService::start_with(|config| {
        let redirect_uri = config.external_url.join("callback").expect("a valid path");
        provider = Provider::start(Path::new(FOLDER), product, redirect_uri.as_str());
        if let Some(provider) = &provider {
            let mut settings =
                ProviderConfig::new(CLIENT_ID, CLIENT_SECRET.into(), redirect_uri.as_str());
            settings.base = Some(provider.base.as_str().trim_end_matches('/').to_owned());
            config.external.providers.insert(name, settings);
        }
    })
    .await;
    service.clock.run();
    Some((service, provider?))
}

async fn sign_in(service: &TestService, visitor: &mut Visitor, path: &str) -> Landing {
    let away = step(service.request(Method::GET, path)).await;
    let back = visitor.go(away.address, service.base.as_str()).await;
    step(with(browser().get(back), &away.cookies)).await
}

#[tokio::test]
async fn keycloak_realms_sign_users_in() {
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
    assert!(
        landing.fragment("provider_token").is_some(),
        "openid is requested in addition to the defaults"
    );
    let landing = sign_in(&service, &mut Visitor::new("unproven-bob"), path).await;
    landing.is_error(
        "access_denied",
        "provider_email_needs_verification",
        "Unverified email with keycloak. A confirmation email has been sent to your keycloak email",
    );
}

#[tokio::test]
async fn gitlab_signs_users_in_with_pkce() {
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
    assert_eq!(ids[0], ids[1], "the second sign-in returns the same account");
}

#[tokio::test]
async fn tokens_signed_by_a_real_openid_provider_are_accepted() {
    let Some((service, provider)) = start("keycloak", ProviderName::Keycloak).await else { return };
    let redirect_uri = service.base.join("callback").expect("a valid path");
    let nonce = hex(&Sha256::digest(b"our nonce"));
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
    let answer = browser().post(address).form(&fields).send().await.expect("the service responds");
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
