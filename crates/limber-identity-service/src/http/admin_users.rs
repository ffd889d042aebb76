//! `/admin/users` and `/admin/users/{user_id}` (identity behaviour, section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, header};
use limber_api::identity::{Account, AccountList, AdminAccountRequest, ErrorCode};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::answer::{Answer, ApiError};
use super::body::RawBody;
use super::caller::Administrator;
use super::query::Query;
use crate::domain::administer;
use crate::instance::{Asker, Instance};
use crate::refusal::{ADMIN_BAD_ID, ADMIN_NOT_UUID, Refusal};
use crate::store::accounts::Page;

const DEFAULT_PER_PAGE: i64 = 50;
const MAX_PER_PAGE: i64 = 1000;

pub(super) fn parse_id(text: &str) -> Answer<Uuid> {
    Ok(text.parse().map_err(|_| ADMIN_NOT_UUID)?)
}

pub(super) async fn create(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    asker: Asker,
    body: RawBody,
) -> Answer<Json<Account>> {
    let raw: Value = body.json()?;
    if raw.get("id").is_some_and(|id| {
        !id.is_null() && id.as_str().and_then(|text| text.parse::<Uuid>().ok()).is_none()
    }) {
        return Err(ADMIN_BAD_ID.into());
    }
    let request: AdminAccountRequest = body.json()?;
    Ok(Json(administer::create(&instance, request, &asker.aud).await?))
}

pub(super) async fn create_with_id(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path(id): Path<String>,
    asker: Asker,
    body: RawBody,
) -> Answer<Json<Account>> {
    let id = parse_id(&id)?;
    let request = AdminAccountRequest { id: Some(id), ..body.json()? };
    Ok(Json(administer::create(&instance, request, &asker.aud).await?))
}

pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path(id): Path<String>,
) -> Answer<Json<Account>> {
    Ok(Json(administer::get(&instance, parse_id(&id)?).await?))
}

pub(super) async fn update(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path(id): Path<String>,
    body: RawBody,
) -> Answer<Json<Account>> {
    let id = parse_id(&id)?;
    Ok(Json(administer::update(&instance, id, body.json()?).await?))
}

#[derive(Default, Deserialize)]
struct DeleteRequest {
    should_soft_delete: Option<bool>,
}

pub(super) async fn delete(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    Path(id): Path<String>,
    body: RawBody,
) -> Answer<Json<Value>> {
    let id = parse_id(&id)?;
    let request: DeleteRequest = body.json_or_default()?;
    administer::delete(&instance, id, request.should_soft_delete == Some(true)).await?;
    Ok(Json(json!({})))
}

/// `X-Total-Count` and `Link`, which the client's paging reads.
type PagingHeaders = [(HeaderName, String); 2];

pub(super) async fn list(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    query: Query,
    asker: Asker,
) -> Answer<(PagingHeaders, Json<AccountList>)> {
    let number = number(&query, "page", 1)?;
    let per_page = self::number(&query, "per_page", DEFAULT_PER_PAGE)?.min(MAX_PER_PAGE);
    let page = Page {
        aud: &asker.aud,
        filter: query.get("filter").unwrap_or_default(),
        oldest_first: oldest_first(&query)?,
        limit: per_page,
        offset: (number - 1).saturating_mul(per_page),
    };
    let (users, total) = administer::list(&instance, &page).await?;
    let headers = [
        (HeaderName::from_static("x-total-count"), total.to_string()),
        (header::LINK, links(number, per_page, total)),
    ];
    Ok((headers, Json(AccountList { users, aud: asker.aud })))
}

fn number(query: &Query, name: &str, default: i64) -> Answer<i64> {
    let Some(text) = query.get(name) else { return Ok(default) };
    match text.parse::<i64>() {
        Ok(0) => Ok(default),
        Ok(number) if number > 0 => Ok(number),
        _ => {
            let text = format!("Bad Pagination Parameters: {name} must be a positive number");
            Err(Refusal::with_text(400, ErrorCode::ValidationFailed, text).into())
        }
    }
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

/// The client reads what follows the first `=` of each link, so `page` comes first.
fn links(page: i64, per_page: i64, total: i64) -> String {
    let last = ((total + per_page - 1) / per_page).max(1);
    let link = |page: i64, rel: &str| {
        format!("</admin/users?page={page}&per_page={per_page}>; rel=\"{rel}\"")
    };
    let mut links = Vec::new();
    if page < last {
        links.push(link(page + 1, "next"));
    }
    links.push(link(last, "last"));
    links.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_name_the_next_and_the_last_page() {
        assert_eq!(
            links(1, 10, 41),
            "</admin/users?page=2&per_page=10>; rel=\"next\", \
             </admin/users?page=5&per_page=10>; rel=\"last\""
        );
        assert_eq!(links(5, 10, 41), "</admin/users?page=5&per_page=10>; rel=\"last\"");
        assert_eq!(links(1, 50, 0), "</admin/users?page=1&per_page=50>; rel=\"last\"");
    }
}
