//! Traces and metrics of the service and its workers.

mod attempts;
mod queue;

use limber_telemetry::Origin;

pub(crate) use attempts::{AttemptEnd, AttemptMeasures};
pub(crate) use queue::QueueWatch;

/// Name of the program in traces and metrics.
pub(crate) const SERVICE: &str = "limber-motion";

/// Origin of our traces and metrics.
pub(crate) const ORIGIN: Origin = Origin {
    service: SERVICE,
    version: crate::VERSION,
    target: "limber_motion_service",
    attributes: &[],
};
