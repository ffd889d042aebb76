//! Handles the callback of a browser that returns from a provider.

use limber_api::identity::{ProviderName, SessionResponse};
use secrecy::SecretString;
use sqlx::PgConnection;
use subtle::ConstantTimeEq;

use super::admission::{Admission, ExternalUser, accept_invite, admit};
use super::authorize::is_alive;
use super::{LinkOnExchange, ProviderTokens, Sealed, linking};
use crate::domain::exchange_code;
use crate::domain::factors::Member;
use crate::domain::sessions::{self, IDENTITY_LINKED};
use crate::instance::{Instance, RequestContext};
use crate::providers::{CallbackData, ProviderUser, same_token};
use crate::refusal::{
    CALLBACK_WITHOUT_CODE, Outcome, RequestError, STATE_ANOTHERS, STATE_MISSING,
    STATE_OF_ANOTHER_BROWSER, STATE_UNKNOWN, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::provider_flows::ProviderFlowRow;
use crate::tokens::pkce::Challenge;
use crate::tokens::{browser_hash, state_hash};

/// The callback parameters, apart from the state.
#[derive(Default)]
pub(crate) struct CallbackParams {
    pub(crate) code: Option<String>,
    pub(crate) oauth_token: Option<String>,
    pub(crate) oauth_verifier: Option<String>,
    /// Form field in which Apple sends the user's name.
    pub(crate) user: Option<String>,
}

/// The outcome of a callback.
pub(crate) enum CallbackOutcome {
    SignedIn(Box<SessionResponse>),
    /// An auth code for the client that holds the verifier.
    AuthCode(String),
}

/// Looks up the pending sign-in for this state and deletes it, so that a state works once. `cookie`
/// is the browser's cookie for this state.
pub(crate) async fn take(
    instance: &Instance,
    state: Option<&str>,
    cookie: Option<&str>,
) -> Outcome<ProviderFlowRow> {
    let Some(state) = state else { return refuse(STATE_MISSING) };
    let mut conn = instance.pool.acquire().await?;
    let found = store::provider_flows::take(&mut conn, &state_hash(state)).await?;
    let Some(flow) = found.filter(|flow| is_alive(instance, flow)) else {
        return refuse(STATE_UNKNOWN);
    };
    // With a PKCE challenge no cookie is needed: the client must present the verifier before
    // anything takes effect.
    if flow.code_challenge.is_none() && !is_of_browser(&flow, cookie) {
        return refuse(STATE_OF_ANOTHER_BROWSER);
    }
    Ok(flow)
}

/// Tells whether this browser is the one that was sent to the provider. A browser that never went
/// there has no cookie.
fn is_of_browser(flow: &ProviderFlowRow, cookie: Option<&str>) -> bool {
    let Some((kept, cookie)) = flow.browser_hash.as_deref().zip(cookie) else { return false };
    browser_hash(cookie).as_slice().ct_eq(kept).into()
}

/// Fetches the user's profile from the provider, then signs them in or links the identity.
pub(crate) async fn finish(
    instance: &Instance,
    flow: ProviderFlowRow,
    params: &CallbackParams,
    context: &RequestContext,
) -> Outcome<CallbackOutcome> {
    let Some(provider) = ProviderName::parse(&flow.provider) else {
        return refuse(STATE_UNKNOWN);
    };
    let user = ask_provider(instance, provider, &flow, params).await?;
    let context = RequestContext {
        aud: flow.aud.clone(),
        redirect_to: flow.redirect_to.clone(),
        ..context.clone()
    };
    let challenge = match (flow.code_challenge.clone(), flow.code_challenge_method.clone()) {
        (Some(challenge), Some(method)) => Some(Challenge { challenge, method }),
        _ => None,
    };
    let tokens = ProviderTokens::of(&user, flow.hands_on_tokens);
    let external_user =
        ExternalUser { provider, profile: &user.profile, challenge: challenge.as_ref() };
    // Two browsers of one new user may race; on retry the loser finds the account that the winner
    // created.
    for _ in 0..3 {
        let mut tx = instance.begin().await?;
        let mut row =
            match admit_or_link(instance, &mut tx, &flow, &external_user, &context).await? {
                Admission::Admitted(row) => row,
                Admission::Pending(refusal) => {
                    instance.commit(tx).await?;
                    return Err(RequestError::Refused(refusal));
                }
                Admission::Retry => continue,
            };
        let outcome = match &challenge {
            Some(challenge) => {
                let begun =
                    exchange_code::begin(instance, &mut tx, Some(challenge), "oauth").await?;
                let begun = begun.expect("a challenge was given");
                let link = linked_later(&flow, &external_user);
                let sealed = Sealed { tokens: tokens.clone(), link };
                let code = exchange_code::issue_with(instance, &mut tx, begun, row.id, &sealed);
                CallbackOutcome::AuthCode(code.await?)
            }
            None => {
                let method = if flow.link_to.is_some() { IDENTITY_LINKED } else { "oauth" };
                let session =
                    sessions::start(instance, &mut tx, &mut row, method, &context).await?;
                CallbackOutcome::SignedIn(Box::new(tokens.added_to(session)))
            }
        };
        instance.commit(tx).await?;
        return Ok(outcome);
    }
    Err(RequestError::Failed("three others made the same account at the same time".into()))
}

async fn ask_provider(
    instance: &Instance,
    provider: ProviderName,
    flow: &ProviderFlowRow,
    params: &CallbackParams,
) -> Outcome<ProviderUser> {
    let secret = flow.request_token_secret.clone().map(SecretString::from);
    let request_token = flow.request_token.as_deref().zip(secret.as_ref());
    let code = match request_token {
        Some((token, _)) => {
            if !params.oauth_token.as_deref().is_some_and(|received| same_token(token, received)) {
                return refuse(STATE_ANOTHERS);
            }
            &params.oauth_verifier
        }
        None => &params.code,
    };
    let Some(code) = code.as_deref() else { return refuse(CALLBACK_WITHOUT_CODE) };
    let verifier = flow.verifier.clone().map(SecretString::from);
    let callback = CallbackData {
        code,
        verifier: verifier.as_ref(),
        request_token,
        user_form: params.user.as_deref(),
    };
    let (random, now) = (&*instance.random, instance.now());
    Ok(instance.providers.fetch_user(provider, &callback, random, now).await?)
}

async fn admit_or_link(
    instance: &Instance,
    conn: &mut PgConnection,
    flow: &ProviderFlowRow,
    external_user: &ExternalUser<'_>,
    context: &RequestContext,
) -> Outcome<Admission> {
    let row: AccountRow = match (flow.link_to, &flow.invite_hash) {
        (Some(account), _) => {
            let member = Member { account, session: flow.link_session };
            if external_user.challenge.is_some() {
                // The callback may come from any browser, so nothing is linked before the verifier
                // is presented.
                linking::check(instance, conn, member, external_user).await?
            } else {
                linking::link(instance, conn, member, external_user, context).await?
            }
        }
        (None, Some(hash)) => accept_invite(instance, conn, hash, external_user).await?,
        (None, None) => return admit(instance, conn, external_user, context).await,
    };
    Ok(Admission::Admitted(Box::new(row)))
}

/// Returns the identity to link when the code is exchanged.
fn linked_later(
    flow: &ProviderFlowRow,
    external_user: &ExternalUser<'_>,
) -> Option<LinkOnExchange> {
    flow.link_to.map(|_| LinkOnExchange {
        session: flow.link_session,
        provider: flow.provider.clone(),
        profile: external_user.profile.clone(),
    })
}
