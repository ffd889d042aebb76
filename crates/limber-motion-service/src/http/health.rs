//! `GET /health`: whether the service can answer, for whoever supervises it.

use std::sync::Arc;

use axum::{Json, extract::State};
use serde_json::{Value, json};

use super::ApiError;
use crate::service::Service;

pub(super) async fn health(State(service): State<Arc<Service>>) -> Result<Json<Value>, ApiError> {
    service.store.account_count().await?;
    Ok(Json(json!({ "name": "limber-motion", "version": crate::VERSION })))
}
