//! `GET /sessions` and `DELETE /sessions/{session_id}`: the account's own sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use limber_api::identity::OwnSessions;

use super::answer::Answer;
use super::caller::AuthenticatedUser;
use super::path::{self, Path};
use super::request_context::RateKey;
use crate::domain::sessions;
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::{SESSION_NOT_UUID, SESSION_UNKNOWN};

/// Lists the account's sessions.
#[utoipa::path(get, path = "/sessions", tag = "Sessions", security(("person" = [])),
    responses((status = 200, body = OwnSessions)))]
pub(super) async fn list(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
) -> Answer<Json<OwnSessions>> {
    let sessions = sessions::list(&instance, user.row.id, user.session).await?;
    Ok(Json(OwnSessions { sessions }))
}

/// Ends one of the account's own sessions.
#[utoipa::path(delete, path = "/sessions/{session_id}", tag = "Sessions", security(("person" = [])),
    params(("session_id" = Uuid, Path)), responses((status = 204, description = "The session was \
                                                                                 ended.")))]
pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    Path(id): Path<String>,
    context: RequestContext,
    rate: RateKey,
) -> Answer<StatusCode> {
    rate.check_account(&instance, Endpoint::EndSessions, &user)?;
    let id = path::id(&id).ok_or(SESSION_NOT_UUID)?;
    if !sessions::end_one(&instance, &user.row, user.session, id, &context).await? {
        return Err(SESSION_UNKNOWN.into());
    }
    Ok(StatusCode::NO_CONTENT)
}
