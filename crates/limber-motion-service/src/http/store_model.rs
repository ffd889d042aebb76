//! `POST /character/v1/storeModel` and `DELETE /character/v1/deleteModel/{model_id}`.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, State,
        rejection::{BytesRejection, PathRejection},
    },
    http::{HeaderMap, StatusCode},
};
use limber_api::motion::{DeletedModels, ErrorBody, StoreModelRequest, StoredModel};
use limber_formats::humanoid::Overrides;
use serde_json::{Value, json};
use url::Url;

use super::{ApiError, caller::Caller, json_body::read_body, upload::too_large};
use crate::{
    fetching::FetchRefusal,
    importing::ImportRefusal,
    models::{FileSource, SaveRequest, StoreRefusal, model_id},
    service::Service,
    uploads::Refusal,
};

const LONGEST_NAME: usize = 120;
/// Maximum length of a joint name. The parsers truncate names at fewer characters.
const LONGEST_JOINT: usize = 200;

/// Stores an uploaded character, or changes a stored one.
#[utoipa::path(post, path = "/character/v1/storeModel", tag = "Characters", security(("session" = []), ("bearer" = [])),
    request_body = StoreModelRequest,
    responses((status = 200, body = StoredModel), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 410, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn store_model(
    State(service): State<Arc<Service>>,
    caller: Caller,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<StoredModel>, ApiError> {
    let body = read_body(&headers, body)?;
    let body: Value =
        serde_json::from_slice(&body).map_err(|_| ApiError::malformed("the body is not JSON"))?;
    let request = parse_request(&service, &body)?;
    let row = service.models.save(caller.account.as_str(), &request).await?;
    Ok(Json(StoredModel {
        model_id: model_id(&row)?,
        face_data_type: u8::try_from(row.face).unwrap_or(0),
        hand_data_type: u8::try_from(row.hand).unwrap_or(0),
        rig_report: Some(row.report),
    }))
}

/// Deletes a character; existing jobs keep theirs.
#[utoipa::path(delete, path = "/character/v1/deleteModel/{model_id}", tag = "Characters", security(("session" = []), ("bearer" = [])),
    params(("model_id" = String, Path, description = "One id.")),
    responses((status = 200, body = DeletedModels), (status = 400, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn delete_model(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: Result<Path<String>, PathRejection>,
) -> Result<Json<DeletedModels>, ApiError> {
    let Path(id) = path.map_err(|_| ApiError::malformed("the model id cannot be decoded"))?;
    if id.contains(',') {
        let message = "one model is deleted at a time; send one request for each";
        return Err(ApiError::invalid("model_id", 1102, message));
    }
    let count = service.models.delete(caller.account.as_str(), &id).await?;
    Ok(Json(DeletedModels { count }))
}

/// Parses the body. `null` counts as absent, because a vendor's script sends it.
fn parse_request(service: &Service, body: &Value) -> Result<SaveRequest, ApiError> {
    if !body.is_object() {
        return Err(ApiError::malformed("the body must be a JSON object"));
    }
    let model_url = text(body, "modelUrl")?;
    let thumb_url = text(body, "thumbUrl")?;
    let model_id = text(body, "modelId")?;
    let name = text(body, "modelName")?.map(name).transpose()?;
    let draw = switch(body, "createThumb")?;
    let require_face = switch(body, "requireFace")?;
    let overrides = overrides(body)?;
    if model_url.is_none() && model_id.is_none() {
        let message = "modelUrl or modelId is required: what to store or change";
        return Err(ApiError::invalid("modelUrl", 901, message));
    }
    let now_ms = service.environment.clock.now_ms();
    let key = |url: &str| service.upload_links.key_in(url, now_ms);
    let file = |url: &str| match key(url) {
        Some(key) => Ok(FileSource::Sent(key)),
        None => elsewhere(service, url).map(FileSource::Elsewhere),
    };
    Ok(SaveRequest {
        file: model_url.map(file).transpose()?,
        thumb_key: thumb_url.map(|url| key(url).ok_or_else(|| not_ours("thumbUrl"))).transpose()?,
        model_id: model_id.map(str::to_owned),
        name,
        overrides,
        draw,
        require_face,
    })
}

/// Parses a URL on a host that the operator allows.
fn elsewhere(service: &Service, address: &str) -> Result<Url, ApiError> {
    let fetcher = service.models.fetcher.as_ref();
    let url = Url::parse(address).ok();
    url.filter(|url| fetcher.is_some_and(|fetcher| fetcher.allows(url)))
        .ok_or_else(|| not_ours("modelUrl"))
}

fn text<'a>(body: &'a Value, name: &str) -> Result<Option<&'a str>, ApiError> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
        Some(_) => Err(ApiError::invalid(name, 1102, format!("{name} must be a string"))),
    }
}

/// Parses the manual mapping of bones to joints.
fn overrides(body: &Value) -> Result<Option<Overrides>, ApiError> {
    let given = body.get("overrides").filter(|given| !given.is_null());
    let read = given.map(|given| serde_json::from_value(given.clone())).transpose();
    let read: Option<Overrides> = read.map_err(|error| {
        let message = format!(
            "overrides must be an object of bones and joint names, such as \
             {{\"leftHand\": \"Hand_L\", \"leftToes\": null}}: {error}"
        );
        ApiError::invalid("overrides", 902, message)
    })?;
    let is_none = |(_, joint): (_, Option<&str>)| {
        joint.is_some_and(|joint| {
            joint.chars().count() > LONGEST_JOINT || joint.contains(char::is_control)
        })
    };
    if read.iter().flat_map(Overrides::iter).any(is_none) {
        let message = format!(
            "overrides contains a joint name with more than {LONGEST_JOINT} characters or with \
             control characters, which no character has; use the names in rigReport"
        );
        return Err(ApiError::invalid("overrides", 902, message));
    }
    Ok(read)
}

/// Parses a switch: 0 or 1 as a number, a string or a boolean.
fn switch(body: &Value, name: &str) -> Result<bool, ApiError> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(on)) => Ok(*on),
        Some(Value::Number(number)) if number.as_u64() == Some(0) => Ok(false),
        Some(Value::Number(number)) if number.as_u64() == Some(1) => Ok(true),
        Some(Value::String(text)) if matches!(text.trim(), "" | "0" | "false") => Ok(false),
        Some(Value::String(text)) if matches!(text.trim(), "1" | "true") => Ok(true),
        Some(_) => Err(ApiError::invalid(name, 1102, format!("{name} must be 0 or 1"))),
    }
}

