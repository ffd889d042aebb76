//! The app's secret store, in the desktop's keychain.

use keyring::{Entry, Error};
use limber_app::{SecretStore, SecretStoreError};
use secrecy::{ExposeSecret, SecretString};

/// Service name under which keychain programs list our entries.
const SERVICE: &str = "Limber";

/// Secrets in the desktop's keychain. Entries of different data folders are kept apart.
#[derive(Debug, Clone)]
pub struct Keychain {
    folder: String,
}

impl Keychain {
    /// Returns the keychain for an app with this data folder.
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

/// Converts an error by its kind only, because its message may quote the secret.
fn refused(error: &Error) -> SecretStoreError {
    match error {
        Error::NoStorageAccess(_) => SecretStoreError::Locked,
        _ => SecretStoreError::Missing,
    }
}
