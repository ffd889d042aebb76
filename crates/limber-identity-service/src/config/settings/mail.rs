//! Settings of email contents and delivery.

/// Emails that carry a link or a code.
const LINK_KINDS: &[&str] = &["INVITE", "CONFIRMATION", "RECOVERY", "EMAIL_CHANGE"];
/// Notification emails, as `MAILER_NOTIFICATIONS_…` names them.
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
    "SMTP_ADMIN_EMAIL" Text "" "Sender address." .required();
    "SMTP_HOST" Text "" "Mail server." .otherwise("emails are only logged, not sent");
    "SMTP_PORT" Number "587" "Port of the mail server. 465 uses TLS from the start; on other ports, TLS is started if the server offers it.";
    "SMTP_USER" Text "" "User name at the mail server.";
    "SMTP_PASS" Text "" "Password at the mail server." .secret();
    "SMTP_SENDER_NAME" Text "" "Sender name." .otherwise("`SMTP_ADMIN_EMAIL`");
    "SMTP_HEADERS" Json "" "JSON object with additional email headers; `$messageType` in a value is replaced by the kind of email.";
    "SMTP_MAX_FREQUENCY" Duration "" "Minimum time between two emails for the same purpose to the same person." .otherwise("`900s` for sign-up confirmations, `60s` for others");
    "MAILER_AUTOCONFIRM" Flag "false" "Email addresses need no confirmation.";
    "MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS" Flag "false" "Users of a sign-in provider can sign in before they have confirmed their address.";
    "MAILER_SECURE_EMAIL_CHANGE_ENABLED" Flag "true" "A change of email address must be confirmed from both addresses.";
    "MAILER_LINK_PAGE_ENABLED" Flag "false" "An emailed link shows a button first, so that mail scanners do not use up the link.";
    "MAILER_OTP_EXP" Duration "86400" "Lifetime of an emailed link or code.";
    "MAILER_OTP_LENGTH" Number "6" "Number of digits in an emailed code, 6 to 10; anything else means 6.";
    "MAILER_URLPATHS_<KIND>" Text "" "Path of the link. Magic links use the path of `RECOVERY`." .each(LINK_KINDS).otherwise("`/verify`");
    "MAILER_SUBJECTS_<KIND>" Text "" "Subject of the email." .each(KINDS).otherwise("built in");
    "MAILER_TEMPLATES_<KIND>" Text "" "HTML template: a URL (`http…`), a path on the site, `file:` with a path, or the template itself." .each(KINDS).otherwise("built in");
    "MAILER_NOTIFICATIONS_<KIND>_ENABLED" Flag "false" "Emails the user about this change." .each(NOTIFICATION_KINDS);
}
