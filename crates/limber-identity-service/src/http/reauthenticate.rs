//! `GET /reauthenticate` (6.15): sends a code that confirms a sensitive change.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::answer::Answer;
use super::caller::AuthenticatedUser;
use crate::domain::reauthenticate::send;
use crate::instance::{Instance, RequestContext};

/// Sends the code that a password change may require.
#[utoipa::path(get, path = "/reauthenticate", tag = "Accounts", security(("person" = [])),
    responses((status = 200, body = Value)))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    context: RequestContext,
) -> Answer<Json<Value>> {
    send(&instance, user.row.id, &context).await?;
    Ok(Json(json!({})))
}
