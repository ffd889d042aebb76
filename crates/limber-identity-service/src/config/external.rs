//! Sign-in by other services.

use std::collections::BTreeMap;
use std::time::Duration;

use limber_api::identity::ProviderName;
use secrecy::SecretString;

/// The specification sets the shortest life of a sign-in that began.
pub(super) const LEAST_FLOW_LIFETIME: Duration = Duration::from_secs(300);

/// Sign-in by other services.
#[derive(Debug, Clone)]
pub struct ExternalConfig {
    /// Those with `EXTERNAL_<X>_ENABLED`.
    pub providers: BTreeMap<ProviderName, ProviderConfig>,
    /// `SECURITY_MANUAL_LINKING_ENABLED`: people link and unlink identities. Default false.
    pub manual_linking: bool,
    /// `EXTERNAL_FLOW_STATE_EXPIRY_DURATION`: how long a sign-in may take at the provider.
    /// Default and least 300 s.
    pub flow_lifetime: Duration,
    /// `MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`: a session before the address of a provider was
    /// proven. Default false.
    pub allow_unverified_email: bool,
}

impl Default for ExternalConfig {
    fn default() -> Self {
        Self {
            providers: BTreeMap::new(),
            manual_linking: false,
            flow_lifetime: LEAST_FLOW_LIFETIME,
            allow_unverified_email: false,
        }
    }
}

/// One provider. Names in the docs lack their `EXTERNAL_<X>_`.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// `CLIENT_ID`: the first is sent to the provider, all are taken as audience of ID tokens.
    pub client_ids: Vec<String>,
    /// `SECRET`.
    pub secret: ClientSecret,
    /// `REDIRECT_URI`: our `/callback`, exactly as the provider knows it.
    pub redirect_uri: String,
    /// `URL`: stands for the provider's public host, without a slash at its end.
    pub base: Option<String>,
    /// `TENANTS`, of Azure: no other tenant's people are let in. Empty: whoever `base` leads to.
    /// `CONNECTIONS`, of WorkOS: the same of connections and organisations. Empty: everybody's
    /// people, whose addresses then prove nothing.
    pub tenants: Vec<String>,
    /// `EMAIL_OPTIONAL`: people without an address may sign in. Default false.
    pub email_optional: bool,
    /// `SKIP_NONCE_CHECK`: ID tokens whose nonce cannot be known. Default false.
    pub skip_nonce_check: bool,
}

impl ProviderConfig {
    /// A provider with every default.
    #[must_use]
    pub fn new(client_id: &str, secret: SecretString, redirect_uri: &str) -> Self {
        Self {
            client_ids: vec![client_id.to_owned()],
            secret: ClientSecret::Given(secret),
            redirect_uri: redirect_uri.to_owned(),
            base: None,
            tenants: Vec::new(),
            email_optional: false,
            skip_nonce_check: false,
        }
    }
}

/// How we prove to a provider who we are.
#[derive(Debug, Clone)]
pub enum ClientSecret {
    /// A secret the provider gave.
    Given(SecretString),
    /// Apple: signed anew for every question.
    Signed(AppleKey),
}

/// The key Apple gave, from which its client secrets are made.
#[derive(Debug, Clone)]
pub struct AppleKey {
    /// `TEAM_ID`.
    pub team_id: String,
    /// `KEY_ID`.
    pub key_id: String,
    /// `PRIVATE_KEY`: the text of the `.p8` file; `\n` may stand for line ends.
    pub private_key: SecretString,
}
