//! `POST /invite` (identity behaviour, section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{Account, InviteRequest};

use super::answer::Answer;
use super::body::RawBody;
use super::caller::Administrator;
use crate::domain::invite::invite;
use crate::instance::{Asker, Instance};

pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    asker: Asker,
    body: RawBody,
) -> Answer<Json<Account>> {
    let request: InviteRequest = body.json()?;
    Ok(Json(invite(&instance, request, &asker, &by.actor).await?))
}
