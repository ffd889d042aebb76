//! The kinds of email, with their names in settings and their default subjects.

/// A kind of email.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MailKind {
    /// Invitation sent by an administrator.
    Invite,
    /// Confirmation of a new account.
    Confirmation,
    /// Password reset.
    Recovery,
    /// Sign-in link.
    MagicLink,
    /// Confirmation of a new email address.
    EmailChange,
    /// Code that a sensitive change requires.
    Reauthentication,
    /// Notification that the password was changed.
    PasswordChanged,
    /// Notification, to the old address, that the email address was changed.
    EmailChanged,
    /// Notification that the phone number was changed.
    PhoneChanged,
    /// Notification that an identity was linked.
    IdentityLinked,
    /// Notification that an identity was unlinked.
    IdentityUnlinked,
    /// Notification that a second factor was enrolled.
    FactorEnrolled,
    /// Notification that a second factor was removed.
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

    /// Returns the name used in settings and in the outbox.
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

    /// Returns, for a notification, the part of its variable name between `MAILER_NOTIFICATIONS_`
    /// and `_ENABLED`.
    #[must_use]
    pub fn notification(self) -> Option<&'static str> {
        self.as_str().strip_suffix("_NOTIFICATION")
    }

    /// Parses the name used in settings and in the outbox.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns the subject used when `MAILER_SUBJECTS_<KIND>` is not set.
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
