//! Turns parameters into a job that a worker can run: looks up characters and clips, checks all
//! values, and interprets the prompt.
//!
//! Checks run in the order that existing clients expect: existence, values, the state of the source
//! jobs, then the limits of the plan. Nothing is stored here.

mod edit;
mod render;

use limber_api::motion::{JobId, Message, ModelId, ParameterProblem};
use limber_pipeline::{ClipEnds, ErrorCode, Script};

use crate::{
    FilesError, StoreError,
    accounts::AccountId,
    jobs::{DoesNotFit, JobSpec, ParameterError, RawParameters, Rules, Validated, Work},
    models::{face_of, model_id},
    pipeline::{self, NotUnderstood, Reading},
    service::Service,
};

/// A valid job that is ready to be stored.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) work: Work,
    /// How the prompt or script was understood; `None` if there is neither.
    pub(crate) reading: Option<Reading>,
    /// What was ignored.
    pub(crate) warnings: Vec<Message>,
}

/// Why the parameters do not make an [`Order`].
#[derive(Debug)]
pub(crate) enum Refused {
    UnknownModel,
    /// The stored clip of the source does not match its hash.
    Damaged {
        param: &'static str,
        rid: JobId,
    },
    /// The parameter names a job that this account does not have.
    UnknownSource {
        param: &'static str,
    },
    /// Invalid values; never empty.
    Parameters(Vec<ParameterProblem>),
    NotUnderstood {
        param: &'static str,
        why: NotUnderstood,
    },
    /// The source has not finished, or has failed.
    NotFinished {
        param: &'static str,
        rid: JobId,
    },
    /// The files of the source have been removed.
    Purged {
        param: &'static str,
        rid: JobId,
    },
    NoVariant {
        param: &'static str,
        rid: JobId,
        variant: u32,
    },
    TooManyVariants {
        limit: u32,
    },
    Store(StoreError),
    Files(FilesError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ParameterError> for Refused {
    fn from(error: ParameterError) -> Self {
        Self::Parameters(error.problems)
    }
}

impl From<DoesNotFit> for Refused {
    fn from(error: DoesNotFit) -> Self {
        let (param, message) = (error.param.to_owned(), error.message);
        Self::Parameters(vec![ParameterProblem { param, message, code: 502 }])
    }
}

/// The character of a job.
struct Chosen {
    id: ModelId,
    /// Content id of an account's own character. The job keeps this content even if the model is
    /// changed or deleted.
    character: Option<String>,
}

pub(crate) use render::validate as validate_render;

/// Checks the parameters of a text-to-motion job of this account.
pub(crate) async fn validate(
    service: &Service,
    account: &AccountId,
    raw: &RawParameters,
) -> Result<Order, Refused> {
    // 53 bits, the precision of JSON numbers in existing clients
    let fresh_seed = service.environment.number() >> 11;
    let rules = Rules { max_duration_s: service.max_duration_s, fresh_seed };
    let order = if raw.is_edit() {
        edit::validate(service, account, raw, rules).await?
    } else {
        let model = find_model(service, account, raw).await?;
        let Validated { mut spec, mut warnings } =
            raw.validate(model.as_ref().map(|model| &model.id), rules)?;
        spec.character = model.and_then(|model| model.character);
        let reading = match &spec.script {
            Some(script) => read_script(service, "script", script, spec.ends)?,
            None => read_prompt(service, "prompt", &spec.prompt, spec.ends)?,
        };
        warnings.extend(only_beginning(service, &reading, spec.duration_s, spec.seed));
        with_reading(spec, Some(reading), warnings)
    };
    if let Work::Motion(spec) = &order.work {
        check_face(service, account, spec).await?;
    }
    let now_ms = service.environment.clock.now_ms();
    let limit = service.credits.max_variants(account, now_ms).await?;
    if order.work.variants() > limit {
        return Err(Refused::TooManyVariants { limit });
    }
    Ok(order)
}

/// Interprets a prompt before the job is stored, so that nobody pays for one that is not
/// understood.
fn read_prompt(
    service: &Service,
    param: &'static str,
    text: &str,
    ends: ClipEnds,
) -> Result<Reading, Refused> {
    service.pipeline.understand(text, ends).map_err(|why| Refused::NotUnderstood { param, why })
}

/// Checks that the engine can perform the script, or part of it.
fn read_script(
    service: &Service,
    param: &'static str,
    script: &Script,
    ends: ClipEnds,
) -> Result<Reading, Refused> {
    let read = service.pipeline.understand_script(script, ends);
    read.map_err(|why| Refused::NotUnderstood { param, why })
}

/// Returns a warning if the requested duration is too short for the prompt or script.
fn only_beginning(
    service: &Service,
    reading: &Reading,
    duration_s: Option<f32>,
    seed: u64,
) -> Option<Message> {
    service.pipeline.only_beginning(reading, duration_s?, seed)
}

fn with_reading(spec: JobSpec, reading: Option<Reading>, mut warnings: Vec<Message>) -> Order {
    warnings.extend(reading.iter().flat_map(|reading| reading.messages.clone()));
    Order { work: Work::Motion(spec), reading, warnings }
}

/// Reports corrections that do not fit the clip.
fn bad_corrections(param: &str, message: String) -> Refused {
    let (param, code) = (param.to_owned(), ErrorCode::CORRECTION_PARAMETERS.number());
    Refused::Parameters(vec![ParameterProblem { param, message, code }])
}

/// Checks that the character has the face that the job requires. If the character has been changed
/// or deleted since the edited job, the worker checks instead.
async fn check_face(service: &Service, account: &AccountId, spec: &JobSpec) -> Result<(), Refused> {
    if !spec.require_face {
        return Ok(());
    }
    let shapes = match &spec.character {
        None => pipeline::face_of_stock(spec),
        Some(content) => {
            let row = service.store.find_model(account.as_str(), spec.model.as_str()).await?;
            row.filter(|row| row.glb == *content).and_then(|row| face_of(&row.report))
        }
    };
    shapes.map_or(Ok(()), pipeline::is_face).map_err(|message| {
        let param = "requireFace".to_owned();
        Refused::Parameters(vec![ParameterProblem { param, message, code: 906 }])
    })
}

/// Looks up the character named by `model=`, stock or the account's own; `None` if the parameter is
/// missing.
async fn find_model(
    service: &Service,
    account: &AccountId,
    raw: &RawParameters,
) -> Result<Option<Chosen>, Refused> {
    let Some(wanted) = raw.get("model").map(|value| value.trim_matches('"').trim()) else {
        return Ok(None);
    };
    if let Some(id) = pipeline::find_stock(wanted) {
        return Ok(Some(Chosen { id, character: None }));
    }
    // an invalid id cannot exist, and PostgreSQL would reject some of them
    let wanted = ModelId::parse(wanted).map_err(|_| Refused::UnknownModel)?;
    let row = service.store.find_model(account.as_str(), wanted.as_str()).await?;
    let row = row.ok_or(Refused::UnknownModel)?;
    Ok(Some(Chosen { id: model_id(&row)?, character: Some(row.glb) }))
}
