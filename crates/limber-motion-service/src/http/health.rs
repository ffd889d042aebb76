//! `GET /health`: the program runs. `GET /health/ready`: and its database answers.

use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State};
use limber_api::motion::{Health, Readiness};

use super::ApiError;
use crate::{StoreError, service::Service, store::readings::QueueReading, telemetry::SERVICE};

/// Whoever asks wants to know soon.
const PATIENCE: Duration = Duration::from_secs(2);

/// The program runs.
#[utoipa::path(get, path = "/health", tag = "Service", responses((status = 200, body = Health)))]
pub(super) async fn health() -> Json<Health> {
    Json(Health { name: SERVICE.to_owned(), version: crate::VERSION.to_owned() })
}

/// The program runs and its database answers; says who works on jobs.
#[utoipa::path(get, path = "/health/ready", tag = "Service", responses((status = 200, body = Readiness)))]
pub(super) async fn ready(
    State(service): State<Arc<Service>>,
) -> Result<Json<Readiness>, ApiError> {
    let look = tokio::time::timeout(PATIENCE, service.store.queue_reading()).await;
    let silent = |_| StoreError::Database(sqlx::Error::PoolTimedOut);
    // whatever is wrong with it, requests are better sent elsewhere
    let seen = look.map_err(silent).and_then(|seen| seen).map_err(|error| {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "the database does not answer");
        ApiError::database_away()
    })?;
    Ok(Json(Readiness {
        name: SERVICE.to_owned(),
        version: crate::VERSION.to_owned(),
        workers: seen.workers,
        waiting: seen.queued + seen.retrying,
        notes: notes(&seen),
    }))
}

/// Jobs are taken in without workers too, and wait.
fn notes(seen: &QueueReading) -> Vec<String> {
    let none = "no worker is connected, so jobs wait; start `limber-motion work` on this or another \
                machine";
    if seen.workers == 0 { vec![none.to_owned()] } else { Vec::new() }
}
