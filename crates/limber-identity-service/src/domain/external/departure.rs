//! Sending a browser to a provider, and remembering why.

use limber_api::identity::ProviderName;
use secrecy::ExposeSecret;
use url::Url;

use super::admission::find_invite;
use crate::domain::factors::{Member, require_for_identities};
use crate::instance::{Asker, Instance};
use crate::providers::{Providers, Wish};
use crate::refusal::{INVITE_UNKNOWN, Outcome, refuse};
use crate::store;
use crate::store::provider_flows::ProviderFlowRow;
use crate::tokens::pkce::Challenge;
use crate::tokens::state_hash;

/// What a sign-in by a provider is to end in.
pub(crate) struct Aim {
    pub(crate) provider: ProviderName,
    pub(crate) wish: Wish,
    pub(crate) challenge: Option<Challenge>,
    /// Of the link in an invitation.
    pub(crate) invite_token: Option<String>,
    /// Links to this account instead.
    pub(crate) link_to: Option<Member>,
}

/// The address to open.
pub(crate) async fn begin(instance: &Instance, aim: Aim, asker: &Asker) -> Outcome<Url> {
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
    }
    let (now, chance) = (instance.now(), &*instance.chance);
    let state = chance.uuid().to_string();
    let departure = instance.providers.depart(aim.provider, &aim.wish, &state, chance, now).await?;
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
    };
    let mut conn = instance.pool.acquire().await?;
    store::provider_flows::insert(&mut conn, &row).await?;
    store::provider_flows::forget_older(&mut conn, now - chrono::Duration::days(1)).await?;
    Ok(departure.address)
}
