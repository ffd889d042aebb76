//! `POST /admin/generate_link` (identity behaviour, 4.7 and section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{ActionLink, ActionLinkRequest};

use super::answer::Answer;
use super::body::RawBody;
use super::caller::Administrator;
use crate::domain::action_link::generate;
use crate::instance::{Instance, RequestContext};

/// Generates an email link without sending the email.
#[utoipa::path(post, path = "/admin/generate_link", tag = "Administration", security(("administrator" = [])),
    request_body = ActionLinkRequest, responses((status = 200, body = ActionLink)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    context: RequestContext,
    body: RawBody,
) -> Answer<Json<ActionLink>> {
    let request: ActionLinkRequest = body.json()?;
    Ok(Json(generate(&instance, request, &context, &by.actor).await?))
}
