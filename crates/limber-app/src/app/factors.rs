//! Second factors: asked for after signing in, added and removed.

use base64::{Engine, engine::general_purpose::STANDARD};
use limber_api::identity::{
    ErrorCode as IdentityCode, Factor, FactorChallenge, FactorId, FactorKind,
};
use limber_client::identity::IdentityError;
use secrecy::SecretString;

use super::{App, account::uuid, lock, ways_in::digits};
use crate::{
    AppError, ErrorCode,
    session::{counts, factor_name},
    shown::{AccountShown, FactorOffer},
};

/// What authenticators show above the code.
const ISSUER: &str = "Limber";
/// A picture that is larger is none of ours.
const LARGEST_PICTURE_BYTES: usize = 64 << 10;

impl App {
    /// Gives the code of an authenticator app that is asked for after signing in.
    ///
    /// # Errors
    /// When the code is wrong.
    pub async fn enter_code(&self, code: &str) -> Result<(), AppError> {
        let code = digits(code)?;
        let held = lock(&self.inner.held).clone().ok_or_else(AppError::signed_out)?;
        let factors = held.session.account.factors;
        let totp = |factor: &&Factor| counts(factor) && factor.factor_type == FactorKind::Totp;
        let mut refused = None;
        for factor in factors.iter().filter(totp) {
            match self.give_code(factor.id, &code).await {
                // with several authenticators the code may be of any of them
                Err(error) if error.code() == Some(IdentityCode::MfaVerificationFailed) => {
                    refused = Some(error);
                }
                other => return Ok(other?),
            }
        }
        Err(refused.map_or_else(
            || {
                AppError::new(
                    ErrorCode::ServiceRefused,
                    "This account is protected by a factor that Limber cannot ask for. Sign in on \
                     the web and add an authenticator app.",
                )
            },
            AppError::from,
        ))
    }

    /// Has a code texted to a phone that is a second factor. What was texted to it earlier counts
    /// no more.
    ///
    /// # Errors
    /// When the text cannot be sent, or the phone was written to a moment ago.
    pub async fn text_factor(&self, id: &str) -> Result<(), AppError> {
        let factor = factor_id(id)?;
        let (services, held) = self.mine().await?;
        let token = &held.session.access_token;
        let challenge = services.identity.challenge_factor(token, factor).await?;
        lock(&self.inner.texted).insert(factor, challenge);
        Ok(())
    }

    /// Gives the code that was texted to a phone, after signing in.
    ///
    /// # Errors
    /// When the code is wrong or too old, or none was asked for.
    pub async fn enter_factor_code(&self, id: &str, code: &str) -> Result<(), AppError> {
        let (factor, code) = (factor_id(id)?, digits(code)?);
        let texted = lock(&self.inner.texted).get(&factor).cloned();
        let challenge = texted.ok_or_else(nothing_texted)?;
        self.answer(factor, &challenge, &code).await.map_err(refused_text)?;
        lock(&self.inner.texted).remove(&factor);
        Ok(())
    }

    /// Begins to add an authenticator app; what was begun earlier and never finished goes.
    ///
    /// # Errors
    /// When the studio does not offer it, or the account is anonymous.
    pub async fn begin_factor(&self) -> Result<FactorOffer, AppError> {
        let (services, held) = self.mine().await?;
        let token = &held.session.access_token;
        let account = services.identity.user(token).await?;
        for factor in account.factors.iter().filter(|factor| !counts(factor)) {
            services.identity.remove_factor(token, factor.id).await?;
        }
        let taken = account.factors.iter().filter(|factor| counts(factor));
        let name = free_name(FactorKind::Totp, taken);
        let enrolled = services.identity.enroll_totp(token, &name, ISSUER).await?;
        let told = enrolled.totp.ok_or_else(no_picture)?;
        Ok(FactorOffer {
            id: enrolled.id.as_uuid().to_string(),
            picture: data_url(&told.qr_code)?,
            secret: in_groups(&told.secret),
        })
    }

