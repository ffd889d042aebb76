//! Request bodies. Unknown fields are ignored; `null` is the same as absent.

use serde::{Deserialize, Serialize};

use super::Metadata;

/// Prints a request without its secrets: which fields are there, never what they hold.
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

/// `POST /signup`. Without email and phone it is an anonymous sign-in.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignUpRequest {
    /// Address of the new account; exclusive with `phone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Number in E.164; exclusive with `email`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// At most 72 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Becomes `user_metadata`.
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
    /// Exclusive with `phone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Exclusive with `email`.
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
    /// The token of the last answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
}
debug_without_values!(RefreshGrant { refresh_token });

/// `POST /token?grant_type=pkce`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PkceGrant {
    /// What the redirect carried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_code: Option<String>,
    /// What only the client that began knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_verifier: Option<String>,
}
debug_without_values!(PkceGrant { auth_code, code_verifier });

/// The body of `POST /token`; the query says which.
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

/// `PUT /user`: every field that is present is changed.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateAccountRequest {
    /// New address; a confirmation is sent first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// New number in E.164.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// New password; ends every other session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// The password so far, where the instance asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_password: Option<String>,
    /// The code from `/reauthenticate`, where the instance asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// Merged into `user_metadata`; a `null` value deletes its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
    /// Administrators only.
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

/// `POST /verify`: a kind and exactly one proof (`email`+`token`, `phone`+`token`, `token_hash`,
/// or `token` alone holding what a link holds).
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerifyRequest {
    /// See [`VerifyKind`].
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The code from the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// What the link of the message holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_hash: Option<String>,
    /// The address the code was sent to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// The number the code was sent to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// For a sign-up that has no password yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Ignored; not allowed beside `token_hash`.
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

/// `POST /magiclink`: signs in by a mailed link; an unknown address signs up.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MagicLinkRequest {
    /// Where the link goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Becomes `user_metadata` of an account that is made by this request.
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

/// `POST /otp`: a magic link by email, or a code by text message.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OtpRequest {
    /// Exclusive with `phone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Number in E.164; exclusive with `email`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Makes an account for an unknown address; true when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create_user: Option<bool>,
    /// Becomes `user_metadata` of an account that is made by this request.
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
    /// For the email kinds: the current address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// For the phone kinds: the current number.
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

/// Declares an enum whose variants are words of the wire.
macro_rules! wire_words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// Every value, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Reads the word of the wire; `None` when it is not one.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}
pub(super) use wire_words;

wire_words! {
    /// Which code or link is being presented.
    VerifyKind {
        /// Confirms a new account.
        Signup = "signup",
        /// Accepts an invitation.
        Invite = "invite",
        /// Signs in after a forgotten password.
        Recovery = "recovery",
        /// Signs in by a mailed link.
        MagicLink = "magiclink",
        /// A confirmation or a magic link, whichever is pending.
        Email = "email",
        /// Confirms a change of address.
        EmailChange = "email_change",
        /// Confirms a phone number.
        Sms = "sms",
        /// Confirms a change of number.
        PhoneChange = "phone_change",
    }
}

wire_words! {
    /// Which message to send again.
    ResendKind {
        /// The confirmation of a new account.
        Signup = "signup",
        /// The confirmation of a change of address.
        EmailChange = "email_change",
        /// The code of a new account by phone.
        Sms = "sms",
        /// The code of a change of number.
        PhoneChange = "phone_change",
    }
}

wire_words! {
    /// How much a sign-out ends.
    LogoutScope {
        /// Every session of the account.
        Global = "global",
        /// This session alone.
        Local = "local",
        /// Every session but this one.
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
                .expect("clients send nulls and extra fields");
        assert_eq!(request.email.as_deref(), Some("a@b.co"));
        assert_eq!(request.code_challenge, None);
    }

    #[test]
    fn a_printed_request_shows_no_values() {
        let request = PasswordGrant {
            email: Some("ann@example.org".into()),
            password: Some("hunter22".into()),
            phone: None,
        };
        let printed = format!("{request:?}");
        assert!(!printed.contains("hunter22") && !printed.contains("ann"), "{printed}");
    }

    #[test]
    fn every_word_reads_back() {
        for kind in VerifyKind::ALL {
            assert_eq!(VerifyKind::parse(kind.as_str()), Some(*kind));
        }
        assert_eq!(LogoutScope::parse("x"), None);
    }
}
