//! Request bodies. Unknown fields are ignored; `null` is the same as absent.

use serde::{Deserialize, Serialize};

use super::Metadata;

/// Implements `Debug` without secrets: shows which fields are present, never their values.
macro_rules! debug_without_values {
    ($type:ident { $($field:ident),+ $(,)? }) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut out = f.debug_struct(stringify!($type));
                $(if self.$field.is_some() { out.field(stringify!($field), &"…"); })+
                out.finish()
            }
        }
    };
}
pub(super) use debug_without_values;

/// `POST /signup`. Without email and phone, it is an anonymous sign-in.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignUpRequest {
    /// Email address of the new account; mutually exclusive with `phone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Phone number in E.164; mutually exclusive with `email`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Password, at most 72 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Initial `user_metadata`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
    /// `sms` or `whatsapp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// PKCE challenge, 43-128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// `s256` or `plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<String>,
}
debug_without_values!(SignUpRequest {
    email,
    phone,
    password,
    data,
    channel,
    code_challenge,
    code_challenge_method,
});

/// `POST /token?grant_type=password`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PasswordGrant {
    /// Email address; mutually exclusive with `phone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Phone number; mutually exclusive with `email`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// The password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
}
debug_without_values!(PasswordGrant { email, phone, password });

/// `POST /token?grant_type=refresh_token`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RefreshGrant {
    /// The refresh token of the last response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
}
debug_without_values!(RefreshGrant { refresh_token });

/// `POST /token?grant_type=pkce`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PkceGrant {
    /// Code from the redirect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_code: Option<String>,
    /// PKCE verifier, known only to the client that started the sign-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_verifier: Option<String>,
}
debug_without_values!(PkceGrant { auth_code, code_verifier });

/// The body of `POST /token`; the query's `grant_type` selects the variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Grant {
    /// `grant_type=password`.
    Password(PasswordGrant),
    /// `grant_type=refresh_token`.
    Refresh(RefreshGrant),
    /// `grant_type=pkce`.
    Pkce(PkceGrant),
    /// `grant_type=id_token`.
    IdToken(super::IdTokenGrant),
}

/// `PUT /user`: changes all fields that are present.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateAccountRequest {
    /// New email address; takes effect when confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// New phone number in E.164.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// New password; ends all other sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Current password, if the instance requires it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_password: Option<String>,
    /// The code from `/reauthenticate`, if the instance requires it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// Merged into `user_metadata`; a `null` value deletes its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
    /// Merged into `app_metadata`; administrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub app_metadata: Option<Metadata>,
    /// `sms` or `whatsapp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// PKCE challenge, 43-128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// `s256` or `plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<String>,
}
debug_without_values!(UpdateAccountRequest {
    email,
    phone,
    password,
    current_password,
    nonce,
    data,
    app_metadata,
    channel,
    code_challenge,
    code_challenge_method,
});

/// `POST /verify`: a kind and exactly one proof (`email`+`token`, `phone`+`token`, `token_hash`, or
/// `token` alone with the token of a link).
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerifyRequest {
    /// See [`VerifyKind`].
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The code from the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The token from the message's link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_hash: Option<String>,
    /// Email address that the code was sent to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Phone number that the code was sent to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Password for a sign-up that has none yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Ignored; not allowed with `token_hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_to: Option<String>,
}
debug_without_values!(VerifyRequest {
    kind,
    token,
    token_hash,
    email,
    phone,
    password,
    redirect_to,
});

/// `POST /recover`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecoverRequest {
    /// Address of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// PKCE challenge, 43-128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// `s256` or `plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<String>,
}
debug_without_values!(RecoverRequest { email, code_challenge, code_challenge_method });

/// `POST /magiclink`: sends a sign-in link; signs up if the address is unknown.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MagicLinkRequest {
    /// Email address to send the link to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Initial `user_metadata` if this request creates an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
    /// PKCE challenge, 43-128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// `s256` or `plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<String>,
}
debug_without_values!(MagicLinkRequest { email, data, code_challenge, code_challenge_method });

/// `POST /otp`: sends a magic link by email, or a code by text message.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OtpRequest {
    /// Email address; mutually exclusive with `phone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Phone number in E.164; mutually exclusive with `email`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Whether to create an account for an unknown address; default true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create_user: Option<bool>,
    /// Initial `user_metadata` if this request creates an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
    /// `sms` or `whatsapp`; only with `phone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// PKCE challenge, 43-128 characters; only with `email`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// `s256` or `plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<String>,
}
debug_without_values!(OtpRequest {
    email,
    phone,
    create_user,
    data,
    channel,
    code_challenge,
    code_challenge_method,
});

/// `POST /resend`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ResendRequest {
    /// See [`ResendKind`].
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Current email address; for the email kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Current phone number; for the phone kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// PKCE challenge, 43-128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge: Option<String>,
    /// `s256` or `plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<String>,
}
debug_without_values!(ResendRequest { kind, email, phone, code_challenge, code_challenge_method });

/// Declares an enum whose variants have wire values.
macro_rules! wire_words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// All values, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the wire value.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Parses a wire value; `None` if it is unknown.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}
pub(super) use wire_words;

wire_words! {
    /// Kind of code or link to verify.
    VerifyKind {
        /// Confirms a new account.
        Signup = "signup",
        /// Accepts an invitation.
        Invite = "invite",
        /// Signs in after a forgotten password.
        Recovery = "recovery",
        /// Signs in with a link from an email.
        MagicLink = "magiclink",
        /// A confirmation or a magic link, whichever is pending.
        Email = "email",
        /// Confirms a change of email address.
        EmailChange = "email_change",
        /// Confirms a phone number.
        Sms = "sms",
        /// Confirms a change of phone number.
        PhoneChange = "phone_change",
    }
}

wire_words! {
    /// Kind of message to send again.
    ResendKind {
        /// The confirmation of a new account.
        Signup = "signup",
        /// The confirmation of a change of email address.
        EmailChange = "email_change",
        /// The code of a sign-up by phone.
        Sms = "sms",
        /// The code of a change of phone number.
        PhoneChange = "phone_change",
    }
}

wire_words! {
    /// Which sessions a sign-out ends.
    LogoutScope {
        /// All sessions of the account.
        Global = "global",
        /// This session only.
        Local = "local",
        /// All sessions except this one.
        Others = "others",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_means_absent() {
        let request: SignUpRequest =
            serde_json::from_str(r#"{"email":"a@b.co","code_challenge":null,"options":{}}"#)
                .expect("nulls and extra fields are accepted");
        assert_eq!(request.email.as_deref(), Some("a@b.co"));
        assert_eq!(request.code_challenge, None);
    }

    #[test]
    fn debug_output_of_requests_hides_their_values() {
        let request = PasswordGrant {
            email: Some("ann@example.org".into()),
            password: Some("hunter22".into()),
            phone: None,
        };
        let printed = format!("{request:?}");
        assert!(!printed.contains("hunter22") && !printed.contains("ann"), "{printed}");
    }

    #[test]
    fn every_wire_value_can_be_parsed() {
        for kind in VerifyKind::ALL {
            assert_eq!(VerifyKind::parse(kind.as_str()), Some(*kind));
        }
        assert_eq!(LogoutScope::parse("x"), None);
    }
}
