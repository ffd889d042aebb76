//! Jobs that edit the clips of earlier jobs.

use limber_api::motion::{JobId, Message, VariantId};
use limber_pipeline::{CanonicalClip, corrections::Facings};

use super::{Order, Refused, find_model, only_beginning, read_prompt, read_script, with_reading};
use crate::{
    FilesError,
    accounts::AccountId,
    files::ContentId,
    jobs::{
        CORRECTIONS, EditReading, JobSpec, JobState, Outcome, RawParameters, RequestedEdit,
        RequestedSource, Rules, SourceClip, Validated, correction_fault,
    },
    pipeline,
    service::Service,
    store::sources::SourceRow,
};

pub(super) async fn validate(
    service: &Service,
    account: &AccountId,
    raw: &RawParameters,
    rules: Rules,
) -> Result<Order, Refused> {
    let reading = raw.read_edit();
    let rows = find_sources(service, account, &reading).await?;
    let model = find_model(service, account, raw).await?;
    let inherited = rows.first().map(|row| row.spec.clone()).transpose();
    let inherited = inherited.map_err(|_| gone("t2m_rid", &reading))?;
    let id = model.as_ref().map(|model| &model.id);
    let (Validated { mut spec, mut warnings }, requested) =
        raw.validate_edit(reading, inherited.as_ref(), id, rules)?;
    if let Some(model) = model {
        spec.character = model.character;
    }
    let reading = match (&requested.script, requested.prompt()) {
        (Some(given), _) => Some(read_script(service, given.param, &given.script, spec.ends)?),
        (None, Some(prompt)) => Some(read_prompt(service, requested.param, prompt, spec.ends)?),
        (None, None) => None,
    };
    let clips = keep(service, &requested, rows).await?;
    if requested.repeats() && reading.is_none() {
        can_be_repeated(service, &requested, &spec, &clips)?;
    }
    warnings.extend(requested.unit_note(&clips));
    check_corrections(&requested, &clips)?;
    let edit = requested.fit(&clips)?;
    let corrections = edit.corrections(&clips, spec.fps).map_err(|error| {
        super::bad_corrections(CORRECTIONS, correction_fault(CORRECTIONS, &error))
    })?;
    if let Some(reading) = &reading {
        warnings.extend(only_beginning(service, reading, edit.shortest_new_s(), spec.seed));
    }
    if edit.covers_all() {
        warnings.push(Message::AllMadeAnew);
    }
    spec.edit = Some(edit);
    let spec = spec.corrected(corrections);
    warnings.extend(pipeline::missing_joints(&spec));
    Ok(with_reading(spec, reading, warnings))
}

/// Checks that the clip can be generated again from its script or its stored prompt. The prompt of
/// a script's clip may be a mere title, so the script is preferred.
fn can_be_repeated(
    service: &Service,
    requested: &RequestedEdit,
    spec: &JobSpec,
    clips: &[SourceClip],
) -> Result<(), Refused> {
    match (&spec.script, clips.first()) {
        (Some(script), _) => read_script(service, requested.param, script, spec.ends).map(drop),
        (None, Some(clip)) => {
            read_prompt(service, requested.param, &clip.prompt, spec.ends).map(drop)
        }
        (None, None) => Ok(()),
    }
}

/// Checks that the corrections lie within their clips.
fn check_corrections(requested: &RequestedEdit, clips: &[SourceClip]) -> Result<(), Refused> {
    for (source, clip) in requested.sources().zip(clips) {
        let Some(given) = &source.corrections else { continue };
        let frames = u32::try_from(clip.file_frames).unwrap_or(u32::MAX);
        given.corrections.check_within(frames).map_err(|error| {
            super::bad_corrections(given.param, correction_fault(given.path, &error))
        })?;
    }
    Ok(())
}

/// Looks up the source jobs before other problems are reported. Their variants are checked if they
/// could be parsed.
async fn find_sources(
    service: &Service,
    account: &AccountId,
    reading: &EditReading,
) -> Result<Vec<SourceRow>, Refused> {
    let requested: Vec<&RequestedSource> =
        reading.requested.iter().flat_map(RequestedEdit::sources).collect();
    let mut rows = Vec::new();
    for (place, (param, text)) in reading.named.iter().enumerate() {
        let unknown = || Refused::UnknownSource { param };
        let rid = JobId::parse(text).map_err(|_| unknown())?;
        let variant = requested.get(place).map_or(VariantId::FIRST, |source| source.variant);
        let row = service.store.find_source(account.as_str(), &rid, variant).await?;
        rows.push(row.ok_or_else(unknown)?);
    }
    Ok(rows)
}

/// Loads the clips, after all other checks have passed.
async fn keep(
    service: &Service,
    requested: &RequestedEdit,
    rows: Vec<SourceRow>,
) -> Result<Vec<SourceClip>, Refused> {
    let mut clips = Vec::new();
    for (source, row) in requested.sources().zip(rows) {
        let (param, rid) = (source.param, source.rid.clone());
        if row.state != JobState::Finished(Outcome::Success) {
            return Err(Refused::NotFinished { param, rid });
        }
        if row.purged {
            return Err(Refused::Purged { param, rid });
        }
        let variant = source.variant.get();
        let (content, file_frames, file_fps) =
            row.clip.ok_or(Refused::NoVariant { param, rid: rid.clone(), variant })?;
        let kept = match read_clip(service, &content).await {
            Ok(kept) => kept,
            Err(FilesError::Gone) => return Err(Refused::Purged { param, rid }),
            Err(FilesError::Damaged) => return Err(Refused::Damaged { param, rid }),
            Err(error) => return Err(Refused::Files(error)),
        };
        let (facings, prompt) = (Facings::of(&kept.clip), kept.meta.prompt);
        // unlike the first source, others may have a spec of a version that can no longer be parsed
        let own = || row.spec.map(|spec| spec.corrections).unwrap_or_default();
        let corrections =
            source.corrections.as_ref().map_or_else(own, |given| given.corrections.clone());
        clips.push(SourceClip { content, prompt, facings, file_frames, file_fps, corrections });
    }
    Ok(clips)
}

/// Reads a canonical clip. Only the clip itself has the exact number of frames.
async fn read_clip(service: &Service, content: &str) -> Result<CanonicalClip, FilesError> {
    let id = ContentId::parse(content).ok_or(FilesError::Gone)?;
    let bytes = service.files.read(&id).await?;
    pipeline::stored_clip(&bytes).map_err(|_| FilesError::Damaged)
}

/// Reports a source whose spec cannot be parsed as if it had been purged.
fn gone(param: &'static str, reading: &EditReading) -> Refused {
    match reading.named.first().and_then(|(_, text)| JobId::parse(text).ok()) {
        Some(rid) => Refused::Purged { param, rid },
        None => Refused::UnknownSource { param },
    }
}
