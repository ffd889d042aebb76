//! Everything that can go wrong between a client and the identity service.

use std::time::Duration;

use limber_api::identity::{ErrorCode, WeakPasswordReason};

use super::code_ends_session;

/// Why a call did not do what it was asked to. The texts are for people; none of them holds an
/// address of the server, a token or a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The service understood and said no.
    #[error("{}", said(.code, .message))]
    Refused {
        /// HTTP status.
        status: u16,
        /// What to branch on.
        code: ErrorCode,
        /// The service's own words; empty where it has none.
        message: String,
        /// With `weak_password`: which rules the password breaks.
        weak_password: Vec<WeakPasswordReason>,
        /// When asking again makes sense, if the service said so.
        retry_after: Option<Duration>,
    },
    /// No connection, or it broke.
    #[error(
        "Can't reach the account service. Check the network connection and the server's address."
    )]
    Unreachable,
    /// No answer in time.
    #[error("The account service did not answer in time. Try again in a moment.")]
    TimedOut,
    /// The service failed (5xx).
    #[error("The account service has a problem (status {status}). Try again in a moment.")]
    ServiceFailed {
        /// HTTP status.
        status: u16,
    },
    /// Something answered, but not an identity service of this kind.
    #[error(
        "Limber could not read the response ({what}). Check that the address belongs to an account service."
    )]
    NotUnderstood {
        /// What was wrong with the answer.
        what: &'static str,
    },
    /// The configured address cannot be used.
    #[error(
        "The address of the account service must start with http:// or https://. Correct it in the settings."
    )]
    BadAddress,
    /// Others could read what is sent to the configured address.
    #[error(
        "The address of the account service starts with http://, so others on the network could read passwords and tokens. Use https://, or allow it for this server in the settings."
    )]
    Unencrypted,
    /// The service leads to a page on which others could read along.
    #[error(
        "The account service leads to a page whose address begins with http://, where everybody on the way could read along, so it was not opened. Ask its operator for one with https://."
    )]
    UnencryptedLink,
    /// The program's own TLS set-up failed.
    #[error("Limber cannot make secure connections on this computer: setting up TLS failed.")]
    NoTls,
}

/// What the service says, and what to say where it says nothing.
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
    /// The machine code, when the service gave one.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// True when the same call may succeed later without anybody changing anything.
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

    /// True when the session that was presented is over and the person must sign in again.
    #[must_use]
    pub fn ends_session(&self) -> bool {
        self.code().is_some_and(code_ends_session)
    }
}
