//! Second factors: challenged after sign-in, enrolled and removed. Codes sent to phones are handled
//! in `phone_factors.rs`.

use base64::{Engine, engine::general_purpose::STANDARD};
use limber_api::identity::{
    ErrorCode as IdentityCode, Factor, FactorChallenge, FactorId, FactorKind,
};
use limber_client::identity::IdentityError;
use limber_domain::lock;
use secrecy::SecretString;

use super::{App, Services, account::uuid, sign_in_methods::digits};
use crate::{
    AppError, ErrorCode, Notice,
    session::{counts, factor_name},
    views::{AccountView, FactorOffer},
};

/// Issuer name shown in authenticator apps.
const ISSUER: &str = "Limber";
/// Size limit for the service's QR code; a larger image is rejected.
const LARGEST_PICTURE_BYTES: usize = 64 << 10;

impl App {
    /// Verifies the code of an authenticator app after sign-in.
    ///
    /// # Errors
    /// If the code is wrong.
    pub async fn enter_code(&self, code: &str) -> Result<(), AppError> {
        let code = digits(code)?;
        let stored = lock(&self.inner.stored_session).clone().ok_or_else(AppError::signed_out)?;
        let factors = stored.session.account.factors;
        let totp = |factor: &&Factor| counts(factor) && factor.factor_type == FactorKind::Totp;
        let mut refused = None;
        for factor in factors.iter().filter(totp) {
            match self.give_code(factor.id, &code).await {
                // with several authenticators, the code may belong to any of them
                Err(error) if error.code() == Some(IdentityCode::MfaVerificationFailed) => {
                    refused = Some(error);
                }
                other => return Ok(other?),
            }
        }
        Err(refused.map_or_else(
            || AppError::new(ErrorCode::ServiceRefused, Notice::FactorNotAskable),
            AppError::from,
        ))
    }

    /// Starts enrolling an authenticator app; earlier unfinished enrolments are removed.
    ///
    /// # Errors
    /// If the studio does not offer it, or the user is anonymous.
    pub async fn begin_factor(&self) -> Result<FactorOffer, AppError> {
        let (services, stored) = self.mine().await?;
        let token = &stored.session.access_token;
        let name = self.make_room(&services, token, FactorKind::Totp).await?;
        let enrolled = services.identity.enroll_totp(token, &name, ISSUER).await?;
        let told = enrolled.totp.ok_or_else(no_picture)?;
        Ok(FactorOffer {
            id: enrolled.id.as_uuid().to_string(),
            picture: data_url(&told.qr_code)?,
            secret: in_groups(&told.secret),
        })
    }

    /// Finishes the enrolment of an authenticator app, which is required at sign-in from now on.
    ///
    /// # Errors
    /// If the code is wrong.
    pub async fn confirm_factor(&self, id: &str, code: &str) -> Result<AccountView, AppError> {
        self.give_code(factor_id(id)?, &digits(code)?).await?;
        self.account().await
    }

    /// Removes a second factor.
    ///
    /// # Errors
    /// If the service refuses.
    pub async fn remove_factor(&self, id: &str) -> Result<AccountView, AppError> {
        let (services, stored) = self.mine().await?;
        let id = factor_id(id)?;
        services.identity.remove_factor(&stored.session.access_token, id).await?;
        // the current tokens still claim the removed factor
        self.renew(&services, &stored).await?;
        self.account().await
    }

    /// Removes unfinished enrolments. Returns the name of the next factor of this kind.
    pub(super) async fn make_room(
        &self,
        services: &Services,
        token: &SecretString,
        kind: FactorKind,
    ) -> Result<String, AppError> {
        let account = services.identity.user(token).await?;
        for factor in account.factors.iter().filter(|factor| !counts(factor)) {
            services.identity.remove_factor(token, factor.id).await?;
            lock(&self.inner.phone_challenges).remove(&factor.id);
        }
        Ok(free_name(kind, account.factors.iter().filter(|factor| counts(factor))))
    }

    /// Challenges an authenticator factor and verifies its code in one step.
    async fn give_code(&self, factor: FactorId, code: &SecretString) -> Result<(), GiveError> {
        let (services, stored) = self.mine().await?;
        let token = &stored.session.access_token;
        let challenge = services.identity.challenge_factor(token, factor).await?;
        self.answer(factor, &challenge, code).await
    }

    /// Verifies a challenge; on success the session is upgraded to the second factor.
    pub(super) async fn answer(
        &self,
        factor: FactorId,
        challenge: &FactorChallenge,
        code: &SecretString,
    ) -> Result<(), GiveError> {
        let (services, stored) = self.mine().await?;
        let token = &stored.session.access_token;
        // verification issues new tokens, so no refresh may run meanwhile
        let _one_at_a_time = self.inner.renewing.lock().await;
        let session = services.identity.verify_factor(token, factor, challenge, code).await?;
        self.store_session(&services, session, stored.new_password).await;
        Ok(())
    }
}

/// A failed verification; keeps the service's error so that a wrong code can be recognised.
pub(super) enum GiveError {
    Service(IdentityError),
    App(AppError),
}

impl GiveError {
    pub(super) fn code(&self) -> Option<IdentityCode> {
        match self {
            Self::Service(error) => error.code(),
            Self::App(_) => None,
        }
    }
}

impl From<IdentityError> for GiveError {
    fn from(error: IdentityError) -> Self {
        Self::Service(error)
    }
}

impl From<AppError> for GiveError {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

impl From<GiveError> for AppError {
    fn from(error: GiveError) -> Self {
        match error {
            GiveError::Service(error) => error.into(),
            GiveError::App(error) => error,
        }
    }
}

fn free_name<'a>(kind: FactorKind, taken: impl Iterator<Item = &'a Factor>) -> String {
    let taken: Vec<&str> = taken.map(|factor| factor.friendly_name.as_str()).collect();
    let first = factor_name(kind);
    let numbered = (2..).map(|number| format!("{first} {number}"));
    let mut names = std::iter::once(first.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(&name.as_str())).unwrap_or_default()
}

pub(super) fn factor_id(text: &str) -> Result<FactorId, AppError> {
    uuid(text).map(FactorId::new)
}

/// Converts the service's SVG to a data URL, which the interface shows as an image, so that no
/// script in it runs.
fn data_url(svg: &str) -> Result<String, AppError> {
    if svg.len() > LARGEST_PICTURE_BYTES || !svg.contains("<svg") {
        return Err(no_picture());
    }
    Ok(format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg)))
}

fn no_picture() -> AppError {
    AppError::new(ErrorCode::ServiceRefused, Notice::NoAuthenticatorDetails)
}

fn in_groups(secret: &str) -> String {
    let letters: Vec<char> = secret.chars().filter(|c| !c.is_whitespace()).collect();
    let groups: Vec<String> = letters.chunks(4).map(|four| four.iter().collect()).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_new_factor_gets_a_name_that_is_free() {
        let mut first = testing::factor("verified");
        assert_eq!(free_name(FactorKind::Totp, std::iter::empty()), "Authenticator");
        first.friendly_name = "Authenticator".to_owned();
        assert_eq!(free_name(FactorKind::Totp, [&first].into_iter()), "Authenticator 2");
    }

    #[test]
    fn a_secret_is_shown_for_typing_and_as_an_image() {
        assert_eq!(in_groups("ABCDEFGHIJ"), "ABCD EFGH IJ");
        assert!(data_url("<svg/>").expect("a picture").starts_with("data:image/svg+xml;base64,"));
        assert!(data_url("<html>").is_err() && data_url(&"<svg".repeat(40_000)).is_err());
    }
}
