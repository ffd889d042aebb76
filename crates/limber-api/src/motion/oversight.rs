//! How an installation is.

use serde::{Deserialize, Serialize};

/// `GET /health`: the program runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    /// The program.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// `GET /health/ready`: the program runs and its database answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Readiness {
    /// The program.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Workers that are connected to the database.
    pub workers: u64,
    /// Jobs that wait for one.
    pub waiting: u64,
    /// What the operator should know, in sentences.
    pub notes: Vec<String>,
}
