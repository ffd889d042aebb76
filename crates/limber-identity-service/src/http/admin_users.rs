//! `/admin/users` and `/admin/users/{user_id}` (identity behaviour, section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{Account, AccountList, AdminAccountRequest, ErrorCode};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::answer::{Answer, ApiError};
use super::body::RawBody;
use super::caller::Administrator;
use super::paging::{Paging, PagingHeaders};
use super::path::{self, Path};
use super::query::Query;
use crate::domain::address::{EmailAddress, PhoneNumber};
use crate::domain::administer;
use crate::instance::{Instance, RequestContext};
use crate::refusal::{ADMIN_BAD_ID, ADMIN_NOT_UUID, Refusal};
use crate::store::accounts::Page;

pub(super) fn parse_id(text: &str) -> Answer<Uuid> {
    Ok(path::id(text).ok_or(ADMIN_NOT_UUID)?)
}

/// Creates an account. No email is sent.
#[utoipa::path(post, path = "/admin/users", tag = "Administration", security(("administrator" = [])),
    request_body = AdminAccountRequest, responses((status = 200, body = Account)))]
pub(super) async fn create(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    context: RequestContext,
    body: RawBody,
) -> Answer<Json<Account>> {
    let raw: Value = body.json()?;
    if raw.get("id").is_some_and(|id| {
        !id.is_null() && id.as_str().and_then(|text| text.parse::<Uuid>().ok()).is_none()
    }) {
        return Err(ADMIN_BAD_ID.into());
    }
    let request: AdminAccountRequest = body.json()?;
    Ok(Json(administer::create(&instance, request, &context.aud, &by.actor).await?))
}

/// Creates an account with this id.
#[utoipa::path(post, path = "/admin/users/{user_id}", tag = "Administration", security(("administrator" = [])),
    params(("user_id" = Uuid, Path)), request_body = AdminAccountRequest,
    responses((status = 200, body = Account)))]
pub(super) async fn create_with_id(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    Path(id): Path<String>,
    context: RequestContext,
    body: RawBody,
) -> Answer<Json<Account>> {
    let id = parse_id(&id)?;
    let request = AdminAccountRequest { id: Some(id), ..body.json()? };
    Ok(Json(administer::create(&instance, request, &context.aud, &by.actor).await?))
}

/// Returns one account.
#[utoipa::path(get, path = "/admin/users/{user_id}", tag = "Administration", security(("administrator" = [])),
    params(("user_id" = Uuid, Path)), responses((status = 200, body = Account)))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path(id): Path<String>,
) -> Answer<Json<Account>> {
    Ok(Json(administer::get(&instance, parse_id(&id)?).await?))
}

/// Updates an account immediately, without confirmation.
#[utoipa::path(put, path = "/admin/users/{user_id}", tag = "Administration", security(("administrator" = [])),
    params(("user_id" = Uuid, Path)), request_body = AdminAccountRequest,
    responses((status = 200, body = Account)))]
pub(super) async fn update(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    Path(id): Path<String>,
    body: RawBody,
) -> Answer<Json<Account>> {
    let id = parse_id(&id)?;
    Ok(Json(administer::update(&instance, id, body.json()?, &by.actor).await?))
}

/// Options for deleting an account. The body may be omitted.
#[derive(Default, Deserialize, utoipa::ToSchema)]
struct DeleteRequest {
    /// Keep the id but erase the personal data.
    should_soft_delete: Option<bool>,
}

/// Deletes an account, or erases its personal data and keeps the id.
#[utoipa::path(delete, path = "/admin/users/{user_id}", tag = "Administration", security(("administrator" = [])),
    params(("user_id" = Uuid, Path)), request_body = DeleteRequest,
    responses((status = 200, description = "Always an empty object.", body = Value)))]
pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    by: Administrator,
    Path(id): Path<String>,
    body: RawBody,
) -> Answer<Json<Value>> {
    let id = parse_id(&id)?;
    let request: DeleteRequest = body.json_or_default()?;
    let softly = request.should_soft_delete == Some(true);
    administer::delete(&instance, id, softly, &by.actor).await?;
    Ok(Json(json!({})))
}

/// Lists one page of accounts. `X-Total-Count` and `Link` give the total and further pages.
#[utoipa::path(get, path = "/admin/users", tag = "Administration", security(("administrator" = [])),
    params(("page" = Option<u32>, Query, description = "Page number, starting at 1."),
        ("per_page" = Option<u32>, Query, description = "Default 50, maximum 1000."),
        ("filter" = Option<String>, Query, description = "Part of the address or the full name."),
        ("email" = Option<String>, Query, description = "Exactly this address."),
        ("phone" = Option<String>, Query, description = "Exactly this number."),
        ("sort" = Option<String>, Query, description = "`created_at asc` or `created_at desc`.")),
    responses((status = 200, body = AccountList)))]
pub(super) async fn list(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    query: Query,
    context: RequestContext,
) -> Answer<(PagingHeaders, Json<AccountList>)> {
    let paging = Paging::read(&query)?;
    let email = query.get("email").map(EmailAddress::parse).transpose()?;
    let phone = query.get("phone").map(PhoneNumber::parse).transpose()?;
    let page = Page {
        aud: &context.aud,
        filter: query.get("filter").unwrap_or_default(),
        email: email.as_ref().map(EmailAddress::as_str),
        phone: phone.as_ref().map(PhoneNumber::as_str),
        oldest_first: oldest_first(&query)?,
        limit: paging.limit,
        offset: paging.offset(),
    };
    let (users, total) = administer::list(&instance, &page).await?;
    let headers = paging.headers("/admin/users", total);
    Ok((headers, Json(AccountList { users, aud: context.aud })))
}

fn oldest_first(query: &Query) -> Answer<bool> {
    let bad = || -> ApiError {
        let text = "Bad Sort Parameters: only created_at, with asc or desc, can be sorted by";
        Refusal::new(400, ErrorCode::ValidationFailed, text).into()
    };
    let Some(text) = query.get("sort") else { return Ok(false) };
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["created_at", "asc"] => Ok(true),
        ["created_at"] | ["created_at", "desc"] => Ok(false),
        _ => Err(bad()),
    }
}
