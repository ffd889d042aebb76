//! Every way in which a request can be refused: status, machine-readable code and exact message in
//! one table.
//!
//! Clients match on the messages, so none may change (identity behaviour, 2-10).

use std::borrow::Cow;

use limber_api::identity::{ErrorCode, WeakPasswordReason};

/// A request that was understood and refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: ErrorCode,
    pub(crate) message: Cow<'static, str>,
    /// Reasons; only with `weak_password`.
    pub(crate) weak_password: Vec<WeakPasswordReason>,
    /// Whole seconds after which a retry makes sense.
    pub(crate) retry_after_s: Option<u64>,
}

impl Refusal {
    pub(crate) const fn new(status: u16, code: ErrorCode, message: &'static str) -> Self {
        Self {
            status,
            code,
            message: Cow::Borrowed(message),
            weak_password: Vec::new(),
            retry_after_s: None,
        }
    }

    pub(crate) fn with_text(status: u16, code: ErrorCode, message: String) -> Self {
        Self { message: Cow::Owned(message), ..Self::new(status, code, "") }
    }

    pub(crate) fn weak_password(message: String, reasons: Vec<WeakPasswordReason>) -> Self {
        Self { weak_password: reasons, ..Self::with_text(422, ErrorCode::WeakPassword, message) }
    }

    /// Returns the refusal for an email requested too soon after the last one.
    pub(crate) fn too_soon(seconds_left: u64) -> Self {
        let text = format!(
            "For security purposes, you can only request this after {seconds_left} seconds."
        );
        Self {
            retry_after_s: Some(seconds_left),
            ..Self::with_text(429, ErrorCode::OverEmailSendRateLimit, text)
        }
    }

    /// Returns the refusal for a text message requested too soon after the last one.
    pub(crate) fn too_soon_for_texts(seconds_left: u64) -> Self {
        Self { code: ErrorCode::OverSmsSendRateLimit, ..Self::too_soon(seconds_left) }
    }

    /// Returns the refusal for a rejected captcha. `codes` are the provider's reasons.
    pub(crate) fn captcha_refused(codes: &str) -> Self {
        let text = format!("captcha protection: request disallowed ({codes})");
        Self::with_text(400, ErrorCode::CaptchaFailed, text)
    }

    pub(crate) fn too_many_requests(retry_after_s: u64) -> Self {
        let text = "Request rate limit reached";
        Self {
            retry_after_s: Some(retry_after_s),
            ..Self::new(429, ErrorCode::OverRequestRateLimit, text)
        }
    }

    /// Returns the refusal for a duplicate factor name. The name is the user's own and is quoted,
    /// as clients expect.
    pub(crate) fn factor_name_taken(name: &str) -> Self {
        let text =
            format!("A factor with the friendly name \"{name}\" for this user already exists");
        Self::with_text(422, ErrorCode::MfaFactorNameConflict, text)
    }

    pub(crate) fn challenge_expired(id: uuid::Uuid) -> Self {
        let text = format!(
            "MFA challenge {id} has expired, verify against another challenge or create a new \
             challenge."
        );
        Self::with_text(422, ErrorCode::MfaChallengeExpired, text)
    }

    /// Returns the refusal for an unavailable or unresponsive database. It is not the caller's
    /// fault, so the status must not be one at which clients end their session.
    pub(crate) fn database_away() -> Self {
        let text = "The service cannot reach its database just now. Try again in a moment.";
        Self { retry_after_s: Some(2), ..Self::new(503, ErrorCode::UnexpectedFailure, text) }
    }

    /// Returns the refusal of an access token. `reason` must not quote the token.
    pub(crate) fn bad_token(reason: &str) -> Self {
        let text = format!("invalid JWT: unable to parse or verify signature, {reason}");
        Self::with_text(403, ErrorCode::BadJwt, text)
    }
}

/// Why a request did not succeed.
#[derive(Debug)]
pub(crate) enum RequestError {
    /// The caller is at fault; the answer says why.
    Refused(Box<Refusal>),
    /// A temporary failure: the database is unavailable.
    Away(sqlx::Error),
    /// An internal failure. The answer contains only an id; the log has the details.
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl From<sqlx::Error> for RequestError {
    fn from(error: sqlx::Error) -> Self {
        if limber_serve::is_away(&error) { Self::Away(error) } else { Self::Failed(error.into()) }
    }
}

impl From<Refusal> for RequestError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

macro_rules! failures {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for RequestError {
            fn from(error: $error) -> Self {
                Self::Failed(error.into())
            }
        })+
    };
}
failures!(serde_json::Error, tokio::task::JoinError, jsonwebtoken::errors::Error);

