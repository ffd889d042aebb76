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
    /// Wraps an id from a trusted source.
    #[must_use]
    pub fn new(id: Uuid) -> Self {
        Self(id)
    }

    /// Returns the UUID, for the database.
    #[must_use]
    pub fn as_uuid(self) -> Uuid {
        self.0
    }
}

wire_words! {
    /// Kind of second factor.
    FactorKind {
        /// Six digits from an authenticator app (RFC 6238: SHA-1, 30 s).
        Totp = "totp",
        /// Digits sent by text message.
        Phone = "phone",
        /// A security key; not supported.
        Webauthn = "webauthn",
    }
}

wire_words! {
    /// Whether a factor has been verified.
    FactorStatus {
        /// Enrolled, but no code was entered yet; has no effect.
        Unverified = "unverified",
        /// Verified; requested at every sign-in that wants `aal2`.
        Verified = "verified",
    }
}

/// Serialises enums as their wire values; unknown values are errors.
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
                Self::parse(&word).ok_or_else(|| serde::de::Error::custom("unknown value"))
            }
        }
    )+};
}
words_as_json!(FactorKind, FactorStatus);

/// A second factor, as listed in the account's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Factor {
    /// Id used in `/factors/{id}`.
    pub id: FactorId,
    /// Name chosen by the user; absent if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub friendly_name: String,
    /// Kind of factor.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub factor_type: FactorKind,
    /// Whether it has been verified.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub status: FactorStatus,
    /// Phone number: digits without the leading `+`; only for phones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// When it was enrolled.
    #[serde(with = "timestamp")]
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    #[serde(with = "timestamp")]
    pub updated_at: DateTime<Utc>,
    /// When a code was last requested.
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
    /// Name chosen by the user, unique among their factors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friendly_name: Option<String>,
    /// Name that the authenticator app shows above the code; default is the site's host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// Phone number in E.164; only for phones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}
debug_without_values!(EnrollFactorRequest { factor_type, friendly_name, issuer, phone });

/// Response of `POST /factors`; the only one that contains the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EnrolledFactor {
    /// The new factor.
    pub id: FactorId,
    /// Kind of factor.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: FactorKind,
    /// Name chosen by the user; absent if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub friendly_name: String,
    /// Only for authenticator apps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totp: Option<TotpEnrollment>,
    /// Phone number; only for phones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}

/// Setup data for an authenticator app.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TotpEnrollment {
    /// QR code of `uri`: SVG text, without a `data:` prefix.
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

/// `POST /factors/{id}/challenge`; the body is optional.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChallengeFactorRequest {
    /// `sms` or `whatsapp`; only for phones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
}
debug_without_values!(ChallengeFactorRequest { channel });

/// A challenge that waits for a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FactorChallenge {
    /// Id to send back with the code.
    pub id: Uuid,
    /// Kind of factor.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: FactorKind,
    /// When the challenge expires, in seconds since 1970.
    pub expires_at: i64,
}

/// `POST /factors/{id}/verify`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerifyFactorRequest {
    /// The id of the challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge_id: Option<String>,
    /// The code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}
debug_without_values!(VerifyFactorRequest { challenge_id, code });

/// Response of `DELETE /factors/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RemovedFactor {
    /// The removed factor.
    pub id: FactorId,
}

/// `PUT /admin/users/{user_id}/factors/{id}`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateFactorRequest {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friendly_name: Option<String>,
    /// A new phone number in E.164; only for phones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}
debug_without_values!(UpdateFactorRequest { friendly_name, phone });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_of_an_enrolment_hides_the_secret() {
        let enrolment = TotpEnrollment {
            qr_code: "<svg/>".into(),
            secret: "JBSWY3DP".into(),
            uri: "otpauth://totp/x?secret=JBSWY3DP".into(),
        };
        assert!(!format!("{enrolment:?}").contains("JBSWY3DP"));
    }

    #[test]
    fn unnamed_factors_are_serialised_without_a_name() {
        let removed = EnrolledFactor {
            id: FactorId::new(Uuid::nil()),
            kind: FactorKind::Phone,
            friendly_name: String::new(),
            totp: None,
            phone: Some("417".into()),
        };
        let json = serde_json::to_value(removed).expect("the value can be serialised");
        let nil = Uuid::nil().to_string();
        assert_eq!(json, serde_json::json!({"id": nil, "type": "phone", "phone": "417"}));
    }
}
