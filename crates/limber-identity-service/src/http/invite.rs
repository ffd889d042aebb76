//! `POST /invite` (identity behaviour, section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{Account, InviteRequest};

use super::answer::Answer;
use super::body::RawBody;
use super::caller::Administrator;
use super::openapi::RedirectTo;
use crate::domain::invite::invite;
use crate::instance::{Instance, RequestContext};

/// Invites a person by email.
#[utoipa::path(post, path = "/invite", tag = "Administration", security(("administrator" = [])),
    params(RedirectTo), request_body = InviteRequest, responses((status = 200, body = Account)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    context: RequestContext,
    body: RawBody,
) -> Answer<Json<Account>> {
    let request: InviteRequest = body.json()?;
    Ok(Json(invite(&instance, request, &context, &by.actor).await?))
}
