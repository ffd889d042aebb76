//! Self-service for accounts: second factors, linked services, sessions.

use limber_api::identity::{
    ChallengeFactorRequest, EnrollFactorRequest, EnrolledFactor, FactorChallenge, FactorId,
    OwnSession, OwnSessions, ProviderAddress, RemovedFactor, VerifyFactorRequest,
};
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use url::Url;
use uuid::Uuid;

use super::{
    IdentityClient, IdentityError, RedirectTarget, Session, call::Call, passwordless::scopes,
};

impl IdentityClient {
    /// Requests a re-authentication code, which some changes require.
    ///
    /// # Errors
    /// `email_not_confirmed`, `over_email_send_rate_limit`, …
    pub async fn reauthenticate(&self, access_token: &SecretString) -> Result<(), IdentityError> {
        self.transport.empty(Call::new(Method::GET, "reauthenticate").bearer(access_token)).await
    }

    /// Starts enrolling an authenticator app. It takes effect once
    /// [`verify_factor`](Self::verify_factor) has received one of its codes.
    ///
    /// # Errors
    /// `mfa_factor_name_conflict`, `too_many_enrolled_mfa_factors`, `insufficient_aal`, …
    pub async fn enroll_totp(
        &self,
        access_token: &SecretString,
        name: &str,
        issuer: &str,
    ) -> Result<EnrolledFactor, IdentityError> {
        let body = EnrollFactorRequest {
            factor_type: Some("totp".to_owned()),
            friendly_name: Some(name.to_owned()),
            issuer: Some(issuer.to_owned()),
            phone: None,
        };
        let call = Call::new(Method::POST, "factors").bearer(access_token).body(&body)?;
        self.transport.json(call).await
    }

    /// Starts enrolling a phone; the number is in E.164. To send a text message, call
    /// [`challenge_factor`](Self::challenge_factor); the phone takes effect once
    /// [`verify_factor`](Self::verify_factor) has received the code.
    ///
    /// # Errors
    /// `mfa_phone_enroll_not_enabled`, `mfa_verified_factor_exists`, `insufficient_aal`, …
    pub async fn enroll_phone(
        &self,
        access_token: &SecretString,
        name: &str,
        phone: &str,
    ) -> Result<EnrolledFactor, IdentityError> {
        let body = EnrollFactorRequest {
            factor_type: Some("phone".to_owned()),
            friendly_name: Some(name.to_owned()),
            issuer: None,
            phone: Some(phone.to_owned()),
        };
        let call = Call::new(Method::POST, "factors").bearer(access_token).body(&body)?;
        self.transport.json(call).await
    }

    /// Requests a challenge; for a phone, this sends a text message with a code.
    ///
    /// # Errors
    /// `mfa_factor_not_found`, `over_request_rate_limit`.
    pub async fn challenge_factor(
        &self,
        access_token: &SecretString,
        factor: FactorId,
    ) -> Result<FactorChallenge, IdentityError> {
        let path = format!("factors/{}/challenge", factor.as_uuid());
        let body = ChallengeFactorRequest::default();
        let call = Call::new(Method::POST, path).bearer(access_token).body(&body)?;
        self.transport.json(call).await
    }

    /// Verifies a factor with a code; returns a session at `aal2`.
    ///
    /// # Errors
    /// `mfa_verification_failed`, `mfa_challenge_expired`, `over_request_rate_limit`.
    pub async fn verify_factor(
        &self,
        access_token: &SecretString,
        factor: FactorId,
        challenge: &FactorChallenge,
        code: &SecretString,
    ) -> Result<Session, IdentityError> {
        let body = VerifyFactorRequest {
            challenge_id: Some(challenge.id.to_string()),
            code: Some(code.expose_secret().to_owned()),
        };
        let path = format!("factors/{}/verify", factor.as_uuid());
        self.session(Call::new(Method::POST, path).bearer(access_token).body(&body)?).await
    }

    /// Removes a factor.
    ///
    /// # Errors
    /// `insufficient_aal` if the account has a verified factor and the session has verified none.
    pub async fn remove_factor(
        &self,
        access_token: &SecretString,
        factor: FactorId,
    ) -> Result<(), IdentityError> {
        let call =
            Call::new(Method::DELETE, format!("factors/{}", factor.as_uuid())).bearer(access_token);
        let _: RemovedFactor = self.transport.json(call).await?;
        Ok(())
    }

    /// Returns the URL at which a browser links another service to this account.
    ///
    /// # Errors
    /// `manual_linking_disabled` if the operator does not offer it,
    /// [`IdentityError::UnencryptedLink`] if others could eavesdrop.
    pub async fn link_address(
        &self,
        access_token: &SecretString,
        provider: &str,
        redirect: &RedirectTarget,
    ) -> Result<Url, IdentityError> {
        let mut call = Call::new(Method::GET, "user/identities/authorize")
            .bearer(access_token)
            .query("provider", provider)
            .query("skip_http_redirect", "true")
            .redirect(Some(redirect));
        if let Some(scopes) = scopes(provider) {
            call = call.query("scopes", scopes);
        }
        if let Some(challenge) = &redirect.challenge {
            call = call.query("code_challenge", challenge).query("code_challenge_method", "s256");
        }
        let answer: ProviderAddress = self.transport.json(call).await?;
        self.transport.page(&answer.url)
    }

    /// Unlinks a service from the account.
    ///
    /// # Errors
    /// `single_identity_not_deletable`, `identity_not_found`, `manual_linking_disabled`, …
    pub async fn unlink(
        &self,
        access_token: &SecretString,
        identity: Uuid,
    ) -> Result<(), IdentityError> {
        let path = format!("user/identities/{identity}");
        self.transport.empty(Call::new(Method::DELETE, path).bearer(access_token)).await
    }

    /// Returns the account's sessions, newest first; `None` if the service does not support this.
    ///
    /// # Errors
    /// If the token is invalid or the service cannot be reached.
    pub async fn sessions(
        &self,
        access_token: &SecretString,
    ) -> Result<Option<Vec<OwnSession>>, IdentityError> {
        let call = Call::new(Method::GET, "sessions").bearer(access_token).repeatable();
        match self.transport.json::<OwnSessions>(call).await {
            Ok(own) => Ok(Some(own.sessions)),
            // other compatible services lack this endpoint
            Err(IdentityError::Refused { status: 404 | 405, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Ends one session.
    ///
    /// # Errors
    /// If the service cannot be reached. `insufficient_aal` for another session, if the account has
    /// a verified factor and the caller's session has verified none. A session that has already
    /// ended counts as success.
    pub async fn end_session(
        &self,
        access_token: &SecretString,
        session: Uuid,
    ) -> Result<(), IdentityError> {
        let path = format!("sessions/{session}");
        match self.transport.empty(Call::new(Method::DELETE, path).bearer(access_token)).await {
            Err(IdentityError::Refused { status: 404, .. }) => Ok(()),
            other => other,
        }
    }
}
