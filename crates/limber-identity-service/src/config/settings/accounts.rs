//! Who may make an account, and what a password must be.

settings! {
    "DISABLE_SIGNUP" Flag "false" "Accounts are made by invitation and by administrators only.";
    "EXTERNAL_EMAIL_ENABLED" Flag "true" "Accounts may be made and used by email.";
    "EXTERNAL_EMAIL_MAGIC_LINK_ENABLED" Flag "true" "People may sign in by a mailed link.";
    "EXTERNAL_PHONE_ENABLED" Flag "false" "Accounts may be made and used by phone number.";
    "EXTERNAL_ANONYMOUS_USERS_ENABLED" Flag "false" "Accounts may be made without saying who.";
    "ANONYMOUS_USERS_RETENTION" Duration "" "Anonymous accounts that were not used for this long are deleted; `720h` is usual on servers." .otherwise("kept for ever");
    "PASSWORD_MIN_LENGTH" Number "6" "Fewest characters of a password; less than 6 means 6.";
    "PASSWORD_REQUIRED_CHARACTERS" Text "" "Sets of characters separated by `:`; a password needs one of each set. A colon itself is written `\\:`.";
    "PASSWORD_PARALLEL_HASHES" Number "4" "Passwords hashed at once; more wait. Each takes 19 MiB.";
    "SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD" Flag "false" "A new password needs the one so far.";
    "SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION" Flag "false" "A new password needs a code from `/reauthenticate`.";
    "SECURITY_REAUTHENTICATION_MAX_AGE" Duration "24h" "Sessions younger than this need no such code; 0 means that all do.";
    "SECURITY_MANUAL_LINKING_ENABLED" Flag "false" "People may link and unlink identities themselves.";
}
