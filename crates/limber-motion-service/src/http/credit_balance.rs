//! `GET /account/v1/creditBalance`.

use std::sync::Arc;

use axum::{Json, extract::State};
use limber_api::motion::CreditBalance;

use super::{ApiError, caller::Caller};
use crate::service::Service;

/// Returns the account's balance and plan.
#[utoipa::path(get, path = "/account/v1/creditBalance", tag = "Account", security(("session" = []), ("bearer" = [])),
    responses((status = 200, body = CreditBalance)))]
pub(super) async fn credit_balance(
    State(service): State<Arc<Service>>,
    caller: Caller,
) -> Result<Json<CreditBalance>, ApiError> {
    let now_ms = service.environment.clock.now_ms();
    Ok(Json(service.credits.balance(&caller.account, now_ms).await?))
}
