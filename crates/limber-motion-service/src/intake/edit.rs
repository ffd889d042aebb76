//! Jobs that start from the clips of earlier ones.

use limber_api::motion::{JobId, VariantId};

use super::{Order, Refused, find_model, only_beginning, read_prompt, with_reading};
use crate::{
    FilesError,
    accounts::AccountId,
    files::ContentId,
    jobs::{
        AskedEdit, AskedSource, EditReading, JobState, KeptClip, Outcome, RawParameters, Rules,
        Understood,
    },
    road,
    service::Service,
    store::sources::SourceRow,
};

pub(super) async fn understand(
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
    let (Understood { mut spec, mut warnings }, asked) =
        raw.understand_edit(reading, inherited.as_ref(), id, rules)?;
    if let Some(model) = model {
        spec.character = model.character;
    }
    let prompt = asked.prompt().map(|prompt| read_prompt(service, asked.param, prompt));
    let prompt = prompt.transpose()?;
    let clips = keep(service, &asked, rows).await?;
    warnings.extend(asked.unit_note(&clips));
    let edit = asked.fit(&clips)?;
    let new_s = edit.shortest_new_s().filter(|_| prompt.is_some());
    warnings.extend(only_beginning(service, &spec, new_s));
    if edit.covers_all() {
        let warning = "all of the clip is marked, so all of it is made anew";
        warnings.push(warning.to_owned());
    }
    spec.edit = Some(edit);
    Ok(with_reading(spec, prompt, warnings))
}

/// The jobs that are named, whatever else may be wrong; variants are looked for once they are
/// known.
async fn find_sources(
    service: &Service,
    account: &AccountId,
    reading: &EditReading,
) -> Result<Vec<SourceRow>, Refused> {
    let asked: Vec<&AskedSource> = reading.asked.iter().flat_map(AskedEdit::sources).collect();
    let mut rows = Vec::new();
    for (place, (param, text)) in reading.named.iter().enumerate() {
        let unknown = || Refused::UnknownSource { param };
        let rid = JobId::parse(text).map_err(|_| unknown())?;
        let variant = asked.get(place).map_or(VariantId::FIRST, |source| source.variant);
        let row = service.store.find_source(account.as_str(), &rid, variant).await?;
        rows.push(row.ok_or_else(unknown)?);
    }
    Ok(rows)
}

/// The clips themselves, once nothing else is wrong.
async fn keep(
    service: &Service,
    asked: &AskedEdit,
    rows: Vec<SourceRow>,
) -> Result<Vec<KeptClip>, Refused> {
    let mut clips = Vec::new();
    for (source, row) in asked.sources().zip(rows) {
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
        let frames = match frames_of(service, &content).await {
            Ok(frames) => frames,
            Err(FilesError::Gone) => return Err(Refused::Purged { param, rid }),
            Err(FilesError::Damaged) => return Err(Refused::Damaged { param, rid }),
            Err(error) => return Err(Refused::Files(error)),
        };
        clips.push(KeptClip { content, frames, file_frames, file_fps });
    }
    Ok(clips)
}

/// How long a canonical clip is, which only the clip itself knows to the frame.
async fn frames_of(service: &Service, content: &str) -> Result<usize, FilesError> {
    let id = ContentId::parse(content).ok_or(FilesError::Gone)?;
    let bytes = service.files.read(&id).await?;
    let clip = road::kept_clip(&bytes).map_err(|_| FilesError::Damaged)?;
    Ok(clip.clip.len())
}

/// A source that no version can read is as good as removed.
fn gone(param: &'static str, reading: &EditReading) -> Refused {
    match reading.named.first().and_then(|(_, text)| JobId::parse(text).ok()) {
        Some(rid) => Refused::Purged { param, rid },
        None => Refused::UnknownSource { param },
    }
}
