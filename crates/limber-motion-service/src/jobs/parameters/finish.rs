//! How a clip is post-processed and exported: the parameters that all kinds of job share.

use limber_api::motion::{FileKind, Message};
use limber_pipeline::{FileKind as Written, Options, Preset};

use super::check::Check;
use crate::jobs::JobSpec;

/// The values in a request; `None` keeps the earlier value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finish {
    physics: Option<bool>,
    foot_locking: Option<limber_api::motion::FootLocking>,
    filtering: Option<f32>,
    root_at_origin: Option<bool>,
    skip_fbx: bool,
    fps: Option<u16>,
    formats: Option<Vec<FileKind>>,
    in_place: Option<bool>,
    require_face: Option<bool>,
    preset: Option<Preset>,
}

impl Finish {
    pub(super) fn read(check: &mut Check<'_>) -> Self {
        Self {
            physics: check.physics(),
            foot_locking: check.foot_locking(),
            filtering: check.filtering(),
            root_at_origin: check.switch("rootAtOrigin", 703),
            skip_fbx: check.switch("skipFBX", 502).unwrap_or(false),
            fps: check.fps(),
            formats: check.formats(),
            in_place: check.switch("inPlace", 703),
            require_face: check.switch("requireFace", 906),
            preset: check.preset(),
        }
    }

    /// Applies the values to `spec`. A preset comes first, so that individual parameters override
    /// it.
    pub(super) fn write_over(self, spec: &mut JobSpec, warnings: &mut Vec<Message>) {
        if let Some(preset) = self.preset {
            let wanted = Options::for_preset(preset);
            spec.preset = Some(preset.rules().word.to_owned());
            spec.fps = wanted.fps.get();
            spec.root_at_origin = wanted.root_at_origin;
            spec.formats = wanted.formats.iter().filter_map(|kind| asked_as(*kind)).collect();
        }
        let set = |to: &mut bool, said: Option<bool>| *to = said.unwrap_or(*to);
        set(&mut spec.physics, self.physics);
        set(&mut spec.root_at_origin, self.root_at_origin);
        set(&mut spec.in_place, self.in_place);
        set(&mut spec.require_face, self.require_face);
        spec.foot_locking = self.foot_locking.unwrap_or(spec.foot_locking);
        spec.filtering = self.filtering.unwrap_or(spec.filtering);
        spec.fps = self.fps.unwrap_or(spec.fps);
        let formats = self.formats.unwrap_or_else(|| std::mem::take(&mut spec.formats));
        spec.formats = without_skipped(formats, self.skip_fbx, warnings);
    }
}

const fn asked_as(kind: Written) -> Option<FileKind> {
    match kind {
        Written::Bvh => Some(FileKind::Bvh),
        Written::Fbx => Some(FileKind::Fbx),
        Written::Glb => Some(FileKind::Glb),
        Written::Vrma => Some(FileKind::Vrma),
        Written::FbxZip | Written::Metrics | Written::Picture => None,
    }
}

/// Returns the requested formats without those to be skipped.
fn without_skipped(
    mut formats: Vec<FileKind>,
    skip_fbx: bool,
    warnings: &mut Vec<Message>,
) -> Vec<FileKind> {
    formats.retain(|kind| !skip_fbx || *kind != FileKind::Fbx);
    if formats.is_empty() {
        // a job without files would be useless
        formats = vec![FileKind::Bvh, FileKind::Glb];
        warnings.push(Message::FbxSkipped);
    }
    formats.sort_unstable();
    formats.dedup();
    formats
}
