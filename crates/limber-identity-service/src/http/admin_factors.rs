//! `/admin/users/{user_id}/factors`: somebody's second factors (identity behaviour, section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use limber_api::identity::Factor;

use super::admin_users::parse_id as parse_account;
use super::answer::Answer;
use super::body::RawBody;
use super::caller::Administrator;
use super::factors::parse_id;
use crate::domain::factors::administer;
use crate::instance::Instance;

/// A bare array, which the client reads.
pub(super) async fn list(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path(account): Path<String>,
) -> Answer<Json<Vec<Factor>>> {
    Ok(Json(administer::list(&instance, parse_account(&account)?).await?))
}

pub(super) async fn update(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path((account, factor)): Path<(String, String)>,
    body: RawBody,
) -> Answer<Json<Factor>> {
    let (account, factor) = (parse_account(&account)?, parse_id(&factor)?);
    Ok(Json(administer::update(&instance, account, factor, body.json()?).await?))
}

pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path((account, factor)): Path<(String, String)>,
) -> Answer<Json<Factor>> {
    let (account, factor) = (parse_account(&account)?, parse_id(&factor)?);
    Ok(Json(administer::delete(&instance, account, factor).await?))
}
