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
    http::{HeaderMap, StatusCode},
};
use limber_api::motion::{JobId, ModelId, ParameterProblem, ProcessAnswer};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{ApiError, caller::Caller, json_body::read_body, store_model::model_not_found};
use crate::{
    jobs::{JobSpec, ParameterError, RawParameters, Rules, Understood},
    models::model_id,
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
        "text2motion" => find_model(&service, &caller, &raw).await?,
        _ => return Err(unknown_processor(&processor)),
    };
    let (mut job, script) = understand(&service, &raw, model.as_ref().map(|model| &model.id))?;
    job.spec.character = model.and_then(|model| model.character);
    if job.spec.variants > service.max_variants {
        return Err(too_many_variants(&service));
    }
    let digest = Sha256::digest([processor.as_bytes(), b"\n", &body[..]].concat());
    let idempotency = key.as_deref().map(|key| (key, &digest[..]));
    let parameters = shown_parameters(&raw, &job.spec, script);
    let rid = store(&service, &caller, (&job.spec, &parameters), idempotency).await?;
    Ok(Json(ProcessAnswer { rid, warnings: job.warnings }))
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

/// The character that `model=` means: of stock, or of the account. `None` when it is missing, which
/// is a wrong value.
async fn find_model(
    service: &Service,
    caller: &Caller,
    raw: &RawParameters,
) -> Result<Option<Chosen>, ApiError> {
    let Some(wanted) = raw.get("model").map(|value| value.trim_matches('"').trim()) else {
        return Ok(None);
    };
    if let Some(id) = road::find_stock(wanted) {
        return Ok(Some(Chosen { id, character: None }));
    }
    let row = service.store.find_model(caller.account.as_str(), wanted).await?;
    let row = row.ok_or_else(|| model_not_found().details(json!({ "param": "model" })))?;
    Ok(Some(Chosen { id: model_id(&row)?, character: Some(row.glb) }))
}

/// What a job is shown on.
struct Chosen {
    id: ModelId,
    /// Content of an account's own character; the job keeps it when the model is changed or
    /// deleted.
    character: Option<String>,
}

/// Checks every value, the meaning of the prompt included (D18: no credit for nonsense). The text is
/// the script that will be followed.
fn understand(
    service: &Service,
    raw: &RawParameters,
    model: Option<&ModelId>,
) -> Result<(Understood, String), ApiError> {
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
        Ok(reading) => {
            job.warnings.extend(reading.warnings);
            Ok((job, reading.script))
        }
        Err(refusal) => Err(ApiError::invalid("prompt", refusal.code, refusal.message)
            .also("nearest", json!(refusal.nearest))
            .also("words", json!(refusal.words))),
    }
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
    (spec, parameters): (&JobSpec, &Map<String, Value>),
    idempotency: Option<(&str, &[u8])>,
) -> Result<JobId, ApiError> {
    let rid = JobId::parse(&service.surroundings.token(18)).map_err(|_| ApiError::internal())?;
    let job = NewJob {
        rid: &rid,
        account: caller.account.as_str(),
        spec,
        parameters,
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

/// As submitted, plus the effective seed, frame rate and number of variants, and how the prompt was
/// understood; all values are texts.
fn shown_parameters(raw: &RawParameters, spec: &JobSpec, script: String) -> Map<String, Value> {
    let mut shown = raw.as_shown();
    shown.insert("seed".to_owned(), spec.seed.to_string().into());
    shown.insert("fps".to_owned(), spec.fps.to_string().into());
    shown.insert("numVariant".to_owned(), spec.variants.to_string().into());
    shown.insert("script".to_owned(), script.into());
    shown
}
