//! Signing in with a password or anonymously, signing out, and keeping the session alive.

use std::{sync::Arc, time::Duration};

use limber_api::identity::{Account, LogoutScope};
use limber_client::identity::{AccountChanges, IdentityError, Session, SignUp};
use limber_domain::lock;
use secrecy::{ExposeSecret, SecretString};

use super::{App, Services};
use crate::{
    AppError, SecretStoreError,
    pending_auth::Purpose,
    session::{StoredSession, StoredUser},
    views::{SessionState, SignOutScope, SignUpOutcome, Who},
};

/// Delay after a token refresh that failed to reach the service.
const PAUSE: Duration = Duration::from_secs(20);

impl App {
    /// Signs in anonymously.
    ///
    /// # Errors
    /// If the studio is not ready or does not offer it.
    pub async fn continue_here(&self) -> Result<(), AppError> {
        let services = self.services()?;
        let session = services.identity.sign_in_anonymously(None).await?;
        self.adopt(&services, session, false).await;
        Ok(())
    }

    /// Creates an account, or adds an email address and a password to the anonymous one.
    ///
    /// # Errors
    /// If the address or the password is rejected.
    pub async fn sign_up(
        &self,
        email: &str,
        password: SecretString,
    ) -> Result<SignUpOutcome, AppError> {
        let services = self.services()?;
        if self.is_anonymous() {
            return self.make_permanent(&services, email, password).await;
        }
        let back = self.begin_auth(&services, Purpose::SignUp).await;
        match services.identity.sign_up(email.trim(), &password, None, Some(&back)).await? {
            SignUp::ConfirmationSent(_) => Ok(SignUpOutcome::ConfirmByMail),
            SignUp::SignedIn(session) => {
                self.adopt(&services, *session, false).await;
                Ok(SignUpOutcome::SignedIn)
            }
        }
    }

    /// Signs in with email address and password.
    ///
    /// # Errors
    /// [`crate::ErrorCode::SignInRefused`] with a hint.
    pub async fn sign_in(&self, email: &str, password: SecretString) -> Result<(), AppError> {
        let services = self.services()?;
        let session = services.identity.sign_in(email.trim(), &password).await?;
        self.adopt(&services, session, false).await;
        Ok(())
    }

    /// Ends sessions; clips are kept. This app's session ends even if the server cannot be reached;
    /// other sessions end only at the server.
    ///
    /// # Errors
    /// If other sessions were to end and the server refused; nothing was ended then.
    pub async fn sign_out(&self, scope: SignOutScope) -> Result<(), AppError> {
        match scope {
            SignOutScope::Here => {
                if let Ok(services) = self.services()
                    && let Err(error) = self.end_sessions(&services, LogoutScope::Local).await
                {
                    tracing::info!(code = ?error.code, "the session was ended on this computer \
                        only");
                }
                self.forget_session().await;
            }
            SignOutScope::Everywhere => {
                self.end_sessions(&self.services()?, LogoutScope::Global).await?;
                self.forget_session().await;
            }
            SignOutScope::Others => {
                self.end_sessions(&self.services()?, LogoutScope::Others).await?;
            }
        }
        Ok(())
    }

    async fn end_sessions(
        &self,
        services: &Arc<Services>,
        scope: LogoutScope,
    ) -> Result<(), AppError> {
        let stored = self.fresh(services).await?;
        Ok(services.identity.sign_out(&stored.session.access_token, scope).await?)
    }

