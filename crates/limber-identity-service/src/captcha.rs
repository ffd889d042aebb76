//! Captcha verification against hCaptcha or Turnstile, which share one `siteverify` protocol.

use reqwest::Client;
use reqwest::redirect::Policy;
use secrecy::ExposeSecret;
use serde::Deserialize;

use crate::config::CaptchaConfig;
use crate::refusal::{CAPTCHA_FAILED, CAPTCHA_MISSING, Outcome, Refusal, refuse};

/// Largest response body that is read. Providers answer with a few hundred bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Longest captcha token that is forwarded. Real widgets produce a few thousand characters at most.
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// Verifies the tokens that a captcha widget in the browser produces.
#[derive(Debug)]
pub(crate) struct Captcha {
    config: CaptchaConfig,
    client: Client,
}

#[derive(Deserialize)]
struct Verdict {
    success: bool,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

impl Captcha {
    pub(crate) fn new(config: &CaptchaConfig) -> Result<Self, reqwest::Error> {
        let client = Client::builder().timeout(config.timeout).redirect(Policy::none()).build()?;
        Ok(Self { config: config.clone(), client })
    }

    /// Checks a captcha token with the provider. `ip` is the client's apparent address.
    ///
    /// # Errors
    ///
    /// If the token is missing, oversized or rejected, or if the provider gave no verdict.
    pub(crate) async fn check(&self, token: Option<&str>, ip: Option<&str>) -> Outcome<()> {
        let Some(token) = token.map(str::trim).filter(|token| !token.is_empty()) else {
            return refuse(CAPTCHA_MISSING);
        };
        if token.len() > MAX_TOKEN_BYTES {
            return refuse(Refusal::captcha_refused("invalid-input-response"));
        }
        match self.ask(token, ip).await {
            Some(Verdict { success: true, .. }) => Ok(()),
            Some(verdict) => {
                let codes = verdict.error_codes.join(", ");
                let plain: String = codes.chars().filter(|c| !c.is_control()).take(200).collect();
                refuse(Refusal::captcha_refused(&plain))
            }
            None => refuse(CAPTCHA_FAILED),
        }
    }

    /// Asks the provider to verify the token. Returns `None` if it gave no usable verdict.
    async fn ask(&self, token: &str, ip: Option<&str>) -> Option<Verdict> {
        let mut form = vec![("secret", self.config.secret.expose_secret()), ("response", token)];
        form.extend(ip.map(|ip| ("remoteip", ip)));
        let request = self.client.post(self.config.address.clone()).form(&form);
        let outcome = async {
            let mut response = request.send().await?.error_for_status()?;
            let mut bytes = Vec::new();
            while let Some(part) = response.chunk().await? {
                bytes.extend_from_slice(&part);
                if bytes.len() > MAX_ANSWER_BYTES {
                    bytes.clear();
                    break;
                }
            }
            Ok::<_, reqwest::Error>(bytes)
        };
        match outcome.await {
            Ok(bytes) => {
                let verdict = serde_json::from_slice(&bytes).ok();
                if verdict.is_none() {
                    tracing::warn!("the response of the captcha provider cannot be read");
                }
                verdict
            }
            Err(error) => {
                // Logged without the URL, because an operator may have put a secret into it.
                tracing::warn!(
                    error = %error.without_url(),
                    "the captcha provider did not respond"
                );
                None
            }
        }
    }
}
