//! Sign-in through external providers (identity behaviour, 6.6 and 6.16-6.18).
//!
//! `authorize` sends a browser to the provider and stores the pending flow; `callback` handles its
//! return; `id_tokens` serves apps that bring a provider's ID token themselves. All three end in
//! `admission`, which determines the account, or in `linking`, which links the identity to an
//! existing one.

pub(crate) mod admission;
pub(crate) mod authorize;
pub(crate) mod callback;
pub(crate) mod id_tokens;
pub(crate) mod linking;

use limber_api::identity::{ErrorCode, SessionResponse};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::providers::{Profile, ProviderError, ProviderUser};
use crate::refusal::{PROVIDER_AWAY, PROVIDER_EXCHANGE, PROVIDER_PROFILE, Refusal, RequestError};

/// The provider's own tokens, to be passed on to the client.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProviderTokens {
    pub(crate) access: Option<String>,
    pub(crate) refresh: Option<String>,
}

/// Data held back until an auth code is exchanged, encrypted until then.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sealed {
    #[serde(flatten)]
    pub(crate) tokens: ProviderTokens,
    #[serde(default)]
    pub(crate) link: Option<LinkOnExchange>,
}

/// An identity to link to the account for which the code was issued.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkOnExchange {
    /// The session from which the flow was started.
    pub(crate) session: Option<Uuid>,
    pub(crate) provider: String,
    pub(crate) profile: Profile,
}

impl ProviderTokens {
    /// Returns the provider's tokens if `hands_on` is set, that is, if the client requested more
    /// than the default scopes. Other clients have no use for them.
    fn of(user: &ProviderUser, hands_on: bool) -> Self {
        if !hands_on {
            return Self::default();
        }
        let access = user.access_token.expose_secret();
        Self {
            access: (!access.is_empty()).then(|| access.to_owned()),
            refresh: user.refresh_token.as_ref().map(|token| token.expose_secret().to_owned()),
        }
    }

    pub(crate) fn added_to(self, session: SessionResponse) -> SessionResponse {
        SessionResponse {
            provider_token: self.access,
            provider_refresh_token: self.refresh,
            ..session
        }
    }
}

impl From<ProviderError> for RequestError {
    fn from(error: ProviderError) -> Self {
        let refusal = match error {
            ProviderError::Disabled | ProviderError::Unusable(_) => {
                let text = format!("Unsupported provider: {error}");
                Refusal::with_text(400, ErrorCode::ValidationFailed, text)
            }
            ProviderError::Away => PROVIDER_AWAY,
            ProviderError::Exchange => PROVIDER_EXCHANGE,
            ProviderError::Profile => PROVIDER_PROFILE,
        };
        refusal.into()
    }
}
