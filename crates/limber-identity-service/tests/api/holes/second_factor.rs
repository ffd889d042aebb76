//! Ann has a second factor; Eve has Ann's password or can read her email.

use limber_identity_service::config::MailKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::external::cases_a_to_g::{gitlab, google};
use crate::external::identities::{link, unlink};
use crate::external::stand_in::StandIn;
use crate::external::travel::{account, at_provider, give_consent, step, with};
use crate::factors::{code, enroll, give};
use crate::service::{Answer, PASSWORD, TestService};
use crate::texts::{by_twilio, carrier, last_code};
use crate::token::claims;

const LINK: &str = "/user/identities/authorize?provider=gitlab&skip_http_redirect=true";
const NO_IDENTITY: &str = "AAL2 required to link or unlink an identity";

/// Enrols an authenticator app and returns it with the session that verified it.
async fn with_an_app(service: &TestService, token: &str) -> (Answer, Answer) {
    let app = enroll(service, token, "app").await.ok();
    let lifted = give(service, token, &app.text("id"), &code(service, &app, 0)).await.ok();
    (app, lifted)
}

#[tokio::test]
async fn a_password_alone_cannot_verify_a_pending_factor() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.mailer.autoconfirm = true;
        config.factors.phone_enroll = true;
        config.factors.phone_verify = true;
    })
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().access();
    let body = json!({"factor_type": "phone", "phone": "+41791234567", "friendly_name": "eve's"});
    let phone = service.send_as(&token, Method::POST, "/factors", body).await.ok().text("id");
    let (app, lifted) = with_an_app(&service, &token).await;
    let lesser = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let path = |rest: &str| format!("/factors/{phone}/{rest}");
    let asked =
        service.send_as(&lesser.access(), Method::POST, &path("challenge"), json!({})).await;
    let body = json!({"challenge_id": asked.ok().text("id"), "code": last_code(&carrier)});
    let text = "AAL2 required to enroll a new factor";
    let refused =
        service.send_as(&lesser.access(), Method::POST, &path("verify"), body.clone()).await;
    refused.is_error(403, "insufficient_aal", text);
    // After verifying the app, the same session may add the phone.
    let next = code(&service, &app, 1);
    give(&service, &lesser.access(), &app.text("id"), &next).await.ok();
    service.send_as(&lifted.access(), Method::POST, &path("verify"), body).await.ok();
}

#[tokio::test]
async fn with_mfa_a_password_alone_cannot_link_or_unlink() {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        config.external.manual_linking = true;
    })
    .await;
    let session = service.confirmed("own@example.co").await;
    // Begun before the factor was enrolled.
    let begun = service.sign_in("own@example.co", PASSWORD).await.ok();
    let away = service.get_as(&begun.access(), LINK).await.ok();
    let away = give_consent(&away.text("url")).await;
    let back = with(at_provider(&stand_in.case(), away.address).await, &away.cookies);
    let (_, lifted) = with_an_app(&service, &session.access()).await;
    step(back).await.is_error("access_denied", "insufficient_aal", NO_IDENTITY);

    let lesser = service.sign_in("own@example.co", PASSWORD).await.ok();
    let refused = service.get_as(&lesser.access(), LINK).await;
    refused.is_error(403, "insufficient_aal", NO_IDENTITY);
    let user = account(&service, &link(&service, &stand_in, &lifted.access()).await).await;
    let linked = user["identities"].as_array().expect("a list").iter();
    let linked = linked.clone().find(|identity| identity["provider"] == "gitlab");
    let linked = &linked.expect("the identity is linked")["identity_id"];
    let refused = unlink(&service, &lesser.access(), linked).await;
    refused.is_error(403, "insufficient_aal", NO_IDENTITY);
    unlink(&service, &lifted.access(), linked).await.ok();
}

#[tokio::test]
async fn with_mfa_a_password_alone_cannot_link_by_id_token() {
    let stand_in = StandIn::start(google()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        config.external.manual_linking = true;
    })
    .await;
    let session = service.confirmed("own@example.co").await;
    let (_, lifted) = with_an_app(&service, &session.access()).await;
    let lesser = service.sign_in("own@example.co", PASSWORD).await.ok();
    let body = json!({
        "provider": "google", "id_token": stand_in.id_token(json!({})), "link_identity": true,
    });
    let path = "/token?grant_type=id_token";
    let refused = service.send_as(&lesser.access(), Method::POST, path, body.clone()).await;
    refused.is_error(403, "insufficient_aal", NO_IDENTITY);
    service.send_as(&lifted.access(), Method::POST, path, body).await.ok();
}

