//! The error body.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The body of every error response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// What happened, to what, and what to do about it.
    pub message: String,
    /// Numeric error code of the specification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    /// Stable machine-readable error type.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The parameter or field at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// Further data, which depends on the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Id of the request, to quote to the operator.
    #[serde(default)]
    pub request_id: String,
}

/// An entry of `details.errors` of an `invalid_parameter`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParameterProblem {
    /// Name of the parameter.
    pub param: String,
    /// What is wrong, and what would be valid.
    pub message: String,
    /// Numeric error code of the specification.
    pub code: u16,
}
