//! Parses links that lead into the app, from the desktop and from emails.
//!
//! The desktop passes on whatever any web page asks it to, so nothing in such a link is trusted
//! until it is verified: the state against the pending flows, the code and the tokens by the
//! service.

use std::collections::HashMap;

use limber_api::identity::{ErrorCode as IdentityCode, VerifyKind};
use secrecy::SecretString;
use url::Url;

use crate::{AppError, ErrorCode, Notice};

/// Maximum length of a link in bytes.
const LONGEST_BYTES: usize = 16 << 10;

/// A `limber://auth/callback…` link, as passed on by the desktop.
pub(crate) enum Callback {
    /// An authorisation code for the flow with this state.
    Code { code: SecretString, state: String },
    /// The first of two confirmations of a change of email address.
    OneMore { state: String },
    /// A session in the fragment, as in emailed links that no app requested. Only invitations are
    /// accepted, and only with the user's consent.
    Session { refresh_token: SecretString, kind: VerifyKind },
    /// A refusal.
    Refused { code: Option<IdentityCode>, words: String, state: String },
}

impl Callback {
    pub(crate) fn read(text: &str) -> Result<Self, AppError> {
        let url = Url::parse(text).ok().filter(|_| text.len() <= LONGEST_BYTES);
        let url = url.filter(|url| {
            let path = url.path().trim_end_matches('/');
            url.scheme() == "limber" && url.host_str() == Some("auth") && path == "/callback"
        });
        let url = url.ok_or_else(foreign)?;
        let mut query: HashMap<String, String> = url.query_pairs().into_owned().collect();
        let mut fragment: HashMap<String, String> =
            url::form_urlencoded::parse(url.fragment().unwrap_or_default().as_bytes())
                .into_owned()
                .collect();
        // only from the query: the state was sent there and returns there
        let state = query.remove("state").unwrap_or_default();
        for fields in [&mut query, &mut fragment] {
            let words = fields.remove("error_description").or_else(|| fields.remove("error"));
            if let Some(words) = words {
                let code = fields.get("error_code").and_then(|word| IdentityCode::parse(word));
                return Ok(Self::Refused { code, words, state });
            }
        }
        if let Some(code) = query.remove("code") {
            return Ok(Self::Code { code: code.into(), state });
        }
        if query.contains_key("message") || fragment.contains_key("message") {
            return Ok(Self::OneMore { state });
        }
        let kind = fragment.get("type").and_then(|word| VerifyKind::parse(word));
        match (fragment.remove("refresh_token"), kind) {
            (Some(token), Some(kind)) => Ok(Self::Session { refresh_token: token.into(), kind }),
            _ => Err(foreign()),
        }
    }
}

/// The link of an email that was opened inside the app.
pub(crate) struct MailedLink {
    pub(crate) kind: VerifyKind,
    pub(crate) token_hash: SecretString,
}

impl MailedLink {
    pub(crate) fn read(text: &str) -> Result<Self, AppError> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(foreign)?;
        let mut fields: HashMap<String, String> = url.query_pairs().into_owned().collect();
        let kind = fields.get("type").and_then(|word| VerifyKind::parse(word));
        let token = fields.remove("token_hash").or_else(|| fields.remove("token"));
        match (kind, token) {
            (Some(kind), Some(token)) => Ok(Self { kind, token_hash: token.into() }),
            _ => Err(foreign()),
        }
    }
}

fn foreign() -> AppError {
    AppError::new(ErrorCode::BadInput, Notice::LinkElsewhere)
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn code_and_state_are_read_from_the_query_only() {
        let link = "limber://auth/callback?state=s1&code=c1";
        let Ok(Callback::Code { code, state }) = Callback::read(link) else { panic!("a code") };
        assert_eq!((code.expose_secret(), state.as_str()), ("c1", "s1"));
        let link = "limber://auth/callback?code=c1#state=s1";
        let Ok(Callback::Code { state, .. }) = Callback::read(link) else { panic!("a code") };
        assert_eq!(state, "");
        assert!(Callback::read("limber://auth/callback#code=c1&state=s1").is_err());
    }

    #[test]
    fn an_invitation_is_a_session_in_the_fragment() {
        let link = "limber://auth/callback#access_token=a&refresh_token=r%20r&type=invite";
        let Ok(Callback::Session { refresh_token, kind }) = Callback::read(link) else {
            panic!("a session")
        };
        assert_eq!((refresh_token.expose_secret(), kind), ("r r", VerifyKind::Invite));
        // no app requests a provider session in this form
        let link = "limber://auth/callback#access_token=a&refresh_token=r&provider=github";
        assert!(Callback::read(link).is_err());
    }

    #[test]
    fn a_refusal_keeps_its_code_and_description() {
        for link in [
            "limber://auth/callback?state=s&error=access_denied&error_code=otp_expired\
             &error_description=Link+is+invalid",
            "limber://auth/callback?state=s#error=access_denied&error_code=otp_expired\
             &error_description=Link+is+invalid",
        ] {
            let Ok(Callback::Refused { code, words, state }) = Callback::read(link) else {
                panic!("a refusal")
            };
            assert_eq!(code, Some(IdentityCode::OtpExpired));
            assert_eq!((words.as_str(), state.as_str()), ("Link is invalid", "s"));
        }
    }

    #[test]
    fn a_half_confirmed_email_change_is_recognised() {
        let link = "limber://auth/callback?state=s&message=Confirmation+link+accepted#message=x";
        assert!(matches!(Callback::read(link), Ok(Callback::OneMore { state }) if state == "s"));
    }

    #[test]
    fn foreign_and_malformed_links_are_rejected() {
        for link in [
            "https://evil.example/#refresh_token=r&type=invite",
            "limber://evil/callback?code=c&state=s",
            "limber://auth/other?code=c&state=s",
            "limber://auth/callback",
            "limber://auth/callback?token=t&type=magiclink",
            "",
            "x:",
        ] {
            assert!(Callback::read(link).is_err(), "{link}");
        }
        let long = format!("limber://auth/callback?state=s&code={}", "c".repeat(LONGEST_BYTES));
        assert!(Callback::read(&long).is_err());
    }

    #[test]
    fn email_links_are_confirmations_on_the_web_only() {
        let link = "http://127.0.0.1:9999/verify?token=pkce_1&type=signup&redirect_to=limber://x";
        let mailed = MailedLink::read(link).expect("a confirmation");
        assert_eq!(
            (mailed.kind, mailed.token_hash.expose_secret()),
            (VerifyKind::Signup, "pkce_1")
        );
        assert!(MailedLink::read("limber://auth/callback?token=t&type=signup").is_err());
    }
}
