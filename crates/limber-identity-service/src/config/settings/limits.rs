//! How often anybody may ask, and proof that a person asks.

settings! {
    "TRUSTED_PROXIES" List "" "Addresses (`10.0.0.7`) and blocks (`10.0.0.0/8`) of the proxies before the service. The caller is the last hop of `X-Forwarded-For` that is none of them; what stands further left anybody may write." .otherwise("nobody: the caller is who connects");
    "RATE_LIMIT_HEADER" Text "" "Header whose last value names the caller, where `TRUSTED_PROXIES` wrote it." .otherwise("the caller's address");
    "RATE_LIMIT_BY_IP" Flag "true" "The caller's address is who is limited where the header names nobody; of IPv6 its first 64 bits. `false` leaves such callers unlimited.";
    "RATE_LIMIT_TOKEN_REFRESH" Number "150" "`POST /token`, of one caller in 5 minutes; 30 at once.";
    "RATE_LIMIT_VERIFY" Number "30" "`/verify`, of one caller in 5 minutes; 30 at once.";
    "RATE_LIMIT_OTP" Number "30" "Each of the calls that may send a message, of one caller in 5 minutes; 30 at once.";
    "RATE_LIMIT_ANONYMOUS_USERS" Number "30" "Anonymous sign-ups of one caller in an hour; 30 at once.";
    "MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY" Number "15" "Challenges of second factors, and as many answers, of one caller in a minute; 30 at once.";
    "RATE_LIMIT_EMAIL_SENT" Rate "30" "Mails of the whole instance in an hour. 0 sends none. Not counted while `MAILER_AUTOCONFIRM` is on.";
    "RATE_LIMIT_SMS_SENT" Rate "30" "Text messages of the whole instance in an hour. 0 sends none. Not counted while `SMS_AUTOCONFIRM` is on.";
    "SECURITY_CAPTCHA_ENABLED" Flag "false" "Calls that make accounts or send messages need a captcha.";
    "SECURITY_CAPTCHA_PROVIDER" Text "" "`hcaptcha` or `turnstile`.";
    "SECURITY_CAPTCHA_SECRET" Text "" "Secret at that provider." .secret();
    "SECURITY_CAPTCHA_URL" Address "" "Another address where that provider checks, for tests." .otherwise("the public one");
    "SECURITY_CAPTCHA_TIMEOUT" Duration "10s" "How long to wait for that provider.";
}
