//! Every provider, from the first redirect to the account.

use limber_api::identity::ProviderName;
use reqwest::Method;
use serde_json::{Value, json};

use super::stand_in::{Case, StandIn, Style};
use super::travel::{Landing, account, authorize_path, give_consent, round_trip, step};
use super::{cases_a_to_g, cases_k_to_w};
use crate::service::{SITE, TestService};

fn cases() -> Vec<Case> {
    cases_a_to_g::all().into_iter().chain(cases_k_to_w::all()).collect()
}

fn case(name: ProviderName) -> Case {
    cases().into_iter().find(|case| case.name == name).expect("every provider has a test case")
}

async fn start(case: Case) -> (TestService, StandIn) {
    let stand_in = StandIn::start(case).await;
    let service = TestService::start_with(|config| stand_in.enable(config)).await;
    (service, stand_in)
}

/// Checks that the authorisation URL has exactly the parameters of this provider.
fn check_departure(stand_in: &StandIn, case: &Case) {
    let seen = stand_in.last(case.authorize);
    let get = |name: &str| seen.query.get(name).map(String::as_str);
    for (name, value) in case.parameters {
        assert_eq!(get(name), Some(*value), "{}: {name}", case.name);
    }
    if case.style == Style::OAuth1 {
        return;
    }
    let scope = (!case.scope.is_empty()).then_some(case.scope);
    assert_eq!(get("scope"), scope, "{}", case.name);
    assert_eq!(get("code_challenge").is_some(), case.pkce, "{}", case.name);
    let state = get("state").expect("the URL contains a state");
    assert!(state.parse::<uuid::Uuid>().is_ok(), "{}: {state}", case.name);
}

/// Checks that the identity has every expected claim, and that the account matches.
fn check_account(case: &Case, account: &Value) {
    let identity = &account["identities"][0];
    let (data, name) = (&identity["identity_data"], case.name.as_str());
    for (claim, value) in case.identity.as_object().expect("an object") {
        assert_eq!(&data[claim], value, "{name}: {claim}");
        assert_eq!(&account["user_metadata"][claim], value, "{name}: {claim} of the account");
    }
    assert_eq!((&identity["provider"], &identity["id"]), (&json!(name), &case.identity["sub"]));
    assert_eq!(account["app_metadata"], json!({"provider": name, "providers": [name]}));
    let email = case.identity["email"].as_str().unwrap_or_default();
    assert_eq!(account["email"], email, "{name}");
    assert_eq!(account["email_confirmed_at"].is_string(), !email.is_empty(), "{name}");
}

async fn signs_in(name: ProviderName) -> (TestService, StandIn, Landing) {
    let case = case(name);
    let (service, stand_in) = start(case.clone()).await;
    let settings = super::travel::answer(service.request(Method::GET, "/settings")).await.ok();
    for known in ProviderName::ALL {
        let on = settings.body["external"][known.as_str()] == true;
        assert_eq!(on, *known == name, "{known}");
    }
    let landing = round_trip(&service, &stand_in, "").await;
    check_departure(&stand_in, &case);
    assert_eq!(landing.status, 302);
    assert!(landing.address.as_str().starts_with(SITE), "{landing:?}");
    assert_eq!(landing.fragment("provider").as_deref(), Some(name.as_str()), "{landing:?}");
    assert_eq!(landing.fragment("token_type").as_deref(), Some("bearer"));
    assert_eq!(landing.fragment("provider_token"), None, "returned only for additional scopes");
    check_account(&case, &account(&service, &landing).await);
    // Signing in again leads to the same account.
    let again = round_trip(&service, &stand_in, "").await;
    let ids = (account(&service, &landing).await, account(&service, &again).await);
    assert_eq!(ids.0["id"], ids.1["id"], "{name}");
    assert_eq!(ids.1["identities"].as_array().map(Vec::len), Some(1));
    (service, stand_in, landing)
}

macro_rules! each_signs_in {
    ($($test:ident: $name:ident,)+) => {
        $(#[tokio::test]
        async fn $test() {
            signs_in(ProviderName::$name).await;
        })+
    };
}