    /// Restores the session of the previous run, if there was one.
    pub(super) async fn take_session_up(&self) {
        let Ok(services) = self.services() else { return };
        let Some(refresh_token) = self.inner.secrets.get(&session_name(&services)).await else {
            if self.inner.secrets.trouble() == Some(SecretStoreError::Locked) {
                self.tell(&AppError::keychain_locked());
            }
            self.set_session(SessionState::SignedOut);
            return;
        };
        match services.identity.refresh(&refresh_token).await {
            Ok(session) => self.adopt(&services, session, false).await,
            Err(error) if error.ends_session() => self.session_ended().await,
            Err(error) => {
                // the token may still be valid, so keep it
                tracing::warn!(%error, "the last session could not be resumed");
                match self.last_seen(&services).await {
                    Some(who) => {
                        self.set_session(SessionState::SignedIn { who, remembered: true });
                        self.keep_renewing(&services);
                    }
                    None => self.set_session(SessionState::SignedOut),
                }
            }
        }
    }

    async fn make_permanent(
        &self,
        services: &Arc<Services>,
        email: &str,
        password: SecretString,
    ) -> Result<SignUpOutcome, AppError> {
        let stored = self.fresh(services).await?;
        let changes = AccountChanges {
            email: Some(email.trim().to_owned()),
            password: Some(password),
            ..AccountChanges::default()
        };
        let back = self.begin_auth(services, Purpose::EmailChange).await;
        let access_token = &stored.session.access_token;
        services.identity.update_user(access_token, changes, Some(&back)).await?;
        let stored = self.renew(services, &stored).await?;
        Ok(if stored.who().anonymous {
            SignUpOutcome::ConfirmByMail
        } else {
            SignUpOutcome::SignedIn
        })
    }

    fn is_anonymous(&self) -> bool {
        lock(&self.inner.stored_session).as_ref().is_some_and(|stored| stored.who().anonymous)
    }

    /// Handles a session from a link or a code. If the same user is already signed in, their
    /// session is kept and only updated: it may have a higher assurance level, and a second one
    /// would only clutter the session list.
    pub(super) async fn arrive(
        &self,
        services: &Arc<Services>,
        session: Session,
        new_password: bool,
    ) {
        let stored = lock(&self.inner.stored_session).clone();
        if let Some(stored) = stored
            && stored.session.account.id == session.account.id
            && self.renew(services, &stored).await.is_ok()
        {
            if new_password && let Some(stored) = lock(&self.inner.stored_session).as_mut() {
                stored.new_password = true;
            }
            self.tell_session();
            let services = Arc::clone(services);
            tokio::spawn(async move {
                let _ = services.identity.sign_out(&session.access_token, LogoutScope::Local).await;
            });
            return;
        }
        self.adopt(services, session, new_password).await;
    }

    /// Makes this the current session, in memory, in the keychain and in the interface.
    pub(super) async fn adopt(
        &self,
        services: &Arc<Services>,
        session: Session,
        new_password: bool,
    ) {
        self.store_session(services, session, new_password).await;
        self.keep_renewing(services);
    }

    /// Does the same as [`Self::adopt`] without restarting the refresh task.
    pub(super) async fn store_session(
        &self,
        services: &Arc<Services>,
        session: Session,
        new_password: bool,
    ) -> StoredSession {
        let stored =
            StoredSession { session, since: self.inner.environment.clock.now(), new_password };
        *lock(&self.inner.stored_session) = Some(stored.clone());
        // a pending invitation is dropped once a user is signed in
        lock(&self.inner.invitation).take();
        let secrets = &self.inner.secrets;
        secrets.set(&session_name(services), stored.session.refresh_token.clone()).await;
        if let Ok(who) = serde_json::to_string(&StoredUser::from(stored.who())) {
            secrets.set(&who_name(services), who.into()).await;
        }
        self.tell_session();
        stored
    }

    /// Updates the account of the current session.
    pub(super) fn keep_account(&self, account: &Account) {
        let changed = match lock(&self.inner.stored_session).as_mut() {
            Some(stored) if stored.session.account.id == account.id => {
                let before = stored.state(true);
                stored.session.account = account.clone();
                stored.state(true) != before
            }
            _ => false,
        };
        if changed {
            self.tell_session();
        }
    }