#[tokio::test]
async fn recoveries_and_magic_links_ignore_passwords() {
    for (path, kind) in
        [("/recover", "recovery"), ("/magiclink", "magiclink"), ("/magiclink", "email")]
    {
        let service = TestService::start().await;
        service.confirmed("ann@b.co").await;
        service.post(path, json!({"email": "ann@b.co"})).await.ok();
        let token = service.mailbox.nth("ann@b.co", 2).await.parameter("token");
        let body = json!({"type": kind, "token": token, "password": "battery staple"});
        service.post("/verify", body).await.ok();
        service.sign_in("ann@b.co", PASSWORD).await.ok();
        assert_eq!(service.sign_in("ann@b.co", "battery staple").await.status, 400, "{kind}");
    }
}

#[tokio::test]
async fn with_mfa_a_password_alone_ends_no_other_session() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let (_, owner) = with_an_app(&service, &session.access()).await;
    let log_out = async |token: &str, scope: &str| {
        service.send_as(token, Method::POST, &format!("/logout{scope}"), json!({})).await
    };
    for scope in ["?scope=local", "?scope=global", ""] {
        let lesser = service.sign_in("ann@b.co", PASSWORD).await.ok();
        assert_eq!(log_out(&lesser.access(), scope).await.status, 204, "{scope}");
        let ended = service.refresh(&lesser.refresh()).await;
        assert_eq!(ended.text("error_code"), "refresh_token_not_found", "{scope}");
        // The access token outlives its session.
        assert_eq!(log_out(&lesser.access(), scope).await.status, 204, "{scope}");
    }
    let lesser = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let text = "AAL2 required to end other sessions";
    log_out(&lesser.access(), "?scope=others").await.is_error(422, "insufficient_aal", text);
    let path = |session: &Answer| {
        let claims = claims(&session.access());
        format!("/sessions/{}", claims["session_id"].as_str().expect("an id"))
    };
    let refused = service.send_as(&lesser.access(), Method::DELETE, &path(&owner), json!({})).await;
    refused.is_error(422, "insufficient_aal", text);
    let owner = service.refresh(&owner.refresh()).await.ok();

    service.send_as(&lesser.access(), Method::DELETE, &path(&lesser), json!({})).await.ok();
    assert_eq!(service.refresh(&lesser.refresh()).await.status, 400);
    for scope in ["?scope=others", ""] {
        let lesser = service.sign_in("ann@b.co", PASSWORD).await.ok();
        log_out(&owner.access(), scope).await.ok();
        assert_eq!(service.refresh(&lesser.refresh()).await.status, 400, "{scope}");
    }
    assert_eq!(service.refresh(&owner.refresh()).await.status, 400, "it ended last");
}

#[tokio::test]
async fn with_mfa_a_password_alone_removes_no_pending_factor() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let (_, owner) = with_an_app(&service, &session.access()).await;
    let pending = enroll(&service, &owner.access(), "another").await.ok();
    let path = format!("/factors/{}", pending.text("id"));
    let lesser = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let refused = service.send_as(&lesser.access(), Method::DELETE, &path, json!({})).await;
    let text = "AAL2 required to unenroll verified factor";
    refused.is_error(422, "insufficient_aal", text);
    service.send_as(&owner.access(), Method::DELETE, &path, json!({})).await.ok();
}

/// Has an administrator change Ann's address, and returns the token that confirms the new one.
async fn moved(service: &TestService, session: &Answer) -> String {
    let id = session.body["user"]["id"].as_str().expect("an id");
    let (admin, path) = (service.admin_token(), format!("/admin/users/{id}"));
    let body = json!({"email": "new@b.co"});
    service.send_as(&admin, Method::PUT, &path, body).await.ok();
    service.post("/resend", json!({"type": "signup", "email": "new@b.co"})).await.ok();
    service.mailbox.nth("new@b.co", 1).await.parameter("token")
}

#[tokio::test]
async fn completing_a_sign_up_ends_old_sessions_and_notifies_the_user() {
    let service = TestService::start_with(|config| {
        config.mailer.notifications.insert(MailKind::PasswordChanged);
    })
    .await;
    let session = service.confirmed("ann@b.co").await;
    let token = moved(&service, &session).await;
    let body = json!({"type": "signup", "token": token, "password": "battery staple"});
    let fresh = service.post("/verify", body).await.ok();
    assert_eq!(service.refresh(&session.refresh()).await.status, 400);
    service.refresh(&fresh.refresh()).await.ok();
    let told = service.mailbox.nth("new@b.co", 2).await;
    assert_eq!(told.subject, "Your password has been changed");
    service.sign_in("new@b.co", "battery staple").await.ok();
}

#[tokio::test]
async fn emailed_tokens_cannot_bypass_mfa_to_set_a_password() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    with_an_app(&service, &session.access()).await;
    let token = moved(&service, &session).await;
    let verify = |more: Value| {
        let mut body = json!({"type": "signup", "token": token});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
        service.post("/verify", body)
    };
    let text = "AAL2 session is required to update email or password when MFA is enabled.";
    let refused = verify(json!({"password": "battery staple"})).await;
    refused.is_error(401, "insufficient_aal", text);
    verify(json!({})).await.ok();
    service.sign_in("new@b.co", PASSWORD).await.ok();
}
