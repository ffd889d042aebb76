//! A person as a provider describes them.

use limber_api::identity::Metadata;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Claims go into access tokens, which go into headers.
const MAX_CLAIM_BYTES: usize = 2048;

/// Each proven one is looked up.
const MAX_EMAILS: usize = 32;

/// An address a provider told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProvidedEmail {
    pub(crate) address: String,
    /// The provider saw proof that it is theirs.
    pub(crate) verified: bool,
    /// The one they prefer.
    pub(crate) primary: bool,
}

/// A person as a provider describes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Profile {
    /// Their id at the provider; never changes.
    pub(crate) subject: String,
    pub(crate) emails: Vec<ProvidedEmail>,
    claims: Metadata,
}

impl Profile {
    pub(super) fn new(issuer: &str, subject: String) -> Self {
        let mut claims = Metadata::new();
        claims.insert("iss".to_owned(), json!(issuer));
        claims.insert("sub".to_owned(), json!(subject));
        claims.insert("provider_id".to_owned(), json!(subject));
        Self { subject, emails: Vec::new(), claims }
    }

    /// Their preferred address, if they have one.
    pub(super) fn email(self, address: &Value, verified: bool) -> Self {
        self.add_email(address, verified, true)
    }

    pub(super) fn add_email(mut self, address: &Value, verified: bool, primary: bool) -> Self {
        let more = self.emails.len() < MAX_EMAILS;
        if let Some(address) = address.as_str().filter(|address| more && !address.is_empty()) {
            // letters beyond ASCII may have small ones within it: those would be another's address
            let verified = verified && address.is_ascii();
            let address = address.to_ascii_lowercase();
            self.emails.push(ProvidedEmail { address, verified, primary });
        }
        self
    }

    pub(super) fn set(mut self, name: &str, value: &Value) -> Self {
        let empty = value.is_null() || value.as_str().is_some_and(str::is_empty);
        if !empty && can_be_kept(value) {
            self.claims.insert(name.to_owned(), value.clone());
        }
        self
    }

    /// What people call them, under both names clients look for.
    pub(super) fn name(self, name: &Value) -> Self {
        self.set("name", name).set("full_name", name)
    }

    pub(super) fn picture(self, address: &Value) -> Self {
        self.set("picture", address).set("avatar_url", address)
    }

    /// What they call themselves at the provider.
    pub(super) fn handle(self, handle: &Value) -> Self {
        self.set("preferred_username", handle).set("user_name", handle)
    }

    /// What only this provider knows.
    pub(super) fn custom(mut self, name: &str, value: &Value) -> Self {
        if !value.is_null() && can_be_kept(value) {
            self.claims.entry("custom_claims").or_insert_with(|| json!({}))[name] = value.clone();
        }
        self
    }

    /// The address to know them by: a proven one before others, then the one they prefer.
    pub(crate) fn best_email(&self) -> Option<&ProvidedEmail> {
        self.emails.iter().max_by_key(|email| (email.verified, email.primary))
    }

    /// The addresses the provider vouches for, the preferred one first.
    pub(crate) fn proven_emails(&self) -> Vec<String> {
        let mut proven: Vec<&ProvidedEmail> = self.emails.iter().filter(|e| e.verified).collect();
        proven.sort_by_key(|email| !email.primary);
        proven.into_iter().map(|email| email.address.clone()).collect()
    }

    /// `identity_data` of the identity.
    pub(crate) fn claims(&self) -> Metadata {
        let mut claims = self.claims.clone();
        let best = self.best_email();
        if let Some(best) = best {
            claims.insert("email".to_owned(), json!(best.address));
        }
        claims.insert("email_verified".to_owned(), json!(best.is_some_and(|email| email.verified)));
        claims.insert("phone_verified".to_owned(), json!(false));
        claims
    }
}

/// PostgreSQL keeps every character but U+0000, and a profile holds no long texts.
fn can_be_kept(value: &Value) -> bool {
    let text = value.to_string();
    !text.contains("\\u0000") && text.len() <= MAX_CLAIM_BYTES
}

/// First and last name with a space between, as far as they are there.
pub(super) fn joined(first: &Value, last: &Value) -> Value {
    let parts: Vec<&str> =
        [first, last].into_iter().filter_map(Value::as_str).filter(|p| !p.is_empty()).collect();
    if parts.is_empty() { Value::Null } else { json!(parts.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proven_address_is_better_than_a_preferred_one() {
        let profile = Profile::new("https://x", "1".into())
            .email(&json!("Main@x.dev"), false)
            .add_email(&json!("second@x.dev"), true, false);
        assert_eq!(profile.best_email().expect("there are two").address, "second@x.dev");
        assert_eq!(profile.claims()["email_verified"], true);
    }

    #[test]
    fn what_a_provider_leaves_out_is_left_out() {
        let claims = Profile::new("https://x", "1".into())
            .name(&json!(null))
            .picture(&json!(""))
            .email(&json!(null), true)
            .claims();
        for name in ["name", "full_name", "picture", "avatar_url", "email"] {
            assert!(!claims.contains_key(name), "{name}");
        }
        assert_eq!((&claims["sub"], &claims["email_verified"]), (&json!("1"), &json!(false)));
    }
}
