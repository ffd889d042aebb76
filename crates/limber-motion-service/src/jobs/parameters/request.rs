//! Determines which kind of edit is requested, and parses its request object; see "Editing a clip"
//! in `docs/src/motion-http.md`.

use limber_api::motion::{JobId, ParameterProblem, VariantId};
use limber_pipeline::{CanonicalClip, ErrorCode};

use super::{
    RawParameters,
    check::Check,
    corrections::{self, CORRECTIONS},
    object::{RequestObject, WrittenNumber},
    regular::SCRIPT,
    script, text_value, values,
};
use crate::jobs::edits::{
    Loop, RequestedChange, RequestedCorrections, RequestedEdit, RequestedScript, RequestedSource,
    Unit,
};

/// The request objects; a job has at most one.
pub(super) const KINDS: [&str; 5] = [INPAINT, MERGE, LOOP, REFINE, RERUN];
const INPAINT: &str = "inPaintingRequest";
pub(crate) const MERGE: &str = "mergingRequest";
const LOOP: &str = "loopRequest";
const REFINE: &str = "refineRequest";
const RERUN: &str = "rerunRequest";
/// The parameter that trims the clip; on its own it makes the job a rerun of the trimmed clip.
const TRIM: &str = "editRequest";
const SOURCE: &str = "t2m_rid";
const VARIANT: &str = "variant_id";
/// The unit of interval bounds; also a member of the request object.
pub(super) const UNIT: &str = "unit";

/// Upper bound on intervals, checked before they are parsed.
const MOST_INTERVALS: usize = 64;
/// Default number of new frames of a merge or loop.
const USUAL_BRIDGE: usize = 15;
const BRIDGE_S: [f64; 2] = [0.1, 5.0];

/// The requested edit, as far as it could be parsed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EditReading {
    /// `None` if there are problems.
    pub(crate) requested: Option<RequestedEdit>,
    /// The source jobs that are named: the parameter, and its value.
    pub(crate) named: Vec<(&'static str, String)>,
    pub(super) problems: Vec<ParameterProblem>,
}

impl RawParameters {
    /// Returns whether the job edits earlier ones.
    pub(crate) fn is_edit(&self) -> bool {
        KINDS.iter().chain(&[TRIM]).any(|name| self.get(name).is_some())
    }

    /// Parses the request object and the parameters that belong to it.
    pub(crate) fn read_edit(&self) -> EditReading {
        let mut reader = Reader { raw: self, named: Vec::new(), problems: Vec::new() };
        let requested = reader.edit();
        let Reader { named, problems, .. } = reader;
        EditReading { requested: requested.filter(|_| problems.is_empty()), named, problems }
    }
}

struct Reader<'a> {
    raw: &'a RawParameters,
    named: Vec<(&'static str, String)>,
    problems: Vec<ParameterProblem>,
}

