//! What can go wrong between a client and the motion service.

use limber_api::motion::{ErrorBody, Message, message};
use serde_json::Value;

/// Longest error body that is read.
const LONGEST_REFUSAL_BYTES: usize = 64 << 10;

/// Why a request to the motion service came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum MotionError {
    /// The service said no, and why.
    #[error("{message}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The specification's numeric code, where one applies.
        code: Option<u16>,
        /// A stable word: `invalid_parameter`, `job_not_found`, `insufficient_credits`, …
        kind: String,
        /// What happened, to what, what to do.
        message: String,
        /// The input to blame.
        param: Option<String>,
        /// By kind.
        details: Option<Value>,
        /// To quote to the operator.
        request_id: Box<str>,
    },
    /// The client id or secret is wrong.
    #[error("the motion service rejected the client ID and secret; check both in the settings")]
    CredentialsRejected,
    /// No connection, or it broke.
    #[error(
        "can't reach the motion service; check that it is running and that its address is right"
    )]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The service took too long.
    #[error("the motion service took too long to answer; try again in a moment")]
    TimedOut,
    /// Not an http(s) address.
    #[error(
        "the address of the motion service is not a web address; it must look like https://studio.example"
    )]
    BadAddress,
    /// Others could read what is sent to the address.
    #[error(
        "the address of the motion service starts with http://, so others on the network could read the client secret; use https://, or allow it for this server in the settings"
    )]
    Unencrypted,
    /// The service leads to where others could read along.
    #[error(
        "the motion service leads to an address that begins with http://, where others could read or replace files on their way, so it was not followed; tell its operator to have it give out https:// addresses (MOTIONSVC_PUBLIC_URL, and where its bucket is)"
    )]
    UnencryptedLink,
    /// An answer no motion service gives.
    #[error(
        "the response is not from a motion service; check the address and the version of the service"
    )]
    UnexpectedAnswer,
    /// A file is bigger than it may be.
    #[error("the file is larger than the {limit_mib} MiB that are allowed")]
    TooLarge {
        /// The limit.
        limit_mib: u64,
    },
    /// A file's bytes are not those the service announced.
    #[error("the downloaded file is damaged; download it again")]
    Damaged,
    /// The local disk refused.
    #[error("the file cannot be saved: {0}")]
    Disk(#[source] std::io::Error),
}

impl MotionError {
    /// The kind of a refusal that is none of a motion service's.
    pub const NO_SERVICE: &'static str = "unknown";

    /// What the service refused, as data; empty where it tells words only.
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
            // the address may hold a signature
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

    /// The service's word for what it refused, if it was a refusal.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        match self {
            Self::Refused { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// The specification's numeric code, if there is one.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Refused { code, .. } => *code,
            _ => None,
        }
    }

    /// The HTTP status of a refusal.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Whether the service may have done what was asked although nobody heard of it: no answer came, or
    /// a proxy gave one in its place.
    #[must_use]
    pub fn may_have_been_heard(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 502 | 504),
            Self::Unreachable(_) | Self::TimedOut => true,
            _ => false,
        }
    }

    /// Whether doing the same again later may help.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 408 | 429 | 500..=599),
            Self::Unreachable(_) | Self::TimedOut | Self::Damaged => true,
            _ => false,
        }
    }
}
