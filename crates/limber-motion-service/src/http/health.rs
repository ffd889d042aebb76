//! `GET /health`: liveness. `GET /health/ready`: readiness, which includes the database.

use std::{sync::Arc, time::Duration};

use axum::{Json, extract::State};
use limber_api::motion::{Health, Readiness};

use super::ApiError;
use crate::{StoreError, service::Service, store::readings::QueueReading, telemetry::SERVICE};

/// How long a readiness check waits for the database.
const PATIENCE: Duration = Duration::from_secs(2);

/// Reports that the process is running.
#[utoipa::path(get, path = "/health", tag = "Service", responses((status = 200, body = Health)))]
pub(super) async fn health() -> Json<Health> {
    Json(Health { name: SERVICE.to_owned(), version: crate::VERSION.to_owned() })
}

/// Reports whether the database responds, and the state of workers and queue.
#[utoipa::path(get, path = "/health/ready", tag = "Service", responses((status = 200, body = Readiness)))]
pub(super) async fn ready(
    State(service): State<Arc<Service>>,
) -> Result<Json<Readiness>, ApiError> {
    let look = tokio::time::timeout(PATIENCE, service.store.queue_reading()).await;
    let silent = |_| StoreError::Database(sqlx::Error::PoolTimedOut);
    // whatever the cause, a load balancer should send requests elsewhere
    let seen = look.map_err(silent).and_then(|seen| seen).map_err(|error| {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "the database does not respond");
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

/// Explains a state that is not an error: jobs are accepted without workers, but wait.
fn notes(seen: &QueueReading) -> Vec<String> {
    let none = "no worker is connected, so jobs wait; start `limber-motion work` on this or another \
                machine";
    if seen.workers == 0 { vec![none.to_owned()] } else { Vec::new() }
}
