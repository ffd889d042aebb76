//! Second factors: authenticator apps and phones.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::account::timestamp;
use super::request::{debug_without_values, wire_words};

/// The id of one second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct FactorId(Uuid);

impl FactorId {
    /// Wraps an id that was read from a trusted place.
    #[must_use]
    pub fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// The bare UUID, for the database.
    #[must_use]
    pub fn as_uuid(self) -> Uuid {
        self.0
    }
}

wire_words! {
    /// What proves the second factor.
    FactorKind {
        /// Six digits of an authenticator app (RFC 6238: SHA-1, 30 s).
        Totp = "totp",
        /// Digits sent by text message.
        Phone = "phone",
        /// A security key; not offered.
        Webauthn = "webauthn",
    }
}

wire_words! {
    /// Whether a factor was ever used.
    FactorStatus {
        /// Enrolled, and no code was given yet: counts for nothing.
        Unverified = "unverified",
        /// Asked for at every sign-in that wants `aal2`.
        Verified = "verified",
    }
}

/// Words of the wire inside JSON; an unknown one is an error.
macro_rules! words_as_json {
    ($($name:ident),+) => {$(
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let word = String::deserialize(input)?;
                Self::parse(&word).ok_or_else(|| serde::de::Error::custom("an unknown word"))
            }
        }
    )+};
}
words_as_json!(FactorKind, FactorStatus);

/// One second factor, as the account's record lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Factor {
    /// What `/factors/{id}` asks for.
    pub id: FactorId,
    /// The person's own name for it; left out when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub friendly_name: String,
    /// What proves it.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub factor_type: FactorKind,
    /// Whether it counts.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub status: FactorStatus,
    /// Digits without the leading `+`; only of a phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// When it was enrolled.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    #[serde(with = "timestamp")]
    pub updated_at: DateTime<Utc>,
    /// When a code was last asked for.
    #[serde(default, with = "timestamp::option", skip_serializing_if = "Option::is_none")]
    pub last_challenged_at: Option<DateTime<Utc>>,
}

/// `POST /factors`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EnrollFactorRequest {
    /// See [`FactorKind`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor_type: Option<String>,
    /// The person's own name for it, unique among their factors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friendly_name: Option<String>,
    /// What the authenticator app shows above the code; the site's host when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// Number in E.164; only of a phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}
debug_without_values!(EnrollFactorRequest { factor_type, friendly_name, issuer, phone });

/// The answer to `POST /factors`: the only time the secret is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EnrolledFactor {
    /// The new factor.
    pub id: FactorId,
    /// What proves it.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: FactorKind,
    /// The person's own name for it; left out when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub friendly_name: String,
    /// Only of an authenticator app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totp: Option<TotpEnrollment>,
    /// Only of a phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// What an authenticator app needs to know.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TotpEnrollment {
    /// The address below as a picture: SVG text, without a `data:` prefix.
    pub qr_code: String,
    /// Base32 without padding; secret.
    pub secret: String,
    /// `otpauth://totp/…`; secret.
    pub uri: String,
}

impl std::fmt::Debug for TotpEnrollment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TotpEnrollment(…)")
    }
}

/// `POST /factors/{id}/challenge`; the body may be left out.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChallengeFactorRequest {
    /// `sms` or `whatsapp`; only of a phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
}
debug_without_values!(ChallengeFactorRequest { channel });

/// A code is being waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FactorChallenge {
    /// Goes back with the code.
    pub id: Uuid,
    /// What proves the factor.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: FactorKind,
    /// Until when the code is taken; seconds since 1970.
    pub expires_at: i64,
}

/// `POST /factors/{id}/verify`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerifyFactorRequest {
    /// The id of the challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge_id: Option<String>,
    /// The digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}
debug_without_values!(VerifyFactorRequest { challenge_id, code });

/// The answer to `DELETE /factors/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RemovedFactor {
    /// The factor that is gone.
    pub id: FactorId,
}

/// `PUT /admin/users/{user_id}/factors/{id}`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateFactorRequest {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friendly_name: Option<String>,
    /// A new number in E.164; only of a phone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}
debug_without_values!(UpdateFactorRequest { friendly_name, phone });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_enrollment_shows_no_secret() {
        let told = TotpEnrollment {
            qr_code: "<svg/>".into(),
            secret: "JBSWY3DP".into(),
            uri: "otpauth://totp/x?secret=JBSWY3DP".into(),
        };
        assert!(!format!("{told:?}").contains("JBSWY3DP"));
    }

    #[test]
    fn an_unnamed_factor_has_no_name_on_the_wire() {
        let removed = EnrolledFactor {
            id: FactorId::new(Uuid::nil()),
            kind: FactorKind::Phone,
            friendly_name: String::new(),
            totp: None,
            phone: Some("417".into()),
        };
        let json = serde_json::to_value(removed).expect("it serialises");
        let nil = Uuid::nil().to_string();
        assert_eq!(json, serde_json::json!({"id": nil, "type": "phone", "phone": "417"}));
    }
}
