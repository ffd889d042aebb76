//! Settings of sign-up and passwords.

settings! {
    "DISABLE_SIGNUP" Flag "false" "Only invitations and administrators can create accounts.";
    "EXTERNAL_EMAIL_ENABLED" Flag "true" "Users can sign up and sign in with an email address.";
    "EXTERNAL_EMAIL_MAGIC_LINK_ENABLED" Flag "true" "Users can sign in with an emailed link.";
    "EXTERNAL_PHONE_ENABLED" Flag "false" "Users can sign up and sign in with a phone number.";
    "EXTERNAL_ANONYMOUS_USERS_ENABLED" Flag "false" "Users can create anonymous accounts.";
    "ANONYMOUS_USERS_RETENTION" Duration "2160h" "Anonymous accounts that have not been used for this long are deleted; 0 keeps them forever. If there are more than 100 000, the oldest are deleted earlier: those that were never used after their first hours, and, unless this is 0, those that have not been used for a third of this time.";
    "UNCONFIRMED_USERS_RETENTION" Duration "168h" "Accounts that somebody signed up for and nobody confirmed are deleted this long after the last request for a confirmation; 0 keeps them. At most 100 000 are kept at a time. Invited accounts, and those that an administrator created, are not deleted.";
    "PASSWORD_MIN_LENGTH" Number "6" "Minimum number of characters in a password; less than 6 means 6.";
    "PASSWORD_REQUIRED_CHARACTERS" Text "" "Sets of characters separated by `:`; a password needs at least one character from each set. Write a colon itself as `\\:`.";
    "PASSWORD_PARALLEL_HASHES" Number "4" "Number of passwords hashed at the same time; others wait. Each hash takes 19 MiB of memory.";
    "SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD" Flag "false" "Changing the password requires the current one. So does adding a phone number, or an email address that the current one does not confirm; linking an identity requires a recent sign-in.";
    "SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION" Flag "false" "Changing the password requires a code from `/reauthenticate`. So does adding a phone number, or an email address that the current one does not confirm; linking an identity requires a recent sign-in.";
    "SECURITY_REAUTHENTICATION_MAX_AGE" Duration "24h" "Sessions younger than this do not need the code from `/reauthenticate`; 0 means that all sessions need it.";
    "SECURITY_MANUAL_LINKING_ENABLED" Flag "false" "Users can link and unlink identities themselves.";
}
