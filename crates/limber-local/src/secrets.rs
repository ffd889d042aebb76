//! Secrets shared between the parts of one studio.

use std::{fs, io, path::Path};

use limber_api::local::SECRET_FILE;
use limber_system::private;
use rand::{TryRng, rngs::SysRng};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// A random secret, drawn once per data folder.
///
/// It is stored beside the database that it protects, readable by its owner only. Anyone who can
/// read this file can read the database itself, so a keychain would add a prompt at each start and
/// no security.
#[derive(Clone)]
pub(crate) struct Secrets {
    pub token_signing: SecretString,
}

#[derive(Serialize, Deserialize)]
struct OnDisk {
    token_signing: String,
}

impl Secrets {
    /// Reads the secrets, or creates them on first start.
    pub(crate) fn of(root: &Path) -> io::Result<Self> {
        let path = root.join("secrets.json");
        let kept = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::other)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let drawn = OnDisk { token_signing: draw() };
                private::write(&path, &serde_json::to_vec(&drawn)?)?;
                drawn
            }
            Err(error) => return Err(error),
        };
        Ok(Self { token_signing: kept.token_signing.into() })
    }
}

/// Returns 256 random bits as base64url text.
pub(crate) fn draw() -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system provides random bytes");
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Secrets that the app presents to its services, and the identity service to the SMTP server.
/// Drawn at each start, so that a leaked one becomes worthless.
#[derive(Clone)]
pub(crate) struct SecretsOfThisStart {
    /// For HTTP requests.
    pub app: SecretString,
    /// For SMTP.
    pub smtp_password: SecretString,
}

impl SecretsOfThisStart {
    /// Draws the secrets, and stores the first one for other programs of the same user.
    pub(crate) fn draw(root: &Path) -> io::Result<Self> {
        let (app, smtp_password) = (draw(), draw());
        private::write(&root.join(SECRET_FILE), app.as_bytes())?;
        Ok(Self { app: app.into(), smtp_password: smtp_password.into() })
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn each_start_creates_new_secrets_that_only_the_owner_can_read() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let file = place.path().join(SECRET_FILE);
        let first = SecretsOfThisStart::draw(place.path()).expect("the secrets can be created");
        let again = SecretsOfThisStart::draw(place.path()).expect("the secrets can be created");
        let texts = [&first.app, &first.smtp_password, &again.app, &again.smtp_password]
            .map(|s| s.expose_secret());
        for (index, text) in texts.iter().enumerate() {
            assert!(text.len() >= 43 && !texts[..index].contains(text));
        }
        assert_eq!(
            fs::read_to_string(&file).expect("the file can be read"),
            again.app.expose_secret()
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                fs::metadata(&file).expect("the file exists").permissions().mode() & 0o777,
                0o600
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn secrets_are_not_written_into_existing_files() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let fresh = place.path().join(SECRET_FILE).with_extension("new");
        let theirs = place.path().join("theirs");
        fs::write(&theirs, "mine").expect("the file can be written");
        symlink(&theirs, &fresh).expect("the link can be created");
        SecretsOfThisStart::draw(place.path()).expect("the secrets can be created");
        assert_eq!(fs::read_to_string(&theirs).expect("the file can be read"), "mine");
        // another process with the file open could read what is written later, even after
        // permissions change
        fs::write(&fresh, "").expect("the file can be written");
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o666))
            .expect("the permissions can be changed");
        let held = fs::File::open(&fresh).expect("the file can be opened");
        let drawn = SecretsOfThisStart::draw(place.path()).expect("the secrets can be created");
        assert_eq!(io::read_to_string(held).expect("the file can be read"), "");
        let file = place.path().join(SECRET_FILE);
        assert_eq!(
            fs::metadata(&file).expect("the file exists").permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(
            fs::read_to_string(&file).expect("the file can be read"),
            drawn.app.expose_secret()
        );
    }

    #[test]
    fn long_lived_secrets_are_created_once_and_only_the_owner_can_read_them() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let first = Secrets::of(place.path()).expect("the secrets can be created");
        let again = Secrets::of(place.path()).expect("the secrets can be read");
        assert_eq!(first.token_signing.expose_secret(), again.token_signing.expose_secret());
        assert!(first.token_signing.expose_secret().len() >= 43);
        let elsewhere = tempfile::tempdir().expect("a temporary folder can be created");
        let other = Secrets::of(elsewhere.path()).expect("the secrets can be created");
        assert_ne!(first.token_signing.expose_secret(), other.token_signing.expose_secret());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(place.path().join("secrets.json")).expect("the file exists");
            assert_eq!(mode.permissions().mode() & 0o777, 0o600);
        }
    }
}
