//! Logs, traces and metrics: where they go, and how they are flushed at shutdown.
//!
//! A service only opens `tracing` spans and records to instruments such as [`RequestMeasures`];
//! both cost next to nothing when nothing is exported. Only executables call [`Telemetry::start`],
//! because a process has one global log and one global meter. [`trace`] propagates a trace from one
//! process to the next.
//!
//! **Input:** an [`Origin`], a [`LogConfig`], a [`TelemetryConfig`]. **Output:** log lines; spans
//! and metrics by OTLP or on a page for Prometheus. **Out of scope:** what the services do and how
//! they are configured; [`unknown_settings`] is given the settings that they know.

#[cfg(feature = "collector")]
pub mod collector;
mod config;
mod export;
mod log;
mod page;
mod requests;
mod runtime;
pub mod trace;
mod unknown_settings;

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry::{KeyValue, global};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::task::JoinHandle;

pub use config::{LogConfig, MetricsExporter, TelemetryConfig, parse_pairs};
pub use requests::RequestMeasures;
pub use runtime::observe_pool;
pub use unknown_settings::unknown_settings;

/// Timeout of the final flush: an unresponsive collector must not keep the program from stopping.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The program that logs, traces and metrics come from.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    /// Service name such as `limber-…`; `OTEL_RESOURCE_ATTRIBUTES` overrides it.
    pub service: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The crate whose spans are exported as traces: `limber_…`.
    pub target: &'static str,
    /// Additional resource attributes.
    pub attributes: &'static [(&'static str, &'static str)],
}

/// Why telemetry could not be started.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The log file cannot be opened.
    #[error("the log file cannot be opened")]
    LogFile(#[source] std::io::Error),
    /// The page of metrics cannot be served.
    #[error("metrics cannot be served on {host}:{port}")]
    Listen {
        /// The configured host.
        host: String,
        /// The configured port.
        port: u16,
        /// The underlying error.
        source: std::io::Error,
    },
    /// Any other failure.
    #[error("{0}")]
    Setup(String),
}

/// Running telemetry. Must be [`stop`](Self::stop)ped to flush what is still buffered.
#[derive(Debug, Default)]
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
    page: Option<JoinHandle<()>>,
}

impl Telemetry {
    /// Opens the log and starts the configured exporters. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// If the log file, the port of the metrics page or an exporter cannot be opened.
    pub async fn start(
        origin: &Origin,
        log: &LogConfig,
        telemetry: &TelemetryConfig,
    ) -> Result<Self, TelemetryError> {
        let mut started = Self::default();
        if telemetry.traces {
            let exporter = export::spans(telemetry)?;
            let provider = SdkTracerProvider::builder()
                .with_resource(resource(origin, telemetry))
                .with_batch_exporter(exporter)
                .build();
            global::set_text_map_propagator(TraceContextPropagator::new());
            started.traces = Some(provider);
        }
        let tracer = started.traces.as_ref().map(|provider| provider.tracer(origin.service));
        log::start(origin, log, telemetry.debug, tracer)?;
        if let Some(exporter) = telemetry.metrics {
            let provider = started.measure(origin, telemetry, exporter).await?;
            global::set_meter_provider(provider.clone());
            runtime::observe(&global::meter(origin.service));
            started.metrics = Some(provider);
        }
        Ok(started)
    }

    async fn measure(
        &mut self,
        origin: &Origin,
        config: &TelemetryConfig,
        exporter: MetricsExporter,
    ) -> Result<SdkMeterProvider, TelemetryError> {
        let builder = SdkMeterProvider::builder().with_resource(resource(origin, config));
        Ok(match exporter {
            MetricsExporter::OpenTelemetry => {
                let reader = PeriodicReader::builder(export::metrics(config)?)
                    .with_interval(config.metrics_interval)
                    .build();
                builder.with_reader(reader).build()
            }
            MetricsExporter::Prometheus => {
                let registry = prometheus::Registry::new();
                let reader = opentelemetry_prometheus::exporter()
                    .with_registry(registry.clone())
                    .build()
                    .map_err(|error| TelemetryError::Setup(error.to_string()))?;
                self.page = Some(page::serve(config, registry).await?);
                builder.with_reader(reader).build()
            }
        })
    }

    /// Flushes what is still buffered and stops.
    pub async fn stop(self) {
        if let Some(page) = self.page {
            page.abort();
        }
        let (traces, metrics) = (self.traces, self.metrics);
        // both block on their own threads, which send through this runtime
        let last_words = tokio::task::spawn_blocking(move || {
            let traces = traces.map(|provider| provider.shutdown_with_timeout(LAST_WORDS));
            let metrics = metrics.map(|provider| provider.shutdown_with_timeout(LAST_WORDS));
            for outcome in [traces, metrics].into_iter().flatten() {
                if let Err(error) = outcome {
                    tracing::warn!(%error, "the last traces or metrics could not be sent");
                }
            }
        });
        let _ = tokio::time::timeout(LAST_WORDS * 2, last_words).await;
    }
}

/// Returns the resource attributes of all traces and metrics.
fn resource(origin: &Origin, config: &TelemetryConfig) -> Resource {
    let own = [
        KeyValue::new("service.name", origin.service),
        KeyValue::new("service.version", origin.version),
    ];
    let further = origin.attributes.iter().map(|(k, v)| KeyValue::new(*k, *v));
    let custom = config.attributes.iter().map(|(k, v)| KeyValue::new(k.clone(), v.clone()));
    let all = own.into_iter().chain(further).chain(custom);
    Resource::builder_empty().with_attributes(all).build()
}
