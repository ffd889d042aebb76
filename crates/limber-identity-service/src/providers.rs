//! Other services whose accounts sign in here: where to send a browser, how to turn what it
//! brings back into a [`Profile`], and which of its addresses are proven.
//!
//! What a provider needs is data: a [`Recipe`](recipe::Recipe) in a file of its own with its
//! addresses, scopes and the questions asked about a person, and one function that reads the
//! answers. Everything that speaks to the network is here once and the same for all: every
//! question has a time limit and every answer a size limit, redirects are not followed, and
//! neither errors nor logs carry what was sent or received.
//!
//! Knows no database and no rules about accounts.
//!
//! To add a provider:
//!
//! - `limber-api`, `src/identity/provider.rs`: a variant of `ProviderName`. `PROVIDERS` and the
//!   cases of the tests have the same order.
//! - `providers/NAME.rs`: its `RECIPE`, and `read`, which reads the answers. Declare the `mod` in
//!   this file, and add an arm to `of` in `providers/recipe.rs`.
//! - `config/settings/providers.rs`: its name in `PROVIDERS`. Settings that only this provider has
//!   get a line there and are read in `config/reading/external.rs`.
//! - `http/setting_off.rs`: the name that people know, in `called`.
//! - `limber-app`, `src/app/account.rs`: the same name, only if it is not the wire name with a
//!   capital.
//! - `tests/api/external`: a `Case` in `cases_a_to_g.rs` or `cases_k_to_w.rs`, and a line in
//!   `each_signs_in!` of `providers.rs`. `tests/api/health.rs` counts the providers.
//! - `tests/api/promises/settings.txt` and `docs/src/operate/identity-settings.md`: renewed by
//!   `LIMBER_RENEW_PAGES=1 cargo test -p limber-identity-service`.
//! - `docs/src/operate/identity-providers.md` and `identity-compatibility.md`: a row each.
//!   `docs/src/identity-http.md`: the number of providers, and whose ID tokens are accepted.

mod answers;
mod apple;
mod arrival;
mod azure;
mod bitbucket;
mod calls;
mod departure;
mod discord;
mod discovery;
mod facebook;
mod figma;
mod github;
mod gitlab;
mod google;
mod id_token;
mod keycloak;
mod linkedin;
mod notion;
mod oauth1;
mod profile;
mod recipe;
mod slack;
mod snapchat;
mod spotify;
mod tokens;
mod twitch;
mod twitter;
mod workos;

use std::time::Duration;

use limber_api::identity::ProviderName;
use serde_json::Value;

pub(crate) use apple::is_key as is_apple_key;
pub(crate) use arrival::{Arrival, Return};
pub(crate) use azure::is_shared_tenant;
pub(crate) use departure::Wish;
pub(crate) use id_token::{IdTokenProblem, Presented};
pub(crate) use oauth1::same_token;
pub(crate) use profile::Profile;

use crate::config::{ExternalConfig, ProviderConfig};
use answers::Answers;
use calls::Caller;
use discovery::Library;
use recipe::Recipe;

/// Longest conversation with a provider on behalf of one request.
const MAX_CONVERSATION: Duration = Duration::from_secs(10);

/// All providers of one instance.
pub(crate) struct Providers {
    config: ExternalConfig,
    caller: Caller,
    library: Library,
    limit: Duration,
}

/// Why a provider could not be used. None carries what was sent or received.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProviderError {
    #[error("provider is not enabled")]
    Disabled,
    #[error("{0}")]
    Unusable(&'static str),
    /// Directions to the provider could not be had.
    #[error("the provider does not answer")]
    Away,
    /// The code was not taken.
    #[error("the provider did not take the code")]
    Exchange,
    /// The provider did not tell who it is.
    #[error("the provider did not tell who it is")]
    Profile,
}

/// A provider that is switched on.
#[derive(Clone, Copy)]
struct Enabled<'a> {
    name: ProviderName,
    recipe: &'static Recipe,
    config: &'a ProviderConfig,
}

impl Providers {
    /// `request_limit` is how long the service itself may take for a request: a provider gets
    /// less, so that there is time left to tell the person.
    pub(crate) fn new(config: ExternalConfig, request_limit: Duration) -> Self {
        let limit = MAX_CONVERSATION.min(request_limit.mul_f32(0.9));
        Self { config, caller: Caller::new(limit), library: Library::default(), limit }
    }

    fn enabled(&self, name: ProviderName) -> Result<Enabled<'_>, ProviderError> {
        let config = self.config.providers.get(&name).ok_or(ProviderError::Disabled)?;
        Ok(Enabled { name, recipe: recipe::of(name), config })
    }

    pub(crate) fn email_is_optional(&self, name: ProviderName) -> bool {
        let set = self.config.providers.get(&name).is_some_and(|config| config.email_optional);
        set || recipe::of(name).never_tells_email
    }
}

impl Enabled<'_> {
    fn client_id(&self) -> &str {
        self.config.client_ids.first().map_or("", String::as_str)
    }

    /// An address of the provider, at the host the operator named if any.
    fn url(&self, address: &recipe::Address) -> String {
        match &self.config.base {
            Some(base) => format!("{base}{}{}", address.elsewhere, address.path),
            None => format!("{}{}", address.host, address.path),
        }
    }

    /// Whose word the claims about a person are.
    fn issuer(&self) -> &str {
        self.config.base.as_deref().unwrap_or(self.recipe.issuer)
    }

    /// What the provider said, for the recipe to read.
    fn answers(&self, values: Vec<(&'static str, Value)>) -> Answers<'_> {
        let tenant_is_pinned =
            !self.config.tenants.is_empty() || azure::tenant_of(self.issuer()).is_some();
        let directories = &self.config.tenants;
        Answers { issuer: self.issuer(), tenant_is_pinned, directories, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_gets_less_time_than_the_request_on_whose_behalf_it_is_asked() {
        for seconds in [1, 2, 9, 10, 11, 12, 60] {
            let request = Duration::from_secs(seconds);
            let limit = Providers::new(ExternalConfig::default(), request).limit;
            assert!(limit < request && limit <= MAX_CONVERSATION, "{limit:?} of {request:?}");
        }
    }
}