each_signs_in! {
    apple_signs_in_by_form_and_signed_secret: Apple,
    azure_signs_in_with_the_issuer_of_the_tenant: Azure,
    bitbucket_signs_in_with_the_confirmed_address: Bitbucket,
    discord_signs_in: Discord,
    facebook_signs_in_with_the_proof_of_the_secret: Facebook,
    figma_signs_in: Figma,
    github_signs_in_with_the_primary_address: Github,
    gitlab_signs_in: Gitlab,
    google_signs_in_by_its_id_token: Google,
    keycloak_signs_in_at_its_realm: Keycloak,
    linkedin_signs_in_in_the_preferred_language: Linkedin,
    notion_signs_in_the_owner_of_the_bot: Notion,
    snapchat_signs_in_without_any_address: Snapchat,
    slack_signs_in: Slack,
    twitch_signs_in_with_the_client_id_as_header: Twitch,
    twitter_signs_in_with_signed_questions: Twitter,
    workos_signs_in_with_the_profile_beside_the_token: Workos,
}

#[tokio::test]
async fn spotify_emails_are_unverified_and_need_confirmation() {
    let (service, stand_in) = start(case(ProviderName::Spotify)).await;
    let landing = round_trip(&service, &stand_in, "").await;
    check_departure(&stand_in, &stand_in.case());
    landing.is_error(
        "access_denied",
        "provider_email_needs_verification",
        "Unverified email with spotify. A confirmation email has been sent to your spotify email",
    );
    let mail = service.mailbox.nth("ann@example.co", 1).await;
    let body = json!({"type": "signup", "token_hash": mail.parameter("token")});
    service.post("/verify", body).await.ok();
    let landing = round_trip(&service, &stand_in, "").await;
    let account = account(&service, &landing).await;
    assert_eq!(
        (&account["email"], &account["email_confirmed_at"].is_string()),
        (&json!("ann@example.co"), &true)
    );
    assert_eq!(account["user_metadata"]["name"], "Ann Spot");
}

#[tokio::test]
async fn every_provider_has_a_test() {
    let tested: Vec<ProviderName> = cases().into_iter().map(|case| case.name).collect();
    assert_eq!(tested, ProviderName::ALL);
}

#[tokio::test]
async fn google_profiles_are_fetched_if_there_is_no_id_token() {
    let (service, stand_in) = start(case(ProviderName::Google)).await;
    stand_in.change(|case| case.claims = None);
    let landing = round_trip(&service, &stand_in, "").await;
    let account = account(&service, &landing).await;
    assert_eq!(account["identities"][0]["id"], "110169484474386276334");
    assert_eq!(account["email"], "ann@example.co");
}

#[tokio::test]
async fn azure_emails_are_verified_by_domain_claim_or_configured_tenant() {
    let ours: &[&str] = &["The-Tenant", "second"];
    let cases: [(&[&str], Value, bool); 6] = [
        (&[], Value::Null, false),
        (&[], json!(true), true),
        (&[], json!("0"), false),
        (ours, Value::Null, true),
        (ours, json!("0"), false),
        (&["second"], json!(true), false),
    ];
    for (tenants, word, confirmed) in cases {
        let stand_in = StandIn::start(case(ProviderName::Azure)).await;
        let service = TestService::start_with(|config| {
            stand_in.enable(config);
            let azure = config.external.providers.get_mut(&ProviderName::Azure);
            azure.expect("the provider was just enabled").tenants =
                tenants.iter().map(ToString::to_string).collect();
        })
        .await;
        stand_in.change(|case| {
            case.claims.as_mut().expect("the token has claims")["xms_edov"] = word.clone();
        });
        let landing = round_trip(&service, &stand_in, "").await;
        let signed_in = landing.fragment("access_token").is_some();
        assert_eq!(signed_in, confirmed, "{tenants:?}, {word}: {landing:?}");
        let mails = service.count_mails("ann@example.co").await;
        let asked_by_mail = !confirmed && tenants != ["second"];
        assert_eq!(mails, usize::from(asked_by_mail), "users of another tenant cause no email");
    }
}

#[tokio::test]
async fn workos_emails_are_verified_only_for_configured_connections() {
    let cases: [(&[&str], bool); 4] = [
        (&[], false),
        (&["conn_01E4"], true),
        (&["org_01EH", "org_other"], true),
        (&["conn_other"], false),
    ];
    for (named, signs_in) in cases {
        let stand_in = StandIn::start(case(ProviderName::Workos)).await;
        let service = TestService::start_with(|config| {
            stand_in.enable(config);
            let workos = config.external.providers.get_mut(&ProviderName::Workos);
            workos.expect("the provider was just enabled").tenants =
                named.iter().map(ToString::to_string).collect();
        })
        .await;
        let owner = service.confirmed("ann@example.co").await;
        let landing = round_trip(&service, &stand_in, "").await;
        assert_eq!(landing.fragment("access_token").is_some(), signs_in, "{named:?}: {landing:?}");
        if signs_in {
            let user = account(&service, &landing).await;
            assert_eq!(user["id"], owner.body["user"]["id"]);
        }
    }
}

