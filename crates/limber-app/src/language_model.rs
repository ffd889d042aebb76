//! The user's own language model, which reads prompts on request.
//!
//! Settings become an [`OwnModel`]; its API key stays in the keychain. [`read`] has the model turn
//! a prompt into a motion script. The answer is untrusted text until a script has been parsed from
//! it by the rules for every script.

mod reading;

use std::time::Duration;

use limber_client::{
    ConnectionPolicy, Unencrypted,
    language_model::{LanguageModel, LanguageModelError, LanguageModelOptions},
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    AppError, ErrorCode,
    messages::LanguageModelNotice,
    views::{LanguageModelEntry, LanguageModelView},
};
pub(crate) use reading::{NotRead, read};

/// Maximum length of a model name; real names are far shorter.
const LONGEST_NAME: usize = 200;
/// Maximum length of a key. Usual keys have about a hundred characters, signed ones several
/// hundred.
const LONGEST_KEY: usize = 4096;
/// Range of the timeout for a reading including repairs, seconds. A large model on a small computer
/// needs minutes.
const LEAST_LIMIT_S: u32 = 1;
const MOST_LIMIT_S: u32 = 600;

/// A model connection without its API key, which is stored in the keychain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnModel {
    /// Base URL of its server.
    pub address: Url,
    /// Model name on that server.
    pub name: String,
    /// Timeout for a reading, seconds.
    pub limit_s: u32,
    /// Whether the user has accepted an unencrypted connection.
    #[serde(default)]
    pub unencrypted: Unencrypted,
    /// Whether a key for this URL is stored in the keychain.
    #[serde(default)]
    pub has_key: bool,
}

impl OwnModel {
    /// Validates the user's entry; returns the API key separately, if one was entered.
    pub(crate) fn parse(
        entry: &LanguageModelEntry,
    ) -> Result<(Self, Option<SecretString>), AppError> {
        let bad = |notice: LanguageModelNotice| AppError::new(ErrorCode::BadInput, notice);
        let address: Url = (entry.address.trim().parse())
            .map_err(|_| bad(LanguageModelNotice::LanguageModelAddress))?;
        let name = entry.name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(bad(LanguageModelNotice::LanguageModelName { most: LONGEST_NAME }));
        }
        if !(LEAST_LIMIT_S..=MOST_LIMIT_S).contains(&entry.limit_s) {
            let (least, most) = (LEAST_LIMIT_S, MOST_LIMIT_S);
            return Err(bad(LanguageModelNotice::LanguageModelLimit { least, most }));
        }
        let key = entry.key.as_deref().map(str::trim).filter(|key| !key.is_empty());
        if key.is_some_and(|key| {
            key.len() > LONGEST_KEY || !key.chars().all(|sign| sign.is_ascii_graphic())
        }) {
            return Err(bad(LanguageModelNotice::LanguageModelKey { most: LONGEST_KEY }));
        }
        let unencrypted = if entry.allow_unencrypted {
            Unencrypted::ToThisServer
        } else {
            Unencrypted::OnThisComputer
        };
        let model = Self {
            address,
            name: name.to_owned(),
            limit_s: entry.limit_s,
            unencrypted,
            has_key: key.is_some(),
        };
        // detects remaining problems of the URL; sends nothing
        model.client(None)?;
        Ok((model, key.map(SecretString::from)))
    }

    /// Makes a client for the model.
    pub(crate) fn client(&self, key: Option<SecretString>) -> Result<LanguageModel, AppError> {
        let options = LanguageModelOptions {
            address: self.address.clone(),
            name: self.name.clone(),
            key,
            connection: ConnectionPolicy { unencrypted: self.unencrypted, app_secret: None },
            timeout: self.limit(),
        };
        LanguageModel::new(options).map_err(|error| self.failed(error))
    }

    /// Returns the timeout for a reading.
    pub(crate) fn limit(&self) -> Duration {
        Duration::from_secs(u64::from(self.limit_s.clamp(LEAST_LIMIT_S, MOST_LIMIT_S)))
    }

    /// Returns the name of the keychain entry; it contains the URL, so that a key is never sent to
    /// another server.
    pub(crate) fn key_name(&self) -> String {
        format!("language-model-key {}", self.address)
    }

    pub(crate) fn view(&self) -> LanguageModelView {
        LanguageModelView {
            address: self.address.to_string(),
            name: self.name.clone(),
            limit_s: self.limit_s,
            has_key: self.has_key,
            allow_unencrypted: self.unencrypted == Unencrypted::ToThisServer,
        }
    }

    /// Converts a client error to a message for the user.
    pub(crate) fn failed(&self, error: LanguageModelError) -> AppError {
        use LanguageModelNotice as Notice;
        let (code, notice) = match error {
            LanguageModelError::BadAddress => (ErrorCode::BadInput, Notice::LanguageModelAddress),
            LanguageModelError::Unencrypted => {
                (ErrorCode::BadInput, Notice::LanguageModelUnencrypted)
            }
            LanguageModelError::BadKey => {
                (ErrorCode::BadInput, Notice::LanguageModelKey { most: LONGEST_KEY })
            }
            LanguageModelError::NoTls => (ErrorCode::Internal, Notice::LanguageModelNoTls),
            LanguageModelError::Unreachable => {
                (ErrorCode::ServiceUnreachable, Notice::LanguageModelUnreachable)
            }
            LanguageModelError::TimedOut => (
                ErrorCode::ServiceUnreachable,
                Notice::LanguageModelSilent { seconds: self.limit_s },
            ),
            LanguageModelError::Redirected => {
                (ErrorCode::ServiceRefused, Notice::LanguageModelRedirects)
            }
            LanguageModelError::TooLong { most_kib } => {
                (ErrorCode::ServiceRefused, Notice::LanguageModelTooLong { most_kib })
            }
            LanguageModelError::NotUnderstood => {
                (ErrorCode::ServiceRefused, Notice::NoLanguageModelServer)
            }
            LanguageModelError::NoWords => {
                (ErrorCode::ServiceRefused, Notice::LanguageModelNoWords)
            }
            LanguageModelError::Refused { status, reason } => {
                let error = AppError::new(ErrorCode::ServiceRefused, refusal(status));
                return AppError { detail: reason, ..error };
            }
        };
        AppError::new(code, notice)
    }
}

