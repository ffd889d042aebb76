//! View models of sessions, sign-in methods and accounts.

use serde::{Deserialize, Serialize};

macro_rules! view {
    ($($(#[$meta:meta])* $kind:ident $name:ident $body:tt)+) => {
        $(
            #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
            #[cfg_attr(feature = "specta", derive(specta::Type))]
            #[serde(rename_all = "camelCase")]
            $(#[$meta])*
            pub $kind $name $body
        )+
    };
}

view! {
    /// The identity of the signed-in user.
    struct Who {
        /// Email address; `None` for anonymous users and those who signed in another way.
        pub email: Option<String>,
        /// Phone number in E.164 format, with its `+`.
        pub phone: Option<String>,
        /// Whether the user continued on this computer without an account.
        pub anonymous: bool,
    }

    /// The state of the session.
    #[serde(tag = "state")]
    enum SessionState {
        /// Unknown, because a stored session is still being restored.
        Unknown,
        /// Nobody is signed in.
        SignedOut,
        /// Nobody is signed in, and a link delivered an invitation. The user has to confirm that it
        /// is theirs.
        Invited {
            /// Who the invitation is for.
            who: Who,
        },
        /// Signed in with the first factor; a second factor is required before anything else.
        NeedsCode {
            /// The user.
            who: Who,
            /// Their verified second factors.
            factors: Vec<FactorView>,
        },
        /// Signed in through a password-reset link; the user has not chosen a new password yet.
        NeedsPassword {
            /// The user.
            who: Who,
        },
        /// Signed in.
        #[serde(rename_all = "camelCase")]
        SignedIn {
            /// The user.
            who: Who,
            /// Whether the session is stored in the keychain for the next start.
            remembered: bool,
        },
    }

    /// An external identity provider.
    struct ProviderView {
        /// Its ID in the identity service.
        pub id: String,
        /// Its display name.
        pub name: String,
    }

    /// The sign-in methods that this studio offers.
    struct SignInOptions {
        /// Whether email sign-in is available, with a password or a magic link.
        pub email: bool,
        /// Whether sign-in with a code sent by text message is available.
        pub phone: bool,
        /// Whether anonymous sign-in is available.
        pub anonymous: bool,
        /// Whether users may create accounts themselves.
        pub sign_up: bool,
        /// External identity providers.
        pub providers: Vec<ProviderView>,
    }

    /// The result of following a link into the app.
    #[derive(Copy)]
    enum LinkOutcome {
        /// The user is now signed in.
        SignedIn,
        /// The user may now choose a new password.
        NewPassword,
        /// A pending change was confirmed; the current session is unchanged.
        Confirmed,
        /// One of two confirmations for a change of email address; the link sent to the other
        /// address must be opened too.
        OneMoreConfirmation,
        /// An invitation arrived; the user is being asked whether it is theirs.
        Asked,
    }

    /// The result of a password change.
    #[derive(Copy)]
    enum PasswordOutcome {
        /// Changed; all other sessions were ended.
        Changed,
        /// A reauthentication code was sent and must be entered.
        NeedsCode,
        /// The current password is required.
        NeedsCurrent,
    }

    /// The kind of a second factor.
    #[derive(Copy)]
    enum FactorKindView {
        /// Time-based codes from an authenticator app.
        App,
        /// A code in a text message.
        Phone,
        /// A kind that Limber cannot challenge.
        Other,
    }

    /// A second factor.
    struct FactorView {
        /// Factor ID.
        pub id: String,
        /// Display name.
        pub name: String,
        /// What kind of factor it is.
        pub kind: FactorKindView,
        /// The last digits of the phone number; empty for other kinds.
        pub ends: String,
        /// When it was added.
        pub added_at: String,
    }

    /// A TOTP factor being enrolled. This is the only time that its secret is shown.
    struct FactorOffer {
        /// Factor ID.
        pub id: String,
        /// QR code of the secret for the authenticator's camera, as a data URL.
        pub picture: String,
        /// The same secret for manual entry, in groups of four characters.
        pub secret: String,
    }

    /// A phone being enrolled as a second factor; a code has been sent to it.
    struct PhoneOffer {
        /// Factor ID.
        pub id: String,
        /// The number as normalised to E.164, with its `+`.
        pub phone: String,
    }

    /// An identity linked to the account.
    struct IdentityView {
        /// Identity ID.
        pub id: String,
        /// The provider that vouches for it.
        pub provider: ProviderView,
        /// The user's name or address at that provider.
        pub called: Option<String>,
        /// Whether it can be unlinked.
        pub removable: bool,
    }

    /// One of the user's own sessions.
    struct OwnSessionView {
        /// Session ID.
        pub id: String,
        /// Short description of the device.
        pub device: String,
        /// IP address it was created from.
        pub address: Option<String>,
        /// When the user signed in.
        pub since: String,
        /// When it was last refreshed.
        pub used_at: String,
        /// Whether it is the session of this app.
        pub current: bool,
    }

    /// The signed-in user's account.
    struct AccountView {
        /// The user.
        pub who: Who,
        /// New email address that is not confirmed yet.
        pub new_email: Option<String>,
        /// New phone number that is not confirmed yet, with its `+`.
        pub new_phone: Option<String>,
        /// Verified second factors.
        pub factors: Vec<FactorView>,
        /// Linked identities, oldest first.
        pub identities: Vec<IdentityView>,
        /// Identity providers that can still be linked.
        pub linkable: Vec<ProviderView>,
        /// Whether a phone number can be added to the account.
        pub phone_offered: bool,
        /// Whether a phone can be enrolled as a second factor.
        pub phone_factor_offered: bool,
        /// The user's sessions; `None` if the service does not list them.
        pub sessions: Option<Vec<OwnSessionView>>,
    }
}

/// Which sessions a sign-out ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum SignOutScope {
    /// The session of this app.
    Here,
    /// Every session of the account.
    Everywhere,
    /// Every session of the account except this app's.
    Others,
}
