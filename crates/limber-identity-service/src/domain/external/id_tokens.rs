//! Sign-in with an ID token that an app obtained from a provider itself (identity behaviour, 6.6).

use limber_api::identity::{ErrorCode, IdTokenGrant, ProviderName, SessionResponse};

use super::admission::{Admission, ExternalUser, admit};
use super::linking;
use crate::domain::factors::Member;
use crate::domain::reauthenticate;
use crate::domain::sessions::{self, IDENTITY_LINKED};
use crate::instance::{Instance, RequestContext};
use crate::providers::{IdTokenProblem, Presented, Profile, Providers};
use crate::refusal::{PROVIDER_AWAY, Refusal, RequestError};

/// Why no session was started. This grant is the only one that reports some errors in OAuth format.
pub(crate) enum IdTokenError {
    OAuth { error: &'static str, description: String },
    Request(RequestError),
}

impl<E: Into<RequestError>> From<E> for IdTokenError {
    fn from(error: E) -> Self {
        Self::Request(error.into())
    }
}

fn invalid<T>(description: impl Into<String>) -> Result<T, IdTokenError> {
    Err(IdTokenError::OAuth { error: "invalid request", description: description.into() })
}

/// Verifies the ID token, then signs in or links the identity to the account of `link_to`.
pub(crate) async fn redeem(
    instance: &Instance,
    grant: &IdTokenGrant,
    link_to: Option<Member>,
    context: &RequestContext,
) -> Result<SessionResponse, IdTokenError> {
    if let Some(member) = link_to {
        let mut conn = instance.pool.acquire().await?;
        reauthenticate::require_for_linking(instance, &mut conn, member).await?;
    }
    let (provider, profile) = read(instance, grant).await?;
    let external_user = ExternalUser { provider, profile: &profile, challenge: None };
    for _ in 0..3 {
        let mut tx = instance.begin().await?;
        let admission = match link_to {
            Some(member) => {
                let row = linking::link(instance, &mut tx, member, &external_user, context).await?;
                Admission::Admitted(Box::new(row))
            }
            None => admit(instance, &mut tx, &external_user, context).await?,
        };
        let mut row = match admission {
            Admission::Admitted(row) => row,
            Admission::Pending(refusal) => {
                instance.commit(tx).await?;
                return Err(IdTokenError::Request(RequestError::Refused(refusal)));
            }
            Admission::Retry => continue,
        };
        let method = if link_to.is_some() { IDENTITY_LINKED } else { "oauth" };
        let session = sessions::start(instance, &mut tx, &mut row, method, context).await?;
        instance.commit(tx).await?;
        return Ok(session);
    }
    Err(RequestError::Failed("three others made the same account at the same time".into()).into())
}

async fn read(
    instance: &Instance,
    grant: &IdTokenGrant,
) -> Result<(ProviderName, Profile), IdTokenError> {
    fn set(text: &Option<String>) -> Option<&str> {
        text.as_deref().filter(|text| !text.is_empty())
    }
    let Some(id_token) = set(&grant.id_token) else { return invalid("id_token required") };
    let issuer = set(&grant.issuer).zip(set(&grant.client_id)).map(|(issuer, _)| issuer);
    let (word, provider) = match (set(&grant.provider), issuer) {
        (Some(name), _) => (name, ProviderName::parse(name)),
        (None, Some(issuer)) => (issuer, instance.providers.issued_by(issuer)),
        (None, None) => return invalid("provider or client_id and issuer required"),
    };
    let Some(provider) = provider.filter(|name| Providers::issues_id_tokens(*name)) else {
        let text = format!("Custom OIDC provider \"{word:.80}\" not allowed");
        return Err(Refusal::with_text(400, ErrorCode::ValidationFailed, text).into());
    };
    let presented = Presented {
        provider,
        id_token,
        access_token: set(&grant.access_token),
        nonce: set(&grant.nonce),
    };
    match instance.providers.redeem(&presented, instance.now()).await {
        Ok(profile) => Ok((provider, profile)),
        Err(problem) => Err(explain(problem)),
    }
}

fn explain(problem: IdTokenProblem) -> IdTokenError {
    let (error, description) = match problem {
        IdTokenProblem::Disabled { issuer } => {
            let text = format!("Provider (issuer \"{issuer}\") is not enabled");
            return Refusal::with_text(400, ErrorCode::ProviderDisabled, text).into();
        }
        IdTokenProblem::Away => return PROVIDER_AWAY.into(),
        IdTokenProblem::Bad => ("invalid request", "Bad ID token".to_owned()),
        IdTokenProblem::Audience(found) => {
            let found: String = found.join(" ").chars().take(200).collect();
            ("invalid request", format!("Unacceptable audience in id_token: [{found}]"))
        }
        IdTokenProblem::NonceHalf => (
            "invalid request",
            "Passed nonce and nonce in id_token should either both exist or not.".to_owned(),
        ),
        IdTokenProblem::NonceDiffers => ("invalid nonce", "Nonces mismatch".to_owned()),
    };
    IdTokenError::OAuth { error, description }
}
