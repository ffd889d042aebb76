//! Refresh token rotation (identity behaviour, section 8).
//!
//! The tokens of a session form a chain with one active token. Presenting the active token revokes
//! it and creates a successor. Presenting its direct predecessor again within the reuse interval
//! returns the same successor, because responses get lost. Presenting it later, or anything older,
//! revokes the whole family, because then two parties hold tokens of the chain. Two cases are
//! refused without revoking anything:
//!
//! - any reuse, if rotation is switched off (`end_on_reuse`);
//! - a direct predecessor that was replaced when a second factor was verified, for as long as a
//!   retry would otherwise be accepted. Its successor went to whoever verified the factor.
//!
//! A database that hangs or is killed may commit a transaction without confirming it. The old token
//! is then revoked although the new one was never sent; a client that presents the old one again,
//! however late, is not an attacker. Each exchange is therefore marked as unanswered in its own
//! transaction and as answered only once nothing can replace its response any more. The reuse
//! interval of a few seconds covers responses lost on their way to the client, whereas an outage can
//! last any length of time.

use std::time::Duration;

use chrono::{DateTime, Utc};
use limber_api::identity::SessionResponse;
use serde_json::json;
use sqlx::PgConnection;

use super::audit::{self, Action, Actor};
use super::{accounts, sessions};
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::{
    Outcome, REFRESH_BANNED, REFRESH_CONTENDED, REFRESH_EXPIRED, REFRESH_INACTIVE,
    REFRESH_MALFORMED, REFRESH_NO_SESSION, REFRESH_NOT_FOUND, REFRESH_REPLACED, REFRESH_USED,
    Refusal, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::sessions::SessionRow;
use crate::store::whole_accounts::PresentedLink;
use crate::tokens::refresh::RefreshToken;

/// How long an exchange waits for concurrent exchanges of the same session.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a response waits for its exchange to be marked as answered.
const NOTE_TIMEOUT: Duration = Duration::from_secs(2);
const RETRY_INTERVAL: Duration = Duration::from_millis(15);
/// Minimum length of a token of any kind, in bytes.
const MIN_TOKEN_LENGTH: usize = 12;

/// The outcome of one attempt.
enum Attempt {
    Done(Box<Refreshed>),
    /// Another request is exchanging a token of the same session.
    Busy,
}

/// A session with its new tokens.
pub(crate) struct Refreshed {
    pub(crate) session: SessionResponse,
    /// `None` if the token had been exchanged before.
    pub(crate) exchange: Option<Exchange>,
}

/// An exchange that has been committed but not yet answered. Travels with the response until that
/// is final.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exchange {
    /// The token that was presented.
    link: i64,
}

impl Exchange {
    /// Marks the exchange as answered. To be called when the response can no longer be replaced by
    /// an error: a database that hangs may execute this statement much later. If it fails, the old
    /// token is accepted until the new one is used, which is better than withdrawing the response.
    pub(crate) async fn note_answered(self, instance: &Instance) {
        let noted = async {
            let mut conn = instance.pool.acquire().await?;
            store::refresh_tokens::set_answered(&mut conn, self.link).await
        };
        match tokio::time::timeout(NOTE_TIMEOUT, noted).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(?error, "an exchanged refresh token is accepted for longer");
            }
            Err(_) => tracing::warn!(
                "the database does not answer; an exchanged refresh token is accepted for longer"
            ),
        }
    }
}

/// Exchanges a refresh token. While another request exchanges a token of the same session, waits for
/// it, but not if `is_hurried`.
pub(crate) async fn refresh(
    instance: &Instance,
    token: &str,
    context: &RequestContext,
    is_hurried: bool,
) -> Outcome<Refreshed> {
    if token.len() < MIN_TOKEN_LENGTH {
        return refuse(REFRESH_MALFORMED);
    }
    let Some(token) = RefreshToken::parse(token) else { return refuse(REFRESH_NOT_FOUND) };
    // The time limit applies only after the database has reported contention; an unresponsive
    // database is not contention.
    let patience = if is_hurried { Duration::ZERO } else { EXCHANGE_TIMEOUT };
    let mut over = std::pin::pin!(tokio::time::sleep(patience));
    loop {
        // Each attempt returns its connection to the pool before the pause.
        if let Attempt::Done(refreshed) = attempt(instance, &token, context).await? {
            return Ok(*refreshed);
        }
        tokio::select! {
            biased;
            () = &mut over => return refuse(REFRESH_CONTENDED),
            () = tokio::time::sleep(RETRY_INTERVAL) => {}
        }
    }
}

