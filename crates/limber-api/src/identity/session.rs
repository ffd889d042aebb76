//! Responses: sessions, settings, health and small results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Account, WeakPassword};

/// A session: the response of `/token`, of `/signup` (if nothing needs confirming) and of
/// `/verify`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SessionResponse {
    /// A signed JWT; secret.
    pub access_token: String,
    /// Always `bearer`.
    pub token_type: String,
    /// Seconds until the access token expires, greater than 0.
    pub expires_in: i64,
    /// When the access token expires, in seconds since 1970.
    #[serde(default)]
    pub expires_at: i64,
    /// Refresh token, to be exchanged once for a new pair; secret.
    pub refresh_token: String,
    /// The account that signed in.
    pub user: Account,
    /// `signup`, `recovery`, `invite`, …; only in responses to email verifications.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Set if the password is correct but violates the current rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weak_password: Option<WeakPassword>,
    /// The provider's access token, if more than the default scopes were requested; secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_token: Option<String>,
    /// The provider's refresh token; secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_refresh_token: Option<String>,
}

impl std::fmt::Debug for SessionResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionResponse")
            .field("access_token", &"…")
            .field("refresh_token", &"…")
            .field("expires_at", &self.expires_at)
            .field("user", &self.user.id)
            .field("type", &self.kind)
            .finish_non_exhaustive()
    }
}

/// Response of `POST /signup`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum SignUpAnswer {
    /// Nothing needs confirming.
    SignedIn(Box<SessionResponse>),
    /// A confirmation was sent. If the address is taken, none was, but the response is the same.
    Waiting(Box<Account>),
}

/// Response of `POST /verify`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum VerifyAnswer {
    /// The code or link was valid.
    SignedIn(Box<SessionResponse>),
    /// The first of two confirmations of a change of address was valid.
    HalfDone(EmailChangeHalfDone),
}

/// Features of this instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Settings {
    /// Provider name → whether it is switched on. Also contains `anonymous_users`, `email` and
    /// `phone`.
    pub external: BTreeMap<String, bool>,
    /// Whether accounts are created by invitation only.
    pub disable_signup: bool,
    /// Whether email addresses need no confirmation.
    #[serde(default)]
    pub autoconfirm: bool,
    /// Newer name of `autoconfirm`.
    #[serde(default)]
    pub mailer_autoconfirm: bool,
    /// Whether phones can be enrolled and used as second factors.
    #[serde(default)]
    pub mfa_phone_enabled: bool,
    /// Whether phone numbers need no confirmation.
    #[serde(default)]
    pub phone_autoconfirm: bool,
    /// Service that sends text messages; empty if there is none.
    #[serde(default)]
    pub sms_provider: String,
    /// Always false here.
    #[serde(default)]
    pub saml_enabled: bool,
    /// Always false here.
    #[serde(default)]
    pub passkeys_enabled: bool,
}

/// `GET /health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Health {
    /// Version of the running program.
    pub version: String,
    /// Name of the program.
    pub name: String,
    /// A sentence about the program.
    pub description: String,
}

/// `GET /.well-known/jwks.json`: public keys only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JwkSet {
    /// JSON Web Keys.
    pub keys: Vec<serde_json::Value>,
}

/// Response of `POST /resend`. The id is random if nothing was sent, so that it reveals nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResendResult {
    /// Opaque.
    pub message_id: String,
}

/// The first of the two confirmations of a change of address was accepted; there is no session
/// until the second one follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EmailChangeHalfDone {
    /// Always the string `200`.
    pub code: String,
    /// What to do next; for people.
    pub msg: String,
}

/// `GET /admin/users`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AccountList {
    /// One page of accounts.
    pub users: Vec<Account>,
    /// Audience of the listed accounts.
    pub aud: String,
}

/// Response of `POST /admin/generate_link`: the account's fields and those of the link.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionLink {
    /// The account the link is for.
    #[serde(flatten)]
    pub user: Account,
    /// URL to open in a browser; secret.
    pub action_link: String,
    /// Numeric code, for `POST /verify` with the email address; secret.
    pub email_otp: String,
    /// Token of the link, for `POST /verify` as `token_hash`; secret.
    pub hashed_token: String,
    /// The requested kind, or `signup` if a magic link creates the account.
    pub verification_type: String,
    /// Where the link finally redirects to.
    pub redirect_to: String,
}

impl std::fmt::Debug for ActionLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ActionLink")
            .field("user", &self.user.id)
            .field("verification_type", &self.verification_type)
            .field("action_link", &"…")
            .finish_non_exhaustive()
    }
}
