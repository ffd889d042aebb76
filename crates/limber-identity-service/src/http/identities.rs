//! `DELETE /user/identities/{identity_id}` (6.18).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::answer::Answer;
use super::caller::AuthenticatedUser;
use super::factors::member;
use super::path::{self, Path};
use super::request_context::RateKey;
use crate::domain::external::linking;
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::{IDENTITY_NOT_UUID, LINKING_DISABLED};

/// Unlinks an identity.
#[utoipa::path(delete, path = "/user/identities/{identity_id}", tag = "Accounts", security(("person" = [])),
    params(("identity_id" = Uuid, Path)),
    responses((status = 200, description = "Always an empty object.", body = Value)))]
pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    Path(id): Path<String>,
    context: RequestContext,
    rate: RateKey,
) -> Answer<Json<Value>> {
    rate.check_account(&instance, Endpoint::Unlink, &user)?;
    if !instance.config.external.manual_linking {
        return Err(LINKING_DISABLED.into());
    }
    let id = path::id(&id).ok_or(IDENTITY_NOT_UUID)?;
    linking::unlink(&instance, member(&user), id, &context).await?;
    Ok(Json(json!({})))
}
