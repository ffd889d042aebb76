//! `POST /logout`.

use reqwest::Method;

use crate::service::{Answer, PASSWORD, TestService};

async fn log_out(service: &TestService, token: &str, scope: &str) -> Answer {
    let path = format!("/logout{scope}");
    Answer::of(service.request(Method::POST, &path).bearer_auth(token)).await
}

#[tokio::test]
async fn each_logout_scope_ends_its_sessions() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    for (scope, own_ends, other_ends) in
        [("?scope=local", true, false), ("?scope=others", false, true), ("", true, true)]
    {
        let own = service.sign_in("ann@b.co", PASSWORD).await.ok();
        let other = service.sign_in("ann@b.co", PASSWORD).await.ok();
        assert_eq!(log_out(&service, &own.access(), scope).await.status, 204, "{scope}");
        for (session, ends) in [(own, own_ends), (other, other_ends)] {
            let answer = service.refresh(&session.refresh()).await;
            if ends {
                let message = "Invalid Refresh Token: Refresh Token Not Found";
                answer.is_error(400, "refresh_token_not_found", message);
            } else {
                answer.ok();
            }
        }
    }
}

#[tokio::test]
async fn access_tokens_outlive_logout_unless_sessions_are_required() {
    for strict in [false, true] {
        let service =
            TestService::start_with(|config| config.sessions.access_needs_session = strict).await;
        let token = service.confirmed("ann@b.co").await.access();
        log_out(&service, &token, "").await.ok();
        let answer = service.get_as(&token, "/user").await;
        if strict {
            let message = "Session from session_id claim in JWT does not exist";
            answer.is_error(403, "session_not_found", message);
        } else {
            answer.ok();
            log_out(&service, &token, "?scope=local").await.ok();
        }
    }
}

#[tokio::test]
async fn signing_out_of_an_ended_session_ends_no_other() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let ended = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let other = service.sign_in("ann@b.co", PASSWORD).await.ok();
    for scope in ["?scope=local", "?scope=local", "?scope=others"] {
        log_out(&service, &ended.access(), scope).await.ok();
    }
    service.refresh(&other.refresh()).await.ok();
}

#[tokio::test]
async fn an_unknown_scope_is_refused() {
    let service = TestService::start().await;
    let token = service.confirmed("ann@b.co").await.access();
    let answer = log_out(&service, &token, "?scope=x").await;
    answer.is_error(400, "validation_failed", "Unsupported logout scope \"x\"");
}
