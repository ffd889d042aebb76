//! Login CSRF: Eve begins a sign-in and has Ann's browser continue it. Nobody must end up in Eve's
//! account or give her access to theirs.

use limber_identity_service::config::Config;
use reqwest::Method;
use serde_json::json;

use super::cases_a_to_g::gitlab;
use super::stand_in::StandIn;
use super::travel::{
    Landing, account, at_provider, browser, give_consent, round_trip, step, to_callback, with,
};
use crate::service::{SITE, TestService};

const LINK: &str = "/user/identities/authorize?provider=gitlab&skip_http_redirect=true";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const PKCE: &str = "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM\
                    &code_challenge_method=s256";

async fn start(change: impl FnOnce(&mut Config)) -> (TestService, StandIn) {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        config.external.manual_linking = true;
        change(config);
    })
    .await;
    (service, stand_in)
}

/// Asserts a redirect to the site without a session and with this error.
#[track_caller]
fn is_refused(landing: &Landing, description: &str) {
    assert!(landing.address.as_str().starts_with(SITE), "{landing:?}");
    assert_eq!(landing.query("error_code").as_deref(), Some("bad_oauth_state"), "{landing:?}");
    assert_eq!(landing.query("error_description").as_deref(), Some(description));
    assert_eq!((landing.address.fragment(), landing.query("code")), (None, None), "{landing:?}");
}

const ANOTHER_BROWSER: &str =
    "OAuth state was begun in another browser. Begin again in this one, with cookies allowed";
const UNKNOWN: &str = "OAuth state not found or expired";

