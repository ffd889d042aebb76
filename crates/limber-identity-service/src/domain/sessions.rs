//! Sessions: starting, describing, listing and ending them.

use limber_api::identity::{Account, LogoutScope, OwnSession, SessionResponse};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::audit::{self, Action, Actor};
use super::{accounts, factors};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{Outcome, SESSIONS_NEED_AAL2, refuse};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::sessions::SessionRow;
use crate::tokens::access::{Claims, sign};
use crate::tokens::refresh::RefreshToken;

/// `amr` methods of sessions that begin by adding something new to the account. They prove
/// possession of the new address or identity, and of nothing that the account had before.
pub(crate) const CHANGE_METHODS: [&str; 3] = ["phone_change", "email_change", IDENTITY_LINKED];
pub(crate) const IDENTITY_LINKED: &str = "identity_linked";

/// Signs the account in by starting a session. `method` goes into the `amr` claim.
pub(crate) async fn start(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    method: &str,
    context: &RequestContext,
) -> Outcome<SessionResponse> {
    let now = instance.now();
    let session = SessionRow {
        id: instance.random.uuid(),
        account_id: row.id,
        aal: "aal1".to_owned(),
        amr: json!([{"method": method, "timestamp": now.timestamp()}]),
        user_agent: context.user_agent.clone(),
        ip: context.ip.clone(),
        created_at: now,
        refreshed_at: now,
        factor_id: None,
    };
    store::sessions::insert(conn, &session).await?;
    store::sessions::end_surplus(conn, &session).await?;
    let token = RefreshToken::new(&*instance.random);
    store::refresh_tokens::insert(conn, session.id, &token.hash(), None, now).await?;
    store::accounts::set_last_sign_in(conn, row.id, now).await?;
    row.last_sign_in_at = Some(now);
    row.updated_at = now;
    if !matches!(method, "oauth" | IDENTITY_LINKED) {
        let provider = if row.email.is_some() { "email" } else { "phone" };
        store::identities::set_last_sign_in(conn, row.id, provider, now).await?;
    }
    let traits = json!({"provider": method});
    audit::note(instance, conn, &Actor::of(row, context), Action::Login, traits).await?;
    answer(instance, conn, row, &session, &token).await
}

/// Returns the session response with a new access token.
pub(crate) async fn answer(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &AccountRow,
    session: &SessionRow,
    refresh_token: &RefreshToken,
) -> Outcome<SessionResponse> {
    let user = accounts::record(conn, row).await?;
    answer_with(instance, row, user, session, refresh_token)
}

/// Like [`answer`], for an account record that has already been read.
pub(crate) fn answer_with(
    instance: &Instance,
    row: &AccountRow,
    user: Account,
    session: &SessionRow,
    refresh_token: &RefreshToken,
) -> Outcome<SessionResponse> {
    let jwt = &instance.config.jwt;
    let issued = instance.now().timestamp();
    let lifetime = i64::try_from(jwt.lifetime.as_secs()).unwrap_or(i64::MAX / 2);
    let claims = Claims {
        iss: &jwt.issuer,
        sub: row.id.to_string(),
        aud: &row.aud,
        exp: issued + lifetime,
        iat: issued,
        email: &user.email,
        phone: &user.phone,
        app_metadata: &user.app_metadata,
        user_metadata: &user.user_metadata,
        role: &row.role,
        aal: &session.aal,
        amr: &session.amr,
        session_id: session.id.to_string(),
        is_anonymous: row.is_anonymous,
    };
    Ok(SessionResponse {
        access_token: sign(&instance.keys, &claims)?,
        token_type: "bearer".to_owned(),
        expires_in: lifetime,
        expires_at: issued + lifetime,
        refresh_token: refresh_token.to_text(),
        user,
        kind: None,
        weak_password: None,
        provider_token: None,
        provider_refresh_token: None,
    })
}

/// Reads the caller's session, if it still exists, and tells whether the caller may end others: not
/// if the account has a second factor that the session has not verified. Tokens issued by operators
/// have no session and may.
async fn read_own(
    conn: &mut PgConnection,
    account: Uuid,
    session: Option<Uuid>,
) -> Outcome<(Option<Uuid>, bool)> {
    let Some(id) = session else { return Ok((None, true)) };
    let found = store::sessions::find(conn, id).await?;
    let live = found.filter(|row| row.account_id == account);
    let may_end_others = !factors::lacks_factor(conn, account, live.as_ref()).await?;
    Ok((live.map(|row| row.id), may_end_others))
}

/// Ends sessions of the account according to `scope`. If the token's own session no longer exists,
/// only `global` ends others, provided the caller may: the session may have been ended to make room
/// for a new one, and signing out of it must not sign out everybody.
pub(crate) async fn end(
    instance: &Instance,
    account: &AccountRow,
    session: Option<Uuid>,
    scope: LogoutScope,
    context: &RequestContext,
) -> Outcome<()> {
    let mut tx = instance.begin().await?;
    let (live, may_end_others) = read_own(&mut tx, account.id, session).await?;
    let scope = match scope {
        LogoutScope::Others if !may_end_others => return refuse(SESSIONS_NEED_AAL2),
        // The default of SDKs, whose users must always be able to sign out.
        LogoutScope::Global if !may_end_others => LogoutScope::Local,
        allowed => allowed,
    };
    match (scope, live) {
        (LogoutScope::Local, Some(id)) => {
            store::sessions::delete_one(&mut tx, account.id, id).await?;
        }
        (LogoutScope::Others, Some(id)) => {
            store::sessions::delete_all_but(&mut tx, account.id, Some(id)).await?;
        }
        (LogoutScope::Local | LogoutScope::Others, None) if session.is_some() => {}
        _ if may_end_others => {
            store::sessions::delete_all_but(&mut tx, account.id, None).await?;
        }
        _ => {}
    }
    let traits = json!({"scope": scope.as_str()});
    audit::note(instance, &mut tx, &Actor::of(account, context), Action::Logout, traits).await?;
    Ok(tx.commit().await?)
}

/// Lists the account's sessions. `asking` is the session of the caller.
pub(crate) async fn list(
    instance: &Instance,
    account: Uuid,
    asking: Option<Uuid>,
) -> Outcome<Vec<OwnSession>> {
    let mut conn = instance.pool.acquire().await?;
    let rows = store::sessions::of_account(&mut conn, account).await?;
    let describe = |row: SessionRow| OwnSession {
        id: row.id,
        created_at: row.created_at,
        refreshed_at: row.refreshed_at,
        user_agent: row.user_agent.unwrap_or_default(),
        ip: row.ip.unwrap_or_default(),
        aal: row.aal,
        current: asking == Some(row.id),
    };
    Ok(rows.into_iter().map(describe).collect())
}

/// Ends one of the account's own sessions. `asking` is the session of the caller. Returns false if
/// the account has no session with this id.
pub(crate) async fn end_one(
    instance: &Instance,
    account: &AccountRow,
    asking: Option<Uuid>,
    session: Uuid,
    context: &RequestContext,
) -> Outcome<bool> {
    let mut tx = instance.begin().await?;
    let (_, may_end_others) = read_own(&mut tx, account.id, asking).await?;
    if asking != Some(session) && !may_end_others {
        return refuse(SESSIONS_NEED_AAL2);
    }
    let ended = store::sessions::delete_one(&mut tx, account.id, session).await?;
    if ended {
        let traits = json!({"session_id": session});
        audit::note(instance, &mut tx, &Actor::of(account, context), Action::Logout, traits)
            .await?;
    }
    tx.commit().await?;
    Ok(ended)
}
