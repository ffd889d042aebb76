//! Captcha settings.

use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use super::environment::Environment;

/// Captcha provider and credentials.
#[derive(Debug, Clone)]
pub struct CaptchaConfig {
    /// Verification endpoint, from `SECURITY_CAPTCHA_PROVIDER` or overridden by
    /// `SECURITY_CAPTCHA_URL`.
    pub address: Url,
    /// `SECURITY_CAPTCHA_SECRET`: the site's secret key.
    pub secret: SecretString,
    /// `SECURITY_CAPTCHA_TIMEOUT`: time limit of one verification. Default 10 s.
    pub timeout: Duration,
}

/// Verification endpoint of each supported provider.
const PROVIDERS: [(&str, &str); 2] = [
    ("hcaptcha", "https://api.hcaptcha.com/siteverify"),
    ("turnstile", "https://challenges.cloudflare.com/turnstile/v0/siteverify"),
];

/// Reads the captcha settings. Returns `None` if captchas are disabled.
pub(super) fn read(env: &mut Environment) -> Option<CaptchaConfig> {
    let on = env.flag("SECURITY_CAPTCHA_ENABLED");
    let name = env.text("SECURITY_CAPTCHA_PROVIDER").unwrap_or_default().to_ascii_lowercase();
    let own = env.text("SECURITY_CAPTCHA_URL");
    let timeout = env.duration("SECURITY_CAPTCHA_TIMEOUT").filter(|time| !time.is_zero());
    let secret = env.text("SECURITY_CAPTCHA_SECRET");
    if !on {
        return None;
    }
    let public = PROVIDERS.iter().find(|(known, _)| *known == name).map(|(_, address)| *address);
    if public.is_none() {
        env.problem("AUTHSVC_SECURITY_CAPTCHA_PROVIDER must be hcaptcha or turnstile");
    }
    if secret.is_none() {
        env.problem(
            "AUTHSVC_SECURITY_CAPTCHA_SECRET is missing: set it to the secret that the captcha \
             provider gave you",
        );
    }
    let address = Url::parse(own.as_deref().or(public)?).ok().filter(Url::has_host);
    if address.is_none() {
        env.problem("AUTHSVC_SECURITY_CAPTCHA_URL must be an address such as https://c.example");
    }
    Some(CaptchaConfig {
        address: address?,
        secret: secret?.into(),
        timeout: timeout.unwrap_or(Duration::from_secs(10)),
    })
}
