//! `GET /admin/audit`: audit log entries, newest first (identity behaviour, section 10).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{AuditEntry, ErrorCode};

use super::answer::Answer;
use super::caller::Administrator;
use super::paging::{Paging, PagingHeaders};
use super::query::Query;
use crate::instance::Instance;
use crate::refusal::Refusal;
use crate::store::audit_entries::{self, Filter};

/// Lists audit log entries, newest first.
#[utoipa::path(get, path = "/admin/audit", tag = "Administration", security(("administrator" = [])),
    params(("page" = Option<u32>, Query, description = "Page number, starting at 1."),
        ("per_page" = Option<u32>, Query, description = "Default 50, maximum 1000."),
        ("query" = Option<String>, Query, description = "`author:x`, `action:x` or `type:x`.")),
    responses((status = 200, body = Vec<AuditEntry>)))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    _: Administrator,
    query: Query,
) -> Answer<(PagingHeaders, Json<Vec<AuditEntry>>)> {
    let paging = Paging::read(&query)?;
    let (fields, text) = scope(query.get("query").unwrap_or_default())?;
    let filter = Filter { fields: &fields, text };
    let mut conn = instance.pool.acquire().await?;
    let total = audit_entries::count(&mut conn, &filter).await?;
    let rows = audit_entries::list(&mut conn, &filter, paging.limit, paging.offset()).await?;
    let entries = rows
        .into_iter()
        .map(|row| AuditEntry {
            id: row.id,
            payload: row.payload,
            created_at: row.created_at,
            ip_address: row.ip_address,
        })
        .collect();
    Ok((paging.headers("/admin/audit", total), Json(entries)))
}

/// Parses a query such as `author:ann`, which searches the actor's names for `ann`. Returns the
/// payload fields to search and the text to find.
fn scope(query: &str) -> Answer<(Vec<String>, &str)> {
    let (scope, text) = query.split_once(':').unwrap_or((query, ""));
    let fields: &[&str] = match scope {
        "" if text.is_empty() => &[],
        "author" => &["actor_username", "actor_name"],
        "action" => &["action"],
        "type" => &["log_type"],
        other => {
            let text = format!("Invalid query scope: {other:.40}");
            return Err(Refusal::with_text(400, ErrorCode::ValidationFailed, text).into());
        }
    };
    Ok((fields.iter().map(ToString::to_string).collect(), text))
}
