//! Phones as second factors, verified by codes in text messages.

use limber_api::identity::{ErrorCode as IdentityCode, FactorKind};
use limber_domain::lock;

use super::{
    App,
    factors::{GiveError, factor_id},
    sign_in_methods::{digits, e164},
};
use crate::{
    AppError, ErrorCode, Notice,
    views::{AccountView, PhoneOffer},
};

impl App {
    /// Sends a code to a phone factor. Earlier codes become invalid.
    ///
    /// # Errors
    /// If the message cannot be sent, or the last one was sent too recently.
    pub async fn text_factor(&self, id: &str) -> Result<(), AppError> {
        let factor = factor_id(id)?;
        let (services, stored) = self.mine().await?;
        let token = &stored.session.access_token;
        let challenge = services.identity.challenge_factor(token, factor).await?;
        lock(&self.inner.phone_challenges).insert(factor, challenge);
        Ok(())
    }

    /// Verifies the code sent to a phone, after sign-in.
    ///
    /// # Errors
    /// If the code is wrong or has expired, or none was requested.
    pub async fn enter_factor_code(&self, id: &str, code: &str) -> Result<(), AppError> {
        let (factor, code) = (factor_id(id)?, digits(code)?);
        let texted = lock(&self.inner.phone_challenges).get(&factor).cloned();
        let challenge = texted.ok_or_else(nothing_texted)?;
        self.answer(factor, &challenge, &code).await.map_err(refused_text)?;
        lock(&self.inner.phone_challenges).remove(&factor);
        Ok(())
    }

    /// Starts enrolling a phone by sending a code to it. Earlier unfinished enrolments are removed.
    ///
    /// # Errors
    /// If the number is invalid or already a factor, the studio does not offer phone factors, or
    /// the message cannot be sent.
    pub async fn begin_phone_factor(&self, phone: &str) -> Result<PhoneOffer, AppError> {
        let phone = e164(phone)?;
        let (services, stored) = self.mine().await?;
        let token = &stored.session.access_token;
        let name = self.make_room(&services, token, FactorKind::Phone).await?;
        let enrolled = services.identity.enroll_phone(token, &name, &phone).await?;
        let challenge = services.identity.challenge_factor(token, enrolled.id).await?;
        lock(&self.inner.phone_challenges).insert(enrolled.id, challenge);
        Ok(PhoneOffer { id: enrolled.id.as_uuid().to_string(), phone })
    }

    /// Finishes the enrolment of a phone, which is required at sign-in from now on.
    ///
    /// # Errors
    /// If the code is wrong or has expired, or none was requested.
    pub async fn confirm_phone_factor(
        &self,
        id: &str,
        code: &str,
    ) -> Result<AccountView, AppError> {
        self.enter_factor_code(id, code).await?;
        self.account().await
    }
}

/// Converts a refusal; unlike an authenticator's code, a new text message has to be requested.
fn refused_text(error: GiveError) -> AppError {
    let notice = match error.code() {
        Some(IdentityCode::MfaVerificationFailed) => Notice::NotNewestCode,
        Some(IdentityCode::MfaChallengeExpired) => Notice::TextedCodeTooLate,
        Some(IdentityCode::MfaIpAddressMismatch) => Notice::TextedCodeSpent,
        _ => return error.into(),
    };
    AppError::new(ErrorCode::SignInRefused, notice)
}

