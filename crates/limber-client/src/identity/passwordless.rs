//! Sign-in without a password: links and codes by email, codes by text message, other services.

use limber_api::identity::{OtpRequest, PkceGrant, VerifyKind, VerifyRequest};
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{
    IdentityClient, IdentityError, Proof, RedirectTarget, Session, Verified, Verifier, call::Call,
    pkce::challenge_fields,
};

impl IdentityClient {
    /// Requests an email with a sign-in link and a code. If `creates` is set, an unknown address is
    /// signed up.
    ///
    /// # Errors
    /// `otp_disabled`, `signup_disabled`, `over_email_send_rate_limit`, …
    pub async fn send_link(
        &self,
        email: &str,
        creates: bool,
        redirect: Option<&RedirectTarget>,
    ) -> Result<(), IdentityError> {
        let (code_challenge, code_challenge_method) = challenge_fields(redirect);
        let body = OtpRequest {
            email: Some(email.to_owned()),
            create_user: Some(creates),
            code_challenge,
            code_challenge_method,
            ..OtpRequest::default()
        };
        self.transport.empty(Call::new(Method::POST, "otp").redirect(redirect).body(&body)?).await
    }

    /// Requests a text message with a sign-in code; `phone` is in E.164.
    ///
    /// # Errors
    /// `phone_provider_disabled`, `otp_disabled`, `over_sms_send_rate_limit`, `sms_send_failed`, …
    pub async fn send_text(&self, phone: &str, creates: bool) -> Result<(), IdentityError> {
        let body = OtpRequest {
            phone: Some(phone.to_owned()),
            create_user: Some(creates),
            ..OtpRequest::default()
        };
        self.transport.empty(Call::new(Method::POST, "otp").body(&body)?).await
    }

    /// Verifies a code, or the token of an emailed link.
    ///
    /// # Errors
    /// `otp_expired` if it is wrong, used or expired.
    pub async fn verify(
        &self,
        kind: VerifyKind,
        proof: Proof<'_>,
    ) -> Result<Verified, IdentityError> {
        let mut body =
            VerifyRequest { kind: Some(kind.as_str().to_owned()), ..VerifyRequest::default() };
        match proof {
            Proof::Code { email, code } => {
                body.email = Some(email.to_owned());
                body.token = Some(code.expose_secret().to_owned());
            }
            Proof::Text { phone, code } => {
                body.phone = Some(phone.to_owned());
                body.token = Some(code.expose_secret().to_owned());
            }
            Proof::Link { token_hash } => {
                body.token_hash = Some(token_hash.expose_secret().to_owned());
            }
        }
        Verified::read(self.transport.json(Call::new(Method::POST, "verify").body(&body)?).await?)
    }

    /// Returns the URL at which a browser starts a sign-in with another service. Makes no request;
    /// the URL contains no secret.
    ///
    /// # Errors
    /// [`IdentityError::BadAddress`] if the service's address cannot be extended.
    pub fn authorize_address(
        &self,
        provider: &str,
        redirect: &RedirectTarget,
    ) -> Result<Url, IdentityError> {
        let mut address = self.transport.address("authorize")?;
        address
            .query_pairs_mut()
            .append_pair("provider", provider)
            .append_pair("redirect_to", &redirect.redirect_to);
        if let Some(scopes) = scopes(provider) {
            address.query_pairs_mut().append_pair("scopes", scopes);
        }
        if let Some(challenge) = &redirect.challenge {
            address
                .query_pairs_mut()
                .append_pair("code_challenge", challenge)
                .append_pair("code_challenge_method", "s256");
        }
        Ok(address)
    }

    /// Exchanges the code of a redirect for a session. The code is valid once.
    ///
    /// # Errors
    /// `flow_state_not_found`, `flow_state_expired`, `bad_code_verifier`.
    pub async fn exchange_code(
        &self,
        code: &SecretString,
        verifier: &Verifier,
    ) -> Result<Session, IdentityError> {
        let body = PkceGrant {
            auth_code: Some(code.expose_secret().to_owned()),
            code_verifier: Some(verifier.secret().expose_secret().to_owned()),
        };
        let call = Call::new(Method::POST, "token").query("grant_type", "pkce").body(&body)?;
        self.session(call).await
    }
}

/// Returns scopes that a provider needs in addition to those that the service requests.
pub(super) fn scopes(provider: &str) -> Option<&'static str> {
    // newer versions return no user data without it
    (provider == "keycloak").then_some("openid")
}
