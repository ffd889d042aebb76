//! `POST /job/v1/process/{processor}`: submits a job.
//!
//! Checks run in the order that existing clients expect: syntax, then the checks of [`submission`],
//! then space in the queue. With `dryRun=1`, processing ends before the queue and nothing is
//! stored.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, Query, State,
        rejection::{BytesRejection, PathRejection, QueryRejection},
    },
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
};
use limber_api::motion::{
    DryRunAnswer, ErrorBody, JobId, LeftOut, ProcessAnswer, ProcessRequest, message,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use super::{
    ApiError, caller::Caller, json_body::read_body, openapi::ProcessOrDryRun,
    store_model::model_not_found,
};
use crate::{
    credits::{Short, credits, period_of},
    jobs::{CORRECTIONS, MERGE, RawParameters, Work, text_value},
    service::Service,
    store::jobs::{Earlier, Insertion, NewJob},
    submission::{self, Order, Refused},
};

const LONGEST_KEY: usize = 128;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ProcessQuery {
    /// 1: reports what the job would be and cost, without storing it.
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
}

/// Submits a job.
#[utoipa::path(post, path = "/job/v1/process/{processor}", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("processor" = String, Path, description = "`text2motion` or `render`.", example = "text2motion"),
        ProcessQuery,
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 128 plain characters: the same \
            key and body within a day are the same job.")),
    request_body = ProcessRequest,
    responses((status = 200, body = ProcessOrDryRun),
        (status = 400, body = ErrorBody), (status = 402, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 410, body = ErrorBody), (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn process(
    State(service): State<Arc<Service>>,
    caller: Caller,
    processor: Result<Path<String>, PathRejection>,
    query: Result<Query<ProcessQuery>, QueryRejection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let Path(processor) =
        processor.map_err(|_| ApiError::malformed("the processor cannot be decoded"))?;
    let Query(query) = query.map_err(|_| ApiError::malformed("the query cannot be parsed"))?;
    let body = read_body(&headers, body)?;
    let key = idempotency_key(&headers)?;
    let parsed: Value =
        serde_json::from_slice(&body).map_err(|_| ApiError::malformed("the body is not JSON"))?;
    let raw =
        RawParameters::read(&parsed).map_err(|error| ApiError::malformed(error.to_string()))?;
    let dry = is_dry(&query)?;
    let order = match processor.as_str() {
        "text2motion" => submission::validate(&service, &caller.account, &raw).await,
        "render" => submission::validate_render(&service, &caller.account, &raw).await,
        _ => return Err(unknown_processor()),
    };
    if dry {
        return Ok(Json(told(&service, order?)).into_response());
    }
    let digest = Sha256::digest([processor.as_bytes(), b"\n", &body[..]].concat());
    let idempotency = key.as_deref().map(|key| (key, &digest[..]));
    // before reporting what is wrong with the request now: a retry of an accepted request must
    // succeed even if its own job has filled the queue or its source has been removed in the
    // meantime.
    if let Some(key) = idempotency
        && let Some(earlier) = service.store.earlier_job(caller.account.as_str(), key).await?
    {
        let rid = same_job(earlier)?;
        let warnings = order.map(|order| order.warnings).unwrap_or_default();
        return Ok(Json(ProcessAnswer::new(rid, warnings)).into_response());
    }
    let order = order?;
    let parameters = shown_parameters(&raw, &order);
    let rid = store(&service, &caller, (&order.work, &parameters), idempotency).await?;
    Ok(Json(ProcessAnswer::new(rid, order.warnings)).into_response())
}

/// Parses `dryRun`.
fn is_dry(query: &ProcessQuery) -> Result<bool, ApiError> {
    match query.dry_run.as_deref() {
        None | Some("" | "0" | "false") => Ok(false),
        Some("1" | "true") => Ok(true),
        Some(_) => Err(ApiError::invalid("dryRun", 494, "dryRun must be 0 or 1")),
    }
}

/// Reports what the request would do without `dryRun`.
fn told(service: &Service, order: Order) -> DryRunAnswer {
    let price = service.credits.terms(&order.work).map_or(0.0, |terms| credits(terms.most));
    let Some(reading) = order.reading else {
        return DryRunAnswer::new(None, order.warnings, price);
    };
    let wire = |left: &limber_pipeline::LeftOut| {
        let field = left.field.to_owned();
        LeftOut { event: left.event, field }
    };
    DryRunAnswer {
        motion_script: reading.motion_script.map(|script| script.to_value()),
        words: reading.words,
        left_out: reading.left_out.iter().map(wire).collect(),
        ..DryRunAnswer::new(Some(reading.script), order.warnings, price)
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    match key.to_str() {
        Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => Err(ApiError::malformed("Idempotency-Key must be 1 to 128 plain characters")),
    }
}

fn unknown_processor() -> ApiError {
    let message = "there is no such processor; this service has text2motion and render";
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_processor", message).code(494)
}

async fn store(
    service: &Service,
    caller: &Caller,
    (work, parameters): (&Work, &Map<String, Value>),
    idempotency: Option<(&str, &[u8])>,
) -> Result<JobId, ApiError> {
    let rid = JobId::parse(&service.environment.token(18)).map_err(|_| ApiError::internal())?;
    let now_ms = service.environment.clock.now_ms();
    let terms = service.credits.terms(work);
    let trace = limber_telemetry::trace::carried(&tracing::Span::current());
    let job = NewJob {
        rid: &rid,
        trace: trace.as_deref(),
        terms: terms.map(|terms| (terms, period_of(now_ms), now_ms)),
        account: caller.account.as_str(),
        work,
        parameters,
        max_queued: service.max_queued,
        idempotency,
    };
    match service.store.insert_job(&job).await? {
        Insertion::Stored => {
            tracing::info!(job.id = %rid, processor = work.processor(), "job {rid} stored");
            Ok(rid)
        }
        Insertion::Earlier(earlier) => same_job(earlier),
        Insertion::Unpaid(short) => Err(insufficient(short)),
        Insertion::QueueFull => {
            let message = "the account's queue is full; wait for jobs to finish or cancel some";
            Err(ApiError::unavailable(message, 10))
        }
    }
}

/// Returns the job that an earlier request with the same key created.
fn same_job(earlier: Earlier) -> Result<JobId, ApiError> {
    match earlier {
        Earlier::Same(rid) => Ok(rid),
        Earlier::Other => {
            let message = "this Idempotency-Key was used for another request; use a new one";
            Err(ApiError::new(StatusCode::CONFLICT, "invalid_state", message))
        }
    }
}

/// 402: not enough credits.
fn insufficient(Short { required, available }: Short) -> ApiError {
    let (required, available) = (credits(required), credits(available));
    let message = format!(
        "the job may cost {required} credits and the account has {available}; request less, or get \
         credits from the operator"
    );
    ApiError::new(StatusCode::PAYMENT_REQUIRED, "insufficient_credits", message)
        .code(101)
        .details(json!({ "required": required, "available": available }))
}

/// Returns the submitted parameters with the effective values: for motions, the seed, frame rate
/// and number of variants, how the prompt or script was understood, the name of a script submitted
/// without a prompt, and the corrections in effect (which replace the submitted ones); for videos,
/// their format. All values except objects are strings.
fn shown_parameters(raw: &RawParameters, order: &Order) -> Map<String, Value> {
    let mut shown = raw.as_shown();
    let effective = match &order.work {
        Work::Motion(spec) => vec![
            ("seed", spec.seed.to_string()),
            ("fps", spec.fps.to_string()),
            ("numVariant", spec.variants.to_string()),
        ],
        Work::Render(spec) => vec![
            ("variant_id", spec.variant.to_string()),
            ("width", spec.video.width.to_string()),
            ("height", spec.video.height.to_string()),
            ("fps", spec.video.fps.to_string()),
            ("container", spec.video.container.word().to_owned()),
        ],
    };
    shown.extend(effective.into_iter().map(|(name, value)| (name.to_owned(), value.into())));
    if let Some(reading) = &order.reading {
        shown.insert("script".to_owned(), reading.script.clone().into());
    }
    if let Work::Motion(spec) = &order.work {
        shown.remove(CORRECTIONS);
        if let Some(Value::Object(merge)) = shown.get_mut(MERGE) {
            merge.remove(CORRECTIONS);
        }
        if !spec.corrections.is_empty() {
            shown.insert("resultCorrections".to_owned(), spec.corrections.to_value());
        }
    }
    if let Work::Motion(spec) = &order.work
        && spec.edit.is_none()
        && raw.get("prompt").is_none_or(|said| text_value(said).trim().is_empty())
    {
        shown.insert("prompt".to_owned(), spec.prompt.clone().into());
    }
    shown
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::UnknownModel => model_not_found().details(json!({ "param": "model" })),
            Refused::UnknownSource { param } => Self::job_not_found().code(494).param(param),
            Refused::Parameters(problems) => Self::invalid_parameters(&problems),
            Refused::NotUnderstood { param, why } => {
                let messages = &why.messages;
                Self::invalid(param, why.code, message::sentences(messages))
                    .also("nearest", json!(message::nearest(messages)))
                    .also("words", json!(message::unknown_words(messages)))
                    .also("messages", message::told::to_value(messages))
            }
            Refused::NotFinished { param, rid } => {
                let message =
                    format!("the job {rid} has not ended in SUCCESS; start from it once it has");
                Self::new(StatusCode::CONFLICT, "invalid_state", message).code(494).param(param)
            }
            Refused::Purged { param, rid } => {
                let message = format!(
                    "the files of job {rid} were removed after their retention period; run it again"
                );
                Self::new(StatusCode::GONE, "gone", message).code(494).param(param)
            }
            Refused::Damaged { param, rid } => {
                tracing::error!(job.id = %rid, "the stored clip of job {rid} is damaged");
                let message = format!(
                    "the clip of job {rid} is damaged; run the job again, then start from the new \
                     one"
                );
                Self::new(StatusCode::GONE, "gone", message).code(604).param(param)
            }
            Refused::NoVariant { param, rid, variant } => {
                let message = format!("the job {rid} has no variant {variant}; see its `variants`");
                let details = json!({ "rid": rid, "variant_id": variant });
                let error = Self::new(StatusCode::NOT_FOUND, "job_not_found", message);
                error.code(494).param(param).details(details)
            }
            Refused::TooManyVariants { limit } => {
                let message = format!(
                    "the plan allows {limit} variants per job; ask for fewer with numVariant"
                );
                Self::new(StatusCode::FORBIDDEN, "feature_limit", message)
                    .details(json!({ "limit": limit }))
            }
            Refused::Store(error) => error.into(),
            Refused::Files(error) => error.into(),
        }
    }
}
