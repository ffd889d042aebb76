//! Log, traces and metrics of the program: where they go, and ending them without losing the last.
//!
//! The service itself only opens `tracing` spans and counts through [`measures`]; both cost next
//! to nothing where nobody asked for them. [`Telemetry::start`] is for the program alone, because
//! a process has one log and one set of measures.

mod export;
mod log;
pub(crate) mod measures;
mod page;
pub(crate) mod runtime;

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry::{KeyValue, global};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::task::JoinHandle;

use crate::config::{Config, MetricsExporter, TelemetryConfig};
use crate::error::ServiceError;

/// Name of the service in traces and metrics, unless `OTEL_RESOURCE_ATTRIBUTES` says otherwise.
const SERVICE: &str = "limber-identity";
/// A collector that does not answer must not keep the program from stopping.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// What runs beside the service. Must be [`stop`](Self::stop)ped for its last words to leave.
#[derive(Default)]
pub(crate) struct Telemetry {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
    page: Option<JoinHandle<()>>,
}

impl Telemetry {
    /// Opens the log and whatever else the configuration asks for. Needs a running tokio.
    pub(crate) async fn start(config: &Config) -> Result<Self, ServiceError> {
        let telemetry = &config.telemetry;
        let mut started = Self::default();
        if telemetry.traces {
            let exporter = export::spans(telemetry)?;
            let provider = SdkTracerProvider::builder()
                .with_resource(resource(telemetry))
                .with_batch_exporter(exporter)
                .build();
            global::set_text_map_propagator(TraceContextPropagator::new());
            started.traces = Some(provider);
        }
        let tracer = started.traces.as_ref().map(|provider| provider.tracer(SERVICE));
        log::start(&config.log, telemetry.debug, tracer)?;
        if let Some(exporter) = telemetry.metrics {
            let provider = started.measure(telemetry, exporter).await?;
            global::set_meter_provider(provider.clone());
            runtime::observe(&global::meter(SERVICE));
            started.metrics = Some(provider);
        }
        for notice in &config.notices {
            tracing::warn!("{notice}");
        }
        Ok(started)
    }

    async fn measure(
        &mut self,
        config: &TelemetryConfig,
        exporter: MetricsExporter,
    ) -> Result<SdkMeterProvider, ServiceError> {
        let builder = SdkMeterProvider::builder().with_resource(resource(config));
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
                    .map_err(|error| ServiceError::Telemetry(error.to_string()))?;
                self.page = Some(page::serve(config, registry).await?);
                builder.with_reader(reader).build()
            }
        })
    }

    /// Sends what was not sent yet and ends.
    pub(crate) async fn stop(self) {
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
fn resource(config: &TelemetryConfig) -> Resource {
    let own = [
        KeyValue::new("service.name", SERVICE),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("auth.version", env!("CARGO_PKG_VERSION")),
    ];
    let custom = config.attributes.iter().map(|(k, v)| KeyValue::new(k.clone(), v.clone()));
    Resource::builder_empty().with_attributes(own).with_attributes(custom).build()
}