async fn attempt(
    instance: &Instance,
    token: &RefreshToken,
    context: &RequestContext,
) -> Outcome<Attempt> {
    let mut tx = instance.begin().await?;
    let Some(link) = store::whole_accounts::try_lock_link(&mut tx, &token.hash()).await? else {
        return match store::refresh_tokens::is_known(&mut tx, &token.hash()).await? {
            true => Ok(Attempt::Busy),
            false => refuse(REFRESH_NOT_FOUND),
        };
    };
    if link.account.deleted_at.is_some() {
        return refuse(REFRESH_NO_SESSION);
    }
    check_limits(instance, &mut tx, &link.session, &link.account).await?;
    let exchange = link.revoked_at.is_none().then_some(Exchange { link: link.id });
    count(instance, &link.session, exchange)?;
    let next = match successor(instance, &mut tx, token, &link, context).await? {
        Some(next) => next,
        None => {
            end_family(instance, &mut tx, &link.session).await?;
            // Commit although the answer is an error, so that the revocation takes effect.
            tx.commit().await?;
            return refuse(REFRESH_USED);
        }
    };
    let entries = [(Action::TokenRevoked, json!({})), (Action::TokenRefreshed, json!({}))];
    audit::note_all(instance, &mut tx, &Actor::of(&link.account, context), &entries).await?;
    let user = accounts::describe_whole(&link.account, link.details);
    let session = sessions::answer_with(instance, &link.account, user, &link.session, &next)?;
    tx.commit().await?;
    Ok(Attempt::Done(Box::new(Refreshed { session, exchange })))
}

/// Counts an exchange against the session, because each leaves rows. Over the limit it is refused as
/// contention, which does not end the session. The sessions of an account count separately, so that
/// whoever knows only the password cannot use up the refreshes of those with a second factor.
/// Repeated exchanges count separately from first ones, so that a lost answer is repeated even then.
fn count(instance: &Instance, session: &SessionRow, exchange: Option<Exchange>) -> Outcome<()> {
    let kind = if exchange.is_some() { "exchange" } else { "repeat" };
    let key = format!("{kind}/{}", session.id);
    match instance.rate_limiter.check(Endpoint::Token, &key, instance.now()) {
        Ok(()) => Ok(()),
        Err(full) => refuse(Refusal { retry_after_s: full.retry_after_s, ..REFRESH_CONTENDED }),
    }
}

/// Returns the token to hand out for `token`, or `None` if presenting it was reuse.
async fn successor(
    instance: &Instance,
    conn: &mut PgConnection,
    token: &RefreshToken,
    link: &PresentedLink,
    context: &RequestContext,
) -> Outcome<Option<RefreshToken>> {
    let now = instance.now();
    let (agent, ip) = (context.user_agent.as_deref(), context.ip.as_deref());
    let Some(revoked_at) = link.revoked_at else {
        let child = RefreshToken::new(&*instance.random);
        let (sealed, hash) = (token.seal(&child), child.hash());
        store::refresh_tokens::exchange(conn, link.id, &sealed, &hash, now, agent, ip).await?;
        return Ok(Some(child));
    };
    let interval = instance.config.sessions.reuse_interval;
    let recent = (now - revoked_at).to_std().map_or(true, |age| age <= interval) || !link.answered;
    let parent = store::refresh_tokens::active_parent(conn, link.session.id).await?;
    if !recent || parent != Some(link.id) {
        return Ok(None);
    }
    let Some(sealed) = link.sealed_child.as_deref() else {
        // The token was replaced when a second factor was verified. The session now belongs to
        // whoever verified it, and presenting the earlier token is not an attack.
        return refuse(REFRESH_USED);
    };
    store::sessions::set_refreshed(conn, link.session.id, now, agent, ip).await?;
    Ok(token.open(sealed))
}

async fn end_family(
    instance: &Instance,
    conn: &mut PgConnection,
    session: &SessionRow,
) -> Outcome<()> {
    if instance.config.sessions.end_on_reuse {
        tracing::warn!(
            session.id = %session.id, account.id = %session.account_id,
            "a refresh token was presented again too late; its session was ended"
        );
        store::refresh_tokens::revoke_family(conn, session.id, instance.now()).await?;
    }
    Ok(())
}

async fn check_limits(
    instance: &Instance,
    conn: &mut PgConnection,
    session: &SessionRow,
    account: &AccountRow,
) -> Outcome<()> {
    let (rules, now) = (&instance.config.sessions, instance.now());
    if account.is_banned(now) {
        return refuse(REFRESH_BANNED);
    }
    let older_than = |since: DateTime<Utc>, limit: Option<Duration>| {
        limit.is_some_and(|limit| (now - since).to_std().is_ok_and(|age| age > limit))
    };
    if older_than(session.created_at, rules.timebox) {
        return refuse(REFRESH_EXPIRED);
    }
    if older_than(session.refreshed_at, rules.inactivity) {
        return refuse(REFRESH_INACTIVE);
    }
    if rules.single_per_account && store::sessions::newer_exists(conn, session).await? {
        return refuse(REFRESH_REPLACED);
    }
    Ok(())
}
