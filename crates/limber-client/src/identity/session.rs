//! What a client holds after an exchange. Tokens are wrapped here and stay wrapped.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use limber_api::identity::{
    Account, EmailChangeHalfDone, Metadata, SessionResponse, UpdateAccountRequest,
    WeakPasswordReason,
};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::IdentityError;

/// One sign-in.
#[derive(Debug, Clone)]
pub struct Session {
    /// Goes into `Authorization: Bearer …`.
    pub access_token: SecretString,
    /// Goes into [`refresh`](super::IdentityClient::refresh), once.
    pub refresh_token: SecretString,
    /// When the access token expires, seconds since 1970 by the server's clock.
    pub expires_at: i64,
    /// How long the access token lives from when it was made, seconds. Safer than `expires_at`
    /// on a computer whose clock is wrong.
    pub expires_in: i64,
    /// Who signed in.
    pub account: Account,
    /// Which rules of today the password breaks; empty when none, or when no password was used.
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

/// How well a session is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assurance {
    /// One way in was used.
    One,
    /// A second factor as well.
    Two,
}

impl Session {
    /// What the claim `aal` of the access token says. It is not verified: the service does that
    /// wherever it matters.
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

/// How a sign-up ended.
#[derive(Debug, Clone)]
pub enum SignUp {
    /// A confirmation is on its way. The same answer comes for an address that is taken.
    ConfirmationSent(Box<Account>),
    /// This instance needs no confirmation.
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

/// What the person has in hand.
#[derive(Debug, Clone, Copy)]
pub enum Proof<'a> {
    /// The digits from the mail, and the address it came to.
    Code {
        /// Address the mail came to.
        email: &'a str,
        /// The digits.
        code: &'a SecretString,
    },
    /// The digits from the text message, and the number it came to.
    Text {
        /// Number the message came to.
        phone: &'a str,
        /// The digits.
        code: &'a SecretString,
    },
    /// The `token` of the mailed link.
    Link {
        /// The parameter's value, as it stands in the link.
        token_hash: &'a SecretString,
    },
}

/// How a verification ended.
#[derive(Debug, Clone)]
pub enum Verified {
    /// Done, and signed in.
    SignedIn(Box<Session>),
    /// A change of address needs the mail to the other address too; the text says so.
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

/// What [`update_user`](super::IdentityClient::update_user) changes; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct AccountChanges {
    /// New address.
    pub email: Option<String>,
    /// New number in E.164.
    pub phone: Option<String>,
    /// New password.
    pub password: Option<SecretString>,
    /// The password so far, where the instance asks for it.
    pub current_password: Option<SecretString>,
    /// The mailed code, where the instance asks for it.
    pub nonce: Option<SecretString>,
    /// Merged into the account's own data.
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
