//! Results of sign-ins. Tokens are wrapped here and stay wrapped.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use limber_api::identity::{
    Account, EmailChangeHalfDone, Metadata, SessionResponse, UpdateAccountRequest,
    WeakPasswordReason,
};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::IdentityError;

/// A session.
#[derive(Debug, Clone)]
pub struct Session {
    /// Access token, for `Authorization: Bearer …`.
    pub access_token: SecretString,
    /// Refresh token, for a single use with [`refresh`](super::IdentityClient::refresh).
    pub refresh_token: SecretString,
    /// When the access token expires, in seconds since 1970 by the server's clock.
    pub expires_at: i64,
    /// Lifetime of the access token from its creation, in seconds. More reliable than `expires_at`
    /// if the computer's clock is wrong.
    pub expires_in: i64,
    /// The account that signed in.
    pub account: Account,
    /// Current rules that the password violates; empty if there are none or no password was used.
    pub weak_password: Vec<WeakPasswordReason>,
}

impl From<SessionResponse> for Session {
    fn from(response: SessionResponse) -> Self {
        Self {
            access_token: response.access_token.into(),
            refresh_token: response.refresh_token.into(),
            expires_at: response.expires_at,
            expires_in: response.expires_in,
            account: response.user,
            weak_password: response.weak_password.map(|weak| weak.reasons).unwrap_or_default(),
        }
    }
}

/// Authentication level of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assurance {
    /// One factor was used.
    One,
    /// A second factor was used too.
    Two,
}

impl Session {
    /// Returns the level in the access token's `aal` claim. The token is not verified here; the
    /// service does that wherever it matters.
    #[must_use]
    pub fn assurance(&self) -> Assurance {
        let claims = self.access_token.expose_secret().split('.').nth(1);
        let claims = claims.and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
        let claims = claims.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        match claims.as_ref().and_then(|claims| claims["aal"].as_str()) {
            Some("aal2") => Assurance::Two,
            _ => Assurance::One,
        }
    }
}

/// Outcome of a sign-up.
#[derive(Debug, Clone)]
pub enum SignUp {
    /// A confirmation was sent. The response is the same if the address is already taken.
    ConfirmationSent(Box<Account>),
    /// Signed in; this instance requires no confirmation.
    SignedIn(Box<Session>),
}

impl SignUp {
    pub(super) fn read(answer: Value) -> Result<Self, IdentityError> {
        if answer.get("access_token").is_some() {
            let response: SessionResponse = parse(answer, "a sign-up's session")?;
            return Ok(Self::SignedIn(Box::new(response.into())));
        }
        Ok(Self::ConfirmationSent(Box::new(parse(answer, "a sign-up's account")?)))
    }
}

/// What the user presents for verification.
#[derive(Debug, Clone, Copy)]
pub enum Proof<'a> {
    /// A code from an email.
    Code {
        /// Address that the email was sent to.
        email: &'a str,
        /// The code.
        code: &'a SecretString,
    },
    /// A code from a text message.
    Text {
        /// Number that the message was sent to.
        phone: &'a str,
        /// The code.
        code: &'a SecretString,
    },
    /// The `token` of an emailed link.
    Link {
        /// Value of the parameter in the link.
        token_hash: &'a SecretString,
    },
}

/// Outcome of a verification.
#[derive(Debug, Clone)]
pub enum Verified {
    /// Verified and signed in.
    SignedIn(Box<Session>),
    /// A change of address also needs confirmation from the other address; holds a message that
    /// says so.
    OneMoreConfirmation(String),
}

impl Verified {
    pub(super) fn read(answer: Value) -> Result<Self, IdentityError> {
        if answer.get("access_token").is_some() {
            let response: SessionResponse = parse(answer, "a verification's session")?;
            return Ok(Self::SignedIn(Box::new(response.into())));
        }
        let half: EmailChangeHalfDone = parse(answer, "a verification's answer")?;
        Ok(Self::OneMoreConfirmation(half.msg))
    }
}

fn parse<T: DeserializeOwned>(answer: Value, what: &'static str) -> Result<T, IdentityError> {
    serde_json::from_value(answer).map_err(|_| IdentityError::NotUnderstood { what })
}

/// Changes for [`update_user`](super::IdentityClient::update_user); `None` changes nothing.
#[derive(Debug, Clone, Default)]
pub struct AccountChanges {
    /// New email address.
    pub email: Option<String>,
    /// New phone number in E.164.
    pub phone: Option<String>,
    /// New password.
    pub password: Option<SecretString>,
    /// Current password, if the instance requires it.
    pub current_password: Option<SecretString>,
    /// Re-authentication code, if the instance requires it.
    pub nonce: Option<SecretString>,
    /// Merged into the account's user metadata.
    pub data: Option<Metadata>,
}

impl From<AccountChanges> for UpdateAccountRequest {
    fn from(changes: AccountChanges) -> Self {
        let expose = |secret: Option<SecretString>| secret.map(|s| s.expose_secret().to_owned());
        Self {
            email: changes.email,
            phone: changes.phone,
            password: expose(changes.password),
            current_password: expose(changes.current_password),
            nonce: expose(changes.nonce),
            data: changes.data,
            ..Self::default()
        }
    }
}
