//! `GET /job/v1/backdrops`: what can stand behind a character in a film.

use std::sync::Arc;

use axum::{Json, extract::State};
use limber_api::motion::{BackdropEntry, BackdropList};

use super::caller::Caller;
use crate::{backdrops::Backdrop, service::Service};

/// What can stand behind a character in a film.
#[utoipa::path(get, path = "/job/v1/backdrops", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    responses((status = 200, body = BackdropList)))]
pub(super) async fn backdrops(
    State(service): State<Arc<Service>>,
    _: Caller,
) -> Json<BackdropList> {
    // whoever asks again finds more pictures
    service.backdrops.paint();
    let entry = |backdrop: &Backdrop| {
        let link = |content: &String| service.link(content, &format!("{}.png", backdrop.name));
        BackdropEntry {
            name: backdrop.name.to_owned(),
            kind: if backdrop.is_flat { "2d" } else { "3d" }.to_owned(),
            thumb: backdrop.thumb.get().map(link),
        }
    };
    let backdrops: Vec<BackdropEntry> = service.backdrops.all().iter().map(entry).collect();
    Json(BackdropList { count: backdrops.len(), backdrops })
}
