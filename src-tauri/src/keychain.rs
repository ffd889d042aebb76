//! The keychain of the desktop, for the app.

use keyring::{Entry, Error};
use limber_app::{SecretStore, SecretStoreError};
use secrecy::{ExposeSecret, SecretString};

/// Under which name keychain programs show our entries.
const SERVICE: &str = "Limber";

/// Secrets in the keychain of the desktop. Entries of different data folders stay apart.
#[derive(Debug, Clone)]
pub struct Keychain {
    folder: String,
}

impl Keychain {
    /// The keychain, for the app that works in this data folder.
    #[must_use]
    pub fn of(data_folder: &std::path::Path) -> Self {
        Self { folder: data_folder.to_string_lossy().into_owned() }
    }

    fn entry(&self, name: &str) -> Result<Entry, SecretStoreError> {
        Entry::new(SERVICE, &format!("{name} ({})", self.folder)).map_err(|error| refused(&error))
    }
}

impl SecretStore for Keychain {
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretStoreError> {
        match self.entry(name)?.get_password() {
            Ok(secret) => Ok(Some(secret.into())),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(refused(&error)),
        }
    }

    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretStoreError> {
        self.entry(name)?.set_password(secret.expose_secret()).map_err(|error| refused(&error))
    }

    fn remove(&self, name: &str) -> Result<(), SecretStoreError> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(refused(&error)),
        }
    }
}

/// The error's own words may quote the secret, so only its kind is kept.
fn refused(error: &Error) -> SecretStoreError {
    match error {
        Error::NoStorageAccess(_) => SecretStoreError::Locked,
        _ => SecretStoreError::Missing,
    }
}
