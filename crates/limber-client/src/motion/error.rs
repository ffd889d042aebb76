//! Errors of the motion client.

use limber_api::motion::{ErrorBody, Message, message};
use serde_json::Value;

/// Maximum size of an error body.
const LONGEST_REFUSAL_BYTES: usize = 64 << 10;

/// Why a request to the motion service failed.
#[derive(Debug, thiserror::Error)]
pub enum MotionError {
    /// The service rejected the request.
    #[error("{message}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// Numeric error code of the specification, if there is one.
        code: Option<u16>,
        /// Stable error type: `invalid_parameter`, `job_not_found`, `insufficient_credits`, …
        kind: String,
        /// What happened, to what, and what to do about it.
        message: String,
        /// The parameter or field at fault.
        param: Option<String>,
        /// Further data, which depends on `kind`.
        details: Option<Value>,
        /// Id of the request, to quote to the operator.
        request_id: Box<str>,
    },
    /// The client id or secret is wrong.
    #[error("the motion service rejected the client ID and secret; check both in the settings")]
    CredentialsRejected,
    /// The connection failed or was interrupted.
    #[error(
        "can't reach the motion service; check that it is running and that its address is right"
    )]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The service did not respond in time.
    #[error("the motion service took too long to answer; try again in a moment")]
    TimedOut,
    /// The address is not an http(s) URL.
    #[error(
        "the address of the motion service is not a web address; it must look like https://studio.example"
    )]
    BadAddress,
    /// The address is unencrypted, so others could eavesdrop.
    #[error(
        "the address of the motion service starts with http://, so others on the network could read the client secret; use https://, or allow it for this server in the settings"
    )]
    Unencrypted,
    /// The service's response leads to an unencrypted URL.
    #[error(
        "the motion service sent an address that starts with http://, so others on the network \
         could read or replace the files; the address was not opened; ask the operator of the \
         service to use https:// addresses (MOTIONSVC_PUBLIC_URL, and the address of its bucket)"
    )]
    UnencryptedLink,
    /// The response is not that of a motion service.
    #[error(
        "the response is not from a motion service; check the address and the version of the service"
    )]
    UnexpectedAnswer,
    /// The file is larger than allowed.
    #[error("the file is larger than {limit_mib} MiB, the largest size that is downloaded")]
    TooLarge {
        /// Size limit in MiB.
        limit_mib: u64,
    },
    /// The file's bytes do not match the announced hash.
    #[error("the downloaded file is damaged; download it again")]
    Damaged,
    /// Writing to the local disk failed.
    #[error("the file cannot be saved: {0}")]
    Disk(#[source] std::io::Error),
}

impl MotionError {
    /// The kind of an error response that does not come from a motion service.
    pub const NO_SERVICE: &'static str = "unknown";

    /// Returns the service's reasons as data; empty if it only sent text.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let Self::Refused { details: Some(details), .. } = self else { return Vec::new() };
        details.get("messages").cloned().map(message::told::from_value).unwrap_or_default()
    }

    pub(super) fn from_transport(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::TimedOut
        } else if error.is_builder() {
            Self::BadAddress
        } else {
            // the URL may contain a signature
            Self::Unreachable(Box::new(error.without_url()))
        }
    }

    pub(super) async fn from_refusal(response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let body = super::read_limited(response, LONGEST_REFUSAL_BYTES).await.unwrap_or_default();
        match serde_json::from_slice::<ErrorBody>(&body) {
            Ok(body) => Self::Refused {
                status,
                code: body.code,
                kind: body.kind,
                message: body.message,
                param: body.param,
                details: body.details,
                request_id: body.request_id.into(),
            },
            Err(_) => Self::Refused {
                status,
                code: None,
                kind: Self::NO_SERVICE.to_owned(),
                message: match status {
                    429 => "the motion service is overloaded; try again in a moment".to_owned(),
                    500.. => format!(
                        "the motion service has a problem (status {status}); try again in a moment"
                    ),
                    _ => format!(
                        "the response (status {status}) is not from a motion service; check the address"
                    ),
                },
                param: None,
                details: None,
                request_id: Box::default(),
            },
        }
    }

    /// Returns the service's error type, if it rejected the request.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        match self {
            Self::Refused { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// Returns the numeric error code of the specification, if there is one.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Refused { code, .. } => *code,
            _ => None,
        }
    }

    /// Returns the HTTP status, if the service rejected the request.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Returns whether the service may have processed the request although its response was lost or
    /// replaced by a proxy's.
    #[must_use]
    pub fn may_have_been_heard(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 502 | 504),
            Self::Unreachable(_) | Self::TimedOut => true,
            _ => false,
        }
    }

    /// Returns whether a later attempt may succeed.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 408 | 429 | 500..=599),
            Self::Unreachable(_) | Self::TimedOut | Self::Damaged => true,
            _ => false,
        }
    }
}
