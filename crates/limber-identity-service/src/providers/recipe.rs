//! What has to be known about a provider.

use limber_api::identity::ProviderName;

use super::answers::Answers;
use super::profile::Profile;
use super::{
    apple, azure, bitbucket, discord, facebook, figma, github, gitlab, google, keycloak, linkedin,
    notion, slack, snapchat, spotify, twitch, twitter, workos,
};

/// One provider.
pub(super) struct Recipe {
    /// Whose word the claims are; where it is an OpenID provider, the `iss` of its tokens.
    pub(super) issuer: &'static str,
    pub(super) endpoints: Endpoints,
    /// Asked for in every sign-in.
    pub(super) scopes: &'static [&'static str],
    /// Further parameters of the authorize address.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// Proves with PKCE that whoever brings the code also asked for it.
    pub(super) pkce: bool,
    /// How the code is handed in.
    pub(super) exchange: Exchange,
    pub(super) source: Source,
    /// Reads a person out of what the provider said.
    pub(super) read: fn(&Answers<'_>) -> Option<Profile>,
    /// How ID tokens are checked, where the provider issues them.
    pub(super) openid: Option<OpenId>,
    /// The provider keeps addresses to itself, so signing in cannot depend on one.
    pub(super) never_tells_email: bool,
}

/// What most providers have in common; each file changes what differs.
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

/// A public address, and how it changes on another host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address {
    pub(super) host: &'static str,
    pub(super) path: &'static str,
    /// Put before the path where the operator named a host.
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
    /// In the issuer's OpenID configuration.
    Discovered,
    OAuth1 {
        request_token: Address,
        authorize: Address,
        access_token: Address,
    },
}

/// How the code is handed in, and how the client says who it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    /// Form, with id and secret among the fields.
    Form,
    /// Form, with HTTP Basic.
    FormWithBasic,
    /// JSON, with HTTP Basic.
    JsonWithBasic,
}

/// Where a person's data comes from.
pub(super) enum Source {
    /// The ID token in the answer to the code.
    IdToken,
    /// The same, or these questions when there is none.
    IdTokenOr(&'static [Call]),
    Calls(&'static [Call]),
    /// The answer to the code holds it all.
    TokenAnswer,
}

/// One question about the person whose access token we hold.
pub(super) struct Call {
    /// What [`Answers`] finds the answer by.
    pub(super) name: &'static str,
    pub(super) address: Address,
    pub(super) query: &'static [(&'static str, &'static str)],
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// Sent as JSON; the question is a POST then.
    pub(super) body: Option<&'static str>,
    pub(super) extra: Extra,
}

/// What only one provider wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    Nothing,
    /// Facebook: an HMAC of the access token beside it.
    SecretProof,
    /// Twitch: the client id as a header.
    ClientIdHeader,
}

pub(super) const fn call(name: &'static str, address: Address) -> Call {
    Call { name, address, query: &[], headers: &[], body: None, extra: Extra::Nothing }
}

/// How ID tokens of a provider are checked.
pub(super) struct OpenId {
    pub(super) configuration: &'static str,
    /// Further spellings of the issuer.
    pub(super) also_issued_as: &'static [&'static str],
    /// The issuer depends on the token's `tid`.
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
