//! `GET /job/v1/backdrops`: what can stand behind a character in a film.

use std::sync::Arc;

use axum::{Json, extract::State};
use limber_api::motion::{BackdropEntry, BackdropList};

use super::{ApiError, caller::Caller};
use crate::{road, service::Service};

/// What can stand behind a character in a film.
#[utoipa::path(get, path = "/job/v1/backdrops", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    responses((status = 200, body = BackdropList)))]
pub(super) async fn backdrops(
    State(service): State<Arc<Service>>,
    _: Caller,
) -> Result<Json<BackdropList>, ApiError> {
    let mut backdrops = Vec::new();
    for (name, flat) in road::backdrops() {
        let thumb = service.backdrop_thumb(name).await?;
        let link = |content: &String| service.link(content, &format!("{name}.png"));
        let (name, kind) = (name.to_owned(), if flat { "2d" } else { "3d" }.to_owned());
        backdrops.push(BackdropEntry { name, kind, thumb: thumb.as_ref().map(link) });
    }
    Ok(Json(BackdropList { count: backdrops.len(), backdrops }))
}