async fn identities(service: &TestService, token: &str) -> Vec<String> {
    let user = service.get_as(token, "/user").await.ok().body;
    let all = user["identities"].as_array().expect("a list").iter();
    all.map(|identity| identity["provider"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test]
async fn callbacks_from_another_browser_sign_nobody_in() {
    let (service, stand_in) = start(|_| {}).await;
    // Eve consents at the provider but does not follow the callback herself.
    let eves = to_callback(&service, &stand_in, "").await.build().expect("a request");
    let eves_link = eves.url().clone();
    is_refused(&step(browser().get(eves_link.clone())).await, ANOTHER_BROWSER);
    // The state is consumed, for Eve as well.
    let own = eves.headers()["cookie"].to_str().expect("text");
    is_refused(&step(with(browser().get(eves_link), own)).await, UNKNOWN);

    // A cookie that Ann's browser has from its own sign-in does not help either.
    let eves = to_callback(&service, &stand_in, "").await.build().expect("a request");
    let anns = to_callback(&service, &stand_in, "").await;
    let anns_request =
        anns.try_clone().expect("the body is not a stream").build().expect("a request");
    let anns_cookie = anns_request.headers()["cookie"].to_str().expect("text");
    let name_of_eves = eves.headers()["cookie"].to_str().expect("text");
    let name_of_eves = name_of_eves.split('=').next().expect("a name");
    let value_of_anns = anns_cookie.split('=').nth(1).expect("a value");
    let forged = format!("{anns_cookie}; {name_of_eves}={value_of_anns}");
    is_refused(&step(with(browser().get(eves.url().clone()), &forged)).await, ANOTHER_BROWSER);
    // Ann's own sign-in still works.
    step(anns).await.access();
}

#[tokio::test]
async fn the_flow_cookie_is_http_only_and_deleted_after_use() {
    let (service, stand_in) = start(|_| {}).await;
    let path = super::travel::authorize_path(&stand_in.case(), "");
    let answer = super::travel::answer(service.request(Method::GET, &path)).await;
    let line = answer.headers["set-cookie"].to_str().expect("text");
    assert!(line.contains("; HttpOnly; SameSite=Lax") && line.contains("Max-Age=300"), "{line}");
    let back = to_callback(&service, &stand_in, "").await;
    let answer = super::travel::answer(back).await;
    let line = answer.headers["set-cookie"].to_str().expect("text");
    assert!(line.contains("=; Path=/; Max-Age=0"), "{line}");
    // Over HTTPS, no other host of the domain can set the cookie.
    let (service, stand_in) = start(|config| {
        config.external_url = "https://id.example/".parse().expect("an address");
    })
    .await;
    let path = super::travel::authorize_path(&stand_in.case(), "");
    let answer = super::travel::answer(service.request(Method::GET, &path)).await;
    let line = answer.headers["set-cookie"].to_str().expect("text");
    assert!(line.starts_with("__Host-limber-oauth-") && line.ends_with("; Secure"), "{line}");
}

#[tokio::test]
async fn linking_started_elsewhere_requires_consent() {
    let (service, stand_in) = start(|_| {}).await;
    let eve = service.confirmed("eve@example.co").await.access();
    let told = service.get_as(&eve, LINK).await.ok().text("url");
    // Ann's browser opens the page, which shows whose account is affected.
    let page = browser().get(&told).send().await.expect("the service responds");
    assert_eq!(page.status(), 200);
    assert_eq!(page.headers()["x-frame-options"], "DENY");
    let text = page.text().await.expect("a page");
    assert!(text.contains("eve@example.co") && text.contains("GitLab"), "{text}");
    // A form on Eve's page cannot press the button: it lacks the proof or the matching cookie.
    let (_, proof) = text.split_once("name=\"pressed\" value=\"").expect("a button");
    let proof = proof.split('"').next().expect("a value");
    for pressed in ["", "yes", proof] {
        let landing = step(browser().post(&told).form(&[("pressed", pressed)])).await;
        is_refused(&landing, ANOTHER_BROWSER);
    }
    // Eve cannot press the button herself and send Ann the callback either.
    let away = give_consent(&told).await;
    let anns = at_provider(&stand_in.case(), away.address).await;
    is_refused(&step(anns).await, ANOTHER_BROWSER);
    assert_eq!(identities(&service, &eve).await, ["email"]);
    // Ann's sign-in leads to her own account.
    let ann = account(&service, &round_trip(&service, &stand_in, "").await).await;
    assert_eq!(ann["email"], "ann@example.co");
}

#[tokio::test]
async fn consent_urls_work_once() {
    let (service, _) = start(|_| {}).await;
    let ann = service.confirmed("own@example.co").await.access();
    let told = service.get_as(&ann, LINK).await.ok().text("url");
    assert_eq!(give_consent(&told).await.query("response_type").as_deref(), Some("code"));
    is_refused(&give_consent(&told).await, UNKNOWN);
    let unknown = service.base.join("authorize/continue?state=x").expect("a valid path");
    is_refused(&give_consent(unknown.as_str()).await, UNKNOWN);
}

#[tokio::test]
async fn with_pkce_nothing_is_linked_before_the_verifier_is_presented() {
    let (service, stand_in) = start(|_| {}).await;
    let eve = service.confirmed("eve@example.co").await.access();
    let told = service.get_as(&eve, &format!("{LINK}{PKCE}")).await.ok().text("url");
    // Eve sends the URL to Ann, who is already signed in at the provider.
    let address = told.parse().expect("an address");
    let landing = step(at_provider(&stand_in.case(), address).await).await;
    let code = landing.query("code").expect("a code");
    assert_eq!(identities(&service, &eve).await, ["email"], "only Ann's browser received the code");
    // Whoever has both the code and the verifier began the sign-in.
    let exchange = async |verifier: &str| {
        let body = json!({"auth_code": code, "code_verifier": verifier});
        service.post("/token?grant_type=pkce", body).await
    };
    let wrong = exchange(&"x".repeat(43)).await;
    assert_eq!(wrong.text("error_code"), "bad_code_verifier");
    assert_eq!(identities(&service, &eve).await, ["email"]);
    let session = exchange(VERIFIER).await.ok();
    assert_eq!(session.body["user"]["email"], "eve@example.co");
    assert_eq!(identities(&service, &eve).await, ["email", "gitlab"]);
    assert_eq!(session.body["user"]["app_metadata"]["providers"], json!(["email", "gitlab"]));
    assert!(session.body["provider_token"].is_null(), "the user did not ask for it");
}

#[tokio::test]
async fn with_pkce_linking_errors_are_reported_at_once() {
    let (service, stand_in) = start(|_| {}).await;
    round_trip(&service, &stand_in, "").await.access();
    let eve = service.confirmed("eve@example.co").await.access();
    let told = service.get_as(&eve, &format!("{LINK}{PKCE}")).await.ok().text("url");
    let address = told.parse().expect("an address");
    step(at_provider(&stand_in.case(), address).await).await.is_error(
        "server_error",
        "identity_already_exists",
        "Identity is already linked to another user",
    );
}
