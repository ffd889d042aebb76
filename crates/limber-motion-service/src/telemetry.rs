//! What is told of the service and its workers: whose it is, and which numbers.

mod attempts;
mod queue;

use limber_telemetry::Origin;

pub(crate) use attempts::{AttemptEnd, AttemptMeasures};
pub(crate) use queue::QueueWatch;

/// The program, in traces and metrics.
pub(crate) const SERVICE: &str = "limber-motion";

/// What traces and metrics say of where they come from.
pub(crate) const ORIGIN: Origin = Origin {
    service: SERVICE,
    version: crate::VERSION,
    target: "limber_motion_service",
    attributes: &[],
};
