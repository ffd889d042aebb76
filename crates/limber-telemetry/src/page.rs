//! Metrics page for Prometheus, on a separate port so that it can be restricted to the scraper.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus::{Encoder, Registry, TextEncoder};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::{TelemetryConfig, TelemetryError};

pub(super) async fn serve(
    config: &TelemetryConfig,
    registry: Registry,
) -> Result<JoinHandle<()>, TelemetryError> {
    let (host, port) = (config.page_host.clone(), config.page_port);
    let listener = TcpListener::bind((host.as_str(), port)).await;
    let listener = listener.map_err(|source| TelemetryError::Listen { host, port, source })?;
    let app = Router::new().route("/", get(page)).route("/metrics", get(page)).with_state(registry);
    Ok(tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, app).await {
            tracing::error!(%error, "metrics are no longer served");
        }
    }))
}

async fn page(State(registry): State<Registry>) -> Response {
    let (encoder, mut text) = (TextEncoder::new(), Vec::new());
    match encoder.encode(&registry.gather(), &mut text) {
        Ok(()) => {
            ([(header::CONTENT_TYPE, encoder.format_type().to_owned())], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "metrics cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
