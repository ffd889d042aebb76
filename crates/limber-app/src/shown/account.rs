//! Accounts, as they cross to the interface.

use serde::{Deserialize, Serialize};

macro_rules! shown {
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

shown! {
    /// Who is signed in.
    struct Who {
        /// Absent when anonymous, or known by something else.
        pub email: Option<String>,
        /// With its `+`.
        pub phone: Option<String>,
        /// Continued on this computer without an account.
        pub anonymous: bool,
    }

    /// How the session stands.
    #[serde(tag = "state")]
    enum SessionState {
        /// An earlier session is being taken up.
        Unknown,
        /// Nobody.
        SignedOut,
        /// Nobody, and a link brought an invitation: the person has to say that it is theirs.
        Invited {
            /// Whom it is for.
            who: Who,
        },
        /// Somebody whose second factor is asked for before anything else.
        NeedsCode {
            /// Who.
            who: Who,
            /// Their second factors that count.
            factors: Vec<FactorShown>,
        },
        /// Somebody who forgot their password and has not chosen another one yet.
        NeedsPassword {
            /// Who.
            who: Who,
        },
        /// Somebody.
        #[serde(rename_all = "camelCase")]
        SignedIn {
            /// Who.
            who: Who,
            /// Whether the keychain keeps the session for the next start.
            remembered: bool,
        },
    }

    /// A service whose accounts can sign in.
    struct ProviderShown {
        /// What the identity service calls it.
        pub id: String,
        /// What people call it.
        pub name: String,
    }

    /// The ways in that this studio offers, and no others.
    struct SignInOptions {
        /// By email, with a password or a mailed link.
        pub email: bool,
        /// By a code in a text message.
        pub phone: bool,
        /// Without an account.
        pub anonymous: bool,
        /// Whether people may make accounts themselves.
        pub sign_up: bool,
        /// By an account elsewhere.
        pub providers: Vec<ProviderShown>,
    }

    /// What became of a link that led into the app.
    #[derive(Copy)]
    enum LinkOutcome {
        /// Somebody is signed in now.
        SignedIn,
        /// A forgotten password can be replaced now.
        NewPassword,
        /// What waited for a confirmation is confirmed; who was signed in still is.
        Confirmed,
        /// A change of address needs the link that went to the other address too.
        OneMoreConfirmation,
        /// An invitation came, and the person is asked whether it is theirs.
        Asked,
    }

    /// How a change of password ended.
    #[derive(Copy)]
    enum PasswordOutcome {
        /// It is changed; other sessions were ended.
        Changed,
        /// A code was sent that proves who is there.
        NeedsCode,
        /// The password so far must be given.
        NeedsCurrent,
    }

    /// What proves a second factor.
    #[derive(Copy)]
    enum FactorKindShown {
        /// The code of an authenticator app.
        App,
        /// A code in a text message.
        Phone,
        /// Something that Limber cannot ask for.
        Other,
    }

    /// A second factor.
    struct FactorShown {
        /// Its id.
        pub id: String,
        /// Its name.
        pub name: String,
        /// What proves it.
        pub kind: FactorKindShown,
        /// The last digits of a phone's number; empty for everything else.
        pub ends: String,
        /// When it was added.
        pub added_at: String,
    }

    /// A second factor that is being added. The only time its secret is told.
    struct FactorOffer {
        /// Its id.
        pub id: String,
        /// The secret as a picture for the authenticator's camera; a data URL.
        pub picture: String,
        /// The same for typing, in groups of four.
        pub secret: String,
    }

    /// A phone that is being added as a second factor; a code is on its way to it.
    struct PhoneOffer {
        /// Its id.
        pub id: String,
        /// Its number as it was understood, with its `+`.
        pub phone: String,
    }

    /// A way of signing in to the account.
    struct IdentityShown {
        /// Its id.
        pub id: String,
        /// Who vouches.
        pub provider: ProviderShown,
        /// What the person is called there.
        pub called: Option<String>,
        /// Whether it can be taken off.
        pub removable: bool,
    }

    /// One sign-in of this person.
    struct OwnSessionShown {
        /// Its id.
        pub id: String,
        /// On what, in a few words.
        pub device: String,
        /// From where.
        pub address: Option<String>,
        /// Since when.
        pub since: String,
        /// When it was last renewed.
        pub used_at: String,
        /// Whether it is the one that asks.
        pub current: bool,
    }

    /// The account of who is signed in.
    struct AccountShown {
        /// Who.
        pub who: Who,
        /// The address that waits for its confirmation.
        pub new_email: Option<String>,
        /// The number that waits for its code, with its `+`.
        pub new_phone: Option<String>,
        /// Second factors that count.
        pub factors: Vec<FactorShown>,
        /// Ways of signing in, oldest first.
        pub identities: Vec<IdentityShown>,
        /// Services that could be linked as well.
        pub linkable: Vec<ProviderShown>,
        /// Whether a number can be kept.
        pub phone_offered: bool,
        /// Whether a phone can be added as a second factor.
        pub phone_factor_offered: bool,
        /// Where this person is signed in; absent where the service does not tell.
        pub sessions: Option<Vec<OwnSessionShown>>,
    }
}

/// How much a sign-out ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum SignOutScope {
    /// The session of this app.
    Here,
    /// Every session of the account.
    Everywhere,
    /// Every session but the one of this app.
    Others,
}
