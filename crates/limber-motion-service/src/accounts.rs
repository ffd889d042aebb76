//! Client accounts: created by the operator, authenticated by a secret, and from then on identified
//! by a session cookie.

mod cookie;

use std::sync::Arc;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;

pub(crate) use cookie::CookieSigner;

use crate::{Environment, StoreError, store::Store};

/// Maximum number of concurrent password hashes; each needs 19 MiB.
const HASHES_AT_ONCE: usize = 2;

/// The account that a request comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AccountId(String);

impl AccountId {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A session that has just been created.
#[derive(Debug)]
pub(crate) struct NewSession {
    pub(crate) account: AccountId,
    pub(crate) id: String,
    pub(crate) expires_ms: i64,
}

/// Creates accounts and authenticates callers.
#[derive(Debug, Clone)]
pub(crate) struct Accounts {
    store: Store,
    environment: Environment,
    hashing: Arc<Semaphore>,
}

impl Accounts {
    pub(crate) fn new(store: Store, environment: Environment) -> Self {
        Self { store, environment, hashing: Arc::new(Semaphore::new(HASHES_AT_ONCE)) }
    }

    /// Creates an account and returns its id and secret. Only a hash of the secret is stored.
    pub(crate) async fn create(&self, name: &str) -> Result<(String, SecretString), StoreError> {
        let id = format!("client_{}", self.environment.token(12));
        let (secret, hash) = self.fresh_secret().await?;
        self.store.insert_account(&id, name, &hash).await?;
        Ok((id, secret))
    }

    /// Replaces the secret of an account and ends all its sessions. Returns `None` if there is no
    /// such account or it is revoked.
    pub(crate) async fn rotate(&self, id: &str) -> Result<Option<SecretString>, StoreError> {
        let (secret, hash) = self.fresh_secret().await?;
        Ok(self.store.replace_secret(id, &hash).await?.then_some(secret))
    }

    /// Generates a secret and the hash to store for it.
    async fn fresh_secret(&self) -> Result<(SecretString, String), StoreError> {
        let secret = self.environment.token(32);
        let mut salt = [0; 16];
        self.environment.random.fill(&mut salt);
        let text = secret.clone();
        let hash = tokio::task::spawn_blocking(move || {
            Argon2::default()
                .hash_password_with_salt(text.as_bytes(), &salt)
                .map(|hash| hash.to_string())
        });
        let hash = hash.await.ok().and_then(Result::ok);
        let hash = hash.ok_or(StoreError::Unreadable("a secret could not be hashed"))?;
        Ok((SecretString::from(secret), hash))
    }

    /// Starts a session if the id and the secret match.
    pub(crate) async fn sign_in(
        &self,
        id: &str,
        secret: SecretString,
        life_ms: i64,
    ) -> Result<Option<NewSession>, StoreError> {
        let stored = self.store.secret_hash(id).await?;
        if !self.verify(stored, secret).await? {
            return Ok(None);
        }
        let now_ms = self.environment.clock.now_ms();
        let session = NewSession {
            account: AccountId(id.to_owned()),
            id: self.environment.token(24),
            expires_ms: now_ms + life_ms,
        };
        self.store.insert_session(&session.id, id, now_ms, session.expires_ms).await?;
        Ok(Some(session))
    }

    /// Returns the account of an active session.
    pub(crate) async fn of_session(&self, session: &str) -> Result<Option<AccountId>, StoreError> {
        let now_ms = self.environment.clock.now_ms();
        Ok(self.store.session_account(session, now_ms).await?.map(AccountId))
    }

    /// Checks a secret against its hash. Takes as long for an unknown account as for a known one,
    /// so that timing does not reveal which accounts exist. An internal failure is an error, not
    /// `false`.
    async fn verify(
        &self,
        stored: Option<String>,
        secret: SecretString,
    ) -> Result<bool, StoreError> {
        let unchecked = StoreError::Unreadable("a secret could not be checked");
        let Ok(_permit) = self.hashing.acquire().await else { return Err(unchecked) };
        let check = tokio::task::spawn_blocking(move || {
            let secret = secret.expose_secret().as_bytes();
            let Some(stored) = stored else {
                let _ = Argon2::default().hash_password_with_salt(secret, &[0; 16]);
                return false;
            };
            PasswordHash::new(&stored)
                .is_ok_and(|hash| Argon2::default().verify_password(secret, &hash).is_ok())
        });
        check.await.map_err(|_| unchecked)
    }
}