fn nothing_texted() -> AppError {
    AppError::new(ErrorCode::SignInRefused, Notice::NothingTexted)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use limber_api::identity::Factor;
    use limber_client::{
        identity::{IdentityClient, IdentityOptions},
        motion::MotionClient,
    };
    use secrecy::ExposeSecret;
    use serde_json::json;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    use super::*;
    use crate::{
        app::Services,
        testing,
        views::{FactorKindView, SessionState},
    };

    /// The challenge ID that the service issues with a code.
    const CHALLENGE: &str = "4b1ad32b-8a0c-4c5a-9d5e-00000000000c";
    /// The code that it sends.
    const CODE: &str = "123456";

    type Asked = Arc<Mutex<Vec<String>>>;

    /// Reads one request with its body.
    async fn read(request: &mut TcpStream) -> String {
        let (mut all, mut part) = (vec![], [0; 4096]);
        loop {
            let length = request.read(&mut part).await.expect("a request");
            all.extend_from_slice(&part[..length]);
            let text = String::from_utf8_lossy(&all).into_owned();
            let whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
                let mut lines = head.lines().map(str::to_ascii_lowercase);
                let told = lines.find_map(|line| {
                    line.strip_prefix("content-length:")?.trim().parse::<usize>().ok()
                });
                body.len() >= told.unwrap_or(0)
            });
            if whole || length == 0 {
                return text;
            }
        }
    }

    /// The identity service's response to a request, given the earlier ones.
    fn answer(request: &str, before: &[String]) -> (&'static str, String) {
        let mut words = request.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let good = |answer: serde_json::Value| ("200 OK", answer.to_string());
        match (method, path) {
            ("GET", "/user") => return good(user(before)),
            ("GET", "/sessions") => return good(json!({"sessions": []})),
            ("GET", "/settings") => {
                return good(json!({
                    "external": {}, "disable_signup": false, "mfa_phone_enabled": true,
                }));
            }
            ("POST", "/factors") => {
                let phone = testing::phone_factor("491701234567");
                return good(json!({"id": phone.id, "type": "phone", "phone": phone.phone}));
            }
            ("DELETE", _) => return good(json!({"id": testing::factor("unverified").id})),
            _ => {}
        }
        if path.ends_with("/challenge") {
            return good(json!({"id": CHALLENGE, "type": "phone", "expires_at": 1_900_000_000}));
        }
        if request.contains(CODE) {
            let mut session = testing::session_json("ada@example.com", 3600);
            session["access_token"] = testing::token("aal2").expose_secret().into();
            return good(session);
        }
        let refusal = json!({"code": 422, "error_code": "mfa_verification_failed", "msg": "No."});
        ("422 Unprocessable Entity", refusal.to_string())
    }

    /// A user with an unfinished authenticator enrolment; after the right code, with a phone factor
    /// instead.
    fn user(before: &[String]) -> serde_json::Value {
        let is_proven = before.iter().any(|text| text.contains("/verify ") && text.contains(CODE));
        let factor = if is_proven {
            testing::phone_factor("491701234567")
        } else {
            testing::factor("unverified")
        };
        let mut user = testing::session_json("ada@example.com", 3600)["user"].take();
        user["factors"] = json!([factor]);
        user
    }

    /// Method and path of each request.
    fn ways(asked: &[String]) -> Vec<String> {
        let way = |text: &String| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
        asked.iter().map(way).collect()
    }

    /// Starts a service that records its requests, and returns its address.
    async fn service(asked: &Asked) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::clone(asked);
        tokio::spawn(async move {
            while let Ok((mut request, _)) = listener.accept().await {
                let text = read(&mut request).await;
                let (status, body) = answer(&text, &lock(&asked));
                lock(&asked).push(text);
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: application/json\r\n\
                     content-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                request.write_all(answer.as_bytes()).await.expect("something is listening");
            }
        });
        address
    }

    /// Signs in with a password as a user who has this second factor.
    async fn signed_in(app: &App, address: &str, factor: Factor) {
        let url = address.parse().expect("an address");
        let identity = IdentityClient::new(&url, &IdentityOptions::default()).expect("a client");
        let motion = MotionClient::new(address, "limber", "secret".into()).expect("a client");
        let services = Arc::new(Services { studio: "here".to_owned(), identity, motion });
        *lock(&app.inner.services) = Some(Arc::clone(&services));
        let mut session = testing::session("ada@example.com", 3600);
        session.access_token = testing::token("aal1");
        session.account.factors = vec![factor];
        app.store_session(&services, session, false).await;
    }

    #[tokio::test]
    async fn a_texted_code_is_sent_once_and_completes_the_sign_in() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let asked = Asked::default();
        let phone = testing::phone_factor("491701234567");
        let id = phone.id.as_uuid().to_string();
        signed_in(&app, &service(&asked).await, phone).await;
        let SessionState::NeedsCode { factors, .. } = app.snapshot().await.session else {
            panic!("the second factor is asked for")
        };
        assert_eq!(factors[0].ends, "567");

        let early = app.enter_factor_code(&id, CODE).await.expect_err("nothing was sent");
        assert!(early.message.text.contains("Request a new one"), "{}", early.message);
        app.enter_code(CODE).await.expect_err("there is no authenticator");
        assert!(lock(&asked).is_empty(), "nothing is sent before it is requested");

        app.text_factor(&id).await.expect("a text");
        let wrong = app.enter_factor_code(&id, "000000").await.expect_err("not the code");
        assert_eq!(wrong.code, ErrorCode::SignInRefused);
        assert!(wrong.message.text.contains("newest message"), "{}", wrong.message);
        app.enter_factor_code(&id, "123 456").await.expect("the code");
        assert!(matches!(app.snapshot().await.session, SessionState::SignedIn { .. }));

        let asked = lock(&asked).clone();
        let way = |what: &str| format!("POST /factors/{id}/{what}");
        assert_eq!(ways(&asked), [way("challenge"), way("verify"), way("verify")]);
        assert!(asked[1..].iter().all(|text| text.contains(CHALLENGE)), "the one that was texted");
    }

    #[tokio::test]
    async fn signing_out_discards_pending_codes() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let phone = testing::phone_factor("491701234567");
        let id = phone.id.as_uuid().to_string();
        signed_in(&app, &service(&Asked::default()).await, phone).await;
        app.text_factor(&id).await.expect("a text");
        assert_eq!(lock(&app.inner.phone_challenges).len(), 1);
        app.session_ended().await;
        assert!(lock(&app.inner.phone_challenges).is_empty());
    }

    #[tokio::test]
    async fn a_phone_is_added_by_the_code_that_was_texted_to_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let asked = Asked::default();
        signed_in(&app, &service(&asked).await, testing::factor("unverified")).await;

        let offer = app.begin_phone_factor("+49 (170) 123-4567").await.expect("a text");
        assert_eq!(offer.phone, "+491701234567", "so that a typo is visible");
        let begun = lock(&asked).clone();
        let abandoned = testing::factor("unverified").id.as_uuid().to_string();
        let expected = [
            "GET /user".to_owned(),
            format!("DELETE /factors/{abandoned}"),
            "POST /factors".to_owned(),
            format!("POST /factors/{}/challenge", offer.id),
        ];
        assert_eq!(ways(&begun), expected);
        let body = begun[2].split_once("\r\n\r\n").expect("a body").1;
        let wish: serde_json::Value = serde_json::from_str(body).expect("JSON");
        let expected =
            json!({"factor_type": "phone", "friendly_name": "Phone", "phone": "+491701234567"});
        assert_eq!(wish, expected);

        let wrong = app.confirm_phone_factor(&offer.id, "000000").await.expect_err("not the code");
        assert!(wrong.message.text.contains("newest message"), "{}", wrong.message);
        let account = app.confirm_phone_factor(&offer.id, CODE).await.expect("the code");
        assert!(account.phone_factor_offered);
        let [phone] = account.factors.as_slice() else { panic!("one factor: {account:?}") };
        assert_eq!((phone.kind, phone.ends.as_str()), (FactorKindView::Phone, "567"));
        assert!(matches!(app.snapshot().await.session, SessionState::SignedIn { .. }));
        let all = ways(&lock(&asked));
        let texts = all.iter().filter(|way| way.ends_with("/challenge")).count();
        assert_eq!(texts, 1, "a wrong code does not send another message");
    }

    #[tokio::test]
    async fn an_invalid_number_is_rejected_before_any_request() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let asked = Asked::default();
        signed_in(&app, &service(&asked).await, testing::factor("unverified")).await;
        let refused = app.begin_phone_factor("0170 1234567").await.expect_err("no country");
        assert_eq!(refused.code, ErrorCode::BadInput);
        assert!(lock(&asked).is_empty());
    }
}
