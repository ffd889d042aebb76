//! Sending a browser to a provider, and remembering why.
//!
//! Whoever comes back must be whoever began, or a stranger could begin, and have somebody else
//! arrive in their account: with a PKCE challenge the client shows its verifier before anything
//! counts; without one, the browser that sets off gets a cookie and has to bring it back. A client
//! that only asks where to go, to open it in a browser later, gets the address of a page of ours
//! that asks the person there.

use limber_api::identity::ProviderName;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::admission::find_invite;
use crate::domain::factors::{Member, require_for_identities};
use crate::domain::reauthenticate;
use crate::instance::{Asker, Instance};
use crate::providers::{Providers, Wish};
use crate::refusal::{INVITE_UNKNOWN, Outcome, STATE_UNKNOWN, refuse};
use crate::store;
use crate::store::provider_flows::ProviderFlowRow;
use crate::tokens::pkce::Challenge;
use crate::tokens::{browser_hash, hex, state_hash};

/// What a sign-in by a provider is to end in.
pub(crate) struct Aim {
    pub(crate) provider: ProviderName,
    pub(crate) wish: Wish,
    pub(crate) challenge: Option<Challenge>,
    /// Of the link in an invitation.
    pub(crate) invite_token: Option<String>,
    /// Links to this account instead.
    pub(crate) link_to: Option<Member>,
    /// Whoever asks is the browser that sets off.
    pub(crate) is_led: bool,
}

/// How a sign-in by a provider goes on.
pub(crate) enum Begun {
    /// To the provider; the client's challenge says who began.
    Challenged(Url),
    /// To the provider, with this cookie.
    Led { to: Url, state: String, cookie: SecretString },
    /// To a page of ours, which asks the person in the browser.
    Asked { state: String },
}

/// Remembers why, and says where to go.
pub(crate) async fn begin(instance: &Instance, aim: Aim, asker: &Asker) -> Outcome<Begun> {
    let invite_hash = match &aim.invite_token {
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
    if let Some(member) = aim.link_to {
        let mut conn = instance.pool.acquire().await?;
        require_for_identities(&mut conn, member).await?;
        reauthenticate::require_for_linking(instance, &mut conn, member).await?;
    }
    let (now, chance) = (instance.now(), &*instance.chance);
    let state = chance.uuid().to_string();
    let departure = instance.providers.depart(aim.provider, &aim.wish, &state, chance, now).await?;
    let is_challenged = aim.challenge.is_some();
    let cookie = (aim.is_led && !is_challenged).then(|| new_cookie(instance));
    let asks = !aim.is_led && !is_challenged;
    let (challenge, method) = aim.challenge.map(|c| (c.challenge, c.method)).unzip();
    let (request_token, request_token_secret) = departure
        .request_token
        .map(|(token, secret)| (token, secret.expose_secret().to_owned()))
        .unzip();
    let row = ProviderFlowRow {
        state_hash: state_hash(&state).to_vec(),
        provider: aim.provider.as_str().to_owned(),
        aud: asker.aud.clone(),
        redirect_to: asker.redirect_to.clone(),
        code_challenge: challenge,
        code_challenge_method: method,
        verifier: departure.verifier.map(|verifier| verifier.expose_secret().to_owned()),
        request_token,
        request_token_secret,
        hands_on_tokens: Providers::asks_for_more(aim.provider, &aim.wish.scopes),
        link_to: aim.link_to.map(|member| member.account),
        link_session: aim.link_to.and_then(|member| member.session),
        invite_hash,
        created_at: now,
        browser_hash: cookie.as_ref().map(|cookie| browser_hash(cookie.expose_secret()).to_vec()),
        departs_to: asks.then(|| departure.address.as_str().to_owned()),
    };
    let mut conn = instance.pool.acquire().await?;
    store::provider_flows::insert(&mut conn, &row).await?;
    store::provider_flows::forget_older(&mut conn, now - chrono::Duration::days(1)).await?;
    Ok(match cookie {
        Some(cookie) => Begun::Led { to: departure.address, state, cookie },
        None if asks => Begun::Asked { state },
        None => Begun::Challenged(departure.address),
    })
}

/// What the person is asked about.
pub(crate) struct Question {
    pub(crate) provider: String,
    /// The name of the account that gets another way in; none where somebody signs in.
    pub(crate) link_to: Option<String>,
}

/// What to ask whoever opens the page of this state.
pub(crate) async fn question(instance: &Instance, state: &str) -> Outcome<Question> {
    let mut conn = instance.pool.acquire().await?;
    let found = store::provider_flows::find_asked(&mut conn, &state_hash(state)).await?;
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
    Ok(Question { provider: flow.provider, link_to })
}

/// The person said yes: from here on the sign-in belongs to their browser, which gets the cookie.
pub(crate) async fn set_off(
    instance: &Instance,
    state: &str,
) -> Outcome<(ProviderName, Url, SecretString)> {
    let hash = state_hash(state);
    let mut conn = instance.pool.acquire().await?;
    let found = store::provider_flows::find_asked(&mut conn, &hash).await?;
    let Some(flow) = found.filter(|flow| is_alive(instance, flow)) else {
        return refuse(STATE_UNKNOWN);
    };
    let (provider, to) = (ProviderName::parse(&flow.provider), flow.departs_to.as_deref());
    let (Some(provider), Some(Ok(to))) = (provider, to.map(Url::parse)) else {
        return refuse(STATE_UNKNOWN);
    };
    let cookie = new_cookie(instance);
    let browser = browser_hash(cookie.expose_secret());
    if !store::provider_flows::set_off(&mut conn, &hash, &browser).await? {
        return refuse(STATE_UNKNOWN);
    }
    Ok((provider, to, cookie))
}

/// Whether somebody may still come back to it.
pub(super) fn is_alive(instance: &Instance, flow: &ProviderFlowRow) -> bool {
    let lifetime = instance.config.external.flow_lifetime;
    (instance.now() - flow.created_at).to_std().is_ok_and(|age| age <= lifetime)
}

/// 64 hexadecimal digits, which need no quotes in a header.
pub(crate) fn new_cookie(instance: &Instance) -> SecretString {
    let mut bytes = [0; 32];
    instance.chance.fill(&mut bytes);
    hex(&bytes).into()
}
