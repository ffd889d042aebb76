//! What a request is turned down with.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The body of every error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// What happened, to what, what to do.
    pub message: String,
    /// One of the specification's numeric codes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    /// A stable word for programs.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The input to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// By type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// To quote to the operator.
    #[serde(default)]
    pub request_id: String,
}

/// One entry of `details.errors` of an `invalid_parameter`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParameterProblem {
    /// Which parameter.
    pub param: String,
    /// What is wrong with it and what would be right.
    pub message: String,
    /// The specification's code for it.
    pub code: u16,
}
