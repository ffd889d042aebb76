//! The identity service, seen from a client.
//!
//! [`IdentityClient`] speaks HTTP and nothing else: it keeps no session, writes no file and
//! starts no timer. The caller keeps the [`Session`] (in a keychain, say) and hands its tokens
//! back in. What a caller may rely on:
//!
//! - Tokens and passwords travel as [`SecretString`]; they never show up in `Debug`, in errors
//!   or in logs.
//! - [`IdentityClient::refresh`] runs one exchange at a time. Callers that present the same token
//!   together get the same new session, so an app with many windows does not look like a thief.
//! - Every call has a time limit, and every answer a size limit.
//! - Every failure is an [`IdentityError`] with a [`ErrorCode`] to branch on and a sentence to
//!   show.

mod call;
mod error;
mod own_account;
mod pkce;
mod session;
mod ways_in;

use std::time::Duration;

use limber_api::identity::{
    Account, ErrorCode, LogoutScope, Metadata, PasswordGrant, RecoverRequest, RefreshGrant,
    ResendKind, ResendRequest, ResendResult, SessionResponse, Settings, SignUpRequest,
    UpdateAccountRequest,
};
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;
use url::Url;

use crate::Way;
use call::{Call, Transport};
pub use error::IdentityError;
use pkce::challenge_fields;
pub use pkce::{Verifier, WayBack};
pub use session::{AccountChanges, Assurance, Proof, Session, SignUp, Verified};

/// How an [`IdentityClient`] behaves on the wire.
#[derive(Debug, Clone)]
pub struct IdentityOptions {
    /// Limit for one whole exchange, retries not included.
    pub timeout: Duration,
    /// Limit for reaching the server at all.
    pub connect_timeout: Duration,
    /// Sent along as `apikey` for instances behind a gateway that wants one.
    pub api_key: Option<SecretString>,
    /// How the service is reached.
    pub way: Way,
}

impl Default for IdentityOptions {
    fn default() -> Self {
        Self {
            // the service itself gives up after 10 s
            timeout: Duration::from_secs(15),
            connect_timeout: Duration::from_secs(5),
            api_key: None,
            way: Way::default(),
        }
    }
}

/// A client of one identity service.
#[derive(Debug)]
pub struct IdentityClient {
    transport: Transport,
    /// Holds the last exchange, so that callers who waited share its outcome.
    exchange: Mutex<Option<Exchange>>,
}

#[derive(Debug)]
struct Exchange {
    presented: SecretString,
    received: Session,
}

impl IdentityClient {
    /// A client of the service at `base_url` (with or without `/auth/v1`).
    ///
    /// The program must have installed a rustls provider before (`rustls::crypto::ring`).
    ///
    /// # Errors
    /// [`IdentityError::BadAddress`] when the address is not `http` or `https`,
    /// [`IdentityError::Unencrypted`] when others could read what is sent there.
    pub fn new(base_url: &Url, options: &IdentityOptions) -> Result<Self, IdentityError> {
        Ok(Self { transport: Transport::new(base_url, options)?, exchange: Mutex::new(None) })
    }

    /// What this instance offers.
    ///
    /// # Errors
    /// When the service cannot be reached or does not answer as an identity service does.
    pub async fn settings(&self) -> Result<Settings, IdentityError> {
        self.transport.json(Call::new(Method::GET, "settings").repeatable()).await
    }

    /// Makes an account by email and password. `back` is where the mailed link leads.
    ///
    /// # Errors
    /// `weak_password`, `signup_disabled`, `over_email_send_rate_limit`, …
    pub async fn sign_up(
        &self,
        email: &str,
        password: &SecretString,
        data: Option<Metadata>,
        back: Option<&WayBack>,
    ) -> Result<SignUp, IdentityError> {
        let (code_challenge, code_challenge_method) = challenge_fields(back);
        let body = SignUpRequest {
            email: Some(email.to_owned()),
            password: Some(password.expose_secret().to_owned()),
            data,
            code_challenge,
            code_challenge_method,
            ..SignUpRequest::default()
        };
        let call = Call::new(Method::POST, "signup").back(back).body(&body)?;
        SignUp::read(self.transport.json(call).await?)
    }

    /// Signs in without saying who. [`update_user`](Self::update_user) with an email makes the
    /// account permanent later.
    ///
    /// # Errors
    /// `anonymous_provider_disabled` where the instance does not offer it.
    pub async fn sign_in_anonymously(
        &self,
        data: Option<Metadata>,
    ) -> Result<Session, IdentityError> {
        let body = SignUpRequest { data, ..SignUpRequest::default() };
        self.session(Call::new(Method::POST, "signup").body(&body)?).await
    }

