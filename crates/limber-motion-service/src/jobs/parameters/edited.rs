//! The parameters of an edit.

use limber_api::motion::{Message, ModelId};

use super::{
    EditReading, ParameterError, RawParameters, Rules, Validated, check::Check, corrections,
    finish::Finish, regular, request,
};
use crate::jobs::{JobSpec, edits::RequestedEdit};

/// Parameters that only edits have.
const KNOWN: [&str; 9] = [
    "t2m_rid",
    "editRequest",
    "inPaintingRequest",
    "mergingRequest",
    "loopRequest",
    "refineRequest",
    "rerunRequest",
    request::UNIT,
    corrections::CORRECTIONS,
];
/// Parameters that have no meaning for edits.
const MEANINGLESS: [&str; 5] = ["prompt", "requestedAnimationDuration", "start", "end", "loop"];

impl RawParameters {
    /// Checks all values. Parameters that are left out keep the value of the first source's job;
    /// `model` is the character that `model=` was resolved to. The edit itself must still be
    /// checked against its clips.
    pub(crate) fn validate_edit(
        &self,
        reading: EditReading,
        source: Option<&JobSpec>,
        model: Option<&ModelId>,
        rules: Rules,
    ) -> Result<(Validated, RequestedEdit), ParameterError> {
        let mut check = Check::of(self);
        check.problems.extend(reading.problems);
        let variants = check.variants().unwrap_or(1);
        let seed = check.seed();
        let finish = Finish::read(&mut check);
        let wanted_name = check.text("name");
        let known: Vec<&str> = [&KNOWN[..], &regular::KNOWN].concat();
        let sound = check.problems.is_empty();
        let (Some(requested), Some(source), true) = (reading.requested, source, sound) else {
            return Err(ParameterError { problems: check.sorted(&known) });
        };
        let mut warnings = Vec::new();
        let rerun = requested.word() == "rerun";
        let single = requested.single();
        if variants > 1 {
            warnings.extend(single.iter().cloned());
        }
        let name = format!("{} {}", source.name, requested.word());
        let (script, ends) = requested.performed(source);
        let mut spec = JobSpec {
            schema: JobSpec::schema_for(JobSpec::EDIT_SCHEMA, script.as_ref(), ends),
            name: limber_pipeline::base_name(Some(wanted_name.as_deref().unwrap_or(&name)), &name),
            prompt: requested.prompt().unwrap_or(&source.prompt).to_owned(),
            script,
            ends,
            duration_s: None,
            variants: if single.is_some() { 1 } else { variants },
            seed: seed.unwrap_or(if rerun { source.seed } else { rules.fresh_seed }),
            edit: None,
            ..source.clone()
        };
        if let Some(model) = model {
            (spec.model, spec.character) = (model.clone(), None);
        }
        finish.write_over(&mut spec, &mut warnings);
        let unused = Some(regular::SCRIPT).filter(|_| requested.script.is_none());
        let said = MEANINGLESS.into_iter().chain(unused).filter(|name| self.get(name).is_some());
        warnings.extend(said.map(|name| Message::MeaninglessParameter {
            name: name.to_owned(),
            beside: requested.param.to_owned(),
        }));
        warnings.extend(self.unknown_names(&known));
        Ok((Validated { spec, warnings }, requested))
    }
}
