//! Runs stored edits through the pipeline.

use limber_pipeline::{
    Cancel, CanonicalClip, PipelineError, Progress, Prompt, Seed,
    edits::{
        self, Creativity, InpaintRequest, Intervals, LoopRequest, LoopSettings, MergeRequest,
        OverlapRequest, RefineRequest, RootMode,
    },
};

use super::{Pipeline, failed, pipeline, prompt};
use crate::jobs::{Change, Edit, JobSpec, Loop, Source};

impl Pipeline {
    /// Generates the clip of an edit from its source clips.
    pub(super) fn edit(
        &self,
        spec: &JobSpec,
        edit: &Edit,
        sources: &[CanonicalClip],
        variant: u32,
        cancel: &Cancel,
        report: &mut dyn FnMut(Progress),
    ) -> Result<CanonicalClip, PipelineError> {
        let first = sources.first().ok_or_else(|| misfit("the clip to start from is missing"))?;
        let (trim, seed) = (edit.first.trim(), Seed(spec.seed));
        let engine = self.engine.as_ref();
        let script = spec.script.clone();
        match &edit.change {
            Change::Inpaint { prompt: text, intervals } => {
                let ranges = intervals.iter().map(|[start, end]| *start..*end);
                let intervals = Intervals::new(ranges, first.clip.len())
                    .map_err(|error| misfit(&error.to_string()))?;
                let prompt = prompt(text)?;
                let request = InpaintRequest { prompt, script, intervals, trim, seed, variant };
                edits::inpaint(first, &request, engine, cancel, report)
            }
            Change::Merge { prompt: text, bridge_frames } => {
                let (cut, second) = second_of(edit, sources)?;
                let request = MergeRequest {
                    prompt: optional(text.as_deref())?,
                    script,
                    trim_first: trim,
                    trim_second: cut.trim(),
                    bridge_frames: *bridge_frames,
                    seed,
                    variant,
                };
                edits::merge(first, second, &request, engine, cancel, report)
            }
            Change::Overlap { frames } => {
                let (cut, second) = second_of(edit, sources)?;
                let (trim_first, trim_second, frames) = (trim, cut.trim(), *frames);
                let request = OverlapRequest { trim_first, trim_second, frames, seed };
                edits::overlap(first, second, &request, engine, cancel, report)
            }
            Change::Loop(round) => {
                let prompt = optional(round.prompt.as_deref())?;
                let settings = settings(round);
                let request = LoopRequest { prompt, script, trim, settings, seed, variant };
                edits::make_loop(first, &request, engine, cancel, report)
            }
            Change::Refine { prompt: text, creativity } => {
                let creativity =
                    Creativity::new(*creativity).map_err(|error| misfit(&error.to_string()))?;
                let prompt = optional(text.as_deref())?;
                let ends = spec.ends;
                let request =
                    RefineRequest { prompt, script, ends, trim, creativity, seed, variant };
                edits::refine(first, &request, engine, cancel, report)
            }
            Change::Rerun => edits::rerun(first, trim),
        }
    }
}

fn second_of<'a>(
    edit: &'a Edit,
    sources: &'a [CanonicalClip],
) -> Result<(&'a Source, &'a CanonicalClip), PipelineError> {
    let second = edit.second.as_ref().zip(sources.get(1));
    second.ok_or_else(|| misfit("the second clip of the merge is missing"))
}

fn optional(text: Option<&str>) -> Result<Option<Prompt>, PipelineError> {
    text.map(prompt).transpose()
}

fn settings(round: &Loop) -> LoopSettings {
    LoopSettings {
        repetitions: round.repetitions,
        blend_frames: round.blend_frames,
        root_mode: if round.locked { RootMode::Locked } else { RootMode::Interpolation },
        fix_altitude: round.fix_altitude,
        fix_horizontal: round.fix_horizontal,
        fix_orientation: round.fix_orientation,
        across_all: round.across_all,
    }
}

fn misfit(message: &str) -> PipelineError {
    let code = pipeline::ErrorCode::GENERATE_PARAMETERS;
    failed(pipeline::Stage::Intake, code, message)
}
