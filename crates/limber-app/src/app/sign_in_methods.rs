//! Sign-in methods without a password: emailed links, texted codes and identity providers; and the
//! redirects that complete them.

use std::{sync::Arc, time::Duration};

use limber_api::identity::VerifyKind;
use limber_client::identity::{IdentityError, Proof, RedirectTarget, Verified};
use limber_domain::lock;
use secrecy::{ExposeSecret, SecretString};

use super::{App, Services, account::provider};
use crate::{
    AppError, ErrorCode, Notice,
    links::{Callback, MailedLink},
    pending_auth::{PendingAuths, Purpose},
    views::{LinkOutcome, SessionState, SignInOptions},
};

/// How long a link that started the program waits for the studio.
const LONGEST_START: Duration = Duration::from_secs(180);

impl App {
    /// Returns the sign-in methods that the studio offers.
    ///
    /// # Errors
    /// If the service cannot be reached.
    pub async fn sign_in_options(&self) -> Result<SignInOptions, AppError> {
        let settings = self.services()?.identity.settings().await?;
        let on = |name: &str| settings.external.get(name).copied().unwrap_or(false);
        let is_provider =
            |name: &&String| !["email", "phone", "anonymous_users"].contains(&name.as_str());
        let names = settings.external.iter().filter(|(_, on)| **on).map(|(name, _)| name);
        Ok(SignInOptions {
            email: on("email"),
            phone: on("phone"),
            anonymous: on("anonymous_users"),
            sign_up: !settings.disable_signup,
            providers: names.filter(is_provider).map(|name| provider(name)).collect(),
        })
    }

    /// Sends a magic link. An unknown address gets an account if the studio allows sign-ups.
    ///
    /// # Errors
    /// If the address is rejected or was contacted too recently.
    pub async fn mail_link(&self, email: &str) -> Result<(), AppError> {
        let services = self.services()?;
        let creates = !services.identity.settings().await?.disable_signup;
        let back = self.begin_auth(&services, Purpose::Link).await;
        Ok(services.identity.send_link(email.trim(), creates, Some(&back)).await?)
    }

    /// Signs in with the code from that email.
    ///
    /// # Errors
    /// If the code is wrong or has expired.
    pub async fn enter_mailed_code(&self, email: &str, code: &str) -> Result<(), AppError> {
        let code = digits(code)?;
        let proof = Proof::Code { email: email.trim(), code: &code };
        self.prove(VerifyKind::Email, proof, false).await.map(drop)
    }

    /// Sends a sign-in code by text message.
    ///
    /// # Errors
    /// If the number is rejected or was contacted too recently.
    pub async fn text_code(&self, phone: &str) -> Result<(), AppError> {
        let services = self.services()?;
        let phone = e164(phone)?;
        let creates = !services.identity.settings().await?.disable_signup;
        Ok(services.identity.send_text(&phone, creates).await?)
    }

    /// Signs in with that code.
    ///
    /// # Errors
    /// If the code is wrong or has expired.
    pub async fn enter_texted_code(&self, phone: &str, code: &str) -> Result<(), AppError> {
        let (phone, code) = (e164(phone)?, digits(code)?);
        let proof = Proof::Text { phone: &phone, code: &code };
        self.prove(VerifyKind::Sms, proof, false).await.map(drop)
    }

    /// Sends a password-recovery email. Unknown addresses succeed as well, so that nobody can find
    /// out who has an account.
    ///
    /// # Errors
    /// If the service cannot be reached, or the address was contacted too recently.
    pub async fn recover(&self, email: &str) -> Result<(), AppError> {
        let services = self.services()?;
        let back = self.begin_auth(&services, Purpose::Recovery).await;
        Ok(services.identity.recover(email.trim(), Some(&back)).await?)
    }

