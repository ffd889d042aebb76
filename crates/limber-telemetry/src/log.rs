//! The log: to standard error for people, or to a file for programs.

use std::fs::OpenOptions;
use std::io::IsTerminal;
use std::sync::Mutex;

use opentelemetry_sdk::trace::Tracer;
use tracing_subscriber::filter::{EnvFilter, LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::{LogConfig, Origin, TelemetryError};

/// Starts the log. With `debug`, the telemetry libraries log as well; `tracer` receives all of our
/// spans.
pub(super) fn start(
    origin: &Origin,
    config: &LogConfig,
    debug: bool,
    tracer: Option<Tracer>,
) -> Result<(), TelemetryError> {
    let telemetry = if debug { "debug" } else { "error" };
    let filter = EnvFilter::new(format!(
        "{},opentelemetry={telemetry},opentelemetry_sdk={telemetry},opentelemetry_otlp={telemetry}",
        config.filter
    ));
    let log = tracing_subscriber::fmt::layer();
    let log = match &config.file {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(TelemetryError::LogFile)?;
            log.json().with_writer(Mutex::new(file)).with_filter(filter).boxed()
        }
        None => {
            let colours = std::io::stderr().is_terminal();
            log.with_ansi(colours).with_writer(std::io::stderr).with_filter(filter).boxed()
        }
    };
    let traces = tracer.map(|tracer| {
        let ours = Targets::new().with_target(origin.target, LevelFilter::INFO);
        tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(ours)
    });
    // a program that embeds this one may already have started a log
    let _ = tracing_subscriber::registry().with(log).with(traces).try_init();
    Ok(())
}
