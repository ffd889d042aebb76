//! Render jobs, which make videos of the clips of earlier jobs.

use limber_api::motion::{JobId, ParameterProblem};
use limber_pipeline::{corrections::Corrections, edits::Trim};

use super::{Order, Refused};
use crate::{
    accounts::AccountId,
    jobs::{
        CORRECTIONS, JobSpec, JobState, Outcome, RawParameters, RenderSpec, Work, correction_fault,
    },
    pipeline,
    service::Service,
};

/// The parameter that names the source job.
const SOURCE: &str = "t2m_rid";

/// Checks the parameters of a render job of this account.
pub(crate) async fn validate(
    service: &Service,
    account: &AccountId,
    raw: &RawParameters,
) -> Result<Order, Refused> {
    let validated = raw.validate_render();
    let Some(named) = raw.render_source() else {
        return Err(validated.map_or_else(Refused::from, |_| unknown()));
    };
    // a missing source job takes precedence over other problems
    let rid = JobId::parse(&named).map_err(|_| unknown())?;
    let variant = validated.as_ref().map_or(limber_api::motion::VariantId::FIRST, |f| f.variant);
    let row = service.store.find_source(account.as_str(), &rid, variant).await?;
    let row = row.ok_or_else(unknown)?;
    let requested = validated?;
    if row.state != JobState::Finished(Outcome::Success) {
        return Err(Refused::NotFinished { param: SOURCE, rid });
    }
    if row.purged {
        return Err(Refused::Purged { param: SOURCE, rid });
    }
    let no_variant =
        || Refused::NoVariant { param: "variant_id", rid: rid.clone(), variant: variant.get() };
    let (clip, clip_frames, clip_fps) = row.clip.ok_or_else(no_variant)?;
    // a spec that cannot be parsed counts as purged
    let motion = row.spec.map_err(|_| Refused::Purged { param: SOURCE, rid: rid.clone() })?;
    let (motion, glb) = corrected(requested.corrections, clip_frames, motion, row.glb)?;
    let mut video = requested.video;
    (video.first_frame, video.clip_frames) = shown(requested.trim, clip_frames)?;
    video.clip_fps = clip_fps;
    let mut warnings = requested.warnings;
    warnings.extend(pipeline::missing_joints(&motion));
    let schema = RenderSpec::schema_for(&motion);
    let spec = RenderSpec { schema, rid, variant, clip, glb, motion, video };
    Ok(Order { work: Work::Render(Box::new(spec)), reading: None, warnings })
}

/// Returns the motion with the requested corrections. If they differ from those of the source job,
/// its GLB does not show them and cannot be used.
fn corrected(
    requested: Option<Corrections>,
    frames: usize,
    motion: JobSpec,
    glb: Option<String>,
) -> Result<(JobSpec, Option<String>), Refused> {
    let Some(corrections) = requested.filter(|requested| *requested != motion.corrections) else {
        return Ok((motion, glb));
    };
    let frames = u32::try_from(frames).unwrap_or(u32::MAX);
    corrections.check_within(frames).map_err(|error| {
        let (param, message) = (CORRECTIONS.to_owned(), correction_fault(CORRECTIONS, &error));
        Refused::Parameters(vec![ParameterProblem { param, message, code: 1102 }])
    })?;
    Ok((motion.corrected(corrections), None))
}

/// Returns the first frame that is shown, and the number of frames.
fn shown(trim: [u64; 2], frames: usize) -> Result<(usize, usize), Refused> {
    let [left, right] = trim.map(|frames| usize::try_from(frames).unwrap_or(usize::MAX));
    let kept = Trim { left, right }.kept(frames).map_err(|error| {
        let (param, message) = ("editRequest".to_owned(), error.to_string());
        Refused::Parameters(vec![ParameterProblem { param, message, code: 1102 }])
    })?;
    Ok((kept.start, kept.len()))
}

const fn unknown() -> Refused {
    Refused::UnknownSource { param: SOURCE }
}
