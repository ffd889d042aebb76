//! Parses values that any kind of job can have, independently of each other, and collects all
//! problems.

use limber_api::motion::{FileKind, FootLocking, ParameterProblem};
use limber_domain::limits::{FILE_FRAME_RATES, MAX_PROMPT_CHARS, MAX_VARIANTS, listed};
use limber_pipeline::{ClipEnds, End, Preset, Script, Start};

use super::{RawParameters, script, text_value, values};

/// Minimum length of a requested clip, seconds. The engine can make shorter ones, but nobody can
/// tell what they show.
const SHORTEST_S: f32 = 0.3;

/// Parses values and collects problems. Methods return `None` if the value is absent or invalid.
pub(super) struct Check<'a> {
    pub(super) raw: &'a RawParameters,
    pub(super) problems: Vec<ParameterProblem>,
}

impl<'a> Check<'a> {
    pub(super) fn of(raw: &'a RawParameters) -> Self {
        let mut check = Self { raw, problems: Vec::new() };
        for name in &raw.contradictions {
            let message = format!("{name} is given twice with different values; send it once");
            check.problem(name, 502, message);
        }
        check
    }

    pub(super) fn problem(&mut self, param: &str, code: u16, message: impl Into<String>) {
        self.problems.push(ParameterProblem {
            param: param.to_owned(),
            message: message.into(),
            code,
        });
    }

    /// Parses the value with `read`; adds a problem if that fails.
    pub(super) fn value<T>(
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

    /// Cleans up a prompt; adds a problem if nothing is left or it is too long.
    pub(super) fn prompt(&mut self, param: &str, text: &str) -> String {
        let cleaned: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let cleaned = cleaned.trim().to_owned();
        let count = cleaned.chars().count();
        if count == 0 {
            let message = "the prompt is empty; describe what the person does, for example \
                           \"a person walks forward\"";
            self.problem(param, 502, message);
        } else if count > MAX_PROMPT_CHARS {
            let message = format!(
                "the prompt has {count} characters, at most {MAX_PROMPT_CHARS} are allowed; \
                 shorten it"
            );
            self.problem(param, 502, message);
        }
        cleaned
    }

    /// Parses the script that is performed instead of the prompt.
    pub(super) fn script(&mut self, param: &str) -> Option<Script> {
        let read = script::read(param, self.raw.get(param)?);
        read.map_err(|message| self.problem(param, 502, message)).ok()
    }

    /// Parses how the clip starts and ends, which overrides prompt and script.
    pub(super) fn ends(&mut self) -> ClipEnds {
        let start = |value: &str| Start::ALL.into_iter().find(|start| start.name() == value);
        let end = |value: &str| End::ALL.into_iter().find(|end| end.name() == value);
        let ends = ClipEnds {
            start: self.value("start", 502, "idle or action", start),
            end: self.value("end", 502, "idle, hold or action", end),
            is_loop: self.value("loop", 502, "true or false", values::switch),
        };
        if let Err(error) = ends.check() {
            self.problem(error.field, 502, error.to_string());
        }
        ends
    }

    pub(super) fn duration(&mut self, longest_s: f32) -> Option<f32> {
        let expected = format!("0 (the service decides) or {SHORTEST_S} to {longest_s} seconds");
        let read = |value: &str| {
            values::decimal(value).filter(|s| *s == 0.0 || (SHORTEST_S..=longest_s).contains(s))
        };
        self.value("requestedAnimationDuration", 502, &expected, read).filter(|s| *s > 0.0)
    }

    pub(super) fn variants(&mut self) -> Option<u32> {
        let expected = format!("a whole number from 1 to {MAX_VARIANTS}");
        let read =
            |value: &str| value.parse().ok().filter(|count| (1..=MAX_VARIANTS).contains(count));
        self.value("numVariant", 502, &expected, read)
    }

    pub(super) fn physics(&mut self) -> Option<bool> {
        let read = |value: &str| match value {
            "on" => Some(true),
            "s" => Some(false),
            _ => None,
        };
        self.value("dis", 603, "`s` (off) or `on`", read)
    }

    pub(super) fn foot_locking(&mut self) -> Option<FootLocking> {
        let all =
            [FootLocking::Auto, FootLocking::Always, FootLocking::Never, FootLocking::Grounding];
        let read = |value: &str| all.into_iter().find(|mode| mode.as_str() == value);
        self.value("footLockingMode", 603, "auto, always, never or grounding", read)
    }

    pub(super) fn filtering(&mut self) -> Option<f32> {
        let read = |value: &str| values::decimal(value).filter(|s| (0.0..=1.0).contains(s));
        self.value("poseFilteringStrength", 703, "a number from 0 to 1", read)
    }

    pub(super) fn switch(&mut self, param: &str, code: u16) -> Option<bool> {
        self.value(param, code, "0 or 1", values::switch)
    }

    pub(super) fn seed(&mut self) -> Option<u64> {
        let expected = "a whole number from 0 to 18446744073709551615";
        self.value("seed", 502, expected, |value| value.parse().ok())
    }

    pub(super) fn fps(&mut self) -> Option<u16> {
        let read = |value: &str| value.parse().ok().filter(|fps| FILE_FRAME_RATES.contains(fps));
        self.value("fps", 803, &listed(&FILE_FRAME_RATES), read)
    }

    pub(super) fn formats(&mut self) -> Option<Vec<FileKind>> {
        let known = [FileKind::Bvh, FileKind::Fbx, FileKind::Glb, FileKind::Vrma];
        self.value("formats", 502, "some of bvh, fbx, glb, vrma, separated by commas", |value| {
            let words = value.split(',').map(str::trim);
            words.map(|word| known.into_iter().find(|kind| kind.as_str() == word)).collect()
        })
    }

    /// Parses the program whose conventions the files follow.
    pub(super) fn preset(&mut self) -> Option<Preset> {
        let words: Vec<&str> = Preset::ALL.map(|preset| preset.rules().word).to_vec();
        self.value("preset", 502, &format!("one of {}", words.join(", ")), Preset::from_word)
    }

    /// Returns free text.
    pub(super) fn text(&self, param: &str) -> Option<String> {
        self.raw.get(param).map(text_value)
    }

    /// Returns all problems in the order of the specification.
    pub(super) fn sorted(mut self, order: &[&str]) -> Vec<ParameterProblem> {
        let place = |param: &str| order.iter().position(|name| *name == param);
        self.problems.sort_by_key(|problem| place(&problem.param).unwrap_or(0));
        self.problems
    }
}
