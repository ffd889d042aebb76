//! Which account a user from a provider gets.

use reqwest::Method;
use serde_json::{Value, json};

use super::cases_a_to_g::gitlab;
use super::cases_k_to_w::spotify;
use super::stand_in::{ACCESS_TOKEN, Case, StandIn};
use super::travel::{account, round_trip, step, to_callback};
use crate::service::{PASSWORD, TestService};

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const PKCE: &str = "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM\
                    &code_challenge_method=s256";

async fn start(
    case: Case,
    change: impl FnOnce(&mut limber_identity_service::Config),
) -> (TestService, StandIn) {
    let stand_in = StandIn::start(case).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        change(config);
    })
    .await;
    (service, stand_in)
}

fn providers(account: &Value) -> Vec<&str> {
    let identities = account["identities"].as_array().expect("a list").iter();
    identities.map(|identity| identity["provider"].as_str().expect("a name")).collect()
}

async fn admin(service: &TestService, method: Method, path: &str, body: Value) -> Value {
    service.send_as(&service.admin_token(), method, path, body).await.ok().body
}

#[tokio::test]
async fn a_verified_provider_email_signs_in_to_the_existing_account() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let before = service.confirmed("ann@example.co").await.body["user"].clone();
    let landing = round_trip(&service, &stand_in, "").await;
    let after = account(&service, &landing).await;
    assert_eq!(after["id"], before["id"]);
    assert_eq!(providers(&after), ["email", "gitlab"]);
    assert_eq!(
        after["app_metadata"],
        json!({"provider": "email", "providers": ["email", "gitlab"]})
    );
    service.sign_in("ann@example.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn an_unconfirmed_earlier_sign_up_loses_its_credentials() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let body = json!({
        "email": "ann@example.co", "password": "attacker's own", "data": {"full_name": "Eve"},
    });
    let trap = service.post("/signup", body).await.ok();
    let link = service.mailbox.nth("ann@example.co", 1).await.parameter("token");
    let landing = round_trip(&service, &stand_in, "").await;
    let after = account(&service, &landing).await;
    assert_eq!(after["id"], trap.body["id"], "there is one account for the email");
    assert_eq!(providers(&after), ["gitlab"]);
    assert_eq!(after["user_metadata"]["full_name"], "Ann Lab");
    assert_eq!(after["app_metadata"], json!({"provider": "gitlab", "providers": ["gitlab"]}));
    service.sign_in("ann@example.co", "attacker's own").await.is_error(
        400,
        "invalid_credentials",
        "Invalid login credentials",
    );
    let body = json!({"type": "signup", "token_hash": link});
    assert_eq!(service.post("/verify", body).await.status, 403, "older links no longer work");
}

#[tokio::test]
async fn an_unverified_provider_email_gives_no_access() {
    let (service, stand_in) = start(spotify(), |_| {}).await;
    let owner = service.confirmed("ann@example.co").await.body["user"].clone();
    for _ in 0..2 {
        let landing = round_trip(&service, &stand_in, "").await;
        landing.is_error(
            "access_denied",
            "provider_email_needs_verification",
            "Unverified email with spotify. Verify the email with spotify in order to sign in",
        );
    }
    assert_eq!(
        service.count_mails("ann@example.co").await,
        1,
        "only the user's own confirmation was sent"
    );
    let users = admin(&service, Method::GET, "/admin/users", json!({})).await;
    let users = users["users"].as_array().expect("a list").clone();
    let stranger = users.iter().find(|user| user["id"] != owner["id"]).expect("one more");
    assert_eq!((&stranger["email"], providers(stranger)), (&json!(""), vec!["spotify"]));
    // The provider now reports another verified address, which becomes the account's.
    stand_in.change(|case| case.questions[0].answer["email"] = json!("new@example.co"));
    round_trip(&service, &stand_in, "").await;
}

#[tokio::test]
async fn with_autoconfirm_an_unverified_provider_email_is_enough() {
    let (service, stand_in) = start(spotify(), |config| config.mailer.autoconfirm = true).await;
    let account = account(&service, &round_trip(&service, &stand_in, "").await).await;
    assert_eq!(account["email"], "ann@example.co");
    assert!(account["email_confirmed_at"].is_string());
}

