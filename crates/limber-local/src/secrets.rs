//! What only the parts of one studio know of each other.

use std::{fs, io, path::Path};

use rand::{TryRng, rngs::SysRng};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// A random text, drawn once per data folder.
///
/// It lies beside the database it guards, readable by its owner only: whoever can read this file
/// can read the database itself, so a keychain would add a prompt at each start and no safety.
#[derive(Clone)]
pub(crate) struct Secrets {
    pub token_signing: SecretString,
}

#[derive(Serialize, Deserialize)]
struct OnDisk {
    token_signing: String,
}

impl Secrets {
    /// Reads them, or draws and keeps them at the first start.
    pub(crate) fn of(root: &Path) -> io::Result<Self> {
        let path = root.join("secrets.json");
        let kept = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::other)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let drawn = OnDisk { token_signing: draw() };
                write_private(&path, &serde_json::to_vec(&drawn)?)?;
                drawn
            }
            Err(error) => return Err(error),
        };
        Ok(Self { token_signing: kept.token_signing.into() })
    }
}

/// 256 bits as text.
fn draw() -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives random bytes");
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Written under another name first, so that a kill never leaves half a secret.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let fresh = path.with_extension("new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(fresh, path)
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn secrets_are_drawn_once_and_only_the_owner_reads_them() {
        let place = tempfile::tempdir().expect("a folder");
        let first = Secrets::of(place.path()).expect("drawn");
        let again = Secrets::of(place.path()).expect("read");
        assert_eq!(first.token_signing.expose_secret(), again.token_signing.expose_secret());
        assert!(first.token_signing.expose_secret().len() >= 43);
        let elsewhere = tempfile::tempdir().expect("a folder");
        let other = Secrets::of(elsewhere.path()).expect("drawn");
        assert_ne!(first.token_signing.expose_secret(), other.token_signing.expose_secret());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(place.path().join("secrets.json")).expect("there");
            assert_eq!(mode.permissions().mode() & 0o777, 0o600);
        }
    }
}
