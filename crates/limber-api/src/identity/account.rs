//! The record of an account, as every endpoint returns it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Factor, Metadata};

/// The id of an account; the `sub` claim of its access tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct AccountId(Uuid);

impl AccountId {
    /// Wraps an id from a trusted source (the database, a verified token).
    #[must_use]
    pub fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// Returns the UUID, for the database and for claims.
    #[must_use]
    pub fn as_uuid(self) -> Uuid {
        self.0
    }
}

impl std::fmt::Display for AccountId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The user record: an account as clients see it. Never contains a password or a token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Account {
    /// Id of the account; fabricated if the address of a sign-up is already taken.
    pub id: AccountId,
    /// Audience the account belongs to; often empty.
    #[serde(default)]
    pub aud: String,
    /// Database role for row-level rules; often empty.
    #[serde(default)]
    pub role: String,
    /// Lower case; empty when the account has none.
    #[serde(default)]
    pub email: String,
    /// Digits without the leading `+`; empty when the account has none.
    #[serde(default)]
    pub phone: String,
    /// When the email address was confirmed.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub email_confirmed_at: Option<DateTime<Utc>>,
    /// When the phone number was confirmed.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub phone_confirmed_at: Option<DateTime<Utc>>,
    /// The earlier of the two confirmations.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<DateTime<Utc>>,
    /// When an administrator invited this user.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub invited_at: Option<DateTime<Utc>>,
    /// When the last confirmation was sent.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub confirmation_sent_at: Option<DateTime<Utc>>,
    /// When the last recovery email or magic link was sent.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub recovery_sent_at: Option<DateTime<Utc>>,
    /// When the last change of email address was requested.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub email_change_sent_at: Option<DateTime<Utc>>,
    /// When the last change of phone number was requested.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub phone_change_sent_at: Option<DateTime<Utc>>,
    /// When the last re-authentication code was sent.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub reauthentication_sent_at: Option<DateTime<Utc>>,
    /// New email address, not confirmed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_email: Option<String>,
    /// New phone number, not confirmed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_phone: Option<String>,
    /// When the account last signed in.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// Set while the account is banned.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub banned_until: Option<DateTime<Utc>>,
    /// Set if the account was deleted but its row was kept.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<DateTime<Utc>>,
    /// Written by the service and administrators only (`provider`, `providers`, …).
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub app_metadata: Metadata,
    /// Written by the account's owner (`data` of sign-up and of an update).
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub user_metadata: Metadata,
    /// Ways to sign in. Empty for anonymous accounts and for fabricated records.
    #[serde(default)]
    pub identities: Vec<AccountIdentity>,
    /// Second factors, verified or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<Factor>,
    /// When the account was created.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// When the account last changed.
    #[serde(with = "timestamp")]
    pub updated_at: DateTime<Utc>,
    /// True until an address, a number or a provider makes the account permanent.
    #[serde(default)]
    pub is_anonymous: bool,
}

/// One way of signing in to an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AccountIdentity {
    /// Id of the row, used for unlinking.
    pub identity_id: Uuid,
    /// The provider's subject; for email and phone, the account's id.
    pub id: String,
    /// The account this identity belongs to.
    pub user_id: AccountId,
    /// What the provider reports about its user.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub identity_data: Metadata,
    /// `email`, `phone` or the name of an external provider.
    pub provider: String,
    /// When this identity was last used.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// When it was linked.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    #[serde(with = "timestamp")]
    pub updated_at: DateTime<Utc>,
    /// The email address given by the provider, in lower case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

/// Timestamps in the wire format: RFC 3339, UTC, always with a fraction and `Z`.
pub mod timestamp {
    use chrono::{DateTime, SecondsFormat, Utc};
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes `2026-01-02T03:04:05.000000Z`.
    ///
    /// # Errors
    /// If the serializer fails.
    pub fn serialize<S: Serializer>(time: &DateTime<Utc>, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&time.to_rfc3339_opts(SecondsFormat::Micros, true))
    }

    /// Parses any RFC 3339 time.
    ///
    /// # Errors
    /// If the text is not RFC 3339.
    pub fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<DateTime<Utc>, D::Error> {
        DateTime::<Utc>::deserialize(input)
    }

    /// The same format for optional times.
    pub mod option {
        use chrono::{DateTime, Utc};
        use serde::{Deserialize, Deserializer, Serializer};

        /// Writes the time, or `null`.
        ///
        /// # Errors
        /// If the serializer fails.
        pub fn serialize<S: Serializer>(
            time: &Option<DateTime<Utc>>,
            out: S,
        ) -> Result<S::Ok, S::Error> {
            match time {
                Some(time) => super::serialize(time, out),
                None => out.serialize_none(),
            }
        }

        /// Parses any RFC 3339 time or `null`.
        ///
        /// # Errors
        /// If the text is not RFC 3339.
        pub fn deserialize<'de, D: Deserializer<'de>>(
            input: D,
        ) -> Result<Option<DateTime<Utc>>, D::Error> {
            Option::<DateTime<Utc>>::deserialize(input)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimal() -> Account {
        serde_json::from_value(serde_json::json!({
            "id": "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a",
            "created_at": "2026-01-02T03:04:05Z",
            "updated_at": "2026-01-02T03:04:05.25Z",
        }))
        .expect("a record with only the required fields can be parsed")
    }

    #[test]
    fn times_always_have_a_fraction_and_z() {
        let json = serde_json::to_value(minimal()).expect("the record can be serialised");
        assert_eq!(json["created_at"], "2026-01-02T03:04:05.000000Z");
        assert_eq!(json["updated_at"], "2026-01-02T03:04:05.250000Z");
    }

    #[test]
    fn fields_that_are_always_present_are_written_even_when_empty() {
        let json = serde_json::to_value(minimal()).expect("the record can be serialised");
        let keys: Vec<&str> =
            json.as_object().expect("the value is an object").keys().map(String::as_str).collect();
        for key in ["email", "phone", "aud", "role", "identities", "is_anonymous"] {
            assert!(keys.contains(&key), "{key} is missing");
        }
        assert!(!keys.contains(&"email_confirmed_at"), "unset times are omitted");
    }
}
