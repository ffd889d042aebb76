//! The nil UUID, which internally means "nobody", is not accepted as an id.

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::TestService;

const ZERO: &str = "00000000-0000-0000-0000-000000000000";

#[tokio::test]
async fn the_nil_uuid_is_rejected_in_every_spelling() {
    let service = TestService::start_with(|config| config.external.manual_linking = true).await;
    let session = service.confirmed("ann@b.co").await;
    let (admin, person) = (service.admin_token(), session.access());
    let ann = session.body["user"]["id"].as_str().expect("an id");
    for zero in [ZERO.to_owned(), ZERO.replace('-', "")] {
        let account = format!("/admin/users/{zero}");
        let factor = format!("/admin/users/{ann}/factors/{zero}");
        let (user, second) = ("user_id must be an UUID", "factor_id must be an UUID");
        for (token, method, path, message) in [
            (&admin, Method::GET, account.clone(), user),
            (&admin, Method::POST, account.clone(), user),
            (&admin, Method::PUT, account.clone(), user),
            (&admin, Method::DELETE, account.clone(), user),
            (&admin, Method::GET, format!("{account}/factors"), user),
            (&admin, Method::PUT, factor.clone(), second),
            (&admin, Method::DELETE, factor, second),
            (&person, Method::POST, format!("/factors/{zero}/challenge"), second),
            (&person, Method::POST, format!("/factors/{zero}/verify"), second),
            (&person, Method::DELETE, format!("/factors/{zero}"), second),
            (
                &person,
                Method::DELETE,
                format!("/user/identities/{zero}"),
                "identity_id must be an UUID",
            ),
            (&person, Method::DELETE, format!("/sessions/{zero}"), "session_id must be an UUID"),
        ] {
            let body = json!({"email": "zero@b.co"});
            let answer = service.send_as(token, method, &path, body).await;
            answer.is_error(404, "validation_failed", message);
        }
        let body = json!({"id": zero, "email": "zero@b.co"});
        let made = service.send_as(&admin, Method::POST, "/admin/users", body).await;
        made.is_error(400, "validation_failed", "ID must conform to the uuid v4 format");
    }
}

#[tokio::test]
async fn tokens_for_the_nil_uuid_are_rejected() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let ann = &session.body["user"]["id"];
    let message = "invalid JWT: unable to parse or verify signature, token has invalid claims: an \
                   id of zeros is nobody's";
    let refused = async |claims: Value, path: &str| {
        let answer = service.get_as(&service.token(&claims), path).await;
        answer.is_error(403, "bad_jwt", message);
    };
    refused(json!({"sub": ZERO}), "/user").await;
    refused(json!({"sub": ann, "session_id": ZERO}), "/user").await;
    refused(json!({"role": "service_role", "sub": ZERO}), "/admin/users").await;
    refused(json!({"role": "service_role", "session_id": ZERO.replace('-', "")}), "/admin/users")
        .await;
}
