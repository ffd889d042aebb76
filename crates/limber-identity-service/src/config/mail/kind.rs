//! The kinds of mail: their names in settings, and the subjects they have unless told otherwise.

/// A kind of mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MailKind {
    /// Invites somebody an administrator named.
    Invite,
    /// Confirms a new account.
    Confirmation,
    /// Leads to a new password.
    Recovery,
    /// Signs in.
    MagicLink,
    /// Confirms a change of address.
    EmailChange,
    /// Carries the code that a sensitive change asks for.
    Reauthentication,
    /// Tells that the password was changed.
    PasswordChanged,
    /// Tells the old address that it was replaced.
    EmailChanged,
    /// Tells that the phone number was replaced.
    PhoneChanged,
    /// Tells that a further way to sign in was added.
    IdentityLinked,
    /// Tells that a way to sign in was taken away.
    IdentityUnlinked,
    /// Tells that a second factor was added.
    FactorEnrolled,
    /// Tells that a second factor was taken away.
    FactorUnenrolled,
}

impl MailKind {
    /// Every kind.
    pub const ALL: [Self; 13] = [
        Self::Invite,
        Self::Confirmation,
        Self::Recovery,
        Self::MagicLink,
        Self::EmailChange,
        Self::Reauthentication,
        Self::PasswordChanged,
        Self::EmailChanged,
        Self::PhoneChanged,
        Self::IdentityLinked,
        Self::IdentityUnlinked,
        Self::FactorEnrolled,
        Self::FactorUnenrolled,
    ];

    /// The kind's name in settings and in the outbox.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invite => "INVITE",
            Self::Confirmation => "CONFIRMATION",
            Self::Recovery => "RECOVERY",
            Self::MagicLink => "MAGIC_LINK",
            Self::EmailChange => "EMAIL_CHANGE",
            Self::Reauthentication => "REAUTHENTICATION",
            Self::PasswordChanged => "PASSWORD_CHANGED_NOTIFICATION",
            Self::EmailChanged => "EMAIL_CHANGED_NOTIFICATION",
            Self::PhoneChanged => "PHONE_CHANGED_NOTIFICATION",
            Self::IdentityLinked => "IDENTITY_LINKED_NOTIFICATION",
            Self::IdentityUnlinked => "IDENTITY_UNLINKED_NOTIFICATION",
            Self::FactorEnrolled => "MFA_FACTOR_ENROLLED_NOTIFICATION",
            Self::FactorUnenrolled => "MFA_FACTOR_UNENROLLED_NOTIFICATION",
        }
    }

    /// For a notification: its name between `MAILER_NOTIFICATIONS_` and `_ENABLED`.
    #[must_use]
    pub fn notification(self) -> Option<&'static str> {
        self.as_str().strip_suffix("_NOTIFICATION")
    }

    /// Reads the name of the outbox.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The subject unless `MAILER_SUBJECTS_<KIND>` says otherwise.
    #[must_use]
    pub fn default_subject(self) -> &'static str {
        match self {
            Self::Invite => "You have been invited",
            Self::Confirmation => "Confirm Your Signup",
            Self::Recovery => "Reset Your Password",
            Self::MagicLink => "Your Magic Link",
            Self::EmailChange => "Confirm Email Change",
            Self::Reauthentication => "Confirm reauthentication",
            Self::PasswordChanged => "Your password has been changed",
            Self::EmailChanged => "Your email address has been changed",
            Self::PhoneChanged => "Your phone number has been changed",
            Self::IdentityLinked => "A new identity has been linked",
            Self::IdentityUnlinked => "An identity has been unlinked",
            Self::FactorEnrolled => "A new MFA factor has been enrolled",
            Self::FactorUnenrolled => "An MFA factor has been unenrolled",
        }
    }
}