#[tokio::test]
async fn unverified_email_sign_ins_can_be_allowed() {
    let allow = |config: &mut limber_identity_service::Config| {
        config.external.allow_unverified_email = true;
    };
    let (service, stand_in) = start(spotify(), allow).await;
    let account = account(&service, &round_trip(&service, &stand_in, "").await).await;
    assert_eq!(account["email"], "ann@example.co");
    assert!(account["email_confirmed_at"].is_null());
}

#[tokio::test]
async fn confirmed_phones_are_kept_but_unconfirmed_emails_are_not() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let body = json!({"email": "ann@example.co", "phone": "+41791234567", "phone_confirm": true});
    let other = admin(&service, Method::POST, "/admin/users", body).await;
    let mine = account(&service, &round_trip(&service, &stand_in, "").await).await;
    assert_ne!(mine["id"], other["id"]);
    assert_eq!(mine["email"], "ann@example.co");
    let path = format!("/admin/users/{}", other["id"].as_str().expect("an id"));
    let other = admin(&service, Method::GET, &path, json!({})).await;
    assert_eq!((&other["email"], &other["phone"]), (&json!(""), &json!("41791234567")));
}

#[tokio::test]
async fn with_sign_up_disabled_only_existing_users_can_sign_in() {
    let (service, stand_in) = start(gitlab(), |config| config.signup.disabled = true).await;
    round_trip(&service, &stand_in, "").await.is_error(
        "access_denied",
        "signup_disabled",
        "Signups not allowed for this instance",
    );
    let body = json!({"email": "ann@example.co", "email_confirm": true});
    admin(&service, Method::POST, "/admin/users", body).await;
    round_trip(&service, &stand_in, "").await.access();
}

#[tokio::test]
async fn banned_users_cannot_sign_in_with_a_provider() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let account = account(&service, &round_trip(&service, &stand_in, "").await).await;
    let path = format!("/admin/users/{}", account["id"].as_str().expect("an id"));
    admin(&service, Method::PUT, &path, json!({"ban_duration": "1h"})).await;
    let landing = round_trip(&service, &stand_in, "").await;
    landing.is_error("access_denied", "user_banned", "User is banned");
}

#[tokio::test]
async fn users_without_an_email_are_accepted_only_if_configured() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let no_address = |case: &mut Case| {
        case.questions[0].answer["email"] = json!(null);
        case.questions[1].answer = json!([]);
    };
    stand_in.change(no_address);
    round_trip(&service, &stand_in, "").await.is_error(
        "server_error",
        "validation_failed",
        "Error getting user email from external provider",
    );
    let optional = |config: &mut limber_identity_service::Config| {
        for provider in config.external.providers.values_mut() {
            provider.email_optional = true;
        }
    };
    let (service, stand_in) = start(gitlab(), optional).await;
    stand_in.change(no_address);
    let account = account(&service, &round_trip(&service, &stand_in, "").await).await;
    assert_eq!((&account["email"], providers(&account)), (&json!(""), vec!["gitlab"]));
}

#[tokio::test]
async fn concurrent_first_sign_ins_create_one_account() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let mut ways = Vec::new();
    for _ in 0..6 {
        ways.push(to_callback(&service, &stand_in, "").await);
    }
    let landings = futures_util::future::join_all(ways.into_iter().map(step)).await;
    let mut ids = Vec::new();
    for landing in &landings {
        ids.push(account(&service, landing).await["id"].to_string());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

#[tokio::test]
async fn with_pkce_the_session_requires_code_and_verifier() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let more = format!("{PKCE}&scopes=api&redirect_to=http://site.example/in?x=1");
    let landing = round_trip(&service, &stand_in, &more).await;
    assert_eq!(landing.address.fragment(), None);
    assert_eq!(landing.query("x").as_deref(), Some("1"), "existing data is kept");
    let code = landing.query("code").expect("a code");
    let kept: Vec<Vec<u8>> = sqlx::query_scalar("SELECT sealed_tokens FROM flows")
        .fetch_all(&pool(&service).await)
        .await
        .expect("the statement succeeds");
    assert!(!kept[0].windows(12).any(|part| part == &ACCESS_TOKEN.as_bytes()[..12]));
    let exchange = |verifier: &str| {
        let body = json!({"auth_code": code, "code_verifier": verifier});
        service.post("/token?grant_type=pkce", body)
    };
    exchange(&"x".repeat(43)).await.is_error(
        400,
        "bad_code_verifier",
        "code challenge does not match previously saved code verifier",
    );
    let session = exchange(VERIFIER).await.ok();
    assert_eq!(session.text("provider_token"), ACCESS_TOKEN);
    assert_eq!(session.text("provider_refresh_token"), "refresh-of-them");
    assert_eq!(session.body["user"]["email"], "ann@example.co");
    let message = "invalid flow state, no valid flow state found";
    exchange(VERIFIER).await.is_error(404, "flow_state_not_found", message);
}