fn name(wanted: &str) -> Result<String, ApiError> {
    let name: String = wanted.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let count = name.chars().count();
    if count > LONGEST_NAME {
        let message = format!(
            "modelName has {count} characters, at most {LONGEST_NAME} are allowed; shorten it"
        );
        return Err(ApiError::invalid("modelName", 1102, message));
    }
    Ok(name)
}

fn not_ours(param: &'static str) -> ApiError {
    let message = format!(
        "{param} is not an address that this service issued to this account in the last day; \
         request one at /character/v1/getModelUploadUrl and upload the file there"
    );
    ApiError::invalid(param, 901, message)
}

impl From<StoreRefusal> for ApiError {
    fn from(refusal: StoreRefusal) -> Self {
        match refusal {
            StoreRefusal::NoUpload(param) => not_ours(param),
            StoreRefusal::Incomplete(param) => {
                let message = format!(
                    "the file of {param} has not arrived completely; finish the upload, then store \
                     it"
                );
                Self::new(StatusCode::CONFLICT, "invalid_state", message).param(param)
            }
            StoreRefusal::Damaged(param) => {
                let message = format!(
                    "the file of {param} was damaged after it arrived; upload it again to a new \
                     address from /character/v1/getModelUploadUrl, then store it"
                );
                Self::new(StatusCode::CONFLICT, "invalid_state", message).param(param)
            }
            StoreRefusal::NoModel => model_not_found(),
            StoreRefusal::TooMany { limit } => {
                let message =
                    format!("the account has {limit} models, which is its limit; delete some");
                Self::new(StatusCode::FORBIDDEN, "feature_limit", message)
                    .details(json!({ "limit": limit }))
            }
            StoreRefusal::NoPicture => {
                let message = "the thumbnail is not a PNG, JPEG or WebP image; upload one that is";
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unsupported_model", message)
                    .param("thumbUrl")
            }
            StoreRefusal::NoFace(message) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unsupported_model", message)
                    .code(906)
                    .param("requireFace")
            }
            StoreRefusal::Fetch(refusal) => not_fetched(refusal),
            StoreRefusal::Import(ImportRefusal::Unreadable { code, message }) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unsupported_model", message)
                    .code(code)
                    .param("modelUrl")
            }
            StoreRefusal::Import(ImportRefusal::Busy) => Self::unavailable(
                "many characters are being stored at the moment; try again in a few seconds",
                5,
            ),
            StoreRefusal::Import(ImportRefusal::System(error)) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the character reader could not be started: {error}"
                );
                Self::internal()
            }
            StoreRefusal::Files(error) => error.into(),
            StoreRefusal::Store(error) => error.into(),
        }
    }
}

fn not_fetched(refusal: FetchRefusal) -> ApiError {
    let because = |why: String| {
        let message = format!("the file of modelUrl cannot be fetched: {why}");
        ApiError::invalid("modelUrl", 901, message)
    };
    match refusal {
        FetchRefusal::Unreachable => because(
            "its host does not respond or redirects elsewhere; download it and upload it here"
                .to_owned(),
        ),
        FetchRefusal::Status(status) => because(format!(
            "its host responded with {status}; check that it can be opened without signing in"
        )),
        FetchRefusal::TooSlow => because(
            "it did not arrive within 30 seconds; download it and upload it here".to_owned(),
        ),
        FetchRefusal::TooLarge { limit_bytes } => too_large(limit_bytes).param("modelUrl"),
        FetchRefusal::Busy => ApiError::unavailable(
            "many files are being fetched at the moment; try again in a few seconds",
            5,
        ),
        FetchRefusal::Disk(error) => Refusal::from(error).into(),
    }
}

pub(super) fn model_not_found() -> ApiError {
    let message = "there is no such model; GET /character/v1/listModels?stockModel=all lists the \
        available ones";
    ApiError::new(StatusCode::NOT_FOUND, "model_not_found", message)
}
