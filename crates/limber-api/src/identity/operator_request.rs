//! Request bodies of operators. Unknown fields are ignored; `null` is the same as absent.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Metadata;
use super::request::{debug_without_values, wire_words};

/// `POST /invite`, for administrators.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InviteRequest {
    /// Whom to invite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Becomes `user_metadata` of the account that is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
}
debug_without_values!(InviteRequest { email, data });

/// `POST /admin/generate_link`: a link that is handed out without mail.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionLinkRequest {
    /// See [`ActionLinkKind`].
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Address of the account, so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// For the changes of address: the address that is to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub new_email: Option<String>,
    /// For `signup`: the password of the account that is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Becomes `user_metadata` of an account that is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
    /// Where the link leads in the end; the site unless it is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_to: Option<String>,
}
debug_without_values!(ActionLinkRequest { kind, email, new_email, password, data, redirect_to });

/// `POST` and `PUT` of `/admin/users…`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AdminAccountRequest {
    /// Only when creating: the id to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// Audience; the caller's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aud: Option<String>,
    /// Role claim of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Address, applied at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Number, applied at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Exclusive with `password_hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// A bcrypt or argon2 hash from another service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_hash: Option<String>,
    /// Takes the address as proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email_confirm: Option<bool>,
    /// Takes the number as proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone_confirm: Option<bool>,
    /// Merged into `user_metadata`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub user_metadata: Option<Metadata>,
    /// Merged into `app_metadata`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub app_metadata: Option<Metadata>,
    /// Such as `24h` or `1h30m`; `none` lifts a ban.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ban_duration: Option<String>,
}
debug_without_values!(AdminAccountRequest {
    id,
    aud,
    role,
    email,
    phone,
    password,
    password_hash,
    email_confirm,
    phone_confirm,
    user_metadata,
    app_metadata,
    ban_duration,
});

wire_words! {
    /// What a link that an administrator hands out does.
    ActionLinkKind {
        /// Makes and confirms an account.
        Signup = "signup",
        /// Accepts an invitation.
        Invite = "invite",
        /// Signs in; for an unknown address it becomes `signup`.
        MagicLink = "magiclink",
        /// Signs in after a forgotten password.
        Recovery = "recovery",
        /// The current address agrees to its replacement.
        EmailChangeCurrent = "email_change_current",
        /// The new address agrees.
        EmailChangeNew = "email_change_new",
    }
}
