//! Sessions carried by links that were not started here: emailed invitations. An attacker may send
//! such a link to make the user work in an account that the attacker can also open. The user is
//! therefore told whose account it is, and is signed in only after consenting.

use std::sync::Arc;

use limber_api::identity::{LogoutScope, VerifyKind};
use limber_client::identity::Session;
use limber_domain::lock;
use secrecy::SecretString;

use super::{App, Services, sign_in_methods::unexpected};
use crate::{
    AppError, ErrorCode, Notice,
    session::who,
    views::{LinkOutcome, SessionState},
};

/// A session waiting for the user's consent.
pub(super) struct Invitation {
    session: Session,
    /// The studio it belongs to.
    studio: String,
}

impl App {
    /// Accepts the pending invitation.
    ///
    /// # Errors
    /// If no invitation is pending, or the service refuses. The invitation is kept if a retry may
    /// succeed.
    pub async fn accept_invitation(&self) -> Result<(), AppError> {
        let services = self.services()?;
        let invitation = self.take_invitation(&services).ok_or_else(unexpected)?;
        // the user may have taken longer than the tokens live
        match services.identity.refresh(&invitation.session.refresh_token).await {
            Ok(session) => {
                self.arrive(&services, session, true).await;
                Ok(())
            }
            Err(error) if error.ends_session() => {
                self.nobody_is_invited();
                Err(error.into())
            }
            Err(error) => {
                *lock(&self.inner.invitation) = Some(invitation);
                Err(error.into())
            }
        }
    }

    /// Declines the pending invitation and ends its session.
    pub async fn decline_invitation(&self) {
        let Ok(services) = self.services() else { return };
        let Some(invitation) = self.take_invitation(&services) else { return };
        self.nobody_is_invited();
        end_unwanted(&services, &invitation.session).await;
    }

    /// Handles a session from the fragment of a link. Only invitations are accepted this way, and
    /// never while another user is signed in; otherwise a page could replace the user's session
    /// with its own.
    pub(super) async fn take_over(
        &self,
        services: &Arc<Services>,
        refresh_token: &SecretString,
        kind: VerifyKind,
    ) -> Result<LinkOutcome, AppError> {
        if kind != VerifyKind::Invite {
            return Err(unexpected());
        }
        // otherwise a page that opens two links at once could swap the invitation that the user is
        // asked about
        let _one_at_a_time = self.inner.inviting.lock().await;
        let state = lock(&self.inner.session).clone();
        let here = match state {
            SessionState::Invited { .. } => return Err(asked_already()),
            SessionState::Unknown | SessionState::SignedOut => None,
            // after an offline start, the session's user is not known yet
            SessionState::NeedsCode { .. }
            | SessionState::NeedsPassword { .. }
            | SessionState::SignedIn { .. } => Some(self.fresh(services).await?),
        };
        let session = services.identity.refresh(refresh_token).await?;
        match here {
            None => {
                self.ask_whether_invited(services, session);
                Ok(LinkOutcome::Asked)
            }
            Some(stored) if stored.session.account.id == session.account.id => {
                self.arrive(services, session, true).await;
                Ok(LinkOutcome::NewPassword)
            }
            Some(_) => {
                end_unwanted(services, &session).await;
                Err(AppError::new(ErrorCode::SignInRefused, Notice::OtherAccountsLink))
            }
        }
    }

    fn ask_whether_invited(&self, services: &Services, session: Session) {
        let asked = SessionState::Invited { who: who(&session.account) };
        let kept = Invitation { session, studio: services.studio.clone() };
        *lock(&self.inner.invitation) = Some(kept);
        self.change_session(|| lock(&self.inner.stored_session).is_none().then_some(asked));
    }

    fn nobody_is_invited(&self) {
        self.change_session(|| {
            lock(&self.inner.stored_session).is_none().then_some(SessionState::SignedOut)
        });
    }

    /// Takes the pending invitation, if it belongs to this studio.
    fn take_invitation(&self, services: &Services) -> Option<Invitation> {
        lock(&self.inner.invitation).take().filter(|kept| kept.studio == services.studio)
    }
}

/// Ends a declined session at the service.
async fn end_unwanted(services: &Services, session: &Session) {
    let told = services.identity.sign_out(&session.access_token, LogoutScope::Local).await;
    if let Err(error) = told {
        tracing::info!(%error, "an unwanted session could not be ended at the service");
    }
}

