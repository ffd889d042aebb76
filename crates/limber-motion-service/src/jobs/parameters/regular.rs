//! The parameters of a regular text-to-motion job.

use limber_api::motion::{FileKind, FootLocking, ModelId, ParameterProblem};

use super::{ParameterError, RawParameters, text_value, values};
use crate::jobs::JobSpec;

const LONGEST_PROMPT: usize = 1024;
const MOST_VARIANTS: u32 = 8;
const FRAME_RATES: [u16; 7] = [24, 25, 30, 48, 50, 60, 120];

/// Every name a regular job knows.
const KNOWN: [&str; 15] = [
    "prompt",
    "model",
    "requestedAnimationDuration",
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
    "name",
    "variant_id",
];

/// The words of job kinds that this version does not do.
const OTHER_KINDS: [&str; 6] = [
    "inPaintingRequest",
    "mergingRequest",
    "editRequest",
    "loopRequest",
    "refineRequest",
    "rerunRequest",
];

/// What the settings and the account allow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) max_duration_s: f32,
    /// Used when the client names no seed.
    pub(crate) fresh_seed: u64,
}

/// A job, and what was passed over on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Understood {
    pub(crate) spec: JobSpec,
    pub(crate) warnings: Vec<String>,
}

impl RawParameters {
    /// Checks every value. `model` is the character that `model=` was found to mean.
    pub(crate) fn understand(
        &self,
        model: &ModelId,
        rules: Rules,
    ) -> Result<Understood, ParameterError> {
        let mut check = Check { raw: self, problems: Vec::new() };
        check.contradictions();
        check.kind();
        let prompt = check.prompt();
        let duration_s = check.duration(rules.max_duration_s);
        let variants = check.variants();
        let physics = check.physics();
        let foot_locking = check.foot_locking();
        let filtering = check.filtering();
        let root_at_origin = check.switch("rootAtOrigin", 703);
        let skip_fbx = check.switch("skipFBX", 502);
        let seed = check.seed(rules.fresh_seed);
        let fps = check.fps();
        let asked = check.formats();
        let in_place = check.switch("inPlace", 703);
        if !check.problems.is_empty() {
            return Err(ParameterError { problems: check.problems });
        }
        let (formats, mut warnings) = formats(asked, skip_fbx);
        warnings.extend(self.unknown_names());
        let wanted_name = self.get("name").map(text_value);
        let spec = JobSpec {
            schema: JobSpec::SCHEMA,
            name: limber_pipeline::base_name(wanted_name.as_deref(), &prompt),
            prompt,
            model: model.clone(),
            character: None,
            duration_s,
            variants,
            seed,
            fps,
            physics,
            foot_locking,
            filtering,
            root_at_origin,
            in_place,
            formats,
        };
        Ok(Understood { spec, warnings })
    }

    fn unknown_names(&self) -> impl Iterator<Item = String> + '_ {
        let unknown = self.values.keys().filter(|name| !KNOWN.contains(&name.as_str()));
        unknown
            .map(|name| format!("unknown parameter: {}", name.chars().take(60).collect::<String>()))
    }
}

/// Of what was asked for, what is not skipped.
fn formats(asked: Option<Vec<FileKind>>, skip_fbx: bool) -> (Vec<FileKind>, Vec<String>) {
    let mut formats = asked.unwrap_or_else(|| vec![FileKind::Bvh, FileKind::Fbx, FileKind::Glb]);
    formats.retain(|kind| !skip_fbx || *kind != FileKind::Fbx);
    let mut warnings = Vec::new();
    if formats.is_empty() {
        // a job without files would be worth nothing
        formats = vec![FileKind::Bvh, FileKind::Glb];
        warnings.push("fbx is asked for and skipped; the job leaves bvh and glb".to_owned());
    }
    formats.sort_unstable();
    formats.dedup();
    (formats, warnings)
}

struct Check<'a> {
    raw: &'a RawParameters,
    problems: Vec<ParameterProblem>,
}