fn refusal(status: u16) -> LanguageModelNotice {
    match status {
        401 | 403 => LanguageModelNotice::LanguageModelRejectsKey,
        404 => LanguageModelNotice::LanguageModelUnknown,
        429 => LanguageModelNotice::LanguageModelBusy,
        500.. => LanguageModelNotice::LanguageModelFails { status },
        _ => LanguageModelNotice::LanguageModelRefuses { status },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> LanguageModelEntry {
        LanguageModelEntry {
            address: " http://localhost:11434/v1 ".into(),
            name: " small ".into(),
            key: Some(" sk-1 ".into()),
            limit_s: 60,
            allow_unencrypted: false,
        }
    }

    fn refused(entry: &LanguageModelEntry) -> String {
        let _ = rustls::crypto::ring::default_provider().install_default();
        OwnModel::parse(entry).expect_err("it cannot be used").message.code
    }

    #[test]
    fn input_is_checked_before_anything_is_sent() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (model, key) = OwnModel::parse(&entry()).expect("fits");
        assert_eq!((model.name.as_str(), model.has_key, key.is_some()), ("small", true, true));
        for address in ["", "localhost", "file:///etc/passwd", "https://a:b@model.example"] {
            let wrong = LanguageModelEntry { address: address.into(), ..entry() };
            assert_eq!(refused(&wrong), "language-model-address", "{address}");
        }
        for name in [String::new(), "x".repeat(201)] {
            assert_eq!(refused(&LanguageModelEntry { name, ..entry() }), "language-model-name");
        }
        for limit_s in [0, 601] {
            assert_eq!(refused(&LanguageModelEntry { limit_s, ..entry() }), "language-model-limit");
        }
        for key in ["two\nlines", "clé", &"x".repeat(4097)] {
            let key = Some(key.to_owned());
            assert_eq!(refused(&LanguageModelEntry { key, ..entry() }), "language-model-key");
        }
    }

    #[test]
    fn unencrypted_models_must_be_allowed_explicitly() {
        let plain = LanguageModelEntry { address: "http://192.168.1.10/v1".into(), ..entry() };
        assert_eq!(refused(&plain), "language-model-unencrypted");
        let agreed = LanguageModelEntry { allow_unencrypted: true, ..plain };
        let (model, _) = OwnModel::parse(&agreed).expect("the user allowed it");
        assert_eq!(model.unencrypted, Unencrypted::ToThisServer);
    }

    #[test]
    fn keys_do_not_appear_in_debug_output() {
        assert!(!format!("{:?}", entry()).contains("sk-1"));
    }
}
