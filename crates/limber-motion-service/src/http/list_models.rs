//! `GET /character/v1/listModels`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
};
use limber_api::motion::{ErrorBody, ModelEntry};
use serde::Deserialize;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;
use utoipa::IntoParams;

use super::{ApiError, caller::Caller, openapi::ModelsAnswer};
use crate::{models::model_id, service::Service, stock::StockModel, store::models::ModelRow};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct ModelQuery {
    /// Id of a single character.
    model_id: Option<String>,
    /// Text that the name must contain.
    search_token: Option<String>,
    /// Also lists stock characters: `stock_maker`, `stock_game` or `all`.
    stock_model: Option<String>,
}

/// Lists the characters that jobs can use.
#[utoipa::path(get, path = "/character/v1/listModels", tag = "Characters", security(("session" = []), ("bearer" = [])), params(ModelQuery),
    responses((status = 200, body = ModelsAnswer), (status = 400, body = ErrorBody)))]
pub(super) async fn list_models(
    State(service): State<Arc<Service>>,
    caller: Caller,
    query: Result<Query<ModelQuery>, QueryRejection>,
) -> Result<Json<Value>, ApiError> {
    let Query(query) = query.map_err(|_| ApiError::malformed("the query cannot be parsed"))?;
    let mut entries = Vec::new();
    for row in service.store.models_of(caller.account.as_str()).await? {
        if query.matches(&row.id, &row.name) {
            entries.push(own_entry(&service, &row)?);
        }
    }
    entries.extend(stock_models(&service, &query).into_iter().map(|model| entry(&service, model)));
    let list = serde_json::to_value(&entries).map_err(|_| ApiError::internal())?;
    Ok(Json(if service.list_models_wrapped {
        json!({ "count": entries.len(), "list": list })
    } else {
        list
    }))
}

impl ModelQuery {
    fn matches(&self, id: &str, name: &str) -> bool {
        self.model_id.as_deref().is_none_or(|wanted| wanted.trim() == id)
            && self.search_token.as_deref().is_none_or(|token| contains(name, token))
    }
}

/// Returns the stock characters that the query asks for, sorted by name.
fn stock_models<'a>(service: &'a Service, query: &ModelQuery) -> Vec<&'a StockModel> {
    let wanted = query.stock_model.as_deref().filter(|word| !word.is_empty());
    let mut models: Vec<&StockModel> = service
        .stock
        .models
        .iter()
        .filter(|model| match wanted {
            Some(family @ ("stock_maker" | "stock_game")) => model.platform == family,
            other => other.is_some(),
        })
        .filter(|model| query.matches(model.id.as_str(), &model.name))
        .collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}

/// Returns whether the name contains the token, ignoring case and Unicode compatibility forms.
fn contains(name: &str, token: &str) -> bool {
    let plain = |text: &str| text.nfkc().collect::<String>().to_lowercase();
    plain(name).contains(&plain(token))
}

fn own_entry(service: &Service, row: &ModelRow) -> Result<ModelEntry, ApiError> {
    let id = model_id(row)?;
    let thumb = row.thumb.as_deref();
    Ok(ModelEntry {
        upper_id: id.clone(),
        id,
        name: row.name.clone(),
        thumb: thumb.map(|thumb| service.link(thumb, &format!("{}.png", row.name))),
        glb: Some(service.link(&row.glb, &format!("{}.glb", row.name))),
        rig_id: row.rig_id.clone(),
        ctime: row.ctime,
        mtime: row.mtime,
        platform: "custom".to_owned(),
    })
}

fn entry(service: &Service, model: &StockModel) -> ModelEntry {
    let stem = model.name.to_lowercase();
    ModelEntry {
        upper_id: model.id.clone(),
        id: model.id.clone(),
        name: model.name.clone(),
        thumb: Some(service.link(&model.portrait, &format!("{stem}.png"))),
        glb: Some(service.link(&model.glb, &format!("{stem}.glb"))),
        rig_id: "vrm1".to_owned(),
        ctime: service.started_ms,
        mtime: service.started_ms,
        platform: model.platform.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn name_search_ignores_unicode_forms() {
        assert!(contains("My Héro", "HÉRO"));
        assert!(contains("My He\u{301}ro", "h\u{e9}ro"));
        assert!(contains("Ｈｅｒｏ ①", "hero 1"));
        assert!(contains("anything", ""));
        assert!(!contains("Hero", "zero"));
    }
}