pub(crate) type Outcome<T> = Result<T, RequestError>;

/// Returns `Err` with a refusal.
pub(crate) fn refuse<T>(refusal: Refusal) -> Outcome<T> {
    Err(refusal.into())
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident = $status:literal $code:ident $text:literal;)+) => {
        $($(#[$doc])* pub(crate) const $name: Refusal =
            Refusal::new($status, ErrorCode::$code, $text);)+
    };
}

refusals! {
    // 2.1 requests
    BODY_TOO_LARGE = 413 RequestEntityTooLarge "Request body too large (max 1048576 bytes)";
    ARRAY_FOR_OBJECT = 400 BadJson
        "Could not parse request body as JSON: an object is expected, not an array";
    NUL_IN_BODY = 400 BadJson
        "Could not parse request body as JSON: a text holds the character U+0000";
    TIMED_OUT = 504 RequestTimeout
        "Processing this request timed out, please retry after a moment.";
    EMAIL_MISSING = 400 ValidationFailed "An email address is required";
    EMAIL_TOO_LONG = 400 ValidationFailed "An email address is too long";
    EMAIL_MALFORMED = 400 ValidationFailed "Unable to validate email address: invalid format";
    AUDIENCE_TOO_LONG = 400 ValidationFailed "An audience is too long";
    PHONE_MALFORMED = 400 ValidationFailed "Invalid phone number format (E.164 required)";
    METADATA_TOO_LARGE = 400 ValidationFailed
        "The metadata of an account cannot be larger than 65536 bytes";
    SIGN_UP_DATA_TOO_LARGE = 400 ValidationFailed
        "The data of a sign-up cannot be larger than 8192 bytes";
    NO_SUCH_PATH = 404 Unknown
        "There is nothing at this path. Check the address against the reference.";
    WRONG_METHOD = 405 Unknown
        "This path exists but not with this method. Check the method against the reference.";
    // 2.3 bearer authentication
    NO_BEARER = 401 NoAuthorization "This endpoint requires a valid Bearer token";
    TOKEN_WITHOUT_SUBJECT = 403 BadJwt "invalid claim: missing sub claim";
    TOKEN_SUBJECT_NOT_UUID = 400 BadJwt "invalid claim: sub claim must be a UUID";
    ACCOUNT_GONE = 403 UserNotFound "User from sub claim in JWT does not exist";
    SESSION_GONE = 403 SessionNotFound "Session from session_id claim in JWT does not exist";
    BANNED = 403 UserBanned "User is banned";
    NOT_ADMIN = 403 NotAdmin "User not allowed";
    AUDIENCE_MISMATCH = 400 ValidationFailed "Token audience doesn't match request audience";
    // 2.5 rate limits
    TOO_MANY_EMAILS = 429 OverEmailSendRateLimit "email rate limit exceeded";
    TOO_MANY_TEXTS = 429 OverSmsSendRateLimit "SMS rate limit exceeded";
    // 2.6 captcha
    CAPTCHA_MISSING = 400 CaptchaFailed
        "captcha protection: request disallowed (no captcha_token found)";
    CAPTCHA_FAILED = 503 UnexpectedFailure "captcha verification process failed";
    // 6.1 sign-up
    SIGNUP_DISABLED = 422 SignupDisabled "Signups not allowed for this instance";
    EMAIL_SIGNUPS_DISABLED = 400 EmailProviderDisabled "Email signups are disabled";
    PHONE_SIGNUPS_DISABLED = 400 PhoneProviderDisabled "Phone signups are disabled";
    SIGNUP_BOTH_ADDRESSES = 400 ValidationFailed
        "Only an email address or phone number should be provided on signup.";
    SIGNUP_WITHOUT_PASSWORD = 400 ValidationFailed "Signup requires a valid password";
    PASSWORD_TOO_LONG = 400 ValidationFailed "Password cannot be longer than 72 characters";
    BAD_CHANNEL = 400 ValidationFailed "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.";
    PKCE_WITH_PHONE = 400 ValidationFailed "PKCE not supported for phone signups";
    ALREADY_REGISTERED = 400 UserAlreadyExists "User already registered";
    // 6.2 anonymous
    ANONYMOUS_DISABLED = 422 AnonymousProviderDisabled "Anonymous sign-ins are disabled";
    ANONYMOUS_PASSWORD = 422 ValidationFailed
        "Updating password of an anonymous user without an email or phone is not allowed";
    // 6.3 password grant
    LOGIN_WITHOUT_ADDRESS = 400 ValidationFailed "missing email or phone";
    LOGIN_BOTH_ADDRESSES = 400 ValidationFailed
        "Only an email address or phone number should be provided on login.";
    EMAIL_LOGINS_DISABLED = 422 EmailProviderDisabled "Email logins are disabled";
    PHONE_LOGINS_DISABLED = 422 PhoneProviderDisabled "Phone logins are disabled";
    WRONG_CREDENTIALS = 400 InvalidCredentials "Invalid login credentials";
    LOGIN_BANNED = 400 UserBanned "User is banned";
    EMAIL_NOT_CONFIRMED = 400 EmailNotConfirmed "Email not confirmed";
    PHONE_NOT_CONFIRMED = 400 PhoneNotConfirmed "Phone not confirmed";
    UNKNOWN_GRANT = 400 InvalidCredentials "unsupported_grant_type";
    WEB3_DISABLED = 422 Web3ProviderDisabled "Web3 provider is disabled";
    SAML_DISABLED = 404 SamlProviderDisabled "SAML 2.0 is disabled";
    // 6.4 refresh grant
    REFRESH_MALFORMED = 400 ValidationFailed "Refresh token is not valid";
    REFRESH_NOT_FOUND = 400 RefreshTokenNotFound
        "Invalid Refresh Token: Refresh Token Not Found";
    REFRESH_USED = 400 RefreshTokenAlreadyUsed "Invalid Refresh Token: Already Used";
    REFRESH_NO_SESSION = 400 SessionNotFound "Invalid Refresh Token: No Valid Session Found";
    REFRESH_EXPIRED = 400 SessionExpired "Invalid Refresh Token: Session Expired";
    REFRESH_INACTIVE = 400 SessionExpired "Invalid Refresh Token: Session Expired (Inactivity)";
    REFRESH_REPLACED = 400 SessionExpired
        "Invalid Refresh Token: Session Expired (Revoked by Newer Login)";
    REFRESH_BANNED = 400 UserBanned "Invalid Refresh Token: User Banned";
    /// Not a 4xx status, at which clients would end their session although contention is not their
    /// fault.
    REFRESH_CONTENDED = 503 Conflict
        "Too many concurrent token refresh requests on the same session or refresh token";
    // 6.5 PKCE
    PKCE_INCOMPLETE = 400 ValidationFailed
        "PKCE flow requires code_challenge_method and code_challenge";
    PKCE_METHOD = 400 ValidationFailed
        "code_challenge_method must be s256 or plain";
    PKCE_LENGTH = 400 ValidationFailed
        "code challenge has to be between 43 and 128 characters";
    PKCE_CHARACTERS = 400 ValidationFailed "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes";
    PKCE_EMPTY = 400 ValidationFailed
        "invalid request: both auth code and code verifier should be non-empty";
    FLOW_NOT_FOUND = 404 FlowStateNotFound "invalid flow state, no valid flow state found";
    FLOW_EXPIRED = 422 FlowStateExpired "invalid flow state, flow state has expired";
    WRONG_VERIFIER = 400 BadCodeVerifier
        "code challenge does not match previously saved code verifier";
    // 6.7 and 6.8 verification
    VERIFY_WITHOUT_TYPE = 400 ValidationFailed "Verify requires a verification type";
    VERIFY_ONE_TOKEN = 400 ValidationFailed "Verify requires either a token or a token hash";
    VERIFY_LINK_WITHOUT_TOKEN = 400 ValidationFailed "Verify requires a token or a token hash";
    VERIFY_HASH_ALONE = 400 ValidationFailed
        "Only the token_hash and type should be provided";
    VERIFY_BOTH_ADDRESSES = 400 ValidationFailed
        "Only an email address or phone number should be provided on verify";
    VERIFY_BAD_EMAIL = 422 ValidationFailed "Invalid email format";
    VERIFY_UNKNOWN_TYPE = 400 ValidationFailed "Unsupported verification type";
    VERIFY_UNKNOWN_LINK_TYPE = 400 ValidationFailed "Invalid email verification type";
    VERIFY_NEEDS_PASSWORD = 422 ValidationFailed "Password is required to complete signup";
    CODE_EXPIRED = 403 OtpExpired "Token has expired or is invalid";
    LINK_EXPIRED = 403 OtpExpired "Email link is invalid or has expired";
    // 6.9 and 6.10 magic links and codes
    OTP_BOTH_ADDRESSES = 400 ValidationFailed
        "Only an email address or phone number should be provided";
    OTP_NEITHER_ADDRESS = 400 ValidationFailed "One of email or phone must be set";
    OTP_CHANNEL_WITH_EMAIL = 400 ValidationFailed
        "Channel should only be specified with Phone OTP";
    OTP_PHONE_DISABLED = 400 PhoneProviderDisabled "Unsupported phone provider";
    OTP_SIGNUP_DISABLED = 422 OtpDisabled "Signups not allowed for otp";
    MAGIC_LINK_WITHOUT_EMAIL = 422 ValidationFailed "A magic link requires an email";
    MAGIC_LINKS_DISABLED = 422 EmailProviderDisabled "Login with magic link is disabled";
    // 6.11 recovery
    RECOVER_WITHOUT_EMAIL = 400 ValidationFailed "Password recovery requires an email";
    MAIL_DISABLED = 400 EmailProviderDisabled "Email logins are disabled";
    // 6.12 resend
    RESEND_TYPE = 400 ValidationFailed
        "Missing one of these types: signup, email_change, sms, phone_change";
    RESEND_NEEDS_EMAIL = 400 ValidationFailed "Type provided requires an email address";
    RESEND_NEEDS_PHONE = 400 ValidationFailed "Type provided requires a phone number";
    RESEND_BOTH = 400 ValidationFailed
        "Only an email address or phone number should be provided.";
    RESEND_NEITHER = 400 ValidationFailed "Missing email address or phone number";
    TEXTS_DISABLED = 400 PhoneProviderDisabled "Phone logins are disabled";
    // 6.14 the account itself
    EMAIL_TAKEN = 422 EmailExists "A user with this email address has already been registered";
    PHONE_TAKEN = 422 PhoneExists "A user with this phone number has already been registered";
    SAME_PASSWORD = 422 SamePassword
        "New password should be different from the old password.";
    CURRENT_PASSWORD_REQUIRED = 400 CurrentPasswordRequired
        "Current password required when setting new password.";
    CURRENT_PASSWORD_WRONG = 400 CurrentPasswordInvalid
        "Current password required when setting new password.";
    APP_METADATA_NOT_YOURS = 403 NotAdmin "Updating app_metadata requires admin privileges";
    REAUTHENTICATION_MISSING = 400 ReauthenticationNeeded
        "Password update requires reauthentication";
    LINKING_NEEDS_SIGN_IN = 400 ReauthenticationNeeded
        "Sign in again before you link an identity";
    REAUTHENTICATION_INVALID = 422 ReauthenticationNotValid "Nonce has expired or is invalid";
    // 6.15 reauthentication
    REAUTHENTICATION_WITHOUT_ADDRESS = 400 ValidationFailed
        "Reauthentication requires the user to have an email or a phone number";
    REAUTHENTICATION_EMAIL_UNCONFIRMED = 422 EmailNotConfirmed
        "Please verify your email first.";
    REAUTHENTICATION_PHONE_UNCONFIRMED = 422 PhoneNotConfirmed
        "Please verify your phone first.";
    NEEDS_SECOND_FACTOR = 401 InsufficientAal
        "AAL2 session is required to update email or password when MFA is enabled.";
    // 9 second factors
    ANONYMOUS_FACTORS = 403 NoAuthorization
        "Anonymous user not allowed to perform these actions";
    FACTOR_KIND = 400 ValidationFailed "factor_type needs to be totp, phone, or webauthn";
    FACTOR_NAME_TOO_LONG = 400 ValidationFailed
        "friendly_name and issuer must be at most 128 characters long";
    FACTOR_NOT_UUID = 404 ValidationFailed "factor_id must be an UUID";
    FACTOR_NOT_FOUND = 404 MfaFactorNotFound "Factor not found";
    FACTOR_NEEDS_AAL2 = 403 InsufficientAal "AAL2 required to enroll a new factor";
    UNENROLL_NEEDS_AAL2 = 422 InsufficientAal "AAL2 required to unenroll verified factor";
    TOO_MANY_FACTORS = 422 TooManyEnrolledMfaFactors
        "Maximum number of verified factors reached, unenroll to continue";
    TOTP_ENROLL_DISABLED = 422 MfaTotpEnrollNotEnabled "MFA enroll is disabled for TOTP";
    PHONE_ENROLL_DISABLED = 422 MfaPhoneEnrollNotEnabled "MFA enroll is disabled for Phone";
    WEBAUTHN_ENROLL_DISABLED = 422 MfaWebauthnEnrollNotEnabled
        "MFA enroll is disabled for WebAuthn";
    TOTP_VERIFY_DISABLED = 422 MfaTotpVerifyNotEnabled "MFA verification is disabled for TOTP";
    PHONE_VERIFY_DISABLED = 422 MfaPhoneVerifyNotEnabled
        "MFA verification is disabled for Phone";
    WEBAUTHN_VERIFY_DISABLED = 422 MfaWebauthnVerifyNotEnabled
        "MFA verification is disabled for WebAuthn";
    FACTOR_PHONE_MISSING = 400 ValidationFailed
        "Phone number required to enroll Phone factor";
    FACTOR_PHONE_TAKEN = 422 MfaVerifiedFactorExists
        "A verified phone factor already exists, unenroll the existing factor to continue";
    FACTOR_HAS_NO_PHONE = 400 ValidationFailed "Only a phone factor has a phone number";
    FACTOR_CODE_MISSING = 400 ValidationFailed "Code needs to be non-empty";
    TOTP_CODE_WRONG = 422 MfaVerificationFailed "Invalid TOTP code entered";
    PHONE_CODE_WRONG = 422 MfaVerificationFailed "Invalid MFA Phone code entered";
    CHALLENGE_NOT_FOUND = 422 MfaFactorNotFound
        "MFA factor with the provided challenge ID not found";
    CHALLENGE_ELSEWHERE = 422 MfaIpAddressMismatch
        "Challenge and verify IP addresses mismatch.";
    // 6.6 ID tokens, 6.16-6.18 providers and identities
    PROVIDER_AWAY = 503 UnexpectedFailure
        "The sign-in provider does not answer. Try again in a moment.";
    PROVIDER_EXCHANGE = 500 UnexpectedFailure "Unable to exchange external code";
    PROVIDER_PROFILE = 500 UnexpectedFailure
        "Error getting user profile from external provider";
    PROVIDER_WITHOUT_EMAIL = 422 ValidationFailed
        "Error getting user email from external provider";
    STATE_MISSING = 400 BadOauthCallback "OAuth state parameter missing";
    STATE_UNKNOWN = 400 BadOauthState "OAuth state not found or expired";
    STATE_ANOTHERS = 400 BadOauthState "OAuth state does not belong to this sign-in";
    STATE_OF_ANOTHER_BROWSER = 400 BadOauthState
        "OAuth state was begun in another browser. Begin again in this one, with cookies allowed";
    CALLBACK_WITHOUT_CODE = 400 BadOauthCallback
        "OAuth callback with missing authorization code";
    INVITE_UNKNOWN = 404 UserNotFound "User identified by token not found";
    INVITE_MISMATCH = 400 ValidationFailed
        "Invited email does not match emails from external provider";
    LINKING_DISABLED = 404 ManualLinkingDisabled "Manual linking is disabled";
    LINKED_TO_YOU = 422 IdentityAlreadyExists "Identity is already linked";
    LINKED_TO_ANOTHER = 422 IdentityAlreadyExists
        "Identity is already linked to another user";
    LAST_IDENTITY = 422 SingleIdentityNotDeletable
        "User must have at least 1 identity after unlinking";
    IDENTITY_UNKNOWN = 422 IdentityNotFound "Identity doesn't exist";
    IDENTITY_NOT_UUID = 404 ValidationFailed "identity_id must be an UUID";
    IDENTITIES_NEED_AAL2 = 403 InsufficientAal "AAL2 required to link or unlink an identity";
    IDENTITY_EMAIL_CONFLICT = 422 EmailConflictIdentityNotDeletable
        "Unable to unlink identity due to email conflict";
    // own sessions
    SESSION_NOT_UUID = 404 ValidationFailed "session_id must be an UUID";
    SESSION_UNKNOWN = 404 SessionNotFound "Session not found";
    // 422, because SDKs take 401, 403 and 404 on sign-out for success.
    SESSIONS_NEED_AAL2 = 422 InsufficientAal "AAL2 required to end other sessions";
    // 10 administration
    LINK_FOR_NOBODY = 404 UserNotFound "User with this email not found";
    SECURE_CHANGE_OFF = 422 ValidationFailed
        "Enable secure email change to generate link for current email";
    ADMIN_NO_ADDRESS = 400 ValidationFailed
        "Cannot create a user without either an email or phone";
    ADMIN_PHONE_TAKEN = 422 PhoneExists "Phone number already registered by another user";
    ADMIN_ID_TAKEN = 409 Conflict "A user with this id already exists";
    ADMIN_BAD_ID = 400 ValidationFailed "ID must conform to the uuid v4 format";
    ADMIN_TWO_PASSWORDS = 400 ValidationFailed
        "Only a password or a password hash should be provided";
    ADMIN_BAD_HASH = 400 ValidationFailed
        "password_hash must be a bcrypt hash, an argon2 PHC string or a firebase-scrypt hash";
    ADMIN_UNKNOWN_ACCOUNT = 404 UserNotFound "User not found";
    ADMIN_NOT_UUID = 404 ValidationFailed "user_id must be an UUID";
}
