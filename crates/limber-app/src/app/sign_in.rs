//! Signing in and out, and keeping the session alive.

use std::{collections::HashMap, sync::Arc, time::Duration};

use limber_api::identity::{LogoutScope, VerifyKind};
use limber_client::identity::{AccountChanges, IdentityError, Proof, Session, SignUp, Verified};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{App, Services, lock};
use crate::{
    AppError, ErrorCode,
    error::sentence,
    session::Held,
    shown::{SessionState, SignUpOutcome},
};

/// Where mailed links lead back to.
const CALLBACK: &str = "limber://auth/callback";
/// How long to wait after a renewal that did not get through.
const PAUSE: Duration = Duration::from_secs(20);

impl App {
    /// Signs in on this computer without an account.
    ///
    /// # Errors
    /// When the studio is not ready or does not offer it.
    pub async fn continue_here(&self) -> Result<(), AppError> {
        let services = self.services()?;
        let session = services.identity.sign_in_anonymously(None).await?;
        self.adopt(&services, session).await;
        Ok(())
    }

    /// Makes an account, or gives the anonymous one an email and a password.
    ///
    /// # Errors
    /// When the address or the password is refused.
    pub async fn sign_up(
        &self,
        email: &str,
        password: SecretString,
    ) -> Result<SignUpOutcome, AppError> {
        let services = self.services()?;
        if self.is_anonymous() {
            return self.make_permanent(&services, email, password).await;
        }
        match services.identity.sign_up(email.trim(), &password, None, Some(CALLBACK)).await? {
            SignUp::ConfirmationSent(_) => Ok(SignUpOutcome::ConfirmByMail),
            SignUp::SignedIn(session) => {
                self.adopt(&services, *session).await;
                Ok(SignUpOutcome::SignedIn)
            }
        }
    }

    /// Signs in by email and password.
    ///
    /// # Errors
    /// [`ErrorCode::SignInRefused`] with what to do.
    pub async fn sign_in(&self, email: &str, password: SecretString) -> Result<(), AppError> {
        let services = self.services()?;
        let session = services.identity.sign_in(email.trim(), &password).await?;
        self.adopt(&services, session).await;
        Ok(())
    }

    /// Ends the session. What was made stays; the server is told if it can be reached.
    pub async fn sign_out(&self) {
        let held = lock(&self.inner.held).clone();
        if let (Some(held), Ok(services)) = (held, self.services()) {
            let told = services.identity.sign_out(&held.session.access_token, LogoutScope::Local);
            if let Err(error) = told.await {
                tracing::info!(%error, "the session was ended here only");
            }
        }
        self.forget_session().await;
    }

    /// Takes in a link that leads back to the app: `limber://auth/callback…`, or the address of
    /// a mailed confirmation.
    ///
    /// # Errors
    /// When the link is not one of ours, was used before or is too old.
    pub async fn open_link(&self, link: &SecretString) -> Result<(), AppError> {
        let services = self.services()?;
        match Link::read(link.expose_secret())? {
            Link::Session { refresh_token } => {
                let session = services.identity.refresh(&refresh_token).await?;
                self.adopt(&services, session).await;
            }
            Link::Confirmation { kind, token_hash } => {
                let proof = Proof::Link { token_hash: &token_hash };
                match services.identity.verify(kind, proof).await? {
                    Verified::SignedIn(session) => self.adopt(&services, *session).await,
                    Verified::OneMoreConfirmation(words) => {
                        return Err(AppError::new(ErrorCode::ServiceRefused, sentence(&words)));
                    }
                }
            }
            Link::Refused { words } => {
                return Err(AppError::new(ErrorCode::SignInRefused, sentence(&words)));
            }
        }
        Ok(())
    }

    /// Follows a link that reached the program from outside; a failure is told as an event.
    pub fn follow_link(&self, link: SecretString) {
        let app = self.clone();
        tokio::spawn(async move {
            if let Err(error) = app.open_link(&link).await {
                app.inner.around.events.problem(&error);
            }
        });
    }

    /// Goes on with the session of the last start, if there was one.
    pub(super) async fn take_session_up(&self) {
        let Ok(services) = self.services() else { return };
        let Some(refresh_token) = self.inner.secrets.get(&session_name(&services)).await else {
            self.set_session(SessionState::SignedOut);
            return;
        };
        match services.identity.refresh(&refresh_token).await {
            Ok(session) => self.adopt(&services, session).await,
            Err(error) if error.ends_session() => self.forget_session().await,
            Err(error) => {
                // the token may still be good: it is kept for the next start
                tracing::warn!(%error, "the last session could not be taken up");
                self.set_session(SessionState::SignedOut);
            }
        }
    }

    async fn make_permanent(
        &self,
        services: &Arc<Services>,
        email: &str,
        password: SecretString,
    ) -> Result<SignUpOutcome, AppError> {
        let held = self.fresh(services).await?;
        let changes = AccountChanges {
            email: Some(email.trim().to_owned()),
            password: Some(password),
            ..AccountChanges::default()
        };
        let access_token = &held.session.access_token;
        services.identity.update_user(access_token, changes, Some(CALLBACK)).await?;
        let held = self.renew(services, &held).await?;
        Ok(if held.who().anonymous {
            SignUpOutcome::ConfirmByMail
        } else {
            SignUpOutcome::SignedIn
        })
    }

    fn is_anonymous(&self) -> bool {
        lock(&self.inner.held).as_ref().is_some_and(|held| held.who().anonymous)
    }

