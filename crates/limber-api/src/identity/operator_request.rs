//! Request bodies for operators. Unknown fields are ignored; `null` is the same as absent.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Metadata;
use super::request::{debug_without_values, wire_words};

/// `POST /invite`, for administrators.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InviteRequest {
    /// Email address to invite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Initial `user_metadata` of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
}
debug_without_values!(InviteRequest { email, data });

/// `POST /admin/generate_link`: creates a link without sending an email.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionLinkRequest {
    /// See [`ActionLinkKind`].
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Current email address of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// New email address; only for changes of address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub new_email: Option<String>,
    /// Password of the new account; only for `signup`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Initial `user_metadata` if an account is created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Metadata>,
    /// Where the link finally redirects to; the site, unless this address is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_to: Option<String>,
}
debug_without_values!(ActionLinkRequest { kind, email, new_email, password, data, redirect_to });

/// `POST` and `PUT` of `/admin/users…`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AdminAccountRequest {
    /// Id to use; only when creating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// Audience; default is the caller's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aud: Option<String>,
    /// Role claim of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Email address; takes effect without confirmation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Email))]
    pub email: Option<String>,
    /// Phone number; takes effect without confirmation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Password; mutually exclusive with `password_hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// A bcrypt or argon2 hash from another service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_hash: Option<String>,
    /// Marks the email address as confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email_confirm: Option<bool>,
    /// Marks the phone number as confirmed.
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
    /// Duration such as `24h` or `1h30m`; `none` lifts a ban.
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
    /// Purpose of a link that an administrator generates.
    ActionLinkKind {
        /// Creates and confirms an account.
        Signup = "signup",
        /// Accepts an invitation.
        Invite = "invite",
        /// Signs in; for an unknown address it becomes `signup`.
        MagicLink = "magiclink",
        /// Signs in after a forgotten password.
        Recovery = "recovery",
        /// Confirms a change of address from the current address.
        EmailChangeCurrent = "email_change_current",
        /// Confirms a change of address from the new address.
        EmailChangeNew = "email_change_new",
    }
}