    /// Announces the session state to the interface.
    pub(super) fn tell_session(&self) {
        let remembered = self.inner.secrets.are_kept();
        self.change_session(|| {
            lock(&self.inner.stored_session).as_ref().map(|stored| stored.state(remembered))
        });
    }

    async fn forget_session(&self) {
        // a refresh in flight would bring the session back
        let _one_at_a_time = self.inner.renewing.lock().await;
        *lock(&self.inner.stored_session) = None;
        lock(&self.inner.phone_challenges).clear();
        if let Some(task) = lock(&self.inner.tasks).renew.take() {
            task.abort();
        }
        if let Ok(services) = self.services() {
            self.inner.secrets.remove(&session_name(&services)).await;
            self.inner.secrets.remove(&who_name(&services)).await;
        }
        self.set_session(SessionState::SignedOut);
    }

    /// Handles a session that was revoked elsewhere or has expired.
    pub(super) async fn session_ended(&self) {
        self.forget_session().await;
        self.tell(&AppError::session_ended());
    }

    /// Returns the last signed-in user, as far as this computer knows.
    pub(super) async fn last_seen(&self, services: &Services) -> Option<Who> {
        let kept = self.inner.secrets.get(&who_name(services)).await?;
        self.inner.secrets.get(&session_name(services)).await?;
        let user: Option<StoredUser> = serde_json::from_str(kept.expose_secret()).ok();
        user.map(Who::from)
    }

    /// Returns a session whose tokens are valid for the next request.
    pub(super) async fn fresh(&self, services: &Arc<Services>) -> Result<StoredSession, AppError> {
        let stored = lock(&self.inner.stored_session).clone();
        match stored {
            Some(stored) if stored.is_stale(self.inner.environment.clock.now()) => {
                Ok(self.renew(services, &stored).await?)
            }
            Some(stored) => Ok(stored),
            None => {
                // the server could not be reached at start; try again
                let _one_at_a_time = self.inner.renewing.lock().await;
                if let Some(stored) = lock(&self.inner.stored_session).clone() {
                    return Ok(stored);
                }
                let kept = self.inner.secrets.get(&session_name(services)).await;
                let kept = kept.ok_or_else(AppError::signed_out)?;
                let session = services.identity.refresh(&kept).await?;
                Ok(self.store_session(services, session, false).await)
            }
        }
    }

    /// Refreshes the tokens. Concurrent callers share the result of the first refresh.
    pub(super) async fn renew(
        &self,
        services: &Arc<Services>,
        old: &StoredSession,
    ) -> Result<StoredSession, IdentityError> {
        let _one_at_a_time = self.inner.renewing.lock().await;
        let presented = &old.session.refresh_token;
        let stored = lock(&self.inner.stored_session).clone();
        if let Some(stored) = &stored
            && stored.session.refresh_token.expose_secret() != presented.expose_secret()
        {
            return Ok(stored.clone());
        }
        let session = services.identity.refresh(presented).await?;
        let new_password = stored.is_some_and(|stored| stored.new_password);
        Ok(self.store_session(services, session, new_password).await)
    }

