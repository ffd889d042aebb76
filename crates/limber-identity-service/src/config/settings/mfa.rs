//! Second factors.

settings! {
    "MFA_TOTP_ENROLL_ENABLED" Flag "true" "People may add an authenticator app." .formerly(&["MFA_ENABLED"]);
    "MFA_TOTP_VERIFY_ENABLED" Flag "true" "Codes of authenticator apps are taken.";
    "MFA_PHONE_ENROLL_ENABLED" Flag "false" "People may add a phone as a second factor.";
    "MFA_PHONE_VERIFY_ENABLED" Flag "false" "Codes by text message are taken as a second factor.";
    "MFA_WEB_AUTHN_ENROLL_ENABLED" Flag "false" "People may add a security key." .not_yet();
    "MFA_WEB_AUTHN_VERIFY_ENABLED" Flag "false" "Security keys are taken." .not_yet();
    "MFA_MAX_ENROLLED_FACTORS" Number "10" "Most factors of one account.";
    "MFA_CHALLENGE_EXPIRY_DURATION" Duration "300s" "Life of a challenge.";
    "MFA_FACTOR_EXPIRY_DURATION" Duration "300s" "When a factor that was never verified is forgotten.";
    "MFA_SAME_ADDRESS_REQUIRED" Flag "true" "A code must come from the address that asked for its challenge. Phones that change networks mid-way need `false`.";
}