async fn pool(service: &TestService) -> sqlx::PgPool {
    use secrecy::ExposeSecret;
    sqlx::PgPool::connect(service.database.secret_url().expose_secret())
        .await
        .expect("the call succeeds")
}

const MOST_METADATA_BYTES: usize = 65_536;

/// Fills the metadata of the user to its limit.
pub(crate) async fn fill_metadata(service: &TestService, token: &str) {
    let user = service.get_as(token, "/user").await.ok().body;
    let used = user["user_metadata"].to_string().len() + r#","notes":"""#.len();
    let body = json!({"data": {"notes": "x".repeat(MOST_METADATA_BYTES - used)}});
    service.send_as(token, Method::PUT, "/user", body).await.ok();
}

/// Asserts that the metadata is within its limit, and the identity complete nevertheless.
#[track_caller]
pub(crate) fn metadata_fits(user: &Value) {
    let bytes = user["user_metadata"].to_string().len();
    assert!(bytes <= MOST_METADATA_BYTES, "{bytes} bytes");
    let mut identities = user["identities"].as_array().expect("a list").iter();
    let gitlab = identities.find(|identity| identity["provider"] == "gitlab").expect("it is there");
    assert!(gitlab["identity_data"]["full_name"].is_string(), "{gitlab}");
}

#[tokio::test]
async fn claims_do_not_exceed_the_metadata_limit() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let token = service.confirmed("ann@example.co").await.access();
    fill_metadata(&service, &token).await;
    metadata_fits(&account(&service, &round_trip(&service, &stand_in, "").await).await);
}

#[tokio::test]
async fn claims_of_invited_users_do_not_exceed_the_metadata_limit() {
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    stand_in.change(|case| case.questions[0].answer["name"] = json!("x".repeat(2000)));
    let body = json!({"email": "ann@example.co", "data": {"notes": "x".repeat(63_000)}});
    admin(&service, Method::POST, "/invite", body).await;
    let token = service.mailbox.nth("ann@example.co", 1).await.parameter("token");
    let landing = round_trip(&service, &stand_in, &format!("&invite_token={token}")).await;
    metadata_fits(&account(&service, &landing).await);
}

#[tokio::test]
async fn provider_sessions_name_the_provider() {
    use base64::Engine;
    let (service, stand_in) = start(gitlab(), |_| {}).await;
    let token = round_trip(&service, &stand_in, "").await.access();
    let payload = token.split('.').nth(1).expect("three parts");
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(payload).expect("base64");
    let claims: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!((&claims["amr"][0]["method"], &claims["aal"]), (&json!("oauth"), &json!("aal1")));
}

#[tokio::test]
async fn invitations_are_accepted_only_with_the_invited_email() {
    let (service, stand_in) = start(gitlab(), |config| config.signup.disabled = true).await;
    let body = json!({"email": "ann@example.co", "data": {"team": "blue"}});
    let invited = admin(&service, Method::POST, "/invite", body).await;
    let token = service.mailbox.nth("ann@example.co", 1).await.parameter("token");
    let more = format!("&invite_token={token}");
    stand_in.change(|case| {
        case.questions[0].answer["email"] = json!("somebody@example.co");
        case.questions[1].answer = json!([]);
    });
    round_trip(&service, &stand_in, &more).await.is_error(
        "invalid_request",
        "validation_failed",
        "Invited email does not match emails from external provider",
    );
    stand_in.change(|case| *case = gitlab());
    let user = account(&service, &round_trip(&service, &stand_in, &more).await).await;
    assert_eq!((&user["id"], &user["email"]), (&invited["id"], &json!("ann@example.co")));
    assert_eq!(
        (&user["user_metadata"]["team"], user["email_confirmed_at"].is_string()),
        (&json!("blue"), true)
    );
    assert!(providers(&user).contains(&"gitlab"));
    let path = format!("/authorize?provider=gitlab{more}");
    let answer = super::travel::answer(service.request(Method::GET, &path)).await;
    answer.is_error(404, "user_not_found", "User identified by token not found");
}
