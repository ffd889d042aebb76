//! Sign-in with other services: their names, and requests about them.

use serde::{Deserialize, Serialize};

use super::request::{debug_without_values, wire_words};

wire_words! {
    /// A service whose accounts can sign in here.
    #[derive(PartialOrd, Ord)]
    ProviderName {
        /// Apple, through OpenID Connect.
        Apple = "apple",
        /// Microsoft: work, school and personal accounts.
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
        /// Twitter, through OAuth 1.0a.
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

/// `POST /token?grant_type=id_token`: an ID token that a provider issued to an app on the device.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IdTokenGrant {
    /// A [`ProviderName`]; alternatively `client_id` and `issuer` together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Client that the token was issued to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// Issuer of the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// ID token; secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// Access token, checked against the ID token's `at_hash`; secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_token: Option<String>,
    /// Value whose SHA-256 is the token's `nonce`.
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

/// Response to `skip_http_redirect=true`: the URL to open in a browser, instead of a redirect to
/// it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderAddress {
    /// URL at the provider.
    pub url: String,
}