    /// Refreshes tokens ahead of expiry for as long as the session lives. A session that could not
    /// be restored because the server was unreachable is restored once it is back.
    fn keep_renewing(&self, services: &Arc<Services>) {
        let (app, services) = (self.clone(), Arc::clone(services));
        let task = tokio::spawn(async move {
            loop {
                let stored = lock(&app.inner.stored_session).clone();
                let wait = stored.as_ref().map_or(PAUSE, StoredSession::renew_in);
                tokio::time::sleep(wait).await;
                let mut renewed = app.next(&services, stored.as_ref()).await;
                while renewed.as_ref().is_err_and(|error| !error.ends_session()) {
                    tokio::time::sleep(PAUSE).await;
                    renewed = app.next(&services, stored.as_ref()).await;
                }
                if renewed.is_err() {
                    // from a separate task, because forgetting the session aborts this one
                    tokio::spawn(async move { app.session_ended().await });
                    return;
                }
            }
        });
        if let Some(earlier) = lock(&self.inner.tasks).renew.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    /// Refreshes the given session, or else the one stored in the keychain.
    async fn next(
        &self,
        services: &Arc<Services>,
        stored: Option<&StoredSession>,
    ) -> Result<(), IdentityError> {
        if let Some(stored) = stored {
            return self.renew(services, stored).await.map(drop);
        }
        let _one_at_a_time = self.inner.renewing.lock().await;
        let kept = self.inner.secrets.get(&session_name(services)).await;
        let nobody = lock(&self.inner.stored_session).is_none();
        if let (Some(kept), true) = (kept, nobody) {
            let session = services.identity.refresh(&kept).await?;
            self.store_session(services, session, false).await;
        }
        Ok(())
    }
}

/// Keychain entry name of the session.
fn session_name(services: &Services) -> String {
    format!("session {}", services.studio)
}

/// Keychain entry name of the session's user, for offline starts.
fn who_name(services: &Services) -> String {
    format!("who {}", services.studio)
}

#[cfg(test)]
mod tests {
    use limber_client::{
        identity::{IdentityClient, IdentityOptions},
        motion::MotionClient,
    };
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
        sync::Notify,
        time::timeout,
    };

    use super::*;
    use crate::testing;

    /// Answers one request: immediately, or, for a token request, once `go_on` is notified. `heard`
    /// is notified when a token request arrives and when any other request has been answered.
    async fn answer(mut request: TcpStream, heard: Arc<Notify>, go_on: Arc<Notify>) {
        let mut head = vec![0; 4096];
        let length = request.read(&mut head).await.expect("a request");
        let wants_tokens = head[..length].starts_with(b"POST /token");
        let body = if wants_tokens {
            heard.notify_one();
            go_on.notified().await;
            testing::session_json("ada@example.com", 3600).to_string()
        } else {
            String::new()
        };
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            body.len()
        );
        request.write_all(answer.as_bytes()).await.expect("something is listening");
        if !wants_tokens {
            heard.notify_one();
        }
    }

    #[tokio::test]
    async fn a_pending_token_refresh_does_not_undo_signing_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (heard, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (told, waiting) = (Arc::clone(&heard), Arc::clone(&go_on));
        tokio::spawn(async move {
            while let Ok((request, _)) = listener.accept().await {
                tokio::spawn(answer(request, Arc::clone(&told), Arc::clone(&waiting)));
            }
        });
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let url = address.parse().expect("an address");
        let identity = IdentityClient::new(&url, &IdentityOptions::default()).expect("a client");
        let motion = MotionClient::new(&address, "limber", "secret".into()).expect("a client");
        let services = Arc::new(Services { studio: "here".to_owned(), identity, motion });
        *lock(&app.inner.services) = Some(Arc::clone(&services));
        let stored =
            app.store_session(&services, testing::session("ada@example.com", 3600), false).await;

        let (renewer, used) = (app.clone(), Arc::clone(&services));
        let renewing = tokio::spawn(async move { renewer.renew(&used, &stored).await.map(drop) });
        heard.notified().await;
        let leaver = app.clone();
        let mut leaving = tokio::spawn(async move { leaver.sign_out(SignOutScope::Here).await });
        heard.notified().await;
        // the service has ended the session: a sign-out that does not wait for the tokens is
        // finished by now
        let early = timeout(Duration::from_millis(200), &mut leaving).await;
        go_on.notify_one();
        renewing.await.expect("it ends").expect("tokens");
        let left = match early {
            Ok(left) => left,
            Err(_) => leaving.await,
        };
        left.expect("it ends").expect("signed out");

        assert_eq!(app.snapshot().await.session, SessionState::SignedOut);
        assert!(app.inner.secrets.get(&session_name(&services)).await.is_none());
        assert!(lock(&app.inner.stored_session).is_none());
    }
}
