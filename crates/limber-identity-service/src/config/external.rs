//! Settings of sign-in through external providers.

use std::collections::BTreeMap;
use std::time::Duration;

use limber_api::identity::ProviderName;
use secrecy::SecretString;

/// Minimum lifetime of a pending sign-in, as set by the specification.
pub(super) const MIN_FLOW_LIFETIME: Duration = Duration::from_secs(300);

/// Settings of sign-in through external providers.
#[derive(Debug, Clone)]
pub struct ExternalConfig {
    /// The providers enabled by `EXTERNAL_<X>_ENABLED`.
    pub providers: BTreeMap<ProviderName, ProviderConfig>,
    /// `SECURITY_MANUAL_LINKING_ENABLED`: users may link and unlink identities. Default false.
    pub manual_linking: bool,
    /// `EXTERNAL_FLOW_STATE_EXPIRY_DURATION`: how long a sign-in may take at the provider. Default
    /// 300 s, which is also the minimum.
    pub flow_lifetime: Duration,
    /// `MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS`: start a session even if the provider has not
    /// verified the email address. Default false.
    pub allow_unverified_email: bool,
}

impl Default for ExternalConfig {
    fn default() -> Self {
        Self {
            providers: BTreeMap::new(),
            manual_linking: false,
            flow_lifetime: MIN_FLOW_LIFETIME,
            allow_unverified_email: false,
        }
    }
}

/// Settings of one provider. Variable names in the docs omit their prefix `EXTERNAL_<X>_`.
#[derive(Debug, Clone)]
pub struct ProviderConfig {
    /// `CLIENT_ID`: the first is sent to the provider; all are accepted as the audience of ID
    /// tokens.
    pub client_ids: Vec<String>,
    /// `SECRET`, or the key it is derived from.
    pub secret: ClientSecret,
    /// `REDIRECT_URI`: this service's `/callback` URL, exactly as registered with the provider.
    pub redirect_uri: String,
    /// `URL`: replaces the provider's public base URL; without a trailing slash.
    pub base: Option<String>,
    /// `TENANTS` (Azure): only users of these tenants are admitted. Empty admits whichever users
    /// `base` leads to. `CONNECTIONS` (WorkOS): the same for connections and organisations. Empty
    /// admits everyone, and then their addresses are not treated as verified.
    pub tenants: Vec<String>,
    /// `EMAIL_OPTIONAL`: users without an email address may sign in. Default false.
    pub email_optional: bool,
    /// `SKIP_NONCE_CHECK`: accept ID tokens without comparing their nonce, for clients that cannot
    /// know it. Default false.
    pub skip_nonce_check: bool,
}

impl ProviderConfig {
    /// Returns a provider with default settings.
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

/// Client authentication towards a provider.
#[derive(Debug, Clone)]
pub enum ClientSecret {
    /// A static secret issued by the provider.
    Given(SecretString),
    /// Apple: a client secret JWT, signed afresh for each request.
    Signed(AppleKey),
}

/// The private key issued by Apple, with which client secrets are signed.
#[derive(Debug, Clone)]
pub struct AppleKey {
    /// `TEAM_ID`: the Apple developer team.
    pub team_id: String,
    /// `KEY_ID`: identifier of the key.
    pub key_id: String,
    /// `PRIVATE_KEY`: contents of the `.p8` file; line ends may be written as `\n`.
    pub private_key: SecretString,
}
