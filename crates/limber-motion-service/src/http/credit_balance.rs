//! `GET /account/v1/creditBalance`.

use std::sync::Arc;

use axum::{Json, extract::State};
use limber_api::motion::CreditBalance;

use super::caller::Caller;
use crate::{credits, service::Service};

pub(super) async fn credit_balance(
    State(service): State<Arc<Service>>,
    _caller: Caller,
) -> Json<CreditBalance> {
    let now_ms = service.surroundings.clock.now_ms();
    Json(credits::balance(service.credits, service.max_variants, now_ms))
}
