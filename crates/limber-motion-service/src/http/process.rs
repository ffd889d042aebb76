//! `POST /job/v1/process/{processor}`: takes a job in.
//!
//! The order of checks is that of motion-behaviour §2: form, then existence, then every value, then
//! what the plan allows, then room in the queue.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, State,
        rejection::{BytesRejection, PathRejection},
    },
    http::{HeaderMap, StatusCode, header},
};
use limber_api::motion::{JobId, ModelId, ParameterProblem, ProcessAnswer};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{ApiError, caller::Caller};
use crate::{
    jobs::{JobSpec, ParameterError, RawParameters, Rules, Understood},
    road,
    service::Service,
    store::jobs::{Insertion, NewJob},
};

const LONGEST_KEY: usize = 128;

pub(super) async fn process(
    State(service): State<Arc<Service>>,
    caller: Caller,
    processor: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ProcessAnswer>, ApiError> {
    let Path(processor) =
        processor.map_err(|_| ApiError::malformed("the processor is not readable text"))?;
    let body = read_body(&headers, body)?;
    let key = idempotency_key(&headers)?;
    let parsed: Value =
        serde_json::from_slice(&body).map_err(|_| ApiError::malformed("the body is not JSON"))?;
    let raw =
        RawParameters::read(&parsed).map_err(|error| ApiError::malformed(error.to_string()))?;
    let model = match processor.as_str() {
        "text2motion" => find_model(&raw)?,
        _ => return Err(unknown_processor(&processor)),
    };
    let job = understand(&service, &raw, model.as_ref())?;
    if job.spec.variants > service.max_variants {
        return Err(too_many_variants(&service));
    }
    let digest = Sha256::digest([processor.as_bytes(), b"\n", &body[..]].concat());
    let idempotency = key.as_deref().map(|key| (key, &digest[..]));
    let rid = store(&service, &caller, &raw, &job.spec, idempotency).await?;
    Ok(Json(ProcessAnswer { rid, warnings: job.warnings }))
}

fn read_body(headers: &HeaderMap, body: Result<Bytes, BytesRejection>) -> Result<Bytes, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or_default());
    if kind.is_some_and(|kind| !is_json(kind)) {
        let message = "the body must be JSON: send Content-Type: application/json";
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            message,
        ));
    }
    body.map_err(|rejection| {
        if axum::response::IntoResponse::into_response(rejection).status()
            == StatusCode::PAYLOAD_TOO_LARGE
        {
            let message = "the body is longer than 1 MiB; send less";
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
        } else {
            ApiError::malformed("the body did not arrive whole; send it again")
        }
    })
}

fn is_json(kind: &str) -> bool {
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    match key.to_str() {
        Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => Err(ApiError::malformed("Idempotency-Key must be 1 to 128 plain characters")),
    }
}

fn unknown_processor(processor: &str) -> ApiError {
    let message = if processor == "render" {
        "rendering to video is not done by this version; it makes motions with text2motion"
    } else {
        "there is no such processor; this service has text2motion"
    };
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_processor", message).code(494)
}

/// The character that `model=` means. `None` when it is missing, which is a wrong value.
fn find_model(raw: &RawParameters) -> Result<Option<ModelId>, ApiError> {
    let Some(wanted) = raw.get("model").map(|value| value.trim_matches('"').trim()) else {
        return Ok(None);
    };
    road::find_stock(wanted).map(Some).ok_or_else(|| {
        let message = "there is no such model; GET /character/v1/listModels?stockModel=all names those there are";
        ApiError::new(StatusCode::NOT_FOUND, "model_not_found", message).details(json!({ "param": "model" }))
    })
}

/// Checks every value, the meaning of the prompt included (D18: no credit for nonsense).
fn understand(
    service: &Service,
    raw: &RawParameters,
    model: Option<&ModelId>,
) -> Result<Understood, ApiError> {
    // JSON numbers of clients in the wild hold 53 bits
    let fresh_seed = service.surroundings.number() >> 11;
    let rules = Rules { max_duration_s: service.max_duration_s, fresh_seed };
    // checks the other values even when the model is missing
    let stand_in = road::find_stock("default").ok_or_else(ApiError::internal)?;
    let understood = raw.understand(model.unwrap_or(&stand_in), rules);
    let missing_model = || ParameterProblem {
        param: "model".to_owned(),
        message: "the model is missing; send model=default or an id of listModels".to_owned(),
        code: 502,
    };
    let mut job = match (understood, model) {
        (Ok(job), Some(_)) => job,
        (Ok(_), None) => return Err(ApiError::invalid_parameters(&[missing_model()])),
        (Err(ParameterError { mut problems }), model) => {
            if model.is_none() {
                let after_prompt =
                    usize::from(problems.first().is_some_and(|p| p.param == "prompt"));
                problems.insert(after_prompt, missing_model());
            }
            return Err(ApiError::invalid_parameters(&problems));
        }
    };
    match service.road.understand(&job.spec.prompt) {
        Ok(passed_over) => job.warnings.extend(passed_over),
        Err(refusal) => {
            return Err(ApiError::invalid("prompt", refusal.code, refusal.message)
                .also("nearest", json!(refusal.nearest))
                .also("words", json!(refusal.words)));
        }
    }
    Ok(job)
}

fn too_many_variants(service: &Service) -> ApiError {
    let limit = service.max_variants;
    let message =
        format!("the plan allows {limit} variants per job; ask for fewer with numVariant");
    ApiError::new(StatusCode::FORBIDDEN, "feature_limit", message)
        .details(json!({ "limit": limit }))
}

async fn store(
    service: &Service,
    caller: &Caller,
    raw: &RawParameters,
    spec: &JobSpec,
    idempotency: Option<(&str, &[u8])>,
) -> Result<JobId, ApiError> {
    let rid = JobId::parse(&service.surroundings.token(18)).map_err(|_| ApiError::internal())?;
    let parameters = shown_parameters(raw, spec);
    let job = NewJob {
        rid: &rid,
        account: caller.account.as_str(),
        spec,
        parameters: &parameters,
        max_queued: service.max_queued,
        idempotency,
    };
    match service.store.insert_job(&job).await? {
        Insertion::Stored => {
            tracing::info!(job.id = %rid, prompt_chars = spec.prompt.chars().count(), "job {rid} stored");
            Ok(rid)
        }
        Insertion::Repeated(earlier) => Ok(earlier),
        Insertion::KeyTaken => {
            let message = "this Idempotency-Key was used for another request; use a fresh one";
            Err(ApiError::new(StatusCode::CONFLICT, "invalid_state", message))
        }
        Insertion::QueueFull => {
            let message = "the account's queue is full; wait for jobs to finish or cancel some";
            Err(ApiError::unavailable(message, 10))
        }
    }
}

/// As submitted, plus the effective seed, frame rate and number of variants; all values are texts.
fn shown_parameters(raw: &RawParameters, spec: &JobSpec) -> Map<String, Value> {
    let mut shown = raw.as_shown();
    shown.insert("seed".to_owned(), spec.seed.to_string().into());
    shown.insert("fps".to_owned(), spec.fps.to_string().into());
    shown.insert("numVariant".to_owned(), spec.variants.to_string().into());
    shown
}
