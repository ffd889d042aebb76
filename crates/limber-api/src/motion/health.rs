//! Health of an installation.

use serde::{Deserialize, Serialize};

/// `GET /health`: the process is running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    /// Name of the program.
    pub name: String,
    /// Version of the program.
    pub version: String,
}

/// `GET /health/ready`: the process is running and the database responds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Readiness {
    /// Name of the program.
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// Number of workers connected to the database.
    pub workers: u64,
    /// Number of waiting jobs.
    pub waiting: u64,
    /// Notes for the operator.
    pub notes: Vec<String>,
}
