//! The account of who is signed in: addresses, password, second factors, linked services, sessions.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use limber_api::identity::{
    Account, AccountIdentity, ErrorCode as IdentityCode, Factor, FactorId, FactorKind,
    FactorStatus, OwnSession, Settings, VerifyKind,
};
use limber_client::identity::{AccountChanges, IdentityError, Proof, Session};
use secrecy::SecretString;
use uuid::Uuid;

use super::{
    App, Services, lock,
    ways_in::{digits, e164},
};
use crate::{
    AppError, ErrorCode,
    departures::Purpose,
    journal::rfc3339,
    session::{Held, number, who},
    shown::{
        AccountShown, FactorOffer, FactorShown, IdentityShown, OwnSessionShown, PasswordOutcome,
        ProviderShown,
    },
};

/// What authenticators show above the code.
const ISSUER: &str = "Limber";
/// The name of the first second factor; later ones are numbered.
const FACTOR_NAME: &str = "Authenticator";
/// A picture that is larger is none of ours.
const LARGEST_PICTURE_BYTES: usize = 64 << 10;

impl App {
    /// Everything the account room shows, as the service knows it now. Whose session was ended from
    /// elsewhere is signed out by this.
    ///
    /// # Errors
    /// When nobody is signed in or the service cannot be reached.
    pub async fn account(&self) -> Result<AccountShown, AppError> {
        let (services, held) = self.mine().await?;
        let token = &held.session.access_token;
        let answers = tokio::try_join!(
            services.identity.user(token),
            services.identity.sessions(token),
            services.identity.settings(),
        );
        if answers.as_ref().is_err_and(IdentityError::ends_session) {
            // the next renewal would only find the same
            self.session_ended().await;
        }
        let (account, sessions, settings) = answers?;
        self.keep_account(&account);
        Ok(shown(&account, sessions, &settings))
    }

    /// Asks for another address. It counts once it is confirmed; `new_email` waits until then.
    ///
    /// # Errors
    /// When the address is refused.
    pub async fn change_email(&self, email: &str) -> Result<AccountShown, AppError> {
        let changes =
            AccountChanges { email: Some(email.trim().to_owned()), ..AccountChanges::default() };
        self.change_account(changes, Purpose::EmailChange).await?;
        self.account().await
    }

    /// Asks for another number. It counts once its code was entered.
    ///
    /// # Errors
    /// When the number is refused.
    pub async fn change_phone(&self, phone: &str) -> Result<AccountShown, AppError> {
        let changes = AccountChanges { phone: Some(e164(phone)?), ..AccountChanges::default() };
        self.change_account(changes, Purpose::EmailChange).await?;
        self.account().await
    }

    /// Confirms the number that waits.
    ///
    /// # Errors
    /// When the code is wrong or too old.
    pub async fn confirm_phone(&self, phone: &str, code: &str) -> Result<AccountShown, AppError> {
        let (phone, code) = (e164(phone)?, digits(code)?);
        let services = self.services()?;
        let proof = Proof::Text { phone: &phone, code: &code };
        let verified = services.identity.verify(VerifyKind::PhoneChange, proof).await?;
        if let limber_client::identity::Verified::SignedIn(session) = verified {
            self.arrive(&services, *session, false).await;
        }
        self.account().await
    }

