//! `POST /logout?scope=global|local|others` (6.13).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use limber_api::identity::{ErrorCode, LogoutScope};

use super::answer::Answer;
use super::caller::AuthenticatedUser;
use super::query::Query;
use super::request_context::RateKey;
use crate::domain::sessions;
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::Refusal;

/// Ends sessions.
#[utoipa::path(post, path = "/logout", tag = "Sessions", security(("person" = [])),
    params(("scope" = Option<String>, Query,
        description = "`global` (every session), `local` (this one) or `others`.")),
    responses((status = 204, description = "The sessions were ended.")))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    context: RequestContext,
    rate: RateKey,
    query: Query,
) -> Answer<StatusCode> {
    rate.check_account(&instance, Endpoint::EndSessions, &user)?;
    let word = query.get("scope").unwrap_or(LogoutScope::Global.as_str());
    let Some(scope) = LogoutScope::parse(word) else {
        let text = format!("Unsupported logout scope \"{word:.40}\"");
        return Err(Refusal::with_text(400, ErrorCode::ValidationFailed, text).into());
    };
    sessions::end(&instance, &user.row, user.session, scope, &context).await?;
    Ok(StatusCode::NO_CONTENT)
}
