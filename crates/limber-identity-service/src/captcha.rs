//! Asking hCaptcha or Turnstile whether a person asks. Both are asked in the same way.

use reqwest::Client;
use reqwest::redirect::Policy;
use secrecy::ExposeSecret;
use serde::Deserialize;

use crate::config::CaptchaConfig;
use crate::refusal::{CAPTCHA_FAILED, CAPTCHA_MISSING, Outcome, Refusal, refuse};

/// Providers answer with a few hundred bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Answers of their widgets have at most a few thousand characters.
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// Checks what the widget in somebody's browser gave.
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

    /// Refuses unless `token` is good. `ip` is where the person seems to be.
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

    /// `None` when the provider gave no verdict.
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
                    tracing::warn!("the captcha provider's answer cannot be read");
                }
                verdict
            }
            Err(error) => {
                // without the address, which an operator may have put a secret into
                tracing::warn!(error = %error.without_url(), "the captcha provider gave no answer");
                None
            }
        }
    }
}
