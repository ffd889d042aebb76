//! What shows who did what, and where somebody is signed in.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::request::wire_words;
use super::timestamp;

/// One line of `GET /admin/audit`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditEntry {
    /// The entry.
    pub id: Uuid,
    /// `actor_id`, `actor_username`, `action`, `log_type` and what else is known.
    pub payload: Value,
    /// When it happened.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// From where; empty when that is not known.
    #[serde(default)]
    pub ip_address: String,
}

/// `GET /sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnSessions {
    /// Newest first.
    pub sessions: Vec<OwnSession>,
}

/// One sign-in of the person who asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnSession {
    /// What `DELETE /sessions/{id}` takes; the claim `session_id`.
    pub id: Uuid,
    /// The sign-in.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// The last exchange of a refresh token.
    #[serde(with = "timestamp")]
    pub refreshed_at: DateTime<Utc>,
    /// The device, in its own words; empty when it gave none.
    #[serde(default)]
    pub user_agent: String,
    /// From where; empty when that is not known.
    #[serde(default)]
    pub ip: String,
    /// `aal1`, or `aal2` with a second factor.
    pub aal: String,
    /// True for the session of the token that asks.
    pub current: bool,
}

wire_words! {
    /// What an audit entry tells.
    AuditAction {
        /// Signed in.
        Login = "login",
        /// Signed out, or ended a session.
        Logout = "logout",
        /// Accepted an invitation.
        InviteAccepted = "invite_accepted",
        /// Made an account.
        UserSignedUp = "user_signedup",
        /// Invited somebody.
        UserInvited = "user_invited",
        /// Deleted an account.
        UserDeleted = "user_deleted",
        /// A refresh token was used up.
        TokenRevoked = "token_revoked",
        /// A session got its next pair of tokens.
        TokenRefreshed = "token_refreshed",
        /// Changed an account.
        UserModified = "user_modified",
        /// Asked for a recovery mail or a magic link.
        UserRecoveryRequested = "user_recovery_requested",
        /// Asked for a re-authentication code.
        UserReauthenticateRequested = "user_reauthenticate_requested",
        /// Asked for a confirmation.
        UserConfirmationRequested = "user_confirmation_requested",
        /// Signed up with an address that has an account.
        UserRepeatedSignup = "user_repeated_signup",
        /// Changed the password.
        UserUpdatedPassword = "user_updated_password",
        /// Linked an identity.
        IdentityLinked = "identity_linked",
        /// Unlinked an identity.
        IdentityUnlinked = "identity_unlinked",
        /// Began to add a second factor.
        FactorInProgress = "factor_in_progress",
        /// Removed a second factor.
        FactorUnenrolled = "factor_unenrolled",
        /// Was asked for a second factor.
        ChallengeCreated = "challenge_created",
        /// Answered with a second factor.
        VerificationAttempted = "verification_attempted",
        /// An administrator removed a person's factor.
        FactorDeleted = "factor_deleted",
        /// An administrator changed a person's factor.
        FactorUpdated = "factor_updated",
    }
}

impl AuditAction {
    /// The `log_type` of its entries.
    #[must_use]
    pub fn log_type(self) -> &'static str {
        match self {
            Self::Login | Self::Logout | Self::InviteAccepted => "account",
            Self::UserSignedUp | Self::UserInvited | Self::UserDeleted => "team",
            Self::TokenRevoked | Self::TokenRefreshed => "token",
            Self::UserModified
            | Self::UserRecoveryRequested
            | Self::UserReauthenticateRequested
            | Self::UserConfirmationRequested
            | Self::UserRepeatedSignup
            | Self::UserUpdatedPassword
            | Self::IdentityLinked
            | Self::IdentityUnlinked => "user",
            Self::FactorInProgress
            | Self::FactorUnenrolled
            | Self::ChallengeCreated
            | Self::VerificationAttempted
            | Self::FactorDeleted
            | Self::FactorUpdated => "factor",
        }
    }
}
