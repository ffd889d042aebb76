//! Settings of rate limits and captchas.

settings! {
    "TRUSTED_PROXIES" List "" "IP addresses (`10.0.0.7`) and blocks (`10.0.0.0/8`) of the proxies in front of the service. The caller is the last entry of `X-Forwarded-For` that is not one of these proxies; anybody can forge the entries to the left of it." .otherwise("none: the caller is the connecting address");
    "RATE_LIMIT_HEADER" Text "" "Header whose last value identifies the caller, if a proxy in `TRUSTED_PROXIES` wrote it." .otherwise("the caller's IP address");
    "RATE_LIMIT_BY_IP" Flag "true" "If the header identifies nobody, callers are limited by IP address (IPv6: by /64). `false` leaves these callers unlimited.";
    "RATE_LIMIT_TOKEN_REFRESH" Number "150" "Requests to `POST /token` per caller in 5 minutes, of which refreshes count only if they are refused, and refreshes per session in the same time; 30 at once.";
    "RATE_LIMIT_VERIFY" Number "30" "Requests to `/verify` per caller in 5 minutes; 30 at once.";
    "RATE_LIMIT_OTP" Number "30" "Requests per caller in 5 minutes to each call that can send a message; 30 at once.";
    "RATE_LIMIT_ANONYMOUS_USERS" Number "30" "Anonymous sign-ups per caller per hour; 30 at once.";
    "MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY" Number "15" "Second-factor challenges per caller per minute, and the same number of answers; 30 at once.";
    "RATE_LIMIT_EMAIL_SENT" Rate "30" "Emails per hour for the whole instance. 0 sends none.";
    "RATE_LIMIT_SMS_SENT" Rate "30" "Text messages per hour for the whole instance. 0 sends none.";
    "SECURITY_CAPTCHA_ENABLED" Flag "false" "Calls that create accounts or send messages require a captcha.";
    "SECURITY_CAPTCHA_PROVIDER" Text "" "`hcaptcha` or `turnstile`.";
    "SECURITY_CAPTCHA_SECRET" Text "" "Secret of the captcha provider." .secret();
    "SECURITY_CAPTCHA_URL" Address "" "URL at which the captcha provider verifies tokens, for tests." .otherwise("the public URL");
    "SECURITY_CAPTCHA_TIMEOUT" Duration "10s" "How long to wait for the captcha provider.";
}