impl Reader<'_> {
    fn problem(&mut self, param: &str, message: impl Into<String>) {
        let (param, message) = (param.to_owned(), message.into());
        self.problems.push(ParameterProblem { param, message, code: 502 });
    }

    /// Returns the value; adds a problem if there is none.
    fn sound<T>(&mut self, param: &str, read: Result<T, String>) -> Option<T> {
        read.map_err(|message| self.problem(param, message)).ok()
    }

    fn object(&mut self, param: &'static str) -> Option<RequestObject> {
        let text = self.raw.get(param)?;
        self.sound(param, RequestObject::read(param, text))
    }

    fn edit(&mut self) -> Option<RequestedEdit> {
        let given: Vec<&'static str> =
            KINDS.into_iter().filter(|name| self.raw.get(name).is_some()).collect();
        if let [_, second, ..] = given[..] {
            let message = "a job can have at most one request object; send one job for each";
            self.problem(second, message);
        }
        let param = given.first().copied().unwrap_or(RERUN);
        let first = self.first();
        let object = self.object(param);
        let second = if param == MERGE {
            object.as_ref().and_then(|object| self.second(object))
        } else {
            None
        };
        let script = match &object {
            Some(object) if param != RERUN => self.script(param, object)?,
            _ => None,
        };
        // a script without a prompt gets a title made from its actions
        let title = script.as_ref().map(|requested| requested.script.title());
        let title = title.as_deref();
        let change = match (param, object) {
            (_, None) if param != RERUN => None,
            (INPAINT, Some(object)) => self.inpaint(&object, title),
            (MERGE, Some(object)) => self.merge(&object, title),
            (LOOP, Some(object)) => self.round(&object, title),
            (REFINE, Some(object)) => self.refine(&object, title),
            (_, object) => self.rerun(object.as_ref()),
        };
        let (first, change) = (first?, change?);
        Some(RequestedEdit { param, first, second, change, script })
    }

    /// Returns the script for new frames, given in the object or as a parameter; `None` if invalid.
    fn script(
        &mut self,
        param: &'static str,
        object: &RequestObject,
    ) -> Option<Option<RequestedScript>> {
        let inside = self.sound(param, object.script(SCRIPT))?;
        let beside = match self.raw.get(SCRIPT) {
            Some(text) => Some(self.sound(SCRIPT, script::read(SCRIPT, text))?),
            None => None,
        };
        match (inside, beside) {
            (Some(inside), Some(beside)) if inside != beside => {
                let path = object.path(SCRIPT);
                let message = format!("{path} and script contradict each other; send one of them");
                self.problem(param, message);
                None
            }
            (Some(script), _) => Some(Some(RequestedScript { param, script })),
            (None, beside) => Some(beside.map(|script| RequestedScript { param: SCRIPT, script })),
        }
    }

    fn first(&mut self) -> Option<RequestedSource> {
        let rid = self.raw.get(SOURCE).map(text_value);
        let rid = self.rid(SOURCE, rid);
        let variant = match self.raw.get(VARIANT).map(|text| text.trim_matches('"').parse::<u32>())
        {
            None => Some(VariantId::FIRST),
            Some(number) => number.ok().and_then(VariantId::new),
        };
        if variant.is_none() {
            self.problem(VARIANT, "variant_id must be a whole number from 1");
        }
        let trim = match self.object(TRIM) {
            Some(object) => self.sound(TRIM, object.trim()).unwrap_or_default(),
            None => [0, 0],
        };
        let corrections = match self.raw.get(CORRECTIONS) {
            Some(text) => {
                Some(self.corrections(CORRECTIONS, corrections::read(CORRECTIONS, text))?)
            }
            None => None,
        };
        let corrections = corrections.map(|corrections| RequestedCorrections {
            param: CORRECTIONS,
            path: CORRECTIONS,
            corrections,
        });
        Some(RequestedSource { param: SOURCE, rid: rid?, variant: variant?, trim, corrections })
    }

    fn second(&mut self, object: &RequestObject) -> Option<RequestedSource> {
        let rid = object.text(SOURCE);
        let rid = self.sound(MERGE, rid).and_then(|rid| self.rid(MERGE, rid));
        let variant = object.whole(VARIANT, 1, u64::from(u32::MAX));
        let variant = self.sound(MERGE, variant)?.unwrap_or(1);
        let trim = object.object(TRIM);
        let trim = match self.sound(MERGE, trim)? {
            Some(object) => self.sound(MERGE, object.trim()).unwrap_or_default(),
            None => [0, 0],
        };
        let variant = u32::try_from(variant).ok().and_then(VariantId::new)?;
        let corrections = self.corrections(MERGE, object.corrections(CORRECTIONS))?;
        let path = "mergingRequest.corrections";
        let corrections =
            corrections.map(|corrections| RequestedCorrections { param: MERGE, path, corrections });
        Some(RequestedSource { param: MERGE, rid: rid?, variant, trim, corrections })
    }

    /// Returns the corrections; adds a problem if they are invalid.
    fn corrections<T>(&mut self, param: &str, read: Result<T, String>) -> Option<T> {
        read.map_err(|message| {
            let (param, code) = (param.to_owned(), ErrorCode::CORRECTION_PARAMETERS.number());
            self.problems.push(ParameterProblem { param, message, code });
        })
        .ok()
    }

    /// Parses a job id. An invalid id is later reported like one of a job that does not exist.
    fn rid(&mut self, param: &'static str, text: Option<String>) -> Option<JobId> {
        let Some(text) = text else {
            let message = match param {
                MERGE => "mergingRequest.t2m_rid is missing; name the job of the second clip",
                _ => "t2m_rid is missing; name the job to start from",
            };
            self.problem(param, message);
            return None;
        };
        let text = text.trim().to_owned();
        let rid = JobId::parse(&text).ok();
        self.named.push((param, text));
        rid
    }

    fn inpaint(&mut self, object: &RequestObject, title: Option<&str>) -> Option<RequestedChange> {
        let prompt = self.sound(INPAINT, object.text("prompt"))?;
        let prompt = self.cleaned(INPAINT, prompt.as_deref().or(title).unwrap_or_default());
        let list = self.sound(INPAINT, object.list("intervals"))?;
        if list.is_empty() || list.len() > MOST_INTERVALS {
            let message = format!("{} must contain 1 to 16 intervals", object.path("intervals"));
            self.problem(INPAINT, message);
            return None;
        }
        let bounds: Result<Vec<[WrittenNumber; 2]>, String> = list.iter().map(ends).collect();
        let bounds = self.sound(INPAINT, bounds)?;
        let unit = self.sound(INPAINT, self.unit(object, &bounds))?;
        let intervals = bounds.iter().map(|pair| pair.map(|bound| bound.value)).collect();
        Some(RequestedChange::Inpaint { prompt: prompt?, intervals, unit })
    }

    /// Returns the unit given in the object or as a parameter. Without one, a bound that is not a
    /// whole number implies seconds.
    fn unit(&self, object: &RequestObject, bounds: &[[WrittenNumber; 2]]) -> Result<Unit, String> {
        let whole = bounds.iter().flatten().all(|bound| bound.whole);
        let path = object.path(UNIT);
        let said = match (object.text(UNIT)?, self.raw.get(UNIT).map(text_value)) {
            (Some(inside), Some(beside)) if inside != beside => {
                return Err(format!("{path} and unit contradict each other; send one of them"));
            }
            (inside, beside) => inside.or(beside),
        };
        match said.as_deref() {
            Some("seconds") => Ok(Unit::Seconds),
            Some("frames") if whole => Ok(Unit::Frames),
            Some("frames") => {
                Err(format!("{} in frames must be whole numbers", object.path("intervals")))
            }
            Some(_) => Err(format!("{path} must be frames or seconds")),
            None if whole => Ok(Unit::Unsaid { seconds_first: self.counts_seconds() }),
            None => Ok(Unit::Seconds),
        }
    }

    /// Returns whether the request gives a duration in seconds, although that has no effect on an
    /// edit.
    fn counts_seconds(&self) -> bool {
        let length = self.raw.get("requestedAnimationDuration");
        length.and_then(values::decimal).is_some_and(|seconds| seconds > 0.0)
    }

    fn merge(&mut self, object: &RequestObject, title: Option<&str>) -> Option<RequestedChange> {
        let prompt = self.optional_prompt(MERGE, object, title)?;
        let seconds =
            self.sound(MERGE, object.within("blendDuration", BRIDGE_S[0], BRIDGE_S[1]))?;
        let frames = self.sound(MERGE, object.whole("blendFrames", 2, 150))?;
        if let Some(both) = self.sound(MERGE, object.whole("overlapFrames", 2, 150))? {
            if prompt.is_some() || seconds.is_some() || frames.is_some() {
                let path = object.path("overlapFrames");
                let message = format!(
                    "{path} leaves no frames in between; omit prompt, script, blendDuration and \
                     blendFrames"
                );
                self.problem(MERGE, message);
                return None;
            }
            return Some(RequestedChange::Overlap { frames: both as usize });
        }
        let bridge_frames = frames.map_or_else(|| bridge(seconds), |frames| frames as usize);
        Some(RequestedChange::Merge { prompt, bridge_frames })
    }

    fn round(&mut self, object: &RequestObject, title: Option<&str>) -> Option<RequestedChange> {
        let prompt = self.optional_prompt(LOOP, object, title)?;
        let repetitions = self.sound(LOOP, object.whole("numReps", 1, 1000))?.unwrap_or(1);
        let seconds = self.sound(LOOP, object.within("blendDuration", BRIDGE_S[0], BRIDGE_S[1]))?;
        let locked = match self.sound(LOOP, object.text("fixRootMode"))?.as_deref() {
            None | Some("INTERPOLATION") => false,
            Some("LOCKED") => true,
            Some(_) => {
                let path = object.path("fixRootMode");
                self.problem(LOOP, format!("{path} must be INTERPOLATION or LOCKED"));
                false
            }
        };
        let mut switch = |member| {
            let on = object.switch(member);
            self.sound(LOOP, on)
        };
        Some(RequestedChange::Loop(Loop {
            prompt,
            repetitions: u32::try_from(repetitions).unwrap_or(u32::MAX),
            blend_frames: bridge(seconds),
            locked,
            fix_altitude: switch("fixRootPositionAltitude")?,
            fix_horizontal: switch("fixRootPositionHorizontal")?,
            fix_orientation: switch("fixRootOrientation")?,
            across_all: switch("fixAcrossEntireMotion")?,
        }))
    }

    fn refine(&mut self, object: &RequestObject, title: Option<&str>) -> Option<RequestedChange> {
        let prompt = self.optional_prompt(REFINE, object, title)?;
        let creativity = self.sound(REFINE, object.within("creativity", 0.0, 1.0))?;
        Some(RequestedChange::Refine { prompt, creativity: creativity.unwrap_or(0.5) as f32 })
    }

    /// `{"rerun": 0}` and `{"rerun": 1}` are equivalent: both export the same clip again.
    fn rerun(&mut self, object: Option<&RequestObject>) -> Option<RequestedChange> {
        if let Some(object) = object {
            self.sound(RERUN, object.switch("rerun"))?;
        }
        Some(RequestedChange::Rerun)
    }

    fn optional_prompt(
        &mut self,
        param: &'static str,
        object: &RequestObject,
        title: Option<&str>,
    ) -> Option<Option<String>> {
        match self.sound(param, object.text("prompt"))?.as_deref().or(title) {
            Some(prompt) => self.cleaned(param, prompt).map(Some),
            None => Some(None),
        }
    }

    fn cleaned(&mut self, param: &'static str, prompt: &str) -> Option<String> {
        let mut check = Check { raw: self.raw, problems: Vec::new() };
        let prompt = check.prompt(param, prompt);
        let found = check.problems;
        let sound = found.is_empty();
        self.problems.extend(found);
        sound.then_some(prompt)
    }
}

fn bridge(seconds: Option<f64>) -> usize {
    seconds.map_or(USUAL_BRIDGE, |seconds| {
        (seconds * f64::from(CanonicalClip::FPS.get())).round() as usize
    })
}

fn ends(interval: &RequestObject) -> Result<[WrittenNumber; 2], String> {
    let end = |member| match interval.number(member)? {
        Some(bound) if bound.value >= 0.0 => Ok(bound),
        Some(_) => Err(format!("{} must be 0 or more", interval.path(member))),
        None => Err(format!("{} is missing", interval.path(member))),
    };
    Ok([end("start")?, end("end")?])
}

#[cfg(test)]
mod tests;
