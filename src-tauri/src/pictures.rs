//! Serves thumbnails of clips to the page under a custom URL scheme. The web view loads, caches and
//! evicts them like any image; through commands, each would be a megabyte of text that the page has
//! to decode and nobody evicts.

use limber_app::{App, AppError};
use tauri::{
    AppHandle, Manager, UriSchemeResponder,
    http::{Request, Response, StatusCode, header},
};

/// Responds with the PNG of the clip named in the path.
pub(crate) fn answer(
    handle: &AppHandle,
    request: &Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let app = handle.try_state::<App>().map(|app| app.inner().clone());
    let id = request.uri().path().trim_start_matches('/').to_owned();
    tauri::async_runtime::spawn(async move {
        let found = match app {
            Some(app) => app.clip_picture(&id).await.map_err(Some),
            None => Err(None),
        };
        responder.respond(found.map_or_else(refused, png));
    });
}

fn png(bytes: Vec<u8>) -> Response<Vec<u8>> {
    let mut answer = Response::new(bytes);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("image/png"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, header::HeaderValue::from_static("nosniff"));
    answer
}

/// Responds with 404: the page shows a clip without its thumbnail.
fn refused(error: Option<AppError>) -> Response<Vec<u8>> {
    if let Some(error) = error {
        tracing::warn!("a clip is shown without its picture: {}", error.message);
    }
    let mut answer = Response::new(Vec::new());
    *answer.status_mut() = StatusCode::NOT_FOUND;
    answer
}
