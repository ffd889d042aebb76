//! `GET /character/v1/listModels`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
};
use limber_api::motion::ModelEntry;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ApiError, caller::Caller};
use crate::service::{Service, StockModel};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModelQuery {
    model_id: Option<String>,
    search_token: Option<String>,
    stock_model: Option<String>,
}

pub(super) async fn list_models(
    State(service): State<Arc<Service>>,
    _caller: Caller,
    query: Result<Query<ModelQuery>, QueryRejection>,
) -> Result<Json<Value>, ApiError> {
    let Query(query) = query.map_err(|_| ApiError::malformed("the query is not readable text"))?;
    let stock = query.stock_model.as_deref().filter(|word| !word.is_empty());
    let mut models: Vec<&StockModel> = service
        .stock
        .iter()
        .filter(|_| stock.is_some())
        .filter(|model| {
            !matches!(stock, Some("stock_maker" | "stock_game")) || Some(model.platform) == stock
        })
        .filter(|model| query.model_id.as_deref().is_none_or(|id| id == model.id.as_str()))
        .filter(|model| {
            query.search_token.as_deref().is_none_or(|token| contains(&model.name, token))
        })
        .collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    let entries: Vec<ModelEntry> = models.into_iter().map(|model| entry(&service, model)).collect();
    let list = serde_json::to_value(&entries).map_err(|_| ApiError::internal())?;
    Ok(Json(if service.list_models_wrapped {
        json!({ "count": entries.len(), "list": list })
    } else {
        list
    }))
}

fn contains(name: &str, token: &str) -> bool {
    name.to_lowercase().contains(&token.to_lowercase())
}

fn entry(service: &Service, model: &StockModel) -> ModelEntry {
    let stem = model.name.to_lowercase();
    ModelEntry {
        upper_id: model.id.clone(),
        id: model.id.clone(),
        name: model.name.clone(),
        thumb: model.portrait.get().map(|id| service.link(id, &format!("{stem}.png"))),
        glb: Some(service.link(&model.glb, &format!("{stem}.glb"))),
        rig_id: "vrm1".to_owned(),
        ctime: service.started_ms,
        mtime: service.started_ms,
        platform: model.platform.to_owned(),
    }
}
