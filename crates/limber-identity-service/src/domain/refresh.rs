//! Exchanging a refresh token (identity behaviour, section 8).
//!
//! The tokens of a session form one chain with one active link. Presenting the active link
//! retires it and makes a child. Presenting its parent again within the reuse interval gives
//! that same child, because answers get lost; presenting anything older ends the whole family,
//! because then two parties hold the chain.

use std::time::Duration;

use chrono::{DateTime, Utc};
use limber_api::identity::SessionResponse;
use serde_json::json;
use sqlx::PgConnection;

use super::audit::{self, Action, Actor};
use super::sessions;
use crate::instance::{Asker, Instance};
use crate::refusal::{
    Outcome, REFRESH_BANNED, REFRESH_CONTENDED, REFRESH_EXPIRED, REFRESH_INACTIVE,
    REFRESH_MALFORMED, REFRESH_NO_SESSION, REFRESH_NOT_FOUND, REFRESH_REPLACED, REFRESH_USED,
    refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::refresh_tokens::RefreshTokenRow;
use crate::store::sessions::SessionRow;
use crate::tokens::refresh::RefreshToken;

/// How long exchanges of one session wait for each other.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(15);
/// Shorter texts are not tokens of any kind.
const MIN_TOKEN_LENGTH: usize = 12;

/// What became of a presented token.
enum Exchange {
    Done(Box<SessionResponse>),
    /// Somebody else exchanges a token of the same session right now.
    Busy,
}

pub(crate) async fn refresh(
    instance: &Instance,
    token: &str,
    asker: &Asker,
) -> Outcome<SessionResponse> {
    if token.len() < MIN_TOKEN_LENGTH {
        return refuse(REFRESH_MALFORMED);
    }
    let Some(token) = RefreshToken::parse(token) else { return refuse(REFRESH_NOT_FOUND) };
    let attempts = async {
        loop {
            // each attempt returns its connection before the pause
            if let Exchange::Done(answer) = attempt(instance, &token, asker).await? {
                return Ok(*answer);
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(PATIENCE, attempts).await.unwrap_or_else(|_| refuse(REFRESH_CONTENDED))
}

async fn attempt(instance: &Instance, token: &RefreshToken, asker: &Asker) -> Outcome<Exchange> {
    let mut tx = instance.begin().await?;
    let Some(link) = store::refresh_tokens::find(&mut tx, &token.hash()).await? else {
        return refuse(REFRESH_NOT_FOUND);
    };
    let Some(session) = store::sessions::try_lock(&mut tx, link.session_id).await? else {
        return match store::sessions::find(&mut tx, link.session_id).await? {
            Some(_) => Ok(Exchange::Busy),
            None => refuse(REFRESH_NOT_FOUND),
        };
    };
    // read again under the lock: the winner of a race may have retired it
    let Some(link) = store::refresh_tokens::find(&mut tx, &token.hash()).await? else {
        return refuse(REFRESH_NOT_FOUND);
    };
    let Some(account) = store::accounts::find(&mut tx, session.account_id).await? else {
        return refuse(REFRESH_NO_SESSION);
    };
    check_limits(instance, &mut tx, &session, &account).await?;
    let next = match successor(instance, &mut tx, token, &link).await? {
        Some(next) => next,
        None => {
            end_family(instance, &mut tx, &session).await?;
            // the answer is an error, and still what was done must stay
            tx.commit().await?;
            return refuse(REFRESH_USED);
        }
    };
    let (agent, ip) = (asker.user_agent.as_deref(), asker.ip.as_deref());
    store::sessions::set_refreshed(&mut tx, session.id, instance.now(), agent, ip).await?;
    let entries = [(Action::TokenRevoked, json!({})), (Action::TokenRefreshed, json!({}))];
    audit::note_all(instance, &mut tx, &Actor::of(&account, asker), &entries).await?;
    let answer = sessions::answer(instance, &mut tx, &account, &session, &next).await?;
    tx.commit().await?;
    Ok(Exchange::Done(Box::new(answer)))
}

/// The token to hand out for `token`; `None` when presenting it was reuse.
async fn successor(
    instance: &Instance,
    conn: &mut PgConnection,
    token: &RefreshToken,
    link: &RefreshTokenRow,
) -> Outcome<Option<RefreshToken>> {
    let now = instance.now();
    let Some(revoked_at) = link.revoked_at else {
        let child = RefreshToken::new(&*instance.chance);
        store::refresh_tokens::revoke(conn, link.id, &token.seal(&child), now).await?;
        store::refresh_tokens::insert(conn, link.session_id, &child.hash(), Some(link.id), now)
            .await?;
        return Ok(Some(child));
    };
    let interval = instance.config.sessions.reuse_interval;
    let recent = (now - revoked_at).to_std().map_or(true, |age| age <= interval);
    let parent = store::refresh_tokens::active_parent(conn, link.session_id).await?;
    if !recent || parent != Some(link.id) {
        return Ok(None);
    }
    let Some(sealed) = link.sealed_child.as_deref() else {
        // a second factor was given since: its session goes to whoever gave it, and asking with
        // what was there before is no attack
        return refuse(REFRESH_USED);
    };
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
