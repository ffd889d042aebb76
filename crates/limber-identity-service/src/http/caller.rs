//! Bearer tokens: who may pass (identity behaviour, 2.3).

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use uuid::Uuid;

use super::answer::{Answer, ApiError};
use super::asker::client_ip;
use crate::domain::audit::Actor;
use crate::instance::Instance;
use crate::refusal::{
    ACCOUNT_GONE, BANNED, NO_BEARER, NOT_ADMIN, SESSION_GONE, TOKEN_SUBJECT_NOT_UUID,
    TOKEN_WITHOUT_SUBJECT,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::whole_accounts::Belongings;
use crate::tokens::access::{Presented, verify};

/// The token of `Authorization: Bearer …`.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// Verified once for all who ask in one request: that costs more than all the rest.
pub(super) fn present(parts: &mut Parts, instance: &Instance) -> Answer<Arc<Presented>> {
    if let Some(known) = parts.extensions.get::<Arc<Presented>>() {
        return Ok(Arc::clone(known));
    }
    let Some(token) = bearer(&parts.headers) else { return Err(NO_BEARER.into()) };
    let presented = Arc::new(verify(&instance.keys, token, instance.now())?);
    parts.extensions.insert(Arc::clone(&presented));
    Ok(presented)
}

async fn session_is_live(instance: &Instance, id: &str) -> Answer<bool> {
    let Ok(id) = id.parse::<Uuid>() else { return Ok(false) };
    let mut conn = instance.pool.acquire().await?;
    Ok(store::sessions::find(&mut conn, id).await?.is_some())
}

/// A person with an access token.
pub(super) struct Person {
    pub(super) row: AccountRow,
    pub(super) session: Option<Uuid>,
    pub(super) token_audience: Option<String>,
    pub(super) is_admin: bool,
}

impl FromRequestParts<Arc<Instance>> for Person {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let token = present(parts, instance)?;
        let id = subject(&token)?;
        let found = {
            let mut conn = instance.pool.acquire().await?;
            store::accounts::find(&mut conn, id).await?
        };
        admit(instance, &token, found).await
    }
}

/// A person with an access token, and all that is known of them.
pub(super) struct WholePerson {
    pub(super) person: Person,
    pub(super) belongings: Belongings,
}

impl FromRequestParts<Arc<Instance>> for WholePerson {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let token = present(parts, instance)?;
        let id = subject(&token)?;
        let found = {
            let mut conn = instance.pool.acquire().await?;
            store::whole_accounts::find(&mut conn, id).await?
        };
        let Some((row, belongings)) = found else { return Err(ACCOUNT_GONE.into()) };
        Ok(Self { person: admit(instance, &token, Some(row)).await?, belongings })
    }
}

fn subject(token: &Presented) -> Answer<Uuid> {
    let subject = token.sub.as_deref().filter(|sub| !sub.is_empty());
    let Some(subject) = subject else { return Err(TOKEN_WITHOUT_SUBJECT.into()) };
    Ok(subject.parse().map_err(|_| TOKEN_SUBJECT_NOT_UUID)?)
}

async fn admit(
    instance: &Instance,
    token: &Presented,
    found: Option<AccountRow>,
) -> Answer<Person> {
    let Some(row) = found.filter(|row| row.deleted_at.is_none()) else {
        return Err(ACCOUNT_GONE.into());
    };
    let session = token.session_id.as_deref().filter(|id| !id.is_empty());
    if instance.config.sessions.access_needs_session
        && let Some(id) = session
        && !session_is_live(instance, id).await?
    {
        return Err(SESSION_GONE.into());
    }
    if row.is_banned(instance.now()) {
        return Err(BANNED.into());
    }
    Ok(Person {
        session: session.and_then(|id| id.parse().ok()),
        token_audience: token.audience().map(str::to_owned),
        is_admin: is_admin(instance, token),
        row,
    })
}

/// Somebody whose token carries one of the administrators' roles.
pub(super) struct Administrator {
    pub(super) actor: Actor,
}

impl FromRequestParts<Arc<Instance>> for Administrator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let token = present(parts, instance)?;
        if !is_admin(instance, &token) {
            return Err(NOT_ADMIN.into());
        }
        // tokens minted by operators have no session; one that names a session must still have it
        if let Some(id) = token.session_id.as_deref().filter(|id| !id.is_empty())
            && !session_is_live(instance, id).await?
        {
            return Err(SESSION_GONE.into());
        }
        let role = token.role.as_deref().unwrap_or_default();
        let ip = client_ip(parts).map(|ip| ip.to_string());
        Ok(Self { actor: Actor::administrator(role, ip) })
    }
}

/// True for a token that [`Administrator`] would let through.
pub(super) async fn is_administrator(headers: &HeaderMap, instance: &Instance) -> bool {
    let Some(token) = bearer(headers) else { return false };
    let Ok(token) = verify(&instance.keys, token, instance.now()) else { return false };
    match token.session_id.as_deref().filter(|id| !id.is_empty()) {
        _ if !is_admin(instance, &token) => false,
        Some(id) => session_is_live(instance, id).await.unwrap_or(false),
        None => true,
    }
}

fn is_admin(instance: &Instance, token: &Presented) -> bool {
    token.role.as_ref().is_some_and(|role| instance.config.jwt.admin_roles.contains(role))
}
