//! Answers: sessions, settings, health and the small results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Account, WeakPassword};

/// A sign-in: what `/token`, `/signup` (when nothing needs confirming) and `/verify` answer.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SessionResponse {
    /// A signed JWT; secret.
    pub access_token: String,
    /// Always `bearer`.
    pub token_type: String,
    /// Seconds until the access token expires, greater than 0.
    pub expires_in: i64,
    /// The same moment as seconds since 1970.
    #[serde(default)]
    pub expires_at: i64,
    /// Exchanged once for the next pair; secret.
    pub refresh_token: String,
    /// The account that signed in.
    pub user: Account,
    /// `signup`, `recovery`, `invite`, …: only in answers to email verifications.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The password was right but breaks today's rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weak_password: Option<WeakPassword>,
    /// The provider's own access token, when more than its default scopes were asked for; secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_token: Option<String>,
    /// The same for its refresh token.
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

/// What `POST /signup` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum SignUpAnswer {
    /// Nothing needs confirming.
    SignedIn(Box<SessionResponse>),
    /// A confirmation is on its way, or would be if the address were free.
    Waiting(Box<Account>),
}

/// What `POST /verify` answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum VerifyAnswer {
    /// The code or link was good.
    SignedIn(Box<SessionResponse>),
    /// The first of two confirmations of a change of address.
    HalfDone(EmailChangeHalfDone),
}

/// What this instance offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Settings {
    /// Provider name → switched on. Also `anonymous_users`, `email` and `phone`.
    pub external: BTreeMap<String, bool>,
    /// True when accounts are made by invitation only.
    pub disable_signup: bool,
    /// Emails need no confirmation.
    #[serde(default)]
    pub autoconfirm: bool,
    /// The same under its newer name.
    #[serde(default)]
    pub mailer_autoconfirm: bool,
    /// Phones may be added and used as second factors.
    #[serde(default)]
    pub mfa_phone_enabled: bool,
    /// Phone numbers need no confirmation.
    #[serde(default)]
    pub phone_autoconfirm: bool,
    /// Who sends text messages; empty when nobody does.
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
    /// One sentence about it.
    pub description: String,
}

/// `GET /.well-known/jwks.json`: public keys only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JwkSet {
    /// One JSON Web Key each.
    pub keys: Vec<serde_json::Value>,
}

/// `POST /resend`. The id is made up when nothing was sent, so that it tells nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResendResult {
    /// Opaque.
    pub message_id: String,
}

/// The first of the two confirmations of a change of address was accepted; there is no session
/// until the second one arrives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EmailChangeHalfDone {
    /// Always the text `200`.
    pub code: String,
    /// What to do next, for people.
    pub msg: String,
}

/// `GET /admin/users`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AccountList {
    /// One page of accounts.
    pub users: Vec<Account>,
    /// The audience that was listed.
    pub aud: String,
}

/// `POST /admin/generate_link`: the account's own fields, and those of the link beside them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionLink {
    /// The account the link is for.
    #[serde(flatten)]
    pub user: Account,
    /// Address to open in a browser; secret.
    pub action_link: String,
    /// The same as digits, for `POST /verify` with the address; secret.
    pub email_otp: String,
    /// What the link carries, for `POST /verify` as `token_hash`; secret.
    pub hashed_token: String,
    /// The kind that was asked for, or `signup` where a magic link had to make the account.
    pub verification_type: String,
    /// Where the link leads in the end.
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