fn asked_already() -> AppError {
    AppError::new(ErrorCode::SignInRefused, Notice::InvitationPending)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use limber_client::{
        identity::{IdentityClient, IdentityOptions},
        motion::MotionClient,
    };
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    use super::*;
    use crate::testing;

    const LINK: &str = "limber://auth/callback#access_token=a&refresh_token=r&type=invite";

    /// Requests that the fake service received, in order.
    type Asked = Arc<Mutex<Vec<String>>>;

    /// Answers a refresh with Eve's session, and everything else with success.
    async fn answer(mut request: TcpStream, asked: Asked) {
        let mut head = vec![0; 4096];
        let length = request.read(&mut head).await.expect("a request");
        let head = String::from_utf8_lossy(&head[..length]).into_owned();
        let line = head.lines().next().unwrap_or_default();
        let path = line.split(['?', ' ']).nth(1).unwrap_or_default().to_owned();
        let body = if path == "/token" {
            testing::session_json("eve@example.com", 3600).to_string()
        } else {
            String::new()
        };
        asked.lock().expect("not poisoned").push(path);
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            body.len()
        );
        request.write_all(answer.as_bytes()).await.expect("something is listening");
    }

    /// An app with nobody signed in, connected to the fake service.
    async fn start(folder: &std::path::Path) -> (App, Asked) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Asked::default();
        let noted = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((request, _)) = listener.accept().await {
                tokio::spawn(answer(request, Arc::clone(&noted)));
            }
        });
        let app = testing::app(folder);
        let url = address.parse().expect("an address");
        let identity = IdentityClient::new(&url, &IdentityOptions::default()).expect("a client");
        let motion = MotionClient::new(&address, "limber", "secret".into()).expect("a client");
        let services = Services { studio: "here".to_owned(), identity, motion };
        *lock(&app.inner.services) = Some(Arc::new(services));
        app.set_session(SessionState::SignedOut);
        (app, asked)
    }

    async fn open(app: &App, link: &str) -> Result<LinkOutcome, AppError> {
        app.open_callback(&link.to_owned().into()).await
    }

    async fn invited(app: &App) -> Option<String> {
        match app.snapshot().await.session {
            SessionState::Invited { who } => who.email,
            _ => None,
        }
    }

    #[tokio::test]
    async fn an_invitation_signs_in_only_after_confirmation() {
        let folder = tempfile::tempdir().expect("a folder");
        let (app, asked) = start(folder.path()).await;
        assert_eq!(open(&app, LINK).await.expect("an invitation"), LinkOutcome::Asked);
        assert_eq!(invited(&app).await.as_deref(), Some("eve@example.com"));
        assert!(lock(&app.inner.stored_session).is_none(), "nobody is signed in");
        assert!(app.inner.secrets.get("session here").await.is_none(), "and nothing is stored");
        app.decline_invitation().await;
        assert_eq!(app.snapshot().await.session, SessionState::SignedOut);
        let asked = asked.lock().expect("not poisoned").clone();
        assert_eq!(asked, ["/token", "/logout"], "the session ends at the service too");
        app.accept_invitation().await.expect_err("it no longer exists");
    }

    #[tokio::test]
    async fn accepting_an_invitation_signs_in_and_asks_for_a_password() {
        let folder = tempfile::tempdir().expect("a folder");
        let (app, _) = start(folder.path()).await;
        open(&app, LINK).await.expect("an invitation");
        app.accept_invitation().await.expect("it is theirs");
        let SessionState::NeedsPassword { who } = app.snapshot().await.session else {
            panic!("an invited account has no password")
        };
        assert_eq!(who.email.as_deref(), Some("eve@example.com"));
        assert!(app.inner.secrets.get("session here").await.is_some());
    }

    #[tokio::test]
    async fn a_second_invitation_does_not_replace_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let (app, asked) = start(folder.path()).await;
        open(&app, LINK).await.expect("an invitation");
        let refused = open(&app, LINK).await.expect_err("another one is pending");
        assert!(refused.message.text.contains("another invitation"), "{}", refused.message);
        assert_eq!(asked.lock().expect("not poisoned").len(), 1, "its token was not used");
        assert!(invited(&app).await.is_some());
    }

    #[tokio::test]
    async fn of_two_concurrent_invitations_only_one_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let (app, asked) = start(folder.path()).await;
        let other = LINK.replace("refresh_token=r", "refresh_token=s");
        let (first, second) = tokio::join!(open(&app, LINK), open(&app, &other));
        assert_eq!(first.expect("an invitation"), LinkOutcome::Asked);
        let refused = second.expect_err("another one is pending");
        assert!(refused.message.text.contains("another invitation"), "{}", refused.message);
        assert_eq!(asked.lock().expect("not poisoned").len(), 1, "its token was not used");
    }

    #[tokio::test]
    async fn other_sessions_in_a_fragment_are_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let (app, asked) = start(folder.path()).await;
        for kind in ["magiclink", "recovery", "signup", "email_change", "email"] {
            let link = LINK.replace("type=invite", &format!("type={kind}"));
            let refused = open(&app, &link).await.expect_err("it was not started here");
            assert_eq!(refused.code, ErrorCode::SignInRefused, "{kind}");
        }
        open(&app, &LINK.replace("type=invite", "x=y")).await.expect_err("it has no kind");
        assert_eq!(app.snapshot().await.session, SessionState::SignedOut);
        assert!(asked.lock().expect("not poisoned").is_empty());
    }
}