    /// Makes this session the one in use: in memory, in the keychain, on the screen.
    async fn adopt(&self, services: &Arc<Services>, session: Session) {
        let refresh_token = session.refresh_token.clone();
        let held = Held { session, since: self.inner.around.clock.now() };
        *lock(&self.inner.held) = Some(held.clone());
        self.inner.secrets.set(&session_name(services), refresh_token).await;
        self.set_session(SessionState::SignedIn {
            who: held.who(),
            remembered: self.inner.secrets.are_kept(),
        });
        self.keep_renewing(services);
    }

    async fn forget_session(&self) {
        *lock(&self.inner.held) = None;
        if let Some(task) = lock(&self.inner.tasks).renew.take() {
            task.abort();
        }
        if let Ok(services) = self.services() {
            self.inner.secrets.remove(&session_name(&services)).await;
        }
        self.set_session(SessionState::SignedOut);
    }

    /// Tokens that outlive the next request.
    async fn fresh(&self, services: &Arc<Services>) -> Result<Held, AppError> {
        let held = lock(&self.inner.held).clone().ok_or_else(AppError::signed_out)?;
        if held.is_stale(self.inner.around.clock.now()) {
            return self.renew(services, &held).await.map_err(AppError::from);
        }
        Ok(held)
    }

    /// Exchanges the tokens. Whoever comes second gets what the first one brought.
    async fn renew(&self, services: &Arc<Services>, old: &Held) -> Result<Held, IdentityError> {
        let _one_at_a_time = self.inner.renewing.lock().await;
        let presented = &old.session.refresh_token;
        if let Some(held) = lock(&self.inner.held).clone()
            && held.session.refresh_token.expose_secret() != presented.expose_secret()
        {
            return Ok(held);
        }
        let session = services.identity.refresh(presented).await?;
        let held = Held { session, since: self.inner.around.clock.now() };
        *lock(&self.inner.held) = Some(held.clone());
        let refresh_token = held.session.refresh_token.clone();
        self.inner.secrets.set(&session_name(services), refresh_token).await;
        self.set_session(SessionState::SignedIn {
            who: held.who(),
            remembered: self.inner.secrets.are_kept(),
        });
        Ok(held)
    }

    /// Renews ahead of time for as long as the session lives.
    fn keep_renewing(&self, services: &Arc<Services>) {
        let (app, services) = (self.clone(), Arc::clone(services));
        let task = tokio::spawn(async move {
            loop {
                let Some(held) = lock(&app.inner.held).clone() else { return };
                tokio::time::sleep(held.renew_in()).await;
                let mut renewed = app.renew(&services, &held).await;
                while renewed.as_ref().is_err_and(|error| !error.ends_session()) {
                    tokio::time::sleep(PAUSE).await;
                    renewed = app.renew(&services, &held).await;
                }
                if renewed.is_err() {
                    // from a task of its own: forgetting the session ends this one
                    tokio::spawn(async move { app.forget_session().await });
                    return;
                }
            }
        });
        if let Some(earlier) = lock(&self.inner.tasks).renew.replace(task.abort_handle()) {
            earlier.abort();
        }
    }
}

/// Under which name the keychain keeps the session.
fn session_name(services: &Services) -> String {
    format!("session {}", services.studio)
}

/// What a link asks for.
enum Link {
    Session { refresh_token: SecretString },
    Confirmation { kind: VerifyKind, token_hash: SecretString },
    Refused { words: String },
}

impl Link {
    fn read(text: &str) -> Result<Self, AppError> {
        let wrong = || {
            AppError::new(
                ErrorCode::BadInput,
                "This link does not lead to Limber. Open the link of the newest mail.",
            )
        };
        let url = Url::parse(text).map_err(|_| wrong())?;
        let mut fields: HashMap<String, String> = url.query_pairs().into_owned().collect();
        let fragment = url.fragment().unwrap_or_default().as_bytes();
        fields.extend(url::form_urlencoded::parse(fragment).into_owned());
        if let Some(words) = fields.remove("error_description") {
            return Ok(Self::Refused { words });
        }
        if let Some(token) = fields.remove("refresh_token") {
            let ours = url.scheme() == "limber";
            return ours.then(|| Self::Session { refresh_token: token.into() }).ok_or_else(wrong);
        }
        let kind = fields.get("type").and_then(|word| VerifyKind::parse(word)).ok_or_else(wrong)?;
        let token = fields.remove("token_hash").or_else(|| fields.remove("token"));
        Ok(Self::Confirmation { kind, token_hash: token.ok_or_else(wrong)?.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_with_a_session_is_understood_in_the_fragment() {
        let link = "limber://auth/callback#access_token=a&refresh_token=r%20r&type=signup";
        let Ok(Link::Session { refresh_token }) = Link::read(link) else { panic!("a session") };
        assert_eq!(refresh_token.expose_secret(), "r r");
    }

    #[test]
    fn a_mailed_link_is_a_confirmation() {
        let link = "http://127.0.0.1:9999/verify?token=pkce_1&type=signup&redirect_to=limber://x";
        let Ok(Link::Confirmation { kind, token_hash }) = Link::read(link) else {
            panic!("a confirmation")
        };
        assert_eq!((kind, token_hash.expose_secret()), (VerifyKind::Signup, "pkce_1"));
    }

    #[test]
    fn a_refusal_keeps_its_words() {
        let link = "limber://auth/callback#error=access_denied&error_description=Link+is+invalid";
        let Ok(Link::Refused { words }) = Link::read(link) else { panic!("a refusal") };
        assert_eq!(words, "Link is invalid");
    }

    #[test]
    fn sessions_from_foreign_pages_and_other_nonsense_are_refused() {
        for link in ["https://evil.example/#refresh_token=r", "limber://auth/callback", "", "x:"] {
            assert!(Link::read(link).is_err(), "{link}");
        }
    }
}
