//! Settings of second factors (MFA).

settings! {
    "MFA_TOTP_ENROLL_ENABLED" Flag "true" "Users can enroll an authenticator app." .formerly(&["MFA_ENABLED"]);
    "MFA_TOTP_VERIFY_ENABLED" Flag "true" "Codes from authenticator apps are accepted.";
    "MFA_PHONE_ENROLL_ENABLED" Flag "false" "Users can enroll a phone as a second factor.";
    "MFA_PHONE_VERIFY_ENABLED" Flag "false" "Texted codes are accepted as a second factor.";
    "MFA_WEB_AUTHN_ENROLL_ENABLED" Flag "false" "Users can enroll a security key." .not_yet();
    "MFA_WEB_AUTHN_VERIFY_ENABLED" Flag "false" "Security keys are accepted." .not_yet();
    "MFA_MAX_ENROLLED_FACTORS" Number "10" "Maximum number of factors per account.";
    "MFA_CHALLENGE_EXPIRY_DURATION" Duration "300s" "Lifetime of a challenge.";
    "MFA_FACTOR_EXPIRY_DURATION" Duration "300s" "Time after which a factor that was never verified is deleted.";
    "MFA_SAME_ADDRESS_REQUIRED" Flag "true" "A code must come from the IP address that requested its challenge. Set `false` if phones change networks in between.";
}
