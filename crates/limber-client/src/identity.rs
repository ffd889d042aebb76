//! A client of the identity service.
//!
//! [`IdentityClient`] speaks HTTP and nothing else: it stores no session, writes no file and starts
//! no timer. The caller stores the [`Session`] (for example in a keychain) and passes its tokens
//! back in. Guarantees:
//!
//! - Tokens and passwords are passed as [`SecretString`]; they never appear in `Debug` output,
//!   errors or logs.
//! - [`IdentityClient::refresh`] runs one exchange at a time. Concurrent callers with the same
//!   token get the same new session, so an app with many windows does not look like a token thief.
//! - Every call has a time limit, and every response a size limit.
//! - Every failure is an [`IdentityError`] with an [`ErrorCode`] to branch on and a message to
//!   show.

mod call;
mod error;
mod own_account;
mod passwordless;
mod pkce;
mod session;

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

use crate::ConnectionPolicy;
use call::{Call, Transport};
pub use error::IdentityError;
use pkce::challenge_fields;
pub use pkce::{RedirectTarget, Verifier};
pub use session::{AccountChanges, Assurance, Proof, Session, SignUp, Verified};

/// Network options of an [`IdentityClient`].
#[derive(Debug, Clone)]
pub struct IdentityOptions {
    /// Time limit for a whole request, not counting retries.
    pub timeout: Duration,
    /// Time limit for connecting.
    pub connect_timeout: Duration,
    /// Sent as `apikey`, for instances behind a gateway that requires it.
    pub api_key: Option<SecretString>,
    /// How the service may be reached.
    pub connection: ConnectionPolicy,
}

impl Default for IdentityOptions {
    fn default() -> Self {
        Self {
            // longer than the service's own limit of 10 s
            timeout: Duration::from_secs(15),
            connect_timeout: Duration::from_secs(5),
            api_key: None,
            connection: ConnectionPolicy::default(),
        }
    }
}

/// A client of one identity service.
#[derive(Debug)]
pub struct IdentityClient {
    transport: Transport,
    /// The last exchange, so that concurrent callers share its result.
    exchange: Mutex<Option<Exchange>>,
}

#[derive(Debug)]
struct Exchange {
    presented: SecretString,
    received: Session,
}

impl IdentityClient {
    /// Creates a client of the service at `base_url` (with or without `/auth/v1`).
    ///
    /// The program must have installed a rustls provider (`rustls::crypto::ring`).
    ///
    /// # Errors
    /// [`IdentityError::BadAddress`] if the URL is not `http` or `https`,
    /// [`IdentityError::Unencrypted`] if others could eavesdrop.
    pub fn new(base_url: &Url, options: &IdentityOptions) -> Result<Self, IdentityError> {
        Ok(Self { transport: Transport::new(base_url, options)?, exchange: Mutex::new(None) })
    }

    /// Returns the features of this instance.
    ///
    /// # Errors
    /// If the service cannot be reached or does not respond like an identity service.
    pub async fn settings(&self) -> Result<Settings, IdentityError> {
        self.transport.json(Call::new(Method::GET, "settings").repeatable()).await
    }

    /// Creates an account with email and password. `redirect` is where the emailed link leads.
    ///
    /// # Errors
    /// `weak_password`, `signup_disabled`, `over_email_send_rate_limit`, …
    pub async fn sign_up(
        &self,
        email: &str,
        password: &SecretString,
        data: Option<Metadata>,
        redirect: Option<&RedirectTarget>,
    ) -> Result<SignUp, IdentityError> {
        let (code_challenge, code_challenge_method) = challenge_fields(redirect);
        let body = SignUpRequest {
            email: Some(email.to_owned()),
            password: Some(password.expose_secret().to_owned()),
            data,
            code_challenge,
            code_challenge_method,
            ..SignUpRequest::default()
        };
        let call = Call::new(Method::POST, "signup").redirect(redirect).body(&body)?;
        SignUp::read(self.transport.json(call).await?)
    }

    /// Signs in anonymously. [`update_user`](Self::update_user) with an email address makes the
    /// account permanent later.
    ///
    /// # Errors
    /// `anonymous_provider_disabled` if the instance does not offer it.
    pub async fn sign_in_anonymously(
        &self,
        data: Option<Metadata>,
    ) -> Result<Session, IdentityError> {
        let body = SignUpRequest { data, ..SignUpRequest::default() };
        self.session(Call::new(Method::POST, "signup").body(&body)?).await
    }

    /// Signs in with email and password.
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

    /// Exchanges a refresh token for a new session, one exchange at a time. If the response is
    /// lost, the request is repeated: the service accepts a used token again for some seconds.
    ///
    /// # Errors
    /// If [`IdentityError::ends_session`] is true, the token is no longer valid; after any other
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

    /// Returns the account of an access token.
    ///
    /// # Errors
    /// `bad_jwt` if the token has expired: [`refresh`](Self::refresh) and try again.
    pub async fn user(&self, access_token: &SecretString) -> Result<Account, IdentityError> {
        let call = Call::new(Method::GET, "user").bearer(access_token).repeatable();
        self.transport.json(call).await
    }

    /// Changes the account. A new email address stays in `new_email` until it is confirmed.
    ///
    /// # Errors
    /// `email_exists`, `weak_password`, `same_password`, `reauthentication_needed`, …
    pub async fn update_user(
        &self,
        access_token: &SecretString,
        changes: AccountChanges,
        redirect: Option<&RedirectTarget>,
    ) -> Result<Account, IdentityError> {
        let mut body: UpdateAccountRequest = changes.into();
        (body.code_challenge, body.code_challenge_method) = challenge_fields(redirect);
        let call =
            Call::new(Method::PUT, "user").bearer(access_token).redirect(redirect).body(&body)?;
        self.transport.json(call).await
    }

    /// Ends sessions. Succeeds if the session has already ended. If the account has a verified
    /// second factor and the session has not verified one, `Global` ends this session only.
    ///
    /// # Errors
    /// If the service cannot be reached: the session then stays valid on the server.
    /// `insufficient_aal` for `Others` if the session has not verified the account's second factor.
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

    /// Requests an email for resetting the password. Succeeds for unknown addresses too.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, `email_provider_disabled`.
    pub async fn recover(
        &self,
        email: &str,
        redirect: Option<&RedirectTarget>,
    ) -> Result<(), IdentityError> {
        let (code_challenge, code_challenge_method) = challenge_fields(redirect);
        let body =
            RecoverRequest { email: Some(email.to_owned()), code_challenge, code_challenge_method };
        let call = Call::new(Method::POST, "recover").redirect(redirect).body(&body)?;
        self.transport.empty(call).await
    }

    /// Requests another confirmation message. Succeeds for unknown addresses too.
    ///
    /// # Errors
    /// `over_email_send_rate_limit`, `email_provider_disabled`.
    pub async fn resend(
        &self,
        kind: ResendKind,
        email: &str,
        redirect: Option<&RedirectTarget>,
    ) -> Result<(), IdentityError> {
        let (code_challenge, code_challenge_method) = challenge_fields(redirect);
        let body = ResendRequest {
            kind: Some(kind.as_str().to_owned()),
            email: Some(email.to_owned()),
            code_challenge,
            code_challenge_method,
            ..ResendRequest::default()
        };
        let call = Call::new(Method::POST, "resend").redirect(redirect).body(&body)?;
        let _: ResendResult = self.transport.json(call).await?;
        Ok(())
    }

    async fn session(&self, call: Call) -> Result<Session, IdentityError> {
        Ok(self.transport.json::<SessionResponse>(call).await?.into())
    }
}

/// Returns whether a stored session is useless after this error.
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
