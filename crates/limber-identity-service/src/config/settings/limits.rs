//! How often anybody may ask, and proof that a person asks.

settings! {
    "RATE_LIMIT_HEADER" Text "" "Header whose first value names the caller, for example `X-Forwarded-For`." .otherwise("callers are not limited");
    "RATE_LIMIT_BY_IP" Flag "false" "The peer's address names the caller where the header does not.";
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
