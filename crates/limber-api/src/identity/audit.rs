//! Audit log, and the sessions of an account.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::request::wire_words;
use super::timestamp;

/// An entry of `GET /admin/audit`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditEntry {
    /// Id of the entry.
    pub id: Uuid,
    /// `actor_id`, `actor_username`, `action`, `log_type`, and further data if known.
    pub payload: Value,
    /// When it happened.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// IP address of the actor; empty if unknown.
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

/// A session of the account that asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnSession {
    /// Id used in `DELETE /sessions/{id}`; the claim `session_id`.
    pub id: Uuid,
    /// When the session was created.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// When the refresh token was last exchanged.
    #[serde(with = "timestamp")]
    pub refreshed_at: DateTime<Utc>,
    /// User agent of the device; empty if it sent none.
    #[serde(default)]
    pub user_agent: String,
    /// IP address; empty if unknown.
    #[serde(default)]
    pub ip: String,
    /// Authentication level: `aal1`, or `aal2` with a second factor.
    pub aal: String,
    /// Whether this is the session of the request's token.
    pub current: bool,
}

wire_words! {
    /// The action that an audit entry records.
    AuditAction {
        /// Signed in.
        Login = "login",
        /// Signed out, or ended a session.
        Logout = "logout",
        /// Accepted an invitation.
        InviteAccepted = "invite_accepted",
        /// Created an account.
        UserSignedUp = "user_signedup",
        /// Invited a user.
        UserInvited = "user_invited",
        /// Deleted an account.
        UserDeleted = "user_deleted",
        /// A refresh token was used.
        TokenRevoked = "token_revoked",
        /// A session got a new pair of tokens.
        TokenRefreshed = "token_refreshed",
        /// Changed an account.
        UserModified = "user_modified",
        /// Requested a recovery email or a magic link.
        UserRecoveryRequested = "user_recovery_requested",
        /// Requested a re-authentication code.
        UserReauthenticateRequested = "user_reauthenticate_requested",
        /// Requested a confirmation.
        UserConfirmationRequested = "user_confirmation_requested",
        /// Signed up with an address that has an account.
        UserRepeatedSignup = "user_repeated_signup",
        /// Changed the password.
        UserUpdatedPassword = "user_updated_password",
        /// Linked an identity.
        IdentityLinked = "identity_linked",
        /// Unlinked an identity.
        IdentityUnlinked = "identity_unlinked",
        /// Started to enrol a second factor.
        FactorInProgress = "factor_in_progress",
        /// Removed a second factor.
        FactorUnenrolled = "factor_unenrolled",
        /// Requested a challenge for a second factor.
        ChallengeCreated = "challenge_created",
        /// Tried to verify a second factor.
        VerificationAttempted = "verification_attempted",
        /// An administrator removed a user's factor.
        FactorDeleted = "factor_deleted",
        /// An administrator changed a user's factor.
        FactorUpdated = "factor_updated",
    }
}

impl AuditAction {
    /// Returns the `log_type` of its entries.
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
