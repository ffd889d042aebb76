//! Log, traces and metrics of the programs: where they go, and ending them without losing the last.
//!
//! A service only opens `tracing` spans and counts through instruments such as [`RequestMeasures`];
//! both cost next to nothing where nobody asked for them. [`Telemetry::start`] is for programs alone,
//! because a process has one log and one set of measures. [`trace`] carries a trace from one
//! process to the next.
//!
//! **Goes in:** an [`Origin`], a [`LogConfig`], a [`TelemetryConfig`]. **Comes out:** lines of a log,
//! spans and numbers, by OTLP or on a page that Prometheus reads. **Never knows:** what the services
//! do, nor how they are configured; [`unknown_settings`] is told which settings they know.

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

/// A collector that does not answer must not keep the program from stopping.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Whose log, traces and metrics these are.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    /// The program, unless `OTEL_RESOURCE_ATTRIBUTES` says otherwise: `limber-…`.
    pub service: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The crate whose spans are traces: `limber_…`.
    pub target: &'static str,
    /// What else every trace and metric says of its origin.
    pub attributes: &'static [(&'static str, &'static str)],
}

/// Why nothing can be told.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The log file cannot be written.
    #[error("the log file cannot be opened")]
    LogFile(#[source] std::io::Error),
    /// The page of metrics has no port.
    #[error("metrics cannot be served on {host}:{port}")]
    Listen {
        /// Host that was asked for.
        host: String,
        /// Port that was asked for.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// Anything else.
    #[error("{0}")]
    Setup(String),
}

/// What runs beside the service. Must be [`stop`](Self::stop)ped for its last words to leave.
#[derive(Debug, Default)]
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
    page: Option<JoinHandle<()>>,
}

impl Telemetry {
    /// Opens the log and whatever else the configuration asks for. Needs a running tokio.
    ///
    /// # Errors
    /// When the log's file, the page's port or the way to a collector cannot be opened.
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

    /// Sends what was not sent yet and ends.
    pub async fn stop(self) {
        if let Some(page) = self.page {
            page.abort();
        }
        let (traces, metrics) = (self.traces, self.metrics);
        // both wait for threads of their own, which speak through this runtime
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

/// What every trace and metric says of its origin.
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
