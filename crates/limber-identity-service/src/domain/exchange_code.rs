//! The PKCE flow: a link or callback yields an auth code, which is exchanged with the code verifier
//! for a session.

use std::time::Duration;

use limber_api::identity::{ProviderName, SessionResponse};
use sqlx::PgConnection;
use uuid::Uuid;

use super::external::admission::ExternalUser;
use super::external::{LinkOnExchange, Sealed, linking};
use super::factors::Member;
use super::sessions::{self, IDENTITY_LINKED};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    BANNED, FLOW_EXPIRED, FLOW_NOT_FOUND, Outcome, PKCE_EMPTY, WRONG_VERIFIER, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::flows::FlowRow;
use crate::tokens::pkce::{Challenge, auth_code_hash};
use crate::tokens::sealed::seal;

/// Lifetime of an auth code. It starts when the code is issued, not when the flow begins, so that
/// an email may be opened later.
const CODE_LIFETIME: Duration = Duration::from_secs(300);

/// Stores the challenge of a new flow. Returns `None` if the request carried none.
pub(crate) async fn begin(
    instance: &Instance,
    conn: &mut PgConnection,
    challenge: Option<&Challenge>,
    method: &str,
) -> Outcome<Option<Uuid>> {
    let Some(challenge) = challenge else { return Ok(None) };
    let flow = FlowRow {
        id: instance.random.uuid(),
        account_id: None,
        method: method.to_owned(),
        code_challenge: challenge.challenge.clone(),
        code_challenge_method: challenge.method.clone(),
        issued_at: None,
        sealed_tokens: None,
    };
    store::flows::insert(conn, &flow, instance.now()).await?;
    Ok(Some(flow.id))
}

/// Issues the auth code for an authenticated account.
pub(crate) async fn issue(
    instance: &Instance,
    conn: &mut PgConnection,
    flow: Uuid,
    account: Uuid,
) -> Outcome<String> {
    let code = instance.random.uuid().to_string();
    store::flows::issue(conn, flow, account, &auth_code_hash(&code), instance.now()).await?;
    Ok(code)
}

/// Issues the auth code together with sealed data for whoever exchanges it.
pub(crate) async fn issue_with(
    instance: &Instance,
    conn: &mut PgConnection,
    flow: Uuid,
    account: Uuid,
    waiting: &Sealed,
) -> Outcome<String> {
    let code = issue(instance, conn, flow, account).await?;
    if waiting != &Sealed::default() {
        let sealed = seal(&code, &serde_json::to_vec(waiting)?);
        store::flows::keep_tokens(conn, flow, &sealed).await?;
    }
    Ok(code)
}

/// Exchanges an auth code and verifier for a session. A wrong verifier leaves the code valid.
pub(crate) async fn exchange(
    instance: &Instance,
    auth_code: &str,
    verifier: &str,
    context: &RequestContext,
) -> Outcome<SessionResponse> {
    if auth_code.is_empty() || verifier.is_empty() {
        return refuse(PKCE_EMPTY);
    }
    let mut tx = instance.begin().await?;
    let hash = auth_code_hash(auth_code);
    let Some(flow) = store::flows::lock_by_code(&mut tx, &hash).await? else {
        return refuse(FLOW_NOT_FOUND);
    };
    let (Some(account), Some(issued_at)) = (flow.account_id, flow.issued_at) else {
        return refuse(FLOW_NOT_FOUND);
    };
    if (instance.now() - issued_at).to_std().is_ok_and(|age| age > CODE_LIFETIME) {
        return refuse(FLOW_EXPIRED);
    }
    let challenge =
        Challenge { challenge: flow.code_challenge, method: flow.code_challenge_method };
    if !challenge.fits(verifier) {
        return refuse(WRONG_VERIFIER);
    }
    let Some(mut row) = store::accounts::lock(&mut tx, account).await? else {
        return refuse(FLOW_NOT_FOUND);
    };
    if row.is_banned(instance.now()) {
        return refuse(BANNED);
    }
    store::flows::delete(&mut tx, flow.id).await?;
    let waiting: Sealed = match flow.sealed_tokens {
        Some(sealed) => serde_json::from_slice(&seal(auth_code, &sealed))?,
        None => Sealed::default(),
    };
    let method = match &waiting.link {
        Some(linked) => {
            row = link(instance, &mut tx, account, linked, context).await?;
            IDENTITY_LINKED
        }
        None => &flow.method,
    };
    let session = sessions::start(instance, &mut tx, &mut row, method, context).await?;
    instance.commit(tx).await?;
    Ok(waiting.tokens.added_to(session))
}

/// Links the identity that was held back until the verifier was presented.
async fn link(
    instance: &Instance,
    conn: &mut PgConnection,
    account: Uuid,
    linked: &LinkOnExchange,
    context: &RequestContext,
) -> Outcome<AccountRow> {
    let Some(provider) = ProviderName::parse(&linked.provider) else {
        return refuse(FLOW_NOT_FOUND);
    };
    let external_user = ExternalUser { provider, profile: &linked.profile, challenge: None };
    let member = Member { account, session: linked.session };
    linking::link(instance, conn, member, &external_user, context).await
}
