//! The error body, and all machine-readable error codes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::request::wire_words;

/// `{"code": 400, "error_code": "...", "msg": "..."}`, the default shape of every error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorBody {
    /// HTTP status.
    pub code: u16,
    /// Machine-readable error code.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub error_code: ErrorCode,
    /// Message for people.
    pub msg: String,
    /// Identifies the failure in the server's log; only with status 5xx.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_id: Option<String>,
    /// Details of `weak_password`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weak_password: Option<WeakPassword>,
}

/// Why a password was rejected, or accepted with a warning.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WeakPassword {
    /// Message for people; only with a successful sign-in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Which rules it breaks.
    #[serde(default)]
    pub reasons: Vec<WeakPasswordReason>,
}

/// One rule a password can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum WeakPasswordReason {
    /// Too short.
    Length,
    /// A required kind of character is missing.
    Characters,
    /// Known from a breach.
    Pwned,
}

wire_words! {
    /// Error codes of the identity service. Programs should branch on these, never on the message.
    #[derive(Default)]
    ErrorCode {
        /// Internal error; the service's log has the details.
        UnexpectedFailure = "unexpected_failure",
        /// An error without a code, or one this version does not know.
        #[default]
        Unknown = "unknown",
        /// A field is missing or wrong.
        ValidationFailed = "validation_failed",
        /// The body is not JSON of the right shape.
        BadJson = "bad_json",
        /// The body is larger than allowed.
        RequestEntityTooLarge = "request_entity_too_large",
        /// The request took too long.
        RequestTimeout = "request_timeout",
        /// Conflict with a concurrent change.
        Conflict = "conflict",
        /// No bearer token.
        NoAuthorization = "no_authorization",
        /// The bearer token is not valid.
        BadJwt = "bad_jwt",
        /// Needs an administrator's token.
        NotAdmin = "not_admin",
        /// No such account.
        UserNotFound = "user_not_found",
        /// The session has ended.
        SessionNotFound = "session_not_found",
        /// The session has expired.
        SessionExpired = "session_expired",
        /// The refresh token is unknown.
        RefreshTokenNotFound = "refresh_token_not_found",
        /// The refresh token was already used; the session has been ended.
        RefreshTokenAlreadyUsed = "refresh_token_already_used",
        /// Wrong address or password.
        InvalidCredentials = "invalid_credentials",
        /// The email address is not confirmed yet.
        EmailNotConfirmed = "email_not_confirmed",
        /// The phone number is not confirmed yet.
        PhoneNotConfirmed = "phone_not_confirmed",
        /// The account is banned.
        UserBanned = "user_banned",
        /// Accounts are created by invitation only.
        SignupDisabled = "signup_disabled",
        /// Email is switched off.
        EmailProviderDisabled = "email_provider_disabled",
        /// Phone is switched off.
        PhoneProviderDisabled = "phone_provider_disabled",
        /// Anonymous sign-in is switched off.
        AnonymousProviderDisabled = "anonymous_provider_disabled",
        /// This provider is switched off.
        ProviderDisabled = "provider_disabled",
        /// The provider cannot be used this way.
        OauthProviderNotSupported = "oauth_provider_not_supported",
        /// The address of the sign-up is taken; only if confirmation is off.
        UserAlreadyExists = "user_already_exists",
        /// The new address is taken.
        EmailExists = "email_exists",
        /// The new number is taken.
        PhoneExists = "phone_exists",
        /// The address cannot receive mail.
        EmailAddressInvalid = "email_address_invalid",
        /// Mail to this address is not allowed here.
        EmailAddressNotAuthorized = "email_address_not_authorized",
        /// The password breaks the rules.
        WeakPassword = "weak_password",
        /// The new password is the old one.
        SamePassword = "same_password",
        /// The current password is required.
        CurrentPasswordRequired = "current_password_required",
        /// The current password is wrong.
        CurrentPasswordInvalid = "current_password_invalid",
        /// A code from `/reauthenticate` is needed.
        ReauthenticationNeeded = "reauthentication_needed",
        /// That code is wrong or expired.
        ReauthenticationNotValid = "reauthentication_not_valid",
        /// The code or link is wrong or expired.
        OtpExpired = "otp_expired",
        /// Sign-up by code is switched off.
        OtpDisabled = "otp_disabled",
        /// The pending sign-in is unknown.
        FlowStateNotFound = "flow_state_not_found",
        /// The pending sign-in has expired.
        FlowStateExpired = "flow_state_expired",
        /// The pending sign-in was already completed.
        FlowStateAlreadyUsed = "flow_state_already_used",
        /// The PKCE verifier does not match.
        BadCodeVerifier = "bad_code_verifier",
        /// The provider's redirect has a wrong state.
        BadOauthState = "bad_oauth_state",
        /// The provider's redirect is malformed.
        BadOauthCallback = "bad_oauth_callback",
        /// The email address given by the provider must be confirmed first.
        ProviderEmailNeedsVerification = "provider_email_needs_verification",
        /// No such invitation.
        InviteNotFound = "invite_not_found",
        /// The token is for another audience.
        UnexpectedAudience = "unexpected_audience",
        /// Linking is switched off.
        ManualLinkingDisabled = "manual_linking_disabled",
        /// The identity is already linked.
        IdentityAlreadyExists = "identity_already_exists",
        /// No such identity.
        IdentityNotFound = "identity_not_found",
        /// The last identity cannot be unlinked.
        SingleIdentityNotDeletable = "single_identity_not_deletable",
        /// Unlinking would leave two accounts with one address.
        EmailConflictIdentityNotDeletable = "email_conflict_identity_not_deletable",
        /// The captcha was not solved.
        CaptchaFailed = "captcha_failed",
        /// The text message could not be sent.
        SmsSendFailed = "sms_send_failed",
        /// Too many requests.
        OverRequestRateLimit = "over_request_rate_limit",
        /// Too many emails.
        OverEmailSendRateLimit = "over_email_send_rate_limit",
        /// Too many text messages.
        OverSmsSendRateLimit = "over_sms_send_rate_limit",
        /// A second factor is needed.
        InsufficientAal = "insufficient_aal",
        /// No such second factor.
        MfaFactorNotFound = "mfa_factor_not_found",
        /// Another second factor has that name.
        MfaFactorNameConflict = "mfa_factor_name_conflict",
        /// Too many second factors.
        TooManyEnrolledMfaFactors = "too_many_enrolled_mfa_factors",
        /// That number is already a second factor.
        MfaVerifiedFactorExists = "mfa_verified_factor_exists",
        /// The challenge has expired.
        MfaChallengeExpired = "mfa_challenge_expired",
        /// The code is wrong.
        MfaVerificationFailed = "mfa_verification_failed",
        /// The code was rejected.
        MfaVerificationRejected = "mfa_verification_rejected",
        /// The challenge was created from another IP address.
        MfaIpAddressMismatch = "mfa_ip_address_mismatch",
        /// Enrolling authenticator apps is switched off.
        MfaTotpEnrollNotEnabled = "mfa_totp_enroll_not_enabled",
        /// Verifying authenticator apps is switched off.
        MfaTotpVerifyNotEnabled = "mfa_totp_verify_not_enabled",
        /// Enrolling phones is switched off.
        MfaPhoneEnrollNotEnabled = "mfa_phone_enroll_not_enabled",
        /// Verifying phones is switched off.
        MfaPhoneVerifyNotEnabled = "mfa_phone_verify_not_enabled",
        /// Enrolling security keys is switched off.
        MfaWebauthnEnrollNotEnabled = "mfa_webauthn_enroll_not_enabled",
        /// Verifying security keys is switched off.
        MfaWebauthnVerifyNotEnabled = "mfa_webauthn_verify_not_enabled",
        /// SAML is not supported.
        SamlProviderDisabled = "saml_provider_disabled",
        /// Web3 is not supported.
        Web3ProviderDisabled = "web3_provider_disabled",
        /// This feature is switched off.
        FeatureDisabled = "feature_disabled",
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    /// Parses codes of a newer service as [`ErrorCode::Unknown`] instead of failing.
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let word = String::deserialize(input)?;
        Ok(Self::parse(&word).unwrap_or(Self::Unknown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_of_newer_services_are_parsed_as_unknown() {
        let body: ErrorBody =
            serde_json::from_str(r#"{"code":418,"error_code":"teapot","msg":"short and stout"}"#)
                .expect("a body with an unknown code can be parsed");
        assert_eq!(body.error_code, ErrorCode::Unknown);
        assert_eq!(body.msg, "short and stout");
    }

    #[test]
    fn error_bodies_have_exactly_the_specified_fields() {
        let body = ErrorBody {
            code: 400,
            error_code: ErrorCode::InvalidCredentials,
            msg: "Invalid login credentials".into(),
            error_id: None,
            weak_password: None,
        };
        assert_eq!(
            serde_json::to_string(&body).expect("the body can be serialised"),
            r#"{"code":400,"error_code":"invalid_credentials","msg":"Invalid login credentials"}"#
        );
    }
}
