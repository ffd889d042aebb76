//! Bearer token authentication and authorisation (identity behaviour, 2.3).

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use uuid::Uuid;

use super::answer::{Answer, ApiError};
use super::request_context::client_ip;
use crate::domain::audit::Actor;
use crate::instance::Instance;
use crate::refusal::{
    ACCOUNT_GONE, BANNED, NO_BEARER, NOT_ADMIN, SESSION_GONE, TOKEN_SUBJECT_NOT_UUID,
    TOKEN_WITHOUT_SUBJECT,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::whole_accounts::AccountDetails;
use crate::tokens::access::{Presented, verify};

/// Returns the token from `Authorization: Bearer …`.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// Verifies the access token, once per request: verification is its most expensive step, so the
/// result is cached for all extractors.
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

/// A user, authenticated by an access token.
pub(super) struct AuthenticatedUser {
    pub(super) row: AccountRow,
    pub(super) session: Option<Uuid>,
    pub(super) token_audience: Option<String>,
    pub(super) is_admin: bool,
}

impl FromRequestParts<Arc<Instance>> for AuthenticatedUser {
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

/// A user with everything that belongs to the account.
pub(super) struct UserWithDetails {
    pub(super) user: AuthenticatedUser,
    pub(super) details: AccountDetails,
}

impl FromRequestParts<Arc<Instance>> for UserWithDetails {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let token = present(parts, instance)?;
        let id = subject(&token)?;
        let found = {
            let mut conn = instance.pool.acquire().await?;
            store::whole_accounts::find(&mut conn, id).await?
        };
        let Some((row, details)) = found else { return Err(ACCOUNT_GONE.into()) };
        Ok(Self { user: admit(instance, &token, Some(row)).await?, details })
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
) -> Answer<AuthenticatedUser> {
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
    Ok(AuthenticatedUser {
        session: session.and_then(|id| id.parse().ok()),
        token_audience: token.audience().map(str::to_owned),
        is_admin: is_admin(instance, token.role.as_deref()) && is_admin(instance, Some(&row.role)),
        row,
    })
}

/// A caller whose token carries an administrator role and, if the token names an account, whose
/// account still has one.
pub(super) struct Administrator {
    pub(super) actor: Actor,
}

impl FromRequestParts<Arc<Instance>> for Administrator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let token = present(parts, instance)?;
        let role = administrators_role(instance, &token).await?;
        let ip = client_ip(parts, instance).map(|ip| ip.to_string());
        Ok(Self { actor: Actor::administrator(&role, ip) })
    }
}

/// Tells whether [`Administrator`] would accept the token. A failed lookup is an error, not a "no".
pub(super) async fn is_administrator(headers: &HeaderMap, instance: &Instance) -> Answer<bool> {
    let Some(token) = bearer(headers) else { return Ok(false) };
    let Ok(token) = verify(&instance.keys, token, instance.now()) else { return Ok(false) };
    match administrators_role(instance, &token).await {
        Ok(_) => Ok(true),
        Err(error) if error.is_refusal() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the administrator role of a token. A token is valid until it expires, but its privileges
/// are looked up, so that a demoted, banned or deleted administrator loses them at once. Tokens
/// issued by operators name no account, so there is nothing to look up.
async fn administrators_role(instance: &Instance, token: &Presented) -> Answer<String> {
    let Some(role) = token.role.as_deref().filter(|role| is_admin(instance, Some(role))) else {
        return Err(NOT_ADMIN.into());
    };
    // Operators' tokens have no session either, but a session that a token does name must exist.
    if let Some(id) = token.session_id.as_deref().filter(|id| !id.is_empty())
        && !session_is_live(instance, id).await?
    {
        return Err(SESSION_GONE.into());
    }
    let Some(account) = token.sub.as_deref().and_then(|sub| sub.parse::<Uuid>().ok()) else {
        return Ok(role.to_owned());
    };
    let found = {
        let mut conn = instance.pool.acquire().await?;
        store::accounts::find(&mut conn, account).await?
    };
    let Some(row) = found.filter(|row| row.deleted_at.is_none()) else {
        return Err(ACCOUNT_GONE.into());
    };
    if row.is_banned(instance.now()) {
        return Err(BANNED.into());
    }
    if !is_admin(instance, Some(&row.role)) {
        return Err(NOT_ADMIN.into());
    }
    Ok(row.role)
}

fn is_admin(instance: &Instance, role: Option<&str>) -> bool {
    role.is_some_and(|role| instance.config.jwt.admin_roles.iter().any(|known| known == role))
}
