//! Sign-in by other services: their names, and what is sent about them.

use serde::{Deserialize, Serialize};

use super::request::{debug_without_values, wire_words};

wire_words! {
    /// A service whose accounts can sign in here.
    #[derive(PartialOrd, Ord)]
    ProviderName {
        /// Apple, by its OpenID provider.
        Apple = "apple",
        /// Microsoft's work, school and personal accounts.
        Azure = "azure",
        /// Bitbucket Cloud.
        Bitbucket = "bitbucket",
        /// Discord.
        Discord = "discord",
        /// Facebook.
        Facebook = "facebook",
        /// Figma.
        Figma = "figma",
        /// GitHub, or a GitHub Enterprise server.
        Github = "github",
        /// gitlab.com, or another GitLab.
        Gitlab = "gitlab",
        /// Google.
        Google = "google",
        /// A realm of a Keycloak server.
        Keycloak = "keycloak",
        /// LinkedIn.
        Linkedin = "linkedin",
        /// Notion.
        Notion = "notion",
        /// Snapchat.
        Snapchat = "snapchat",
        /// Spotify.
        Spotify = "spotify",
        /// Slack.
        Slack = "slack",
        /// Twitch.
        Twitch = "twitch",
        /// Twitter, by OAuth 1.0a.
        Twitter = "twitter",
        /// WorkOS.
        Workos = "workos",
    }
}

impl std::fmt::Display for ProviderName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `POST /token?grant_type=id_token`: a token that a provider gave to an app on the device.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IdTokenGrant {
    /// See [`ProviderName`]; or `client_id` and `issuer` together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Whom the token was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The token; secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// Compared with the token's `at_hash`; secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_token: Option<String>,
    /// What the token's `nonce` is the SHA-256 of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// Links to the account of the bearer token instead of signing in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_identity: Option<bool>,
}
debug_without_values!(IdTokenGrant {
    provider,
    client_id,
    issuer,
    id_token,
    access_token,
    nonce,
    link_identity,
});

/// `skip_http_redirect=true`: the address a browser has to open, instead of a redirect to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderAddress {
    /// At the provider.
    pub url: String,
}
