//! The parameters of a regular text-to-motion job.

use limber_api::motion::{FileKind, FootLocking, Message, ModelId};
use limber_pipeline::{Script, corrections::Corrections};

use super::{ParameterError, RawParameters, check::Check, finish::Finish};
use crate::jobs::JobSpec;

/// The parameter for a motion script, which edits have too.
pub(super) const SCRIPT: &str = "script";

/// All parameters of a regular job, in the order of the specification.
pub(super) const KNOWN: [&str; 21] = [
    "prompt",
    SCRIPT,
    "model",
    "requestedAnimationDuration",
    "start",
    "end",
    "loop",
    "numVariant",
    "dis",
    "footLockingMode",
    "poseFilteringStrength",
    "rootAtOrigin",
    "skipFBX",
    "seed",
    "fps",
    "formats",
    "inPlace",
    "requireFace",
    "name",
    "preset",
    "variant_id",
];

/// Limits from the settings, and a default seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) max_duration_s: f32,
    /// Used if the client gives no seed.
    pub(crate) fresh_seed: u64,
}

/// A job, with warnings about what was ignored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Validated {
    pub(crate) spec: JobSpec,
    pub(crate) warnings: Vec<Message>,
}

impl RawParameters {
    /// Checks all values. `model` is the character that `model=` was resolved to, if it was given.
    pub(crate) fn validate(
        &self,
        model: Option<&ModelId>,
        rules: Rules,
    ) -> Result<Validated, ParameterError> {
        let mut check = Check::of(self);
        let script = check.script(SCRIPT);
        let prompt = match check.text("prompt").filter(|said| !said.trim().is_empty()) {
            // a script without a prompt gets a title made from its actions
            None if self.get(SCRIPT).is_some() => {
                script.as_ref().map(Script::title).unwrap_or_default()
            }
            said => check.prompt("prompt", &said.unwrap_or_default()),
        };
        if model.is_none() {
            let message = "the model is missing; send model=default or an id from listModels";
            check.problem("model", 502, message);
        }
        let duration_s = check.duration(rules.max_duration_s);
        let ends = check.ends();
        let variants = check.variants().unwrap_or(1);
        let seed = check.seed().unwrap_or(rules.fresh_seed);
        let finish = Finish::read(&mut check);
        let wanted_name = check.text("name");
        let (Some(model), true) = (model, check.problems.is_empty()) else {
            return Err(ParameterError { problems: check.sorted(&KNOWN) });
        };
        let mut spec = JobSpec {
            schema: JobSpec::schema_for(JobSpec::FIRST_SCHEMA, script.as_ref(), ends),
            name: limber_pipeline::base_name(wanted_name.as_deref(), &prompt),
            prompt,
            script,
            ends,
            model: model.clone(),
            character: None,
            duration_s,
            variants,
            seed,
            fps: 30,
            physics: true,
            foot_locking: FootLocking::Auto,
            filtering: 0.0,
            root_at_origin: false,
            in_place: false,
            require_face: false,
            formats: vec![FileKind::Bvh, FileKind::Fbx, FileKind::Glb],
            preset: None,
            corrections: Corrections::default(),
            edit: None,
        };
        let mut warnings = Vec::new();
        finish.write_over(&mut spec, &mut warnings);
        warnings.extend(self.unknown_names(&KNOWN));
        Ok(Validated { spec, warnings })
    }

    /// Returns a warning for each unknown parameter.
    pub(super) fn unknown_names<'a>(
        &'a self,
        known: &'a [&str],
    ) -> impl Iterator<Item = Message> + 'a {
        let unknown = self.values.keys().filter(|name| !known.contains(&name.as_str()));
        unknown.map(|name| Message::UnknownParameter { name: name.chars().take(60).collect() })
    }
}

#[cfg(test)]
mod tests {
    use limber_pipeline::{ClipEnds, End, Start};
    use serde_json::json;

    use super::*;

    const RULES: Rules = Rules { max_duration_s: 10.0, fresh_seed: 7 };

    fn validate(params: &[&str]) -> Result<Validated, ParameterError> {
        let model = ModelId::parse("default").expect("letters");
        let raw = RawParameters::read(&json!({ "params": params })).expect("well formed");
        raw.validate(Some(&model), RULES)
    }

    fn codes(params: &[&str]) -> Vec<(String, u16)> {
        let error = validate(params).expect_err("wrong values");
        error.problems.into_iter().map(|problem| (problem.param, problem.code)).collect()
    }

    #[test]
    fn a_prompt_and_a_model_are_enough() {
        let job = validate(&["prompt=\"walks\"", "model=default", "skipFBX=1"]).expect("a job");
        assert_eq!(job.spec.prompt, "walks");
        assert_eq!((job.spec.seed, job.spec.fps, job.spec.variants), (7, 30, 1));
        assert_eq!(job.spec.formats, [FileKind::Bvh, FileKind::Glb]);
        let all = validate(&["prompt=walks"]).expect("a job").spec.formats;
        assert_eq!(all, [FileKind::Bvh, FileKind::Fbx, FileKind::Glb]);
        assert!(job.spec.physics && job.warnings.is_empty(), "{:?}", job.warnings);
    }