    /// Opens the user's browser at an identity provider: to sign in, or, if a user is signed in, to
    /// link it to their account. Calling this again reopens the browser.
    ///
    /// # Errors
    /// If the service refuses, or the desktop has no browser.
    pub async fn open_provider(&self, id: &str) -> Result<(), AppError> {
        let services = self.services()?;
        let links = matches!(*lock(&self.inner.session), SessionState::SignedIn { .. });
        let address = if links {
            let stored = self.fresh(&services).await?;
            let back = self.begin_auth(&services, Purpose::Identity(id.to_owned())).await;
            services.identity.link_address(&stored.session.access_token, id, &back).await?
        } else {
            let back = self.begin_auth(&services, Purpose::Provider(id.to_owned())).await;
            services.identity.authorize_address(id, &back)?
        };
        if !matches!(address.scheme(), "http" | "https") {
            return Err(AppError::new(ErrorCode::ServiceRefused, Notice::PageNotOnTheWeb));
        }
        self.inner.environment.desktop.open_page(address).await
    }

    /// Stops waiting for the browser; a later redirect is refused.
    pub async fn stop_waiting(&self) {
        if let Ok(services) = self.services() {
            self.with_pending_auths(&services, PendingAuths::forget_browser).await;
        }
    }

    /// Follows a link from outside the program once the studio is ready; the outcome is reported as
    /// an event.
    pub fn follow_link(&self, link: SecretString) {
        let app = self.clone();
        tokio::spawn(async move {
            let followed = match tokio::time::timeout(LONGEST_START, app.settled()).await {
                Ok(()) => app.open_callback(&link).await,
                Err(_) => Err(AppError::not_ready()),
            };
            match followed {
                Ok(outcome) => app.inner.environment.events.link(outcome),
                Err(error) => app.tell(&error),
            }
        });
    }

    /// Follows the link of an email that was opened inside the app.
    pub(super) async fn open_mailed(&self, link: &SecretString) -> Result<LinkOutcome, AppError> {
        let mailed = MailedLink::read(link.expose_secret())?;
        let proof = Proof::Link { token_hash: &mailed.token_hash };
        let new_password = mailed.kind == VerifyKind::Recovery;
        self.prove(mailed.kind, proof, new_password).await
    }

    async fn prove(
        &self,
        kind: VerifyKind,
        proof: Proof<'_>,
        new_password: bool,
    ) -> Result<LinkOutcome, AppError> {
        let services = self.services()?;
        match services.identity.verify(kind, proof).await? {
            Verified::SignedIn(session) => {
                self.arrive(&services, *session, new_password).await;
                Ok(match kind {
                    VerifyKind::Recovery => LinkOutcome::NewPassword,
                    VerifyKind::EmailChange => LinkOutcome::Confirmed,
                    _ => LinkOutcome::SignedIn,
                })
            }
            Verified::OneMoreConfirmation(_) => Ok(LinkOutcome::OneMoreConfirmation),
        }
    }

    pub(super) async fn open_callback(&self, link: &SecretString) -> Result<LinkOutcome, AppError> {
        let services = self.services()?;
        match Callback::read(link.expose_secret())? {
            Callback::Code { code, state } => self.redeem(&services, &code, &state).await,
            Callback::OneMore { state } => {
                let begun = self.with_pending_auths(&services, |all| all.find(&state)).await;
                begun.map(|_| LinkOutcome::OneMoreConfirmation).ok_or_else(unexpected)
            }
            Callback::Refused { code, words, state } => {
                let begun = self.with_pending_auths(&services, |all| {
                    let begun = all.find(&state)?;
                    if begun.purpose.is_browser() { all.take(&state) } else { Some(begun) }
                });
                // do not repeat text that anybody may have written
                let words = begun.await.map(|_| words);
                Err(AppError::sign_in_refused(code, words.as_deref()))
            }
            Callback::Session { refresh_token, kind } => {
                self.take_over(&services, &refresh_token, kind).await
            }
        }
    }

