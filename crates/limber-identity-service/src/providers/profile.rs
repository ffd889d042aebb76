//! A user as described by a provider.

use limber_api::identity::Metadata;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Maximum size of a claim, in bytes. Claims go into access tokens, which are sent in HTTP headers.
const MAX_CLAIM_BYTES: usize = 2048;

/// Maximum number of email addresses. Each verified one is looked up in the database.
const MAX_EMAILS: usize = 32;

/// An email address from a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProvidedEmail {
    pub(crate) address: String,
    /// Whether the provider has verified that the user owns it.
    pub(crate) verified: bool,
    /// Whether it is the user's preferred address.
    pub(crate) primary: bool,
}

/// A user as described by a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Profile {
    /// The user's permanent id at the provider.
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

    /// Adds the user's preferred address, if there is one.
    pub(super) fn email(self, address: &Value, verified: bool) -> Self {
        self.add_email(address, verified, true)
    }

    pub(super) fn add_email(mut self, address: &Value, verified: bool, primary: bool) -> Self {
        let more = self.emails.len() < MAX_EMAILS;
        if let Some(address) = address.as_str().filter(|address| more && !address.is_empty()) {
            // Non-ASCII letters may lower-case to ASCII, which would yield somebody else's address.
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

    /// Sets the user's name, under both keys that clients look for.
    pub(super) fn name(self, name: &Value) -> Self {
        self.set("name", name).set("full_name", name)
    }

    pub(super) fn picture(self, address: &Value) -> Self {
        self.set("picture", address).set("avatar_url", address)
    }

    /// Sets the user's handle at the provider.
    pub(super) fn handle(self, handle: &Value) -> Self {
        self.set("preferred_username", handle).set("user_name", handle)
    }

    /// Sets a provider-specific claim.
    pub(super) fn custom(mut self, name: &str, value: &Value) -> Self {
        if !value.is_null() && can_be_kept(value) {
            self.claims.entry("custom_claims").or_insert_with(|| json!({}))[name] = value.clone();
        }
        self
    }

    /// Returns the best address: verified ones first, then the preferred one.
    pub(crate) fn best_email(&self) -> Option<&ProvidedEmail> {
        self.emails.iter().max_by_key(|email| (email.verified, email.primary))
    }

    /// Returns the verified addresses, the preferred one first.
    pub(crate) fn proven_emails(&self) -> Vec<String> {
        let mut proven: Vec<&ProvidedEmail> = self.emails.iter().filter(|e| e.verified).collect();
        proven.sort_by_key(|email| !email.primary);
        proven.into_iter().map(|email| email.address.clone()).collect()
    }

    /// Returns the `identity_data` of the identity.
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

/// Tells whether a claim can be stored: PostgreSQL rejects U+0000, and long values are not kept.
fn can_be_kept(value: &Value) -> bool {
    let text = value.to_string();
    !text.contains("\\u0000") && text.len() <= MAX_CLAIM_BYTES
}

/// Joins first and last name with a space, skipping missing ones.
pub(super) fn joined(first: &Value, last: &Value) -> Value {
    let parts: Vec<&str> =
        [first, last].into_iter().filter_map(Value::as_str).filter(|p| !p.is_empty()).collect();
    if parts.is_empty() { Value::Null } else { json!(parts.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verified_emails_win_over_primary_ones() {
        let profile = Profile::new("https://x", "1".into())
            .email(&json!("Main@x.dev"), false)
            .add_email(&json!("second@x.dev"), true, false);
        assert_eq!(profile.best_email().expect("there are two").address, "second@x.dev");
        assert_eq!(profile.claims()["email_verified"], true);
    }

    #[test]
    fn missing_profile_fields_stay_missing() {
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
