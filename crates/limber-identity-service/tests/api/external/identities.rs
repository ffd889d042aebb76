//! Linking and unlinking one's own identities.

use limber_identity_service::config::MailKind;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::{fill_metadata, metadata_fits};
use super::cases_a_to_g::gitlab;
use super::stand_in::StandIn;
use super::travel::{Landing, account, at_provider, give_consent, round_trip, step, with};
use crate::service::{Answer, PASSWORD, TestService};

async fn start() -> (TestService, StandIn) {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        config.external.manual_linking = true;
        config.signup.anonymous = true;
        config.mailer.notifications = [MailKind::IdentityLinked, MailKind::IdentityUnlinked].into();
    })
    .await;
    (service, stand_in)
}

const LINK: &str = "/user/identities/authorize?provider=gitlab&skip_http_redirect=true";

/// Links an identity as the client library does: requests the URL, then opens it.
pub(crate) async fn link(service: &TestService, stand_in: &StandIn, token: &str) -> Landing {
    let answer = service.get_as(token, LINK).await.ok();
    let away = give_consent(&answer.text("url")).await;
    step(with(at_provider(&stand_in.case(), away.address).await, &away.cookies)).await
}

pub(crate) async fn unlink(service: &TestService, token: &str, id: &Value) -> Answer {
    let path = format!("/user/identities/{}", id.as_str().expect("an id"));
    service.send_as(token, Method::DELETE, &path, json!({})).await
}

#[tokio::test]
async fn linking_adds_an_identity_with_any_email() {
    let (service, stand_in) = start().await;
    let session = service.confirmed("own@example.co").await;
    let landing = link(&service, &stand_in, &session.access()).await;
    let user = account(&service, &landing).await;
    assert_eq!(user["id"], session.body["user"]["id"]);
    assert_eq!(user["email"], "own@example.co");
    assert_eq!(user["app_metadata"]["providers"], json!(["email", "gitlab"]));
    // From now on, the provider signs in to this account.
    let again = round_trip(&service, &stand_in, "").await;
    assert_eq!(account(&service, &again).await["id"], user["id"]);
    let landing = link(&service, &stand_in, &session.access()).await;
    landing.is_error("server_error", "identity_already_exists", "Identity is already linked");
    let other = service.confirmed("other@example.co").await;
    link(&service, &stand_in, &other.access()).await.is_error(
        "server_error",
        "identity_already_exists",
        "Identity is already linked to another user",
    );
}

#[tokio::test]
async fn claims_of_a_linked_identity_do_not_exceed_the_metadata_limit() {
    let (service, stand_in) = start().await;
    let session = service.confirmed("own@example.co").await;
    fill_metadata(&service, &session.access()).await;
    let landing = link(&service, &stand_in, &session.access()).await;
    metadata_fits(&account(&service, &landing).await);
}

#[tokio::test]
async fn linking_makes_an_anonymous_account_permanent() {
    let (service, stand_in) = start().await;
    let guest = service.post("/signup", json!({})).await.ok();
    assert_eq!(guest.body["user"]["is_anonymous"], true);
    let landing = link(&service, &stand_in, &guest.access()).await;
    let user = account(&service, &landing).await;
    assert_eq!((&user["id"], &user["is_anonymous"]), (&guest.body["user"]["id"], &json!(false)));
    assert_eq!(user["email"], "ann@example.co");
    assert!(user["email_confirmed_at"].is_string());
}

#[tokio::test]
async fn linking_requires_a_user_and_must_be_enabled() {
    let (service, _) = start().await;
    let answer = super::travel::answer(service.request(Method::GET, LINK)).await;
    answer.is_error(401, "no_authorization", "This endpoint requires a valid Bearer token");
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| stand_in.enable(config)).await;
    let session = service.confirmed("own@example.co").await;
    let message = "Manual linking is disabled";
    service.get_as(&session.access(), LINK).await.is_error(404, "manual_linking_disabled", message);
    let id = &session.body["user"]["identities"][0]["identity_id"];
    let answer = unlink(&service, &session.access(), id).await;
    answer.is_error(404, "manual_linking_disabled", message);
}

#[tokio::test]
async fn unlinking_removes_one_identity_but_never_the_last() {
    let (service, stand_in) = start().await;
    let session = service.confirmed("own@example.co").await;
    let token = session.access();
    let own = session.body["user"]["identities"][0]["identity_id"].clone();
    unlink(&service, &token, &own).await.is_error(
        422,
        "single_identity_not_deletable",
        "User must have at least 1 identity after unlinking",
    );
    let user = account(&service, &link(&service, &stand_in, &token).await).await;
    let linked = user["identities"][1]["identity_id"].clone();
    let nobody = json!("00000000-0000-4000-8000-000000000000");
    let message = "Identity doesn't exist";
    unlink(&service, &token, &nobody).await.is_error(422, "identity_not_found", message);
    let message = "identity_id must be an UUID";
    unlink(&service, &token, &json!("nonsense")).await.is_error(404, "validation_failed", message);
    let mail = service.mailbox.nth("own@example.co", 2).await;
    assert_eq!(mail.subject, "A new identity has been linked");
    assert_eq!(unlink(&service, &token, &linked).await.ok().body, json!({}));
    let mail = service.mailbox.nth("own@example.co", 3).await;
    assert_eq!(mail.subject, "An identity has been unlinked");
    assert!(mail.text.contains("gitlab"), "{}", mail.text);
    let user = service.get_as(&token, "/user").await.ok().body;
    assert_eq!(user["identities"].as_array().map(Vec::len), Some(1));
    assert_eq!(user["app_metadata"], json!({"provider": "email", "providers": ["email"]}));
    assert_eq!(user["email"], "own@example.co");
}

#[tokio::test]
async fn unlinking_changes_the_email_to_that_of_the_remaining_identity() {
    let (service, stand_in) = start().await;
    let session = service.confirmed("own@example.co").await;
    let user = account(&service, &link(&service, &stand_in, &session.access()).await).await;
    let own = user["identities"][0]["identity_id"].clone();
    unlink(&service, &session.access(), &own).await.ok();
    let user = service.get_as(&session.access(), "/user").await.ok().body;
    assert_eq!(user["email"], "ann@example.co");
    assert!(user["email_confirmed_at"].is_string());
    assert_eq!(user["app_metadata"], json!({"provider": "gitlab", "providers": ["gitlab"]}));
    service.sign_in("ann@example.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn unlinking_fails_if_the_remaining_email_is_taken() {
    let (service, stand_in) = start().await;
    let session = service.confirmed("own@example.co").await;
    let user = account(&service, &link(&service, &stand_in, &session.access()).await).await;
    let body = json!({"email": "ann@example.co", "email_confirm": true});
    service.send_as(&service.admin_token(), Method::POST, "/admin/users", body).await.ok();
    let own = &user["identities"][0]["identity_id"];
    unlink(&service, &session.access(), own).await.is_error(
        422,
        "email_conflict_identity_not_deletable",
        "Unable to unlink identity due to email conflict",
    );
    let user = service.get_as(&session.access(), "/user").await.ok().body;
    assert_eq!(user["identities"].as_array().map(Vec::len), Some(2), "nothing has changed");
}
