//! Serves GLB files of clips to the page under a custom URL scheme. The page renders them itself; a
//! Tauri command would convert each file to text first.

use std::sync::Arc;

use limber_app::{App, AppError, ClipGlb, ErrorCode};
use tauri::{
    AppHandle, Manager, UriSchemeResponder,
    http::{HeaderValue, Request, Response, StatusCode, header},
};

/// Responds with the GLB of the clip named in the path.
pub(crate) fn answer(
    handle: &AppHandle,
    request: &Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let app = handle.try_state::<App>().map(|app| app.inner().clone());
    let id = request.uri().path().trim_start_matches('/').to_owned();
    tauri::async_runtime::spawn(async move {
        let found = match app {
            Some(app) => app.clip_glb(&id).await.map_err(Some),
            None => Err(None),
        };
        responder.respond(response(found));
    });
}

fn response(found: Result<ClipGlb, Option<AppError>>) -> Response<Vec<u8>> {
    let (status, bytes) = match found {
        Ok(ClipGlb::Bytes(bytes)) => (StatusCode::OK, Arc::unwrap_or_clone(bytes)),
        Ok(ClipGlb::TooLarge) => {
            tracing::warn!("a clip is not shown in 3D: its GLB is too large");
            (StatusCode::PAYLOAD_TOO_LARGE, Vec::new())
        }
        Err(error) => {
            if let Some(error) = &error {
                tracing::warn!("a clip is not shown in 3D: {}", error.message);
            }
            (error.map_or(StatusCode::NOT_FOUND, |error| status_of(&error)), Vec::new())
        }
    };
    let mut answer = Response::new(bytes);
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("model/gltf-binary"));
    // each correction makes a new file of several megabytes
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // for the web view this scheme is another origin than the page
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static(page_origin()));
    answer
}

/// Maps an error to a status that distinguishes a missing file from a damaged one.
const fn status_of(error: &AppError) -> StatusCode {
    match error.code {
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::FileDamaged | ErrorCode::JobFailed => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Returns the origin of our page, the only one that may read the responses.
const fn page_origin() -> &'static str {
    if tauri::is_dev() {
        "http://localhost:1420"
    } else if cfg!(windows) {
        "http://tauri.localhost"
    } else {
        "tauri://localhost"
    }
}

#[cfg(test)]
mod tests {
    use limber_app::Notice;

    use super::*;

    #[test]
    fn the_status_says_why_a_clip_cannot_be_shown() {
        let error = |code, notice| Err(Some(AppError::new(code, notice)));
        let unmade = Notice::FileNotMade { why: "no possible pose".into() };
        let cases = [
            (Ok(ClipGlb::Bytes(b"glTF".to_vec().into())), 200, 4),
            (Ok(ClipGlb::TooLarge), 413, 0),
            (error(ErrorCode::NotFound, Notice::ClipGone), 404, 0),
            (error(ErrorCode::FileDamaged, Notice::ClipDamaged), 422, 0),
            (error(ErrorCode::JobFailed, unmade), 422, 0),
            (error(ErrorCode::DiskRefused, Notice::ClipDamaged), 500, 0),
            (Err(None), 404, 0),
        ];
        for (found, status, bytes) in cases {
            let answer = response(found);
            assert_eq!((answer.status().as_u16(), answer.body().len()), (status, bytes));
            assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
            assert_eq!(answer.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
            assert!(!answer.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN].is_empty());
        }
    }
}