    #[test]
    fn all_problems_are_listed_with_their_codes() {
        let found = codes(&[
            "prompt=",
            "numVariant=9",
            "dis=x",
            "footLockingMode=glue",
            "poseFilteringStrength=2",
            "rootAtOrigin=yes",
            "fps=31",
            "seed=-1",
            "formats=obj",
            "requestedAnimationDuration=0.29",
        ]);
        let expected = [
            ("prompt", 502),
            ("requestedAnimationDuration", 502),
            ("numVariant", 502),
            ("dis", 603),
            ("footLockingMode", 603),
            ("poseFilteringStrength", 703),
            ("rootAtOrigin", 703),
            ("seed", 502),
            ("fps", 803),
            ("formats", 502),
        ];
        let expected: Vec<_> = expected.map(|(param, code)| (param.to_owned(), code)).into();
        assert_eq!(found, expected);
    }

    #[test]
    fn ends_are_those_of_scripts_and_contradictions_are_reported() {
        let ends = |params: &[&str]| {
            let params = [params, &["prompt=walks"]].concat();
            validate(&params).expect("a job").spec.ends
        };
        assert!(ends(&["start=", "loop="]).is_open());
        let all = ends(&["start=action", "end=hold", "loop=true"]);
        let (start, end) = (Some(Start::Action), Some(End::Hold));
        assert_eq!(all, ClipEnds { start, end, is_loop: Some(true) });
        let wrong = ["prompt=walks", "loop=yes", "end=stop", "start=Action"];
        let params = ["start", "end", "loop"].map(|param| (param.to_owned(), 502));
        assert_eq!(codes(&wrong), params);
        let error = validate(&wrong).expect_err("wrong values");
        assert_eq!(error.problems[1].message, "end must be idle, hold or action");
        for param in ["start", "end"] {
            let at_ease = format!("{param}=idle");
            let both = ["prompt=walks", "loop=true", at_ease.as_str()];
            assert_eq!(codes(&both), [(param.to_owned(), 502)]);
            assert_eq!(ends(&["loop=false", &at_ease]).is_loop, Some(false));
        }
    }

    #[test]
    fn jobs_with_given_ends_have_a_newer_schema() {
        let spec = |params: &[&str]| validate(params).expect("a job").spec;
        let held = spec(&["prompt=walks", "end=hold"]);
        let stored = serde_json::to_value(&held).expect("it is stored");
        assert_eq!((&stored["schema"], &stored["ends"]), (&json!(4), &json!({ "end": "hold" })));
        assert_eq!(JobSpec::read(stored), Ok(held));
        let plain = serde_json::to_value(spec(&["prompt=walks"])).expect("it is stored");
        assert_eq!((&plain["schema"], plain.get("ends")), (&json!(1), None));
    }

    #[test]
    fn unknown_parameters_are_reported_and_ignored() {
        let job = validate(&["prompt=walks", "colour=red", "skipFBX=true"]).expect("a job");
        assert_eq!(job.warnings, [Message::UnknownParameter { name: "colour".to_owned() }]);
        assert_eq!(job.warnings[0].to_string(), "unknown parameter: colour");
    }

    #[test]
    fn fbx_can_be_both_requested_and_skipped() {
        let job = validate(&["prompt=walks", "formats=fbx, glb"]).expect("a job");
        assert_eq!(job.spec.formats, [FileKind::Fbx, FileKind::Glb]);
        let job = validate(&["prompt=walks", "formats=fbx", "skipFBX=1"]).expect("a job");
        assert_eq!(job.spec.formats, [FileKind::Bvh, FileKind::Glb]);
        assert_eq!(job.warnings, [Message::FbxSkipped]);
    }

    #[test]
    fn a_repeated_parameter_must_have_the_same_value() {
        assert!(validate(&["prompt=walks", "seed=1", "seed=1"]).is_ok());
        assert_eq!(codes(&["prompt=walks", "seed=1", "seed=2"]), [("seed".to_owned(), 502)]);
    }

    #[test]
    fn presets_set_defaults_that_parameters_override() {
        let job = validate(&["prompt=walks", "preset=unreal5"]).expect("a job").spec;
        assert_eq!((job.formats, job.root_at_origin), (vec![FileKind::Fbx], true));
        let job = validate(&["prompt=walks", "preset=Unreal5", "rootAtOrigin=0", "fps=60"]);
        let job = job.expect("a job").spec;
        assert_eq!((job.fps, job.root_at_origin, job.preset), (60, false, Some("unreal5".into())));
        assert_eq!(codes(&["prompt=walks", "preset=maya"]), [("preset".to_owned(), 502)]);
    }

    #[test]
    fn the_prompt_limit_counts_characters_not_bytes() {
        let longest = format!("prompt={}", "é".repeat(1024));
        assert!(validate(&[&longest]).is_ok());
        let longer = format!("prompt={}", "é".repeat(1025));
        assert_eq!(codes(&[&longer]), [("prompt".to_owned(), 502)]);
    }
}
