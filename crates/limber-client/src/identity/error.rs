//! Errors of the identity client.

use std::time::Duration;

use limber_api::identity::{ErrorCode, WeakPasswordReason};

use super::code_ends_session;

/// Why a call failed. The messages are for users; none contains a server address, a token or a
/// password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The service rejected the request.
    #[error("{}", said(.code, .message))]
    Refused {
        /// HTTP status.
        status: u16,
        /// Error code to branch on.
        code: ErrorCode,
        /// The service's message; empty if there is none.
        message: String,
        /// For `weak_password`: the rules that the password violates.
        weak_password: Vec<WeakPasswordReason>,
        /// When to try again, if the service says so.
        retry_after: Option<Duration>,
    },
    /// The connection failed or was interrupted.
    #[error(
        "Can't reach the account service. Check the network connection and the server's address."
    )]
    Unreachable,
    /// The service did not respond in time.
    #[error("The account service did not answer in time. Try again in a moment.")]
    TimedOut,
    /// The service failed (5xx).
    #[error("The account service has a problem (status {status}). Try again in a moment.")]
    ServiceFailed {
        /// HTTP status.
        status: u16,
    },
    /// The response is not that of an identity service.
    #[error(
        "Limber could not read the response ({what}). Check that the address belongs to an account service."
    )]
    NotUnderstood {
        /// What is wrong with the response.
        what: &'static str,
    },
    /// The configured address is not an http(s) URL.
    #[error(
        "The address of the account service must start with http:// or https://. Correct it in the settings."
    )]
    BadAddress,
    /// The configured address is unencrypted, so others could eavesdrop.
    #[error(
        "The address of the account service starts with http://, so others on the network could read passwords and tokens. Use https://, or allow it for this server in the settings."
    )]
    Unencrypted,
    /// The service's response leads to an unencrypted page.
    #[error(
        "The account service sent a link that starts with http://, so others on the network could \
         read what you enter there. The link was not opened. Ask the operator of the service for \
         an https:// link."
    )]
    UnencryptedLink,
    /// TLS could not be set up in this program.
    #[error("Limber cannot make secure connections on this computer: setting up TLS failed.")]
    NoTls,
}

/// Returns the service's message, or a default if there is none.
fn said<'a>(code: &ErrorCode, message: &'a str) -> &'a str {
    if !message.is_empty() {
        return message;
    }
    match code {
        ErrorCode::OverRequestRateLimit => {
            "The account service is overloaded. Try again in a moment."
        }
        _ => "The account service refused the request.",
    }
}

impl IdentityError {
    /// Returns the error code, if the service rejected the request.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// Returns whether the same call may succeed later.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable | Self::TimedOut | Self::ServiceFailed { .. } => true,
            Self::Refused { status, .. } => *status == 429 || *status == 409,
            Self::NotUnderstood { .. }
            | Self::BadAddress
            | Self::Unencrypted
            | Self::UnencryptedLink
            | Self::NoTls => false,
        }
    }

    /// Returns whether the session has ended and the user must sign in again.
    #[must_use]
    pub fn ends_session(&self) -> bool {
        self.code().is_some_and(code_ends_session)
    }
}
