//! The cookie that identifies the browser that was sent to a provider. Each sign-in has its own
//! cookie, so that two tabs do not interfere.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::instance::Instance;
use crate::tokens::sha256_hex;

/// When browsers send the cookie along; its `SameSite` attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SameSite {
    /// Only with requests from our own pages.
    Strict,
    /// Also when another site links or redirects here.
    Lax,
    /// Also when another site posts a form here, which browsers allow only over HTTPS.
    NoneIfSecure,
}

impl SameSite {
    /// Returns the value of the `SameSite` attribute.
    fn as_str(self, is_secure: bool) -> &'static str {
        match self {
            Self::Strict => "Strict",
            Self::NoneIfSecure if is_secure => "None",
            Self::NoneIfSecure | Self::Lax => "Lax",
        }
    }
}

/// The cookie of one sign-in.
pub(super) struct BrowserCookie {
    name: String,
    is_secure: bool,
    life_s: u64,
}

impl BrowserCookie {
    /// Returns the cookie of the sign-in with this state.
    pub(super) fn of(instance: &Instance, state: &str) -> Self {
        let is_secure = instance.config.external_url.scheme() == "https";
        // The prefix keeps other hosts of the domain from setting the cookie.
        let prefix = if is_secure { "__Host-" } else { "" };
        let digest = sha256_hex(state.as_bytes());
        Self {
            name: format!("{prefix}limber-oauth-{}", &digest[..16]),
            is_secure,
            life_s: instance.config.external.flow_lifetime.as_secs(),
        }
    }

    /// Returns the cookie's value in the request.
    pub(super) fn read<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|p| p.split_once('='));
        pairs.find(|(name, _)| name.trim() == self.name).map(|(_, value)| value.trim())
    }

    /// Returns the `Set-Cookie` header that stores `value`, which must not contain special
    /// characters.
    pub(super) fn set(&self, value: &str, same_site: SameSite) -> HeaderValue {
        self.header_line(value, self.life_s, same_site)
    }

    /// Returns the `Set-Cookie` header that deletes the cookie.
    pub(super) fn clear(&self) -> HeaderValue {
        self.header_line("", 0, SameSite::Lax)
    }

    fn header_line(&self, value: &str, life_s: u64, same_site: SameSite) -> HeaderValue {
        let (name, same_site) = (&self.name, same_site.as_str(self.is_secure));
        let secure = if self.is_secure { "; Secure" } else { "" };
        let line = format!(
            "{name}={value}; Path=/; Max-Age={life_s}; HttpOnly; SameSite={same_site}{secure}"
        );
        HeaderValue::try_from(line).expect("digits, letters and punctuation are valid in a header")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(is_secure: bool) -> BrowserCookie {
        BrowserCookie { name: "limber-oauth-1".into(), is_secure, life_s: 300 }
    }

    #[test]
    fn the_cookie_is_found_by_its_exact_name() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; xlimber-oauth-1=no"));
        headers.append(header::COOKIE, HeaderValue::from_static("limber-oauth-1=yes; c"));
        assert_eq!(cookie(false).read(&headers), Some("yes"));
        assert_eq!(cookie(false).read(&HeaderMap::new()), None);
    }

    #[test]
    fn cross_site_forms_send_the_cookie_only_for_providers_that_post() {
        let line = |is_secure, same_site| {
            cookie(is_secure).set("v", same_site).to_str().expect("text").to_owned()
        };
        let strict = line(true, SameSite::Strict);
        assert!(strict.ends_with("HttpOnly; SameSite=Strict; Secure"), "{strict}");
        assert!(line(true, SameSite::Lax).contains("SameSite=Lax"));
        assert!(line(true, SameSite::NoneIfSecure).contains("SameSite=None; Secure"));
        // Without HTTPS, browsers would reject `SameSite=None`.
        assert!(line(false, SameSite::NoneIfSecure).ends_with("SameSite=Lax"));
    }
}
