//! What mail says and how it leaves.

/// Mails that carry a link or a code.
const LINK_KINDS: &[&str] = &["INVITE", "CONFIRMATION", "RECOVERY", "EMAIL_CHANGE"];
/// Mails that tell of something that happened, as `MAILER_NOTIFICATIONS_…` names them.
const NOTIFICATION_KINDS: &[&str] = &[
    "PASSWORD_CHANGED",
    "EMAIL_CHANGED",
    "PHONE_CHANGED",
    "IDENTITY_LINKED",
    "IDENTITY_UNLINKED",
    "MFA_FACTOR_ENROLLED",
    "MFA_FACTOR_UNENROLLED",
];
const KINDS: &[&str] = &[
    "INVITE",
    "CONFIRMATION",
    "RECOVERY",
    "MAGIC_LINK",
    "EMAIL_CHANGE",
    "REAUTHENTICATION",
    "PASSWORD_CHANGED_NOTIFICATION",
    "EMAIL_CHANGED_NOTIFICATION",
    "PHONE_CHANGED_NOTIFICATION",
    "IDENTITY_LINKED_NOTIFICATION",
    "IDENTITY_UNLINKED_NOTIFICATION",
    "MFA_FACTOR_ENROLLED_NOTIFICATION",
    "MFA_FACTOR_UNENROLLED_NOTIFICATION",
];

settings! {
    "SMTP_ADMIN_EMAIL" Text "" "Address mail is sent from." .required();
    "SMTP_HOST" Text "" "Mail server." .otherwise("mail is not sent, only noted in the log");
    "SMTP_PORT" Number "587" "Its port; 465 is TLS from the first byte, others begin TLS when the server offers it.";
    "SMTP_USER" Text "" "Name at the mail server.";
    "SMTP_PASS" Text "" "Password at the mail server." .secret();
    "SMTP_SENDER_NAME" Text "" "Sender's name." .otherwise("`SMTP_ADMIN_EMAIL`");
    "SMTP_HEADERS" Json "" "Object of further mail headers; `$messageType` in a value becomes the kind of mail.";
    "SMTP_MAX_FREQUENCY" Duration "" "Least time between two mails of one purpose to one person." .otherwise("`900s` for confirmations of sign-ups, `60s` for the rest");
    "MAILER_AUTOCONFIRM" Flag "false" "Addresses need no confirmation.";
    "MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS" Flag "false" "People who come from a provider may sign in before they confirmed their address.";
    "MAILER_SECURE_EMAIL_CHANGE_ENABLED" Flag "true" "Both addresses have to confirm a change.";
    "MAILER_LINK_PAGE_ENABLED" Flag "false" "A mailed link shows a button first, so that mail scanners do not use it up.";
    "MAILER_OTP_EXP" Duration "86400" "Life of a mailed link or code.";
    "MAILER_OTP_LENGTH" Number "6" "Digits of a mailed code, 6 to 10; anything else means 6.";
    "MAILER_URLPATHS_<KIND>" Text "" "Path of the link; magic links use that of `RECOVERY`." .each(LINK_KINDS).otherwise("`/verify`");
    "MAILER_SUBJECTS_<KIND>" Text "" "Subject." .each(KINDS).otherwise("built in");
    "MAILER_TEMPLATES_<KIND>" Text "" "Address of an HTML template: `http…`, a path on the site, or `file:`; or the template itself." .each(KINDS).otherwise("built in");
    "MAILER_NOTIFICATIONS_<KIND>_ENABLED" Flag "false" "Tells the person of this change." .each(NOTIFICATION_KINDS);
}
