//! `GET /user` and `PUT /user`: one's own account (6.14).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{Account, UpdateAccountRequest};

use super::answer::Answer;
use super::body::RawBody;
use super::caller::{AuthenticatedUser, UserWithDetails};
use super::openapi::RedirectTo;
use super::request_context::RateKey;
use crate::domain::{accounts, update_account};
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::{APP_METADATA_NOT_YOURS, AUDIENCE_MISMATCH};

/// Returns the signed-in account.
#[utoipa::path(get, path = "/user", tag = "Accounts", security(("person" = [])),
    responses((status = 200, body = Account)))]
pub(super) async fn get(
    UserWithDetails { user, details }: UserWithDetails,
    context: RequestContext,
) -> Answer<Json<Account>> {
    if user.token_audience.unwrap_or_default() != context.aud {
        return Err(AUDIENCE_MISMATCH.into());
    }
    Ok(Json(accounts::describe_whole(&user.row, details)))
}

/// Updates the signed-in account. A new address must be confirmed first.
#[utoipa::path(put, path = "/user", tag = "Accounts", security(("person" = [])), params(RedirectTo),
    request_body = UpdateAccountRequest, responses((status = 200, body = Account)))]
pub(super) async fn put(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    context: RequestContext,
    rate: RateKey,
    body: RawBody,
) -> Answer<Json<Account>> {
    rate.check_account(&instance, Endpoint::UpdateAccount, &user)?;
    let request: UpdateAccountRequest = body.json()?;
    if request.app_metadata.is_some() && !user.is_admin {
        return Err(APP_METADATA_NOT_YOURS.into());
    }
    let (id, session) = (user.row.id, user.session);
    Ok(Json(update_account::update(&instance, id, session, request, &context).await?))
}
