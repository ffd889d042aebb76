//! Converts errors of the identity service to messages for the user.

use limber_api::identity::ErrorCode as IdentityCode;
use limber_client::identity::IdentityError;

use super::{AppError, ErrorCode};
use crate::messages::{MessageView, Notice};

impl From<IdentityError> for AppError {
    fn from(error: IdentityError) -> Self {
        let code = match error.code() {
            Some(known) => kind(known, error.ends_session()),
            None => match error {
                IdentityError::Unreachable | IdentityError::TimedOut => {
                    ErrorCode::ServiceUnreachable
                }
                IdentityError::BadAddress
                | IdentityError::Unencrypted
                | IdentityError::UnencryptedLink => ErrorCode::BadInput,
                _ => ErrorCode::ServiceRefused,
            },
        };
        Self::new(code, told_by_identity(&error))
    }
}

/// Converts an error of the identity service, or a failure to reach it.
fn told_by_identity(error: &IdentityError) -> MessageView {
    let notice = match error {
        IdentityError::Refused { code, message, .. } => match identity_notice(*code) {
            Some(notice) => notice,
            None if !message.is_empty() => return MessageView::words(message),
            None if *code == IdentityCode::OverRequestRateLimit => Notice::AccountServiceBusy,
            None => Notice::AccountServiceRefuses,
        },
        IdentityError::Unreachable => Notice::AccountServiceUnreachable,
        IdentityError::TimedOut => Notice::AccountServiceSilent,
        IdentityError::ServiceFailed { status } => Notice::AccountServiceFails { status: *status },
        IdentityError::NotUnderstood { what } => {
            Notice::NoAccountService { what: (*what).to_owned() }
        }
        IdentityError::BadAddress => Notice::AccountServiceAddress,
        IdentityError::Unencrypted => Notice::AccountServiceUnencrypted,
        IdentityError::UnencryptedLink => Notice::UnencryptedLink,
        IdentityError::NoTls => Notice::NoTls,
    };
    notice.into()
}

impl AppError {
    /// Makes the error for a redirect that carries a refusal. `words` is passed only if it can be
    /// trusted.
    pub(crate) fn sign_in_refused(code: Option<IdentityCode>, words: Option<&str>) -> Self {
        // the provider's text says what happened but not what to do
        let elsewhere =
            |words: &str| Notice::SignInRefusedElsewhere { said: super::sentence(words) };
        let notice = code.and_then(identity_notice).or_else(|| words.map(elsewhere));
        Self::new(ErrorCode::SignInRefused, notice.unwrap_or(Notice::SignInFailed))
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

/// Returns a message that says what to do, for codes whose text from the service does not.
fn identity_notice(code: IdentityCode) -> Option<Notice> {
    use IdentityCode as C;
    Some(match code {
        C::InvalidCredentials => Notice::WrongCredentials,
        C::EmailNotConfirmed => Notice::AddressNotConfirmed,
        C::OtpExpired => Notice::LinkOrCodeSpent,
        C::OtpDisabled => Notice::NoSuchAccount,
        C::SignupDisabled => Notice::InvitationOnly,
        C::UserBanned => Notice::AccountBlocked,
        C::EmailExists | C::UserAlreadyExists => Notice::AddressTaken,
        C::PhoneExists => Notice::NumberTaken,
        C::SamePassword => Notice::SamePassword,
        C::CurrentPasswordInvalid => Notice::WrongCurrentPassword,
        C::ReauthenticationNotValid => Notice::PasswordCodeSpent,
        C::FlowStateNotFound
        | C::FlowStateExpired
        | C::FlowStateAlreadyUsed
        | C::BadCodeVerifier
        | C::BadOauthState => Notice::SignInOver,
        C::ProviderEmailNeedsVerification => Notice::AddressNotVouchedFor,
        C::ManualLinkingDisabled => Notice::LinkingOff,
        C::IdentityAlreadyExists => Notice::AlreadyLinked,
        C::SingleIdentityNotDeletable => Notice::OnlyWayIn,
        C::SmsSendFailed => Notice::TextNotSent,
        _ => return factor_notice(code),
    })
}

/// Returns the same for codes about second factors.
fn factor_notice(code: IdentityCode) -> Option<Notice> {
    use IdentityCode as C;
    Some(match code {
        C::MfaVerificationFailed => Notice::WrongCode,
        C::MfaChallengeExpired => Notice::CodeTooLate,
        C::MfaPhoneVerifyNotEnabled => Notice::NoFactorCodes,
        C::InsufficientAal => Notice::FactorWanted,
        C::MfaPhoneEnrollNotEnabled => Notice::NoPhoneFactors,
        C::MfaVerifiedFactorExists => Notice::NumberProtectsAlready,
        C::TooManyEnrolledMfaFactors => Notice::MostFactors,
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
    fn errors_say_what_happened_and_what_to_do() {
        let wrong = refused(IdentityCode::MfaVerificationFailed, "Invalid TOTP code entered");
        assert_eq!(wrong.code, ErrorCode::SignInRefused);
        assert!(wrong.message.text.contains("try again"));
        let soon = "For security purposes, you can only request this after 42 seconds.";
        assert_eq!(refused(IdentityCode::OverEmailSendRateLimit, soon).message.text, soon);
        let taken =
            refused(IdentityCode::MfaVerifiedFactorExists, "A verified phone factor exists");
        assert_eq!(taken.code, ErrorCode::BadInput);
        assert!(taken.message.text.contains("another number"));
        assert_eq!(refused(IdentityCode::SessionNotFound, "x").code, ErrorCode::SignedOut);
    }

    #[test]
    fn descriptions_in_unexpected_links_are_not_shown() {
        let error = AppError::sign_in_refused(None, None);
        assert!(error.message.text.contains("Start"));
        let known = AppError::sign_in_refused(Some(IdentityCode::OtpExpired), Some("x"));
        assert!(known.message.text.contains("expired"));
        let elsewhere = AppError::sign_in_refused(None, Some("they did not agree"));
        assert_eq!(elsewhere.message.text, "They did not agree. Start it again here.");
    }
}