impl Check<'_> {
    fn problem(&mut self, param: &str, code: u16, message: impl Into<String>) {
        self.problems.push(ParameterProblem {
            param: param.to_owned(),
            message: message.into(),
            code,
        });
    }

    /// The value, read by `read`; a problem when it cannot be.
    fn value<T>(
        &mut self,
        param: &str,
        code: u16,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = self.raw.get(param)?;
        let read = read(value);
        if read.is_none() {
            self.problem(param, code, format!("{param} must be {expected}"));
        }
        read
    }

    fn contradictions(&mut self) {
        for name in self.raw.contradictions.clone() {
            let message = format!("{name} is given twice with different values; send it once");
            self.problem(&name, 502, message);
        }
    }

    fn kind(&mut self) {
        let asked: Vec<&str> =
            OTHER_KINDS.into_iter().filter(|name| self.raw.contains(name)).collect();
        let kinds: Vec<&&str> = asked.iter().filter(|name| **name != "editRequest").collect();
        if kinds.len() > 1 {
            let message = "a job holds at most one request object; send one job for each";
            self.problem(kinds[1], 502, message);
        } else if let Some(name) = asked.first() {
            let message = format!(
                "{name} belongs to a kind of job that this version does not do; \
                 it makes motions from a prompt and a model"
            );
            self.problem(name, 502, message);
        }
    }

    fn prompt(&mut self) -> String {
        let text = self.raw.get("prompt").map(text_value).unwrap_or_default();
        let cleaned: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let cleaned = cleaned.trim().to_owned();
        let count = cleaned.chars().count();
        if count == 0 {
            let message = "the prompt is empty; say what the person does, for example \
                           \"a person walks forward\"";
            self.problem("prompt", 502, message);
        } else if count > LONGEST_PROMPT {
            let message = format!(
                "the prompt has {count} characters, at most {LONGEST_PROMPT} are allowed; shorten it"
            );
            self.problem("prompt", 502, message);
        }
        cleaned
    }

    fn duration(&mut self, longest_s: f32) -> Option<f32> {
        let expected = format!("0 (the service decides) or 1 to {longest_s} seconds");
        let read = |value: &str| {
            values::decimal(value).filter(|s| *s == 0.0 || (1.0..=longest_s).contains(s))
        };
        self.value("requestedAnimationDuration", 502, &expected, read).filter(|s| *s > 0.0)
    }

    fn variants(&mut self) -> u32 {
        let read =
            |value: &str| value.parse().ok().filter(|count| (1..=MOST_VARIANTS).contains(count));
        self.value("numVariant", 502, "a whole number from 1 to 8", read).unwrap_or(1)
    }

    fn physics(&mut self) -> bool {
        let read = |value: &str| match value {
            "on" => Some(true),
            "s" => Some(false),
            _ => None,
        };
        self.value("dis", 603, "`s` (off) or `on`", read).unwrap_or(true)
    }

    fn foot_locking(&mut self) -> FootLocking {
        let all =
            [FootLocking::Auto, FootLocking::Always, FootLocking::Never, FootLocking::Grounding];
        let read = |value: &str| all.into_iter().find(|mode| mode.as_str() == value);
        self.value("footLockingMode", 603, "auto, always, never or grounding", read)
            .unwrap_or_default()
    }

    fn filtering(&mut self) -> f32 {
        let read = |value: &str| values::decimal(value).filter(|s| (0.0..=1.0).contains(s));
        self.value("poseFilteringStrength", 703, "a number from 0 to 1", read).unwrap_or(0.0)
    }

    fn switch(&mut self, param: &str, code: u16) -> bool {
        self.value(param, code, "0 or 1", values::switch).unwrap_or(false)
    }

    fn seed(&mut self, fresh: u64) -> u64 {
        let expected = "a whole number from 0 to 18446744073709551615";
        self.value("seed", 502, expected, |value| value.parse().ok()).unwrap_or(fresh)
    }

    fn fps(&mut self) -> u16 {
        let read = |value: &str| value.parse().ok().filter(|fps| FRAME_RATES.contains(fps));
        self.value("fps", 803, "24, 25, 30, 48, 50, 60 or 120", read).unwrap_or(30)
    }

    fn formats(&mut self) -> Option<Vec<FileKind>> {
        let known = [FileKind::Bvh, FileKind::Fbx, FileKind::Glb, FileKind::Vrma];
        self.value("formats", 502, "some of bvh, fbx, glb, vrma, separated by commas", |value| {
            let words = value.split(',').map(str::trim);
            words.map(|word| known.into_iter().find(|kind| kind.as_str() == word)).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const RULES: Rules = Rules { max_duration_s: 10.0, fresh_seed: 7 };

    fn understand(params: &[&str]) -> Result<Understood, ParameterError> {
        let model = ModelId::parse("default").expect("letters");
        let raw = RawParameters::read(&json!({ "params": params })).expect("well formed");
        raw.understand(&model, RULES)
    }

    fn codes(params: &[&str]) -> Vec<(String, u16)> {
        let error = understand(params).expect_err("wrong values");
        error.problems.into_iter().map(|problem| (problem.param, problem.code)).collect()
    }

    #[test]
    fn a_prompt_and_a_model_are_enough() {
        let job = understand(&["prompt=\"walks\"", "model=default", "skipFBX=1"]).expect("a job");
        assert_eq!(job.spec.prompt, "walks");
        assert_eq!((job.spec.seed, job.spec.fps, job.spec.variants), (7, 30, 1));
        assert_eq!(job.spec.formats, [FileKind::Bvh, FileKind::Glb]);
        let all = understand(&["prompt=walks"]).expect("a job").spec.formats;
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
            "requestedAnimationDuration=0.5",
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
    fn left_over_names_are_told_and_passed_over() {
        let job = understand(&["prompt=walks", "colour=red", "skipFBX=true"]).expect("a job");
        assert_eq!(job.warnings, ["unknown parameter: colour"]);
    }

    #[test]
    fn fbx_can_be_asked_for_and_skipped() {
        let job = understand(&["prompt=walks", "formats=fbx, glb"]).expect("a job");
        assert_eq!(job.spec.formats, [FileKind::Fbx, FileKind::Glb]);
        let job = understand(&["prompt=walks", "formats=fbx", "skipFBX=1"]).expect("a job");
        assert_eq!(job.spec.formats, [FileKind::Bvh, FileKind::Glb]);
        assert!(job.warnings[0].contains("skipped"), "{:?}", job.warnings);
    }

    #[test]
    fn the_same_name_twice_is_fine_only_with_the_same_value() {
        assert!(understand(&["prompt=walks", "seed=1", "seed=1"]).is_ok());
        assert_eq!(codes(&["prompt=walks", "seed=1", "seed=2"]), [("seed".to_owned(), 502)]);
    }

    #[test]
    fn other_kinds_of_jobs_are_refused_by_name() {
        assert_eq!(codes(&["prompt=walks", "loopRequest={}"]), [("loopRequest".to_owned(), 502)]);
        assert_eq!(codes(&["prompt=walks", "loopRequest={}", "mergingRequest={}"]).len(), 1);
    }

    #[test]
    fn a_prompt_may_have_1024_characters_whatever_their_bytes() {
        let longest = format!("prompt={}", "é".repeat(1024));
        assert!(understand(&[&longest]).is_ok());
        let longer = format!("prompt={}", "é".repeat(1025));
        assert_eq!(codes(&[&longer]), [("prompt".to_owned(), 502)]);
    }
}