#[tokio::test]
async fn extra_scopes_are_requested_and_provider_tokens_returned() {
    let (service, stand_in) = start(cases_a_to_g::gitlab()).await;
    let landing = round_trip(&service, &stand_in, "&scopes=api,%20openid%20email").await;
    assert_eq!(stand_in.last("/oauth/authorize").query["scope"], "read_user api openid email");
    let token = super::stand_in::ACCESS_TOKEN;
    assert_eq!(landing.fragment("provider_token").as_deref(), Some(token));
    assert_eq!(landing.fragment("provider_refresh_token").as_deref(), Some("refresh-of-them"));
    // Requesting only default scopes does not count as requesting more.
    let landing = round_trip(&service, &stand_in, "&scopes=read_user").await;
    assert_eq!(landing.fragment("provider_token"), None);
}

#[tokio::test]
async fn extra_parameters_are_passed_on_but_cannot_override_ours() {
    let (service, stand_in) = start(cases_a_to_g::gitlab()).await;
    let more = "&prompt=consent&access_type=offline&client_id=evil&redirect_uri=https://evil.org\
                &state=evil&response_type=token&response_mode=query&scope=sudo&request=evil\
                &Client_Id=evil&request_uri=https://evil.org&code_verifier=evil";
    round_trip(&service, &stand_in, more).await.access();
    let seen = stand_in.last("/oauth/authorize").query;
    assert_eq!((seen["prompt"].as_str(), seen["access_type"].as_str()), ("consent", "offline"));
    assert!(!seen.values().any(|value| value.contains("evil")), "{seen:?}");
    assert_eq!(seen["scope"], "read_user");
    for ours in ["provider", "redirect_to", "request", "response_mode", "Client_Id"] {
        assert!(!seen.contains_key(ours), "{ours}");
    }
}

#[tokio::test]
async fn workos_requires_a_connection_or_organization() {
    let (service, stand_in) = start(cases_k_to_w::workos()).await;
    let answer =
        super::travel::answer(service.request(Method::GET, "/authorize?provider=workos")).await;
    answer.is_error(
        400,
        "validation_failed",
        "Unsupported provider: workos needs connection, organization or workos_provider",
    );
    let path = "/authorize?provider=workos&organization=org_1";
    let away = step(service.request(Method::GET, path)).await;
    assert!(away.address.as_str().contains("organization=org_1"), "{away:?}");
    assert!(away.address.as_str().starts_with(&stand_in.base()));
}

#[tokio::test]
async fn unknown_and_disabled_providers_are_named_as_unsupported() {
    let (service, _) = start(cases_a_to_g::gitlab()).await;
    for (path, text) in [
        (
            "/authorize?provider=myspace",
            "Unsupported provider: Provider myspace could not be found",
        ),
        ("/authorize", "Unsupported provider: Provider  could not be found"),
        ("/authorize?provider=github", "Unsupported provider: provider is not enabled"),
    ] {
        let answer = super::travel::answer(service.request(Method::GET, path)).await;
        answer.is_error(400, "validation_failed", text);
    }
}

#[tokio::test]
async fn skip_http_redirect_returns_the_url() {
    let (service, stand_in) = start(cases_a_to_g::gitlab()).await;
    let path = authorize_path(&stand_in.case(), "&skip_http_redirect=true");
    let answer = super::travel::answer(service.request(Method::GET, &path)).await.ok();
    // A URL of this service, so that the browser can be given a cookie. With a PKCE challenge this
    // is not needed.
    let told = answer.text("url");
    let own = service.base.join("authorize").expect("a valid path");
    assert!(told.starts_with(own.as_str()) && !told.contains("skip_http_redirect"), "{told}");
    let away = give_consent(&told).await;
    assert!(away.address.as_str().starts_with(&format!("{}/oauth/authorize?", stand_in.base())));
    let challenge = "a".repeat(43);
    let path = format!("{path}&code_challenge={challenge}&code_challenge_method=plain");
    let told = super::travel::answer(service.request(Method::GET, &path)).await.ok().text("url");
    assert!(told.starts_with(&format!("{}/oauth/authorize?", stand_in.base())), "{told}");
}
