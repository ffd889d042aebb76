//! `/admin/users/{user_id}/factors`: a user's second factors (identity behaviour, section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{Factor, UpdateFactorRequest};

use super::admin_users::parse_id as parse_account;
use super::answer::Answer;
use super::body::RawBody;
use super::caller::Administrator;
use super::factors::parse_id;
use super::path::Path;
use crate::domain::factors::administer;
use crate::instance::Instance;

/// Lists a user's second factors as a bare array.
#[utoipa::path(get, path = "/admin/users/{user_id}/factors", tag = "Administration", security(("administrator" = [])),
    params(("user_id" = Uuid, Path)), responses((status = 200, body = Vec<Factor>)))]
pub(super) async fn list(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path(account): Path<String>,
) -> Answer<Json<Vec<Factor>>> {
    Ok(Json(administer::list(&instance, parse_account(&account)?).await?))
}

/// Updates a user's second factor.
#[utoipa::path(put, path = "/admin/users/{user_id}/factors/{factor_id}", tag = "Administration",
    security(("administrator" = [])), params(("user_id" = Uuid, Path), ("factor_id" = Uuid, Path)),
    request_body = UpdateFactorRequest, responses((status = 200, body = Factor)))]
pub(super) async fn update(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    Path((account, factor)): Path<(String, String)>,
    body: RawBody,
) -> Answer<Json<Factor>> {
    let (account, factor) = (parse_account(&account)?, parse_id(&factor)?);
    Ok(Json(administer::update(&instance, account, factor, body.json()?, &by.actor).await?))
}

/// Removes a second factor from a user who lost it.
#[utoipa::path(delete, path = "/admin/users/{user_id}/factors/{factor_id}", tag = "Administration",
    security(("administrator" = [])), params(("user_id" = Uuid, Path), ("factor_id" = Uuid, Path)),
    responses((status = 200, body = Factor)))]
pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    Path((account, factor)): Path<(String, String)>,
) -> Answer<Json<Factor>> {
    let (account, factor) = (parse_account(&account)?, parse_id(&factor)?);
    Ok(Json(administer::delete(&instance, account, factor, &by.actor).await?))
}
