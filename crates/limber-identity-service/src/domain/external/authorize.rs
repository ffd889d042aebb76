//! Sends a browser to a provider and stores the pending sign-in.
//!
//! Only whoever began a sign-in may complete it; otherwise an attacker could begin one and have a
//! victim complete it (login CSRF). With a PKCE challenge, the client must present the verifier
//! before anything takes effect. Without one, the departing browser gets a cookie that it must
//! bring back. A client that only asks for the URL, to open it in a browser later, gets the URL of
//! a confirmation page that asks the person in that browser.

use limber_api::identity::ProviderName;
use limber_domain::hex;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::admission::find_invite;
use crate::domain::factors::{Member, require_for_identities};
use crate::domain::reauthenticate;
use crate::instance::{Instance, RequestContext};
use crate::providers::{AuthorizeParams, Providers};
use crate::refusal::{INVITE_UNKNOWN, Outcome, STATE_UNKNOWN, refuse};
use crate::store;
use crate::store::provider_flows::ProviderFlowRow;
use crate::tokens::pkce::Challenge;
use crate::tokens::{browser_hash, state_hash};

/// What a sign-in through a provider should lead to.
pub(crate) struct SignInRequest {
    pub(crate) provider: ProviderName,
    pub(crate) params: AuthorizeParams,
    pub(crate) challenge: Option<Challenge>,
    /// The token from an invitation link, to accept that invitation.
    pub(crate) invite_token: Option<String>,
    /// Links the identity to this account instead of signing in.
    pub(crate) link_to: Option<Member>,
    /// Whether the request comes from the browser that will be redirected.
    pub(crate) is_from_browser: bool,
}

/// How a sign-in through a provider continues.
pub(crate) enum NextStep {
    /// Redirect to the provider; the PKCE challenge identifies the client.
    PkceRedirect(Url),
    /// Redirect to the provider and set this cookie.
    Redirect { to: Url, state: String, cookie: SecretString },
    /// Show a confirmation page to the person in the browser.
    Consent { state: String },
}

/// Stores the pending sign-in and returns how it continues.
pub(crate) async fn begin(
    instance: &Instance,
    request: SignInRequest,
    context: &RequestContext,
) -> Outcome<NextStep> {
    let invite_hash = match &request.invite_token {
        Some(token) => {
            let hash = instance.code_key.of_link(token);
            let mut conn = instance.pool.acquire().await?;
            if find_invite(instance, &mut conn, &hash).await?.is_none() {
                return refuse(INVITE_UNKNOWN);
            }
            Some(hash.to_vec())
        }
        None => None,
    };
    if let Some(member) = request.link_to {
        let mut conn = instance.pool.acquire().await?;
        require_for_identities(&mut conn, member).await?;
        reauthenticate::require_for_linking(instance, &mut conn, member).await?;
    }
    let (now, random) = (instance.now(), &*instance.random);
    let state = random.uuid().to_string();
    let authorization = instance
        .providers
        .authorization_request(request.provider, &request.params, &state, random, now)
        .await?;
    let is_challenged = request.challenge.is_some();
    let cookie = (request.is_from_browser && !is_challenged).then(|| new_cookie(instance));
    let needs_consent = !request.is_from_browser && !is_challenged;
    let (challenge, method) = request.challenge.map(|c| (c.challenge, c.method)).unzip();
    let (request_token, request_token_secret) = authorization
        .request_token
        .map(|(token, secret)| (token, secret.expose_secret().to_owned()))
        .unzip();
    let row = ProviderFlowRow {
        state_hash: state_hash(&state).to_vec(),
        provider: request.provider.as_str().to_owned(),
        aud: context.aud.clone(),
        redirect_to: context.redirect_to.clone(),
        code_challenge: challenge,
        code_challenge_method: method,
        verifier: authorization.verifier.map(|verifier| verifier.expose_secret().to_owned()),
        request_token,
        request_token_secret,
        hands_on_tokens: Providers::asks_for_more(request.provider, &request.params.scopes),
        link_to: request.link_to.map(|member| member.account),
        link_session: request.link_to.and_then(|member| member.session),
        invite_hash,
        created_at: now,
        browser_hash: cookie.as_ref().map(|cookie| browser_hash(cookie.expose_secret()).to_vec()),
        departs_to: needs_consent.then(|| authorization.address.as_str().to_owned()),
    };
    let mut conn = instance.pool.acquire().await?;
    store::provider_flows::insert(&mut conn, &row).await?;
    store::provider_flows::forget_older(&mut conn, now - chrono::Duration::days(1)).await?;
    Ok(match cookie {
        Some(cookie) => NextStep::Redirect { to: authorization.address, state, cookie },
        None if needs_consent => NextStep::Consent { state },
        None => NextStep::PkceRedirect(authorization.address),
    })
}

/// What the confirmation page asks about.
pub(crate) struct ConsentDetails {
    pub(crate) provider: String,
    /// Display name of the account that an identity will be linked to, or `None` for a sign-in.
    pub(crate) link_to: Option<String>,
}

/// Returns what the confirmation page for this state should ask.
pub(crate) async fn consent_details(instance: &Instance, state: &str) -> Outcome<ConsentDetails> {
    let mut conn = instance.pool.acquire().await?;
    let found = store::provider_flows::find_awaiting_consent(&mut conn, &state_hash(state)).await?;
    let Some(flow) = found.filter(|flow| is_alive(instance, flow)) else {
        return refuse(STATE_UNKNOWN);
    };
    let link_to = match flow.link_to {
        Some(account) => {
            let row = store::accounts::find(&mut conn, account).await?;
            let Some(row) = row.filter(|row| row.deleted_at.is_none()) else {
                return refuse(STATE_UNKNOWN);
            };
            let phone = row.phone.map(|digits| format!("+{digits}"));
            Some(row.email.or(phone).unwrap_or_else(|| "an account without a name".to_owned()))
        }
        None => None,
    };
    Ok(ConsentDetails { provider: flow.provider, link_to })
}

/// Records the person's consent: from here on the sign-in belongs to their browser, which receives
/// the cookie.
pub(crate) async fn give_consent(
    instance: &Instance,
    state: &str,
) -> Outcome<(ProviderName, Url, SecretString)> {
    let hash = state_hash(state);
    let mut conn = instance.pool.acquire().await?;
    let found = store::provider_flows::find_awaiting_consent(&mut conn, &hash).await?;
    let Some(flow) = found.filter(|flow| is_alive(instance, flow)) else {
        return refuse(STATE_UNKNOWN);
    };
    let (provider, to) = (ProviderName::parse(&flow.provider), flow.departs_to.as_deref());
    let (Some(provider), Some(Ok(to))) = (provider, to.map(Url::parse)) else {
        return refuse(STATE_UNKNOWN);
    };
    let cookie = new_cookie(instance);
    let browser = browser_hash(cookie.expose_secret());
    if !store::provider_flows::record_consent(&mut conn, &hash, &browser).await? {
        return refuse(STATE_UNKNOWN);
    }
    Ok((provider, to, cookie))
}

/// Tells whether the pending sign-in can still be completed.
pub(super) fn is_alive(instance: &Instance, flow: &ProviderFlowRow) -> bool {
    let lifetime = instance.config.external.flow_lifetime;
    (instance.now() - flow.created_at).to_std().is_ok_and(|age| age <= lifetime)
}

/// Returns a random cookie value of 64 hexadecimal digits, which needs no quoting in a header.
pub(crate) fn new_cookie(instance: &Instance) -> SecretString {
    let mut bytes = [0; 32];
    instance.random.fill(&mut bytes);
    hex(&bytes).into()
}