    /// Signs in by email and password.
    ///
    /// # Errors
    /// `invalid_credentials`, `email_not_confirmed`, `user_banned`.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &SecretString,
    ) -> Result<Session, IdentityError> {
        let body = PasswordGrant {
            email: Some(email.to_owned()),
            password: Some(password.expose_secret().to_owned()),
            phone: None,
        };
        let call = Call::new(Method::POST, "token").query("grant_type", "password").body(&body)?;
        self.session(call).await
    }

    /// Exchanges a refresh token for the next session, one exchange at a time. Lost answers are
    /// asked for again: the service allows it for some seconds.
    ///
    /// # Errors
    /// When [`IdentityError::ends_session`] says so the token is of no more use; after any other
    /// error it still is.
    pub async fn refresh(&self, refresh_token: &SecretString) -> Result<Session, IdentityError> {
        let mut last = self.exchange.lock().await;
        if let Some(exchange) = last.as_ref()
            && exchange.presented.expose_secret() == refresh_token.expose_secret()
        {
            return Ok(exchange.received.clone());
        }
        let body = RefreshGrant { refresh_token: Some(refresh_token.expose_secret().to_owned()) };
        let call = Call::new(Method::POST, "token")
            .query("grant_type", "refresh_token")
            .body(&body)?
            .repeatable();
        let received = self.session(call).await?;
        *last = Some(Exchange { presented: refresh_token.clone(), received: received.clone() });
        Ok(received)
    }

    /// The account behind an access token.
    ///
    /// # Errors
    /// `bad_jwt` when the token expired: [`refresh`](Self::refresh) and ask again.
    pub async fn user(&self, access_token: &SecretString) -> Result<Account, IdentityError> {
        let call = Call::new(Method::GET, "user").bearer(access_token).repeatable();
        self.transport.json(call).await
    }

    /// Changes the account. A new email waits in `new_email` until it is confirmed.
    ///
    /// # Errors
    /// `email_exists`, `weak_password`, `same_password`, `reauthentication_needed`, …
    pub async fn update_user(
        &self,
        access_token: &SecretString,
        changes: AccountChanges,
        back: Option<&WayBack>,
    ) -> Result<Account, IdentityError> {
        let mut body: UpdateAccountRequest = changes.into();
        (body.code_challenge, body.code_challenge_method) = challenge_fields(back);
        let call = Call::new(Method::PUT, "user").bearer(access_token).back(back).body(&body)?;
        self.transport.json(call).await
    }

    /// Ends sessions. Over already counts as success.
    ///
    /// # Errors
    /// When the service cannot be reached: the session then lives on at the server.
    pub async fn sign_out(
        &self,
        access_token: &SecretString,
        scope: LogoutScope,
    ) -> Result<(), IdentityError> {
        let call = Call::new(Method::POST, "logout")
            .query("scope", scope.as_str())
            .bearer(access_token)
            .repeatable();
        match self.transport.empty(call).await {
            Err(IdentityError::Refused { status: 401 | 403 | 404, .. }) => Ok(()),
            other => other,
        }
    }

    /// Asks for a mail that leads to a new password. Succeeds for unknown addresses too.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, `email_provider_disabled`.
    pub async fn recover(&self, email: &str, back: Option<&WayBack>) -> Result<(), IdentityError> {
        let (code_challenge, code_challenge_method) = challenge_fields(back);
        let body =
            RecoverRequest { email: Some(email.to_owned()), code_challenge, code_challenge_method };
        let call = Call::new(Method::POST, "recover").back(back).body(&body)?;
        self.transport.empty(call).await
    }

    /// Asks for a confirmation again. Succeeds for unknown addresses too.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, `email_provider_disabled`.
    pub async fn resend(
        &self,
        kind: ResendKind,
        email: &str,
        back: Option<&WayBack>,
    ) -> Result<(), IdentityError> {
        let (code_challenge, code_challenge_method) = challenge_fields(back);
        let body = ResendRequest {
            kind: Some(kind.as_str().to_owned()),
            email: Some(email.to_owned()),
            code_challenge,
            code_challenge_method,
            ..ResendRequest::default()
        };
        let call = Call::new(Method::POST, "resend").back(back).body(&body)?;
        let _: ResendResult = self.transport.json(call).await?;
        Ok(())
    }

    async fn session(&self, call: Call) -> Result<Session, IdentityError> {
        Ok(self.transport.json::<SessionResponse>(call).await?.into())
    }
}

/// True for codes after which a stored session is worthless.
pub(crate) fn code_ends_session(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::SessionNotFound
            | ErrorCode::SessionExpired
            | ErrorCode::RefreshTokenNotFound
            | ErrorCode::RefreshTokenAlreadyUsed
            | ErrorCode::UserBanned
            | ErrorCode::UserNotFound
    )
}

#[cfg(test)]
mod tests;
