//! The description of a provider.

use limber_api::identity::ProviderName;

use super::answers::Answers;
use super::profile::Profile;
use super::{
    apple, azure, bitbucket, discord, facebook, figma, github, gitlab, google, keycloak, linkedin,
    notion, slack, snapchat, spotify, twitch, twitter, workos,
};

/// One provider.
pub(super) struct Recipe {
    /// Issuer of the claims. For an OpenID provider, the `iss` of its tokens.
    pub(super) issuer: &'static str,
    pub(super) endpoints: Endpoints,
    /// Scopes requested in every sign-in.
    pub(super) scopes: &'static [&'static str],
    /// Additional parameters of the authorisation URL.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// Whether to use PKCE towards the provider, which ties the code to the request.
    pub(super) pkce: bool,
    /// How the code is exchanged.
    pub(super) exchange: Exchange,
    pub(super) source: Source,
    /// Builds a profile from the provider's responses.
    pub(super) read: fn(&Answers<'_>) -> Option<Profile>,
    /// How to verify ID tokens, if the provider issues them.
    pub(super) openid: Option<OpenId>,
    /// Whether the provider never discloses email addresses, so that none can be required.
    pub(super) never_tells_email: bool,
}

/// Defaults shared by most providers; each file overrides what differs.
pub(super) const PLAIN: Recipe = Recipe {
    issuer: "",
    endpoints: Endpoints::Discovered,
    scopes: &[],
    parameters: &[],
    pkce: false,
    exchange: Exchange::Form,
    source: Source::IdToken,
    read: |_| None,
    openid: None,
    never_tells_email: false,
};

/// A public address, and how it differs on a configured host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address {
    pub(super) host: &'static str,
    pub(super) path: &'static str,
    /// Path prefix used if the operator configured a host.
    pub(super) elsewhere: &'static str,
}

pub(super) const fn at(host: &'static str, path: &'static str) -> Address {
    Address { host, path, elsewhere: "" }
}

pub(super) enum Endpoints {
    Fixed {
        authorize: Address,
        token: Address,
    },
    /// As published in the issuer's OpenID configuration.
    Discovered,
    OAuth1 {
        request_token: Address,
        authorize: Address,
        access_token: Address,
    },
}

/// How the code is exchanged and the client authenticated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    /// Form encoding, with client id and secret as fields.
    Form,
    /// Form encoding, with HTTP Basic authentication.
    FormWithBasic,
    /// JSON, with HTTP Basic authentication.
    JsonWithBasic,
}

/// Where the user's data comes from.
pub(super) enum Source {
    /// The ID token in the token response.
    IdToken,
    /// The ID token, or these API calls if there is none.
    IdTokenOr(&'static [Call]),
    Calls(&'static [Call]),
    /// The token response itself.
    TokenAnswer,
}

/// One API call about the user, made with the access token.
pub(super) struct Call {
    /// Name under which [`Answers`] holds the response.
    pub(super) name: &'static str,
    pub(super) address: Address,
    pub(super) query: &'static [(&'static str, &'static str)],
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// JSON request body, which makes the call a POST.
    pub(super) body: Option<&'static str>,
    pub(super) extra: Extra,
}

/// Provider-specific additions to a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    Nothing,
    /// Facebook: an HMAC of the access token (`appsecret_proof`).
    SecretProof,
    /// Twitch: the client id in a header.
    ClientIdHeader,
}

pub(super) const fn call(name: &'static str, address: Address) -> Call {
    Call { name, address, query: &[], headers: &[], body: None, extra: Extra::Nothing }
}

/// How a provider's ID tokens are verified.
pub(super) struct OpenId {
    pub(super) configuration: &'static str,
    /// Alternative spellings of the issuer.
    pub(super) also_issued_as: &'static [&'static str],
    /// Whether the issuer depends on the token's `tid` claim.
    pub(super) issuer_names_tenant: bool,
}

pub(super) const OPEN_ID: OpenId = OpenId {
    configuration: "/.well-known/openid-configuration",
    also_issued_as: &[],
    issuer_names_tenant: false,
};

pub(super) fn of(name: ProviderName) -> &'static Recipe {
    match name {
        ProviderName::Apple => &apple::RECIPE,
        ProviderName::Azure => &azure::RECIPE,
        ProviderName::Bitbucket => &bitbucket::RECIPE,
        ProviderName::Discord => &discord::RECIPE,
        ProviderName::Facebook => &facebook::RECIPE,
        ProviderName::Figma => &figma::RECIPE,
        ProviderName::Github => &github::RECIPE,
        ProviderName::Gitlab => &gitlab::RECIPE,
        ProviderName::Google => &google::RECIPE,
        ProviderName::Keycloak => &keycloak::RECIPE,
        ProviderName::Linkedin => &linkedin::RECIPE,
        ProviderName::Notion => &notion::RECIPE,
        ProviderName::Snapchat => &snapchat::RECIPE,
        ProviderName::Spotify => &spotify::RECIPE,
        ProviderName::Slack => &slack::RECIPE,
        ProviderName::Twitch => &twitch::RECIPE,
        ProviderName::Twitter => &twitter::RECIPE,
        ProviderName::Workos => &workos::RECIPE,
    }
}