    /// Proves that the authenticator app works; from now on it is asked for.
    ///
    /// # Errors
    /// When the code is wrong.
    pub async fn confirm_factor(&self, id: &str, code: &str) -> Result<AccountShown, AppError> {
        self.give_code(factor_id(id)?, &digits(code)?).await?;
        self.account().await
    }

    /// Removes a second factor.
    ///
    /// # Errors
    /// When the service refuses.
    pub async fn remove_factor(&self, id: &str) -> Result<AccountShown, AppError> {
        let (services, held) = self.mine().await?;
        let id = factor_id(id)?;
        services.identity.remove_factor(&held.session.access_token, id).await?;
        // the tokens so far still say that there was one
        self.renew(&services, &held).await?;
        self.account().await
    }

    /// The code of an authenticator, which is asked for and given in one go.
    async fn give_code(&self, factor: FactorId, code: &SecretString) -> Result<(), GiveError> {
        let (services, held) = self.mine().await?;
        let token = &held.session.access_token;
        let challenge = services.identity.challenge_factor(token, factor).await?;
        self.answer(factor, &challenge, code).await
    }

    /// Answers what a code was asked for by; the session goes on with its second factor.
    async fn answer(
        &self,
        factor: FactorId,
        challenge: &FactorChallenge,
        code: &SecretString,
    ) -> Result<(), GiveError> {
        let (services, held) = self.mine().await?;
        let token = &held.session.access_token;
        // the tokens change with the code, so nobody may renew the old ones meanwhile
        let _one_at_a_time = self.inner.renewing.lock().await;
        let session = services.identity.verify_factor(token, factor, challenge, code).await?;
        self.hold(&services, session, held.new_password).await;
        Ok(())
    }
}

/// So that a wrong code can be told from everything else.
enum GiveError {
    Service(IdentityError),
    App(AppError),
}

impl GiveError {
    fn code(&self) -> Option<IdentityCode> {
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

/// An authenticator shows its next code by itself; a text has to be asked for.
fn refused_text(error: GiveError) -> AppError {
    let words = match error.code() {
        Some(IdentityCode::MfaVerificationFailed) => {
            "This code is not the one of the newest message. Check it, or have another one sent."
        }
        Some(IdentityCode::MfaChallengeExpired) => {
            "This code came too late. Have another one sent."
        }
        Some(IdentityCode::MfaIpAddressMismatch) => {
            "This code was used before, or asked for from another network. Have another one sent."
        }
        _ => return error.into(),
    };
    AppError::new(ErrorCode::SignInRefused, words)
}

fn nothing_texted() -> AppError {
    AppError::new(
        ErrorCode::SignInRefused,
        "Limber does not wait for a code of this phone any more. Have another one sent.",
    )
}

fn free_name<'a>(kind: FactorKind, taken: impl Iterator<Item = &'a Factor>) -> String {
    let taken: Vec<&str> = taken.map(|factor| factor.friendly_name.as_str()).collect();
    let first = factor_name(kind);
    let numbered = (2..).map(|number| format!("{first} {number}"));
    let mut names = std::iter::once(first.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(&name.as_str())).unwrap_or_default()
}

fn factor_id(text: &str) -> Result<FactorId, AppError> {
    uuid(text).map(FactorId::new)
}

/// The service's picture as the interface can show it: as an image, in which nothing runs.
fn data_url(svg: &str) -> Result<String, AppError> {
    if svg.len() > LARGEST_PICTURE_BYTES || !svg.contains("<svg") {
        return Err(no_picture());
    }
    Ok(format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg)))
}

fn no_picture() -> AppError {
    AppError::new(
        ErrorCode::ServiceRefused,
        "The account service did not say what the authenticator needs. Try again.",
    )
}

