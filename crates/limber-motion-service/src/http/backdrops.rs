//! `GET /job/v1/backdrops`: lists the backdrops for videos.

use std::sync::Arc;

use axum::{Json, extract::State};
use limber_api::motion::{BackdropEntry, BackdropList};

use super::caller::Caller;
use crate::{service::Service, stock::StockBackdrop};

/// Lists the backdrops that a video can have.
#[utoipa::path(get, path = "/job/v1/backdrops", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    responses((status = 200, body = BackdropList)))]
pub(super) async fn backdrops(
    State(service): State<Arc<Service>>,
    _: Caller,
) -> Json<BackdropList> {
    let entry = |StockBackdrop { backdrop, thumb }: &StockBackdrop| BackdropEntry {
        name: backdrop.name.to_owned(),
        kind: if backdrop.is_flat { "2d" } else { "3d" }.to_owned(),
        thumb: Some(service.link(thumb, &format!("{}.png", backdrop.name))),
    };
    let backdrops: Vec<BackdropEntry> = service.stock.backdrops.iter().map(entry).collect();
    Json(BackdropList { count: backdrops.len(), backdrops })
}
