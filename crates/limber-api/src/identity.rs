//! The API of the identity service.
//!
//! The types here are the JSON of the identity specification. Compatibility comes first: a field is
//! never renamed or retyped. If a request field is an `Option`, absent and `null` mean the same.
//! Secrets (passwords, tokens) are plain strings here, because they are on the wire; both sides
//! wrap them as soon as they are parsed, and no type that contains one prints it.

mod account;
mod audit;
mod error;
mod factor;
mod operator_request;
mod provider;
mod request;
mod session;

pub use account::{Account, AccountId, AccountIdentity, timestamp};
pub use audit::{AuditAction, AuditEntry, OwnSession, OwnSessions};
pub use error::{ErrorBody, ErrorCode, WeakPassword, WeakPasswordReason};
pub use factor::{
    ChallengeFactorRequest, EnrollFactorRequest, EnrolledFactor, Factor, FactorChallenge, FactorId,
    FactorKind, FactorStatus, RemovedFactor, TotpEnrollment, UpdateFactorRequest,
    VerifyFactorRequest,
};
pub use operator_request::{ActionLinkKind, ActionLinkRequest, AdminAccountRequest, InviteRequest};
pub use provider::{IdTokenGrant, ProviderAddress, ProviderName};
pub use request::{
    Grant, LogoutScope, MagicLinkRequest, OtpRequest, PasswordGrant, PkceGrant, RecoverRequest,
    RefreshGrant, ResendKind, ResendRequest, SignUpRequest, UpdateAccountRequest, VerifyKind,
    VerifyRequest,
};
pub use session::{
    AccountList, ActionLink, EmailChangeHalfDone, Health, JwkSet, ResendResult, SessionResponse,
    Settings, SignUpAnswer, VerifyAnswer,
};

/// A JSON object whose keys are defined by its author (`user_metadata`, `app_metadata`).
pub type Metadata = serde_json::Map<String, serde_json::Value>;
