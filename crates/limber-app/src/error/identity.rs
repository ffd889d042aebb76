//! What the identity service says, as a person reads it.

use limber_api::identity::ErrorCode as IdentityCode;
use limber_client::identity::IdentityError;

use super::{AppError, ErrorCode, sentence};

impl From<IdentityError> for AppError {
    fn from(error: IdentityError) -> Self {
        let code = match error.code() {
            Some(known) => kind(known, error.ends_session()),
            None => match error {
                IdentityError::Unreachable | IdentityError::TimedOut => {
                    ErrorCode::ServiceUnreachable
                }
                IdentityError::BadAddress | IdentityError::Unencrypted => ErrorCode::BadInput,
                _ => ErrorCode::ServiceRefused,
            },
        };
        let said = error.code().and_then(identity_sentence).map(str::to_owned);
        Self::new(code, said.unwrap_or_else(|| sentence(&error.to_string())))
    }
}

impl AppError {
    /// A way back that brought a refusal. `words` are shown only where they are to be trusted.
    pub(crate) fn sign_in_refused(code: Option<IdentityCode>, words: Option<&str>) -> Self {
        let said = code.and_then(identity_sentence).map(str::to_owned);
        // the words of a service elsewhere tell what happened and not what to do
        let said =
            said.or_else(|| words.map(|words| format!("{} Begin it again here.", sentence(words))));
        Self::new(
            ErrorCode::SignInRefused,
            said.unwrap_or_else(|| "The sign-in did not work. Begin it again here.".to_owned()),
        )
    }
}

fn kind(code: IdentityCode, ends_session: bool) -> ErrorCode {
    use IdentityCode as C;
    match code {
        C::InvalidCredentials
        | C::EmailNotConfirmed
        | C::PhoneNotConfirmed
        | C::UserBanned
        | C::OtpExpired
        | C::OtpDisabled
        | C::FlowStateNotFound
        | C::FlowStateExpired
        | C::FlowStateAlreadyUsed
        | C::BadCodeVerifier
        | C::MfaVerificationFailed
        | C::MfaChallengeExpired => ErrorCode::SignInRefused,
        C::ValidationFailed
        | C::WeakPassword
        | C::EmailAddressInvalid
        | C::EmailExists
        | C::PhoneExists
        | C::MfaVerifiedFactorExists
        | C::UserAlreadyExists
        | C::SamePassword
        | C::CurrentPasswordInvalid
        | C::ReauthenticationNotValid => ErrorCode::BadInput,
        _ if ends_session => ErrorCode::SignedOut,
        _ => ErrorCode::ServiceRefused,
    }
}

/// What to do now, where the service's own words only say what happened.
fn identity_sentence(code: IdentityCode) -> Option<&'static str> {
    use IdentityCode as C;
    Some(match code {
        C::InvalidCredentials => {
            "The email or the password is wrong. Check both, or create an account."
        }
        C::EmailNotConfirmed => {
            "This address is not confirmed yet. Open the link in the mail we sent, then sign in."
        }
        C::OtpExpired => {
            "This link or code is wrong, was used before or is too old. Ask for a new one."
        }
        C::OtpDisabled => {
            "Nobody with this address has an account here. Check it, or create an account."
        }
        C::SignupDisabled => {
            "This studio makes accounts by invitation only. Ask its operator for one."
        }
        C::UserBanned => "This account is blocked. Ask the operator of the studio.",
        C::EmailExists | C::UserAlreadyExists => {
            "This address belongs to another account. Sign in with it, or use another address."
        }
        C::PhoneExists => {
            "This number belongs to another account. Sign in with it, or use another number."
        }
        C::SamePassword => "This is the password you have already. Choose another one.",
        C::CurrentPasswordInvalid => "The password you have now is another one. Try again.",
        C::ReauthenticationNotValid => {
            "This code is wrong or too old. Change the password again to get a new one."
        }
        C::FlowStateNotFound
        | C::FlowStateExpired
        | C::FlowStateAlreadyUsed
        | C::BadCodeVerifier
        | C::BadOauthState => {
            "This sign-in took too long or was finished before. Begin it again here."
        }
        C::ProviderEmailNeedsVerification => {
            "The other service does not vouch for your address. Open the link in the mail we sent, \
             then sign in again."
        }
        C::ManualLinkingDisabled => {
            "This studio does not let accounts be linked. Ask its operator to switch it on."
        }
        C::IdentityAlreadyExists => {
            "That account is linked already, to this account or another one. Sign in with it \
             instead."
        }
        C::SingleIdentityNotDeletable => {
            "This is the only way into your account. Add another one before you remove it."
        }
        C::SmsSendFailed => "The text message could not be sent. Check the number and try again.",
        _ => return factor_sentence(code),
    })
}

/// The same of second factors.
fn factor_sentence(code: IdentityCode) -> Option<&'static str> {
    use IdentityCode as C;
    Some(match code {
        C::MfaVerificationFailed => "This code is wrong. Wait for the next one and try again.",
        C::MfaChallengeExpired => "This code came too late. Write the next one.",
        C::MfaPhoneVerifyNotEnabled => {
            "This studio sends no codes for second factors any more. Ask its operator to let you in."
        }
        C::InsufficientAal => {
            "Your account is protected by a second factor. Sign out, sign in with its code, and \
             try again."
        }
        C::MfaPhoneEnrollNotEnabled => {
            "This studio takes no phones as second factors. Use an authenticator app."
        }
        C::MfaVerifiedFactorExists => {
            "This number protects your account already. Use another number."
        }
        C::TooManyEnrolledMfaFactors => {
            "Your account has as many second factors as this studio allows. Remove one first."
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: IdentityCode, message: &str) -> AppError {
        AppError::from(IdentityError::Refused {
            status: 400,
            code,
            message: message.to_owned(),
            weak_password: vec![],
            retry_after: None,
        })
    }

    #[test]
    fn what_to_do_stands_beside_what_happened_and_unknown_words_are_kept() {
        let wrong = refused(IdentityCode::MfaVerificationFailed, "Invalid TOTP code entered");
        assert_eq!(wrong.code, ErrorCode::SignInRefused);
        assert!(wrong.message.contains("try again"));
        let soon = "For security purposes, you can only request this after 42 seconds.";
        assert_eq!(refused(IdentityCode::OverEmailSendRateLimit, soon).message, soon);
        let taken =
            refused(IdentityCode::MfaVerifiedFactorExists, "A verified phone factor exists");
        assert_eq!(taken.code, ErrorCode::BadInput);
        assert!(taken.message.contains("another number"));
        assert_eq!(refused(IdentityCode::SessionNotFound, "x").code, ErrorCode::SignedOut);
    }

    #[test]
    fn words_of_a_link_that_nobody_expected_are_not_repeated() {
        let error = AppError::sign_in_refused(None, None);
        assert!(error.message.contains("Begin"));
        let known = AppError::sign_in_refused(Some(IdentityCode::OtpExpired), Some("x"));
        assert!(known.message.contains("too old"));
        let elsewhere = AppError::sign_in_refused(None, Some("they did not agree"));
        assert_eq!(elsewhere.message, "They did not agree. Begin it again here.");
    }
}