fn in_groups(secret: &str) -> String {
    let letters: Vec<char> = secret.chars().filter(|c| !c.is_whitespace()).collect();
    let groups: Vec<String> = letters.chunks(4).map(|four| four.iter().collect()).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

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
    use crate::{app::Services, shown::SessionState, testing};

    /// What the service gives out when it has texted a code.
    const CHALLENGE: &str = "4b1ad32b-8a0c-4c5a-9d5e-00000000000c";
    /// The code that it has texted.
    const CODE: &str = "123456";

    type Asked = Arc<Mutex<Vec<String>>>;

    /// One request with its body.
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

    /// As the identity service answers.
    fn answer(request: &str) -> (&'static str, String) {
        let path = request.split(' ').nth(1).unwrap_or_default();
        if path.ends_with("/challenge") {
            let challenge = json!({"id": CHALLENGE, "type": "phone", "expires_at": 1_900_000_000});
            return ("200 OK", challenge.to_string());
        }
        if request.contains(CODE) {
            let mut session = testing::session_json("ada@example.com", 3600);
            session["access_token"] = testing::token("aal2").expose_secret().into();
            return ("200 OK", session.to_string());
        }
        let refusal = json!({"code": 422, "error_code": "mfa_verification_failed", "msg": "No."});
        ("422 Unprocessable Entity", refusal.to_string())
    }

    /// Where a service listens that writes down what it is asked.
    async fn service(asked: &Asked) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::clone(asked);
        tokio::spawn(async move {
            while let Ok((mut request, _)) = listener.accept().await {
                let text = read(&mut request).await;
                let (status, body) = answer(&text);
                lock(&asked).push(text);
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: application/json\r\n\
                     content-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                request.write_all(answer.as_bytes()).await.expect("somebody listens");
            }
        });
        address
    }

    /// Somebody has given their password, and this is their second factor.
    async fn signed_in(app: &App, address: &str, factor: Factor) {
        let url = address.parse().expect("an address");
        let identity = IdentityClient::new(&url, &IdentityOptions::default()).expect("a client");
        let motion = MotionClient::new(address, "limber", "secret".into()).expect("a client");
        let services = Arc::new(Services { studio: "here".to_owned(), identity, motion });
        *lock(&app.inner.services) = Some(Arc::clone(&services));
        let mut session = testing::session("ada@example.com", 3600);
        session.access_token = testing::token("aal1");
        session.account.factors = vec![factor];
        app.hold(&services, session, false).await;
    }

    #[tokio::test]
    async fn a_code_is_texted_once_and_lets_in_whoever_has_only_a_phone() {
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
        assert!(early.message.contains("Have another one sent"), "{}", early.message);
        app.enter_code(CODE).await.expect_err("there is no authenticator");
        assert!(lock(&asked).is_empty(), "nobody is written to before they ask for it");

        app.text_factor(&id).await.expect("a text");
        let wrong = app.enter_factor_code(&id, "000000").await.expect_err("not the code");
        assert_eq!(wrong.code, ErrorCode::SignInRefused);
        assert!(wrong.message.contains("newest message"), "{}", wrong.message);
        app.enter_factor_code(&id, "123 456").await.expect("the code");
        assert!(matches!(app.snapshot().await.session, SessionState::SignedIn { .. }));

        let asked = lock(&asked).clone();
        let paths: Vec<&str> = asked.iter().filter_map(|text| text.split(' ').nth(1)).collect();
        let path = |what: &str| format!("/factors/{id}/{what}");
        assert_eq!(paths, [path("challenge"), path("verify"), path("verify")]);
        assert!(asked[1..].iter().all(|text| text.contains(CHALLENGE)), "the one that was texted");
    }

    #[tokio::test]
    async fn signing_out_waits_for_no_code_any_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let phone = testing::phone_factor("491701234567");
        let id = phone.id.as_uuid().to_string();
        signed_in(&app, &service(&Asked::default()).await, phone).await;
        app.text_factor(&id).await.expect("a text");
        assert_eq!(lock(&app.inner.texted).len(), 1);
        app.session_ended().await;
        assert!(lock(&app.inner.texted).is_empty());
    }

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