    /// Changes the password. Where the studio wants a proof first, the answer says which; the code
    /// is on its way then.
    ///
    /// # Errors
    /// When the password is refused.
    pub async fn change_password(
        &self,
        password: SecretString,
        current: Option<SecretString>,
        code: Option<String>,
    ) -> Result<PasswordOutcome, AppError> {
        let nonce = code.map(|code| digits(&code)).transpose()?;
        let changes = AccountChanges {
            password: Some(password),
            current_password: current,
            nonce,
            ..AccountChanges::default()
        };
        let (services, held) = self.mine().await?;
        let token = &held.session.access_token;
        match services.identity.update_user(token, changes, None).await {
            Ok(account) => {
                if let Some(held) = lock(&self.inner.held).as_mut() {
                    held.new_password = false;
                }
                self.keep_account(&account);
                self.tell_session();
                Ok(PasswordOutcome::Changed)
            }
            Err(error) if error.code() == Some(IdentityCode::ReauthenticationNeeded) => {
                services.identity.reauthenticate(token).await?;
                Ok(PasswordOutcome::NeedsCode)
            }
            Err(error) if error.code() == Some(IdentityCode::CurrentPasswordRequired) => {
                Ok(PasswordOutcome::NeedsCurrent)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Leaves a forgotten password as it is.
    pub fn keep_password(&self) {
        if let Some(held) = lock(&self.inner.held).as_mut() {
            held.new_password = false;
        }
        self.tell_session();
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
        let name = free_name(account.factors.iter().filter(|factor| counts(factor)));
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

    /// Gives the second factor that is asked for after signing in.
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

    async fn give_code(&self, factor: FactorId, code: &SecretString) -> Result<(), GiveError> {
        let (services, held) = self.mine().await?;
        let token = &held.session.access_token;
        let challenge = services.identity.challenge_factor(token, factor).await?;
        // the tokens change with the code, so nobody may renew the old ones meanwhile
        let _one_at_a_time = self.inner.renewing.lock().await;
        let session: Session =
            services.identity.verify_factor(token, factor, &challenge, code).await?;
        self.hold(&services, session, held.new_password).await;
        Ok(())
    }

    /// Takes a linked service off the account.
    ///
    /// # Errors
    /// When it is the only way in.
    pub async fn unlink(&self, id: &str) -> Result<AccountShown, AppError> {
        let (services, held) = self.mine().await?;
        services.identity.unlink(&held.session.access_token, uuid(id)?).await?;
        self.account().await
    }

    /// Ends one session elsewhere.
    ///
    /// # Errors
    /// When the service cannot be reached.
    pub async fn end_session(&self, id: &str) -> Result<AccountShown, AppError> {
        let (services, held) = self.mine().await?;
        services.identity.end_session(&held.session.access_token, uuid(id)?).await?;
        self.account().await
    }

    async fn change_account(
        &self,
        changes: AccountChanges,
        purpose: Purpose,
    ) -> Result<(), AppError> {
        let (services, held) = self.mine().await?;
        let back = self.depart(&services, purpose).await;
        let token = &held.session.access_token;
        let account = services.identity.update_user(token, changes, Some(&back)).await?;
        self.keep_account(&account);
        Ok(())
    }

    /// The service, and tokens that outlive the next request.
    async fn mine(&self) -> Result<(Arc<Services>, Held), AppError> {
        let services = self.services()?;
        let held = self.fresh(&services).await?;
        Ok((services, held))
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

fn counts(factor: &Factor) -> bool {
    factor.status == FactorStatus::Verified
}

fn free_name<'a>(taken: impl Iterator<Item = &'a Factor>) -> String {
    let taken: Vec<&str> = taken.map(|factor| factor.friendly_name.as_str()).collect();
    let numbered = (2..).map(|number| format!("{FACTOR_NAME} {number}"));
    let mut names = std::iter::once(FACTOR_NAME.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(&name.as_str())).unwrap_or_default()
}

fn shown(
    account: &Account,
    sessions: Option<Vec<OwnSession>>,
    settings: &Settings,
) -> AccountShown {
    let linked = |name: &str| account.identities.iter().any(|identity| identity.provider == name);
    let offered = settings.external.iter().filter(|(_, on)| **on).map(|(name, _)| name.as_str());
    let linkable = offered
        .filter(|name| !["email", "phone", "anonymous_users"].contains(name) && !linked(name))
        .map(provider);
    AccountShown {
        who: who(account),
        new_email: account.new_email.clone().filter(|email| !email.is_empty()),
        new_phone: account.new_phone.as_deref().and_then(number),
        factors: account.factors.iter().filter(|factor| counts(factor)).map(factor_shown).collect(),
        identities: account
            .identities
            .iter()
            .map(|identity| identity_shown(identity, account.identities.len() > 1))
            .collect(),
        linkable: linkable.collect(),
        phone_offered: settings.external.get("phone").copied().unwrap_or(false),
        sessions: sessions.map(|all| all.iter().map(session_shown).collect()),
    }
}

fn factor_shown(factor: &Factor) -> FactorShown {
    let name = match factor.friendly_name.trim() {
        "" => FACTOR_NAME,
        name => name,
    };
    FactorShown {
        id: factor.id.as_uuid().to_string(),
        name: name.to_owned(),
        added_at: rfc3339(factor.created_at),
    }
}

fn identity_shown(identity: &AccountIdentity, removable: bool) -> IdentityShown {
    let said = |name: &str| identity.identity_data.get(name).and_then(|value| value.as_str());
    let called = identity.email.as_deref().or_else(|| said("user_name")).or_else(|| said("name"));
    IdentityShown {
        id: identity.identity_id.to_string(),
        provider: provider(&identity.provider),
        called: called.map(str::to_owned),
        removable,
    }
}

fn session_shown(session: &OwnSession) -> OwnSessionShown {
    // other programs write whatever they like there
    let device: String = session.user_agent.chars().filter(|c| !c.is_control()).take(80).collect();
    OwnSessionShown {
        id: session.id.to_string(),
        device: match device.strip_prefix("limber/") {
            Some(version) => format!("Limber {version}"),
            None if device.is_empty() => "Unknown program".to_owned(),
            None => device,
        },
        address: (!session.ip.is_empty()).then(|| session.ip.clone()),
        since: rfc3339(session.created_at),
        used_at: rfc3339(session.refreshed_at),
        current: session.current,
    }
}

/// What people call a service.
pub(super) fn provider(id: &str) -> ProviderShown {
    let name = match id {
        "azure" => "Microsoft".to_owned(),
        "email" => "Email".to_owned(),
        "github" => "GitHub".to_owned(),
        "gitlab" => "GitLab".to_owned(),
        "linkedin" | "linkedin_oidc" => "LinkedIn".to_owned(),
        "phone" => "Phone".to_owned(),
        "slack_oidc" => "Slack".to_owned(),
        "workos" => "WorkOS".to_owned(),
        other => {
            let mut letters = other.chars();
            let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
            format!("{first}{}", letters.as_str())
        }
    };
    ProviderShown { id: id.to_owned(), name }
}

fn factor_id(text: &str) -> Result<FactorId, AppError> {
    uuid(text).map(FactorId::new)
}

fn uuid(text: &str) -> Result<Uuid, AppError> {
    Uuid::parse_str(text).map_err(|_| {
        AppError::new(ErrorCode::NotFound, "This is not part of your account any more.")
    })
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
    use super::*;
    use crate::testing;

    #[test]
    fn services_are_called_as_people_call_them() {
        let names = ["github", "azure", "google", "x"].map(|id| provider(id).name);
        assert_eq!(names, ["GitHub", "Microsoft", "Google", "X"]);
    }

    #[test]
    fn a_new_factor_gets_a_name_that_is_free() {
        let mut first = testing::factor("verified");
        assert_eq!(free_name(std::iter::empty()), "Authenticator");
        first.friendly_name = "Authenticator".to_owned();
        assert_eq!(free_name([&first].into_iter()), "Authenticator 2");
    }

    #[test]
    fn a_secret_is_shown_for_typing_and_as_an_image() {
        assert_eq!(in_groups("ABCDEFGHIJ"), "ABCD EFGH IJ");
        assert!(data_url("<svg/>").expect("a picture").starts_with("data:image/svg+xml;base64,"));
        assert!(data_url("<html>").is_err() && data_url(&"<svg".repeat(40_000)).is_err());
    }
}
