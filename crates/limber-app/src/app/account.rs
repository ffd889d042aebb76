//! The signed-in user's account: addresses, password, linked identities and sessions.

use std::sync::Arc;

use limber_api::identity::{
    Account, AccountIdentity, ErrorCode as IdentityCode, OwnSession, Settings, VerifyKind,
};
use limber_client::identity::{AccountChanges, IdentityError, Proof};
use limber_domain::lock;
use secrecy::SecretString;
use uuid::Uuid;

use super::{
    App, Services,
    sign_in_methods::{digits, e164},
};
use crate::{
    AppError, ErrorCode, Notice,
    journal::rfc3339,
    pending_auth::Purpose,
    session::{StoredSession, factors, number, who},
    views::{AccountView, IdentityView, OwnSessionView, PasswordOutcome, ProviderView},
};

impl App {
    /// Fetches the account from the service. If the session was revoked elsewhere, this signs the
    /// user out.
    ///
    /// # Errors
    /// If nobody is signed in or the service cannot be reached.
    pub async fn account(&self) -> Result<AccountView, AppError> {
        let (services, stored) = self.mine().await?;
        let token = &stored.session.access_token;
        let answers = tokio::try_join!(
            services.identity.user(token),
            services.identity.sessions(token),
            services.identity.settings(),
        );
        if answers.as_ref().is_err_and(IdentityError::ends_session) {
            // the next refresh would only fail the same way
            self.session_ended().await;
        }
        let (account, sessions, settings) = answers?;
        self.keep_account(&account);
        Ok(view(&account, sessions, &settings))
    }

    /// Requests a change of email address. It takes effect once confirmed; until then the address
    /// is in `new_email`.
    ///
    /// # Errors
    /// If the address is refused.
    pub async fn change_email(&self, email: &str) -> Result<AccountView, AppError> {
        let changes =
            AccountChanges { email: Some(email.trim().to_owned()), ..AccountChanges::default() };
        self.change_account(changes, Purpose::EmailChange).await?;
        self.account().await
    }

    /// Requests a change of phone number. It takes effect once its code has been entered.
    ///
    /// # Errors
    /// If the number is refused.
    pub async fn change_phone(&self, phone: &str) -> Result<AccountView, AppError> {
        let changes = AccountChanges { phone: Some(e164(phone)?), ..AccountChanges::default() };
        self.change_account(changes, Purpose::EmailChange).await?;
        self.account().await
    }

    /// Confirms the pending phone number with the code sent to it.
    ///
    /// # Errors
    /// If the code is wrong or has expired.
    pub async fn confirm_phone(&self, phone: &str, code: &str) -> Result<AccountView, AppError> {
        let (phone, code) = (e164(phone)?, digits(code)?);
        let services = self.services()?;
        let proof = Proof::Text { phone: &phone, code: &code };
        let verified = services.identity.verify(VerifyKind::PhoneChange, proof).await?;
        if let limber_client::identity::Verified::SignedIn(session) = verified {
            self.arrive(&services, *session, false).await;
        }
        self.account().await
    }

    /// Changes the password. If the service requires a proof first, the result says which one; a
    /// reauthentication code has then already been sent.
    ///
    /// # Errors
    /// If the password is refused.
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
        let (services, stored) = self.mine().await?;
        let token = &stored.session.access_token;
        match services.identity.update_user(token, changes, None).await {
            Ok(account) => {
                if let Some(stored) = lock(&self.inner.stored_session).as_mut() {
                    stored.new_password = false;
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

    /// Keeps the current password after a recovery link, without choosing a new one.
    pub fn keep_password(&self) {
        if let Some(stored) = lock(&self.inner.stored_session).as_mut() {
            stored.new_password = false;
        }
        self.tell_session();
    }

    /// Unlinks an identity from the account.
    ///
    /// # Errors
    /// If it is the only remaining way to sign in.
    pub async fn unlink(&self, id: &str) -> Result<AccountView, AppError> {
        let (services, stored) = self.mine().await?;
        services.identity.unlink(&stored.session.access_token, uuid(id)?).await?;
        self.account().await
    }

    /// Ends another session of the account.
    ///
    /// # Errors
    /// If the service cannot be reached.
    pub async fn end_session(&self, id: &str) -> Result<AccountView, AppError> {
        let (services, stored) = self.mine().await?;
        services.identity.end_session(&stored.session.access_token, uuid(id)?).await?;
        self.account().await
    }

    async fn change_account(
        &self,
        changes: AccountChanges,
        purpose: Purpose,
    ) -> Result<(), AppError> {
        let (services, stored) = self.mine().await?;
        let back = self.begin_auth(&services, purpose).await;
        let token = &stored.session.access_token;
        let account = services.identity.update_user(token, changes, Some(&back)).await?;
        self.keep_account(&account);
        Ok(())
    }

    /// Returns the services and a session whose tokens are valid for the next request.
    pub(super) async fn mine(&self) -> Result<(Arc<Services>, StoredSession), AppError> {
        let services = self.services()?;
        let stored = self.fresh(&services).await?;
        Ok((services, stored))
    }
}

fn view(account: &Account, sessions: Option<Vec<OwnSession>>, settings: &Settings) -> AccountView {
    let linked = |name: &str| account.identities.iter().any(|identity| identity.provider == name);
    let offered = settings.external.iter().filter(|(_, on)| **on).map(|(name, _)| name.as_str());
    let linkable = offered
        .filter(|name| !["email", "phone", "anonymous_users"].contains(name) && !linked(name))
        .map(provider);
    AccountView {
        who: who(account),
        new_email: account.new_email.clone().filter(|email| !email.is_empty()),
        new_phone: account.new_phone.as_deref().and_then(number),
        factors: factors(account),
        identities: account
            .identities
            .iter()
            .map(|identity| identity_shown(identity, account.identities.len() > 1))
            .collect(),
        linkable: linkable.collect(),
        phone_offered: settings.external.get("phone").copied().unwrap_or(false),
        phone_factor_offered: settings.mfa_phone_enabled,
        sessions: sessions.map(|all| all.iter().map(session_shown).collect()),
    }
}

fn identity_shown(identity: &AccountIdentity, removable: bool) -> IdentityView {
    let said = |name: &str| identity.identity_data.get(name).and_then(|value| value.as_str());
    let called = identity.email.as_deref().or_else(|| said("user_name")).or_else(|| said("name"));
    IdentityView {
        id: identity.identity_id.to_string(),
        provider: provider(&identity.provider),
        called: called.map(str::to_owned),
        removable,
    }
}

fn session_shown(session: &OwnSession) -> OwnSessionView {
    // user agents are arbitrary text from other programs
    let device: String = session.user_agent.chars().filter(|c| !c.is_control()).take(80).collect();
    OwnSessionView {
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

/// Returns the display name of an identity provider.
pub(super) fn provider(id: &str) -> ProviderView {
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
    ProviderView { id: id.to_owned(), name }
}

pub(super) fn uuid(text: &str) -> Result<Uuid, AppError> {
    Uuid::parse_str(text).map_err(|_| AppError::new(ErrorCode::NotFound, Notice::NotOfAccount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_have_their_common_names() {
        let names = ["github", "azure", "google", "x"].map(|id| provider(id).name);
        assert_eq!(names, ["GitHub", "Microsoft", "Google", "X"]);
    }
}