    /// Exchanges an authorisation code, if the flow was started here.
    async fn redeem(
        &self,
        services: &Arc<Services>,
        code: &SecretString,
        state: &str,
    ) -> Result<LinkOutcome, AppError> {
        let pending = self.with_pending_auths(services, |all| all.take(state)).await;
        let pending = pending.ok_or_else(unexpected)?;
        let exchanged = services.identity.exchange_code(code, &pending.verifier()).await;
        if exchanged.as_ref().is_err_and(IdentityError::is_passing) {
            self.with_pending_auths(services, |all| all.expect_again(pending.clone())).await;
        }
        let new_password = pending.purpose == Purpose::Recovery;
        self.arrive(services, exchanged?, new_password).await;
        Ok(match pending.purpose {
            Purpose::Recovery => LinkOutcome::NewPassword,
            Purpose::EmailChange | Purpose::Identity(_) => LinkOutcome::Confirmed,
            Purpose::SignUp | Purpose::Link | Purpose::Provider(_) => LinkOutcome::SignedIn,
        })
    }

    /// Starts a flow that a redirect will complete.
    pub(super) async fn begin_auth(&self, services: &Services, purpose: Purpose) -> RedirectTarget {
        let (now, random) =
            (self.inner.environment.clock.now(), Arc::clone(&self.inner.environment.random));
        self.with_pending_auths(services, |all| all.begin(purpose, now, &*random)).await
    }

    /// Loads, changes and saves the pending redirects.
    async fn with_pending_auths<T>(
        &self,
        services: &Services,
        change: impl FnOnce(&mut PendingAuths) -> T,
    ) -> T {
        let _one_at_a_time = self.inner.changing_auths.lock().await;
        let name = format!("ways back {}", services.studio);
        let kept = self.inner.secrets.get(&name).await;
        let mut all = PendingAuths::read(kept.as_ref(), self.inner.environment.clock.now());
        let answer = change(&mut all);
        self.inner.secrets.set(&name, all.write()).await;
        answer
    }

    /// Waits until the studio is ready and the session was restored.
    async fn settled(&self) {
        loop {
            let changed = self.inner.changed.notified();
            let unknown = matches!(*lock(&self.inner.session), SessionState::Unknown);
            if !unknown && self.services().is_ok() {
                return;
            }
            changed.await;
        }
    }
}

pub(super) fn unexpected() -> AppError {
    AppError::new(ErrorCode::SignInRefused, Notice::UnexpectedLink)
}

/// Normalises a phone number to E.164.
pub(super) fn e164(typed: &str) -> Result<String, AppError> {
    let bare: String = typed.chars().filter(|c| !" -().\u{a0}".contains(*c)).collect();
    let digits = bare.strip_prefix('+').unwrap_or_default();
    let fits = (8..=15).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0');
    if fits {
        return Ok(bare);
    }
    Err(AppError::new(ErrorCode::BadInput, Notice::NumberWithoutCountry))
}

/// Parses a code as typed, with or without spaces.
pub(super) fn digits(typed: &str) -> Result<SecretString, AppError> {
    let bare: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let fits = (4..=10).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit());
    if fits {
        return Ok(bare.into());
    }
    Err(AppError::new(ErrorCode::BadInput, Notice::CodeHasSixDigits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_allow_common_formats_and_need_a_country_code() {
        assert_eq!(e164("+49 (170) 123-4567").expect("a number"), "+491701234567");
        for wrong in
            ["", "0170 1234567", "+0123456789", "+49", "+49x1701234567", "+1234567890123456"]
        {
            assert!(e164(wrong).expect_err("none").message.text.contains("country"), "{wrong}");
        }
    }

    #[test]
    fn codes_are_digits_with_or_without_spaces() {
        assert_eq!(digits(" 123 456 ").expect("a code").expose_secret(), "123456");
        for wrong in ["", "123", "12345x", "12345678901"] {
            assert!(digits(wrong).is_err(), "{wrong}");
        }
    }
}
