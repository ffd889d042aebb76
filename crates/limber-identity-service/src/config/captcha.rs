//! Proof that a person asks.

use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use super::environment::Environment;

/// Who checks captchas.
#[derive(Debug, Clone)]
pub struct CaptchaConfig {
    /// `SECURITY_CAPTCHA_PROVIDER`, or `SECURITY_CAPTCHA_URL` in its place: where answers are
    /// checked.
    pub address: Url,
    /// `SECURITY_CAPTCHA_SECRET`.
    pub secret: SecretString,
    /// `SECURITY_CAPTCHA_TIMEOUT`. Default 10 s.
    pub timeout: Duration,
}

/// Where the providers check answers.
const PROVIDERS: [(&str, &str); 2] = [
    ("hcaptcha", "https://api.hcaptcha.com/siteverify"),
    ("turnstile", "https://challenges.cloudflare.com/turnstile/v0/siteverify"),
];

/// `None` where captchas are switched off.
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
        env.problem("AUTHSVC_SECURITY_CAPTCHA_SECRET is missing: set it to the provider's secret");
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
