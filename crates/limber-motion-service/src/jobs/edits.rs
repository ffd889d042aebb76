//! Edits: checks what is requested against the source clips, and converts it to what is stored.
//!
//! Clients count frames of the files they see; stored edits count frames of the canonical clip. See
//! [`FileRate`].

use limber_api::motion::{JobId, VariantId};
use limber_pipeline::{
    CanonicalClip, ClipEnds, FileRate, Message, Request, Script,
    corrections::{CarriedPart, Corrections, CorrectionsError, Facings, Join, carried},
    edits::{EditError, IntervalError, Intervals, Trim},
    message::IntervalUnit,
};
use serde::{Deserialize, Serialize};

use super::JobSpec;

/// A source clip, as the client names it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestedSource {
    /// The parameter that names it.
    pub(crate) param: &'static str,
    pub(crate) rid: JobId,
    pub(crate) variant: VariantId,
    /// Frames of the files to cut off at the beginning and at the end.
    pub(crate) trim: [u64; 2],
    /// Manual corrections of the clip, in frames of the files; `None` keeps those of its job.
    pub(crate) corrections: Option<RequestedCorrections>,
}

/// Corrections that have not been checked against their clip yet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestedCorrections {
    /// The parameter that contains them.
    pub(crate) param: &'static str,
    /// Path of the value, for messages.
    pub(crate) path: &'static str,
    pub(crate) corrections: Corrections,
}

/// An edit as requested by the client.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestedEdit {
    /// The parameter that contains the change.
    pub(crate) param: &'static str,
    pub(crate) first: RequestedSource,
    /// Second clip of a merge.
    pub(crate) second: Option<RequestedSource>,
    pub(crate) change: RequestedChange,
    /// Script of the new frames; the prompt of the change is then only a title.
    pub(crate) script: Option<RequestedScript>,
}

/// A script for new frames.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestedScript {
    /// The parameter that contains it.
    pub(crate) param: &'static str,
    pub(crate) script: Script,
}

/// The requested change, in the client's units.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RequestedChange {
    Inpaint {
        prompt: String,
        intervals: Vec<[f64; 2]>,
        unit: Unit,
    },
    Merge {
        prompt: Option<String>,
        bridge_frames: usize,
    },
    /// A merge that crossfades this many frames at the end of the first clip and the start of the
    /// second.
    Overlap {
        frames: usize,
    },
    Loop(Loop),
    Refine {
        prompt: Option<String>,
        creativity: f32,
    },
    Rerun,
}

/// The unit of interval bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Frames,
    Seconds,
    /// Not specified, and all bounds are whole numbers.
    Unsaid {
        /// Whether another parameter of the request is in seconds, which decides ambiguous cases.
        seconds_first: bool,
    },
}

/// How a clip is made to loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Loop {
    pub(crate) prompt: Option<String>,
    pub(crate) repetitions: u32,
    pub(crate) blend_frames: usize,
    /// Whether the fixed components are pinned; otherwise the difference is distributed.
    pub(crate) locked: bool,
    pub(crate) fix_altitude: bool,
    pub(crate) fix_horizontal: bool,
    pub(crate) fix_orientation: bool,
    pub(crate) across_all: bool,
}

/// A source clip that has been loaded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SourceClip {
    /// Content id of the canonical clip.
    pub(crate) content: String,
    /// The prompt stored in the clip.
    pub(crate) prompt: String,
    /// Facing direction of the character in each frame of the canonical clip.
    pub(crate) facings: Facings,
    /// Number of frames in the exported files.
    pub(crate) file_frames: usize,
    /// Frames per second of the exported files.
    pub(crate) file_fps: u16,
    /// Manual corrections of the clip, in frames of the files.
    pub(crate) corrections: Corrections,
}

/// An edit as it is stored; it has been checked against its clips.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Edit {
    pub(crate) first: Source,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) second: Option<Source>,
    pub(crate) change: Change,
}

/// A source clip of a stored edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Source {
    pub(crate) rid: JobId,
    pub(crate) variant: VariantId,
    /// Content id of the canonical clip.
    pub(crate) content: String,
    /// Number of frames of the canonical clip before trimming.
    pub(crate) frames: usize,
    pub(crate) left: usize,
    pub(crate) right: usize,
}

/// The change, in frames of the canonical clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Change {
    Inpaint { prompt: String, intervals: Vec<[usize; 2]> },
    Merge { prompt: Option<String>, bridge_frames: usize },
    Overlap { frames: usize },
    Loop(Loop),
    Refine { prompt: Option<String>, creativity: f32 },
    Rerun,
}

/// Why an edit does not fit its clips: the parameter at fault, and a message. Reported as code 502.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DoesNotFit {
    pub(crate) param: &'static str,
    pub(crate) message: String,
}

impl RequestedEdit {
    /// Returns the prompt for the new frames.
    pub(crate) fn prompt(&self) -> Option<&str> {
        match &self.change {
            RequestedChange::Inpaint { prompt, .. } => Some(prompt),
            RequestedChange::Merge { prompt, .. } | RequestedChange::Refine { prompt, .. } => {
                prompt.as_deref()
            }
            RequestedChange::Loop(round) => round.prompt.as_deref(),
            RequestedChange::Overlap { .. } | RequestedChange::Rerun => None,
        }
    }

    /// Returns the script, and how the performance starts and ends. It applies to the new frames
    /// or, if the edit has no prompt or script, to the whole clip, whose first source was made from
    /// `source`.
    pub(crate) fn performed(&self, source: &JobSpec) -> (Option<Script>, ClipEnds) {
        let joins =
            matches!(self.change, RequestedChange::Merge { .. } | RequestedChange::Overlap { .. });
        match (&self.script, self.prompt()) {
            (Some(requested), _) => (Some(requested.script.clone()), ClipEnds::default()),
            (None, None) if !joins => (source.script.clone(), source.ends),
            (None, _) => (None, ClipEnds::default()),
        }
    }

    /// Returns whether the clip is generated again from its own prompt or script.
    pub(crate) const fn repeats(&self) -> bool {
        matches!(self.change, RequestedChange::Refine { prompt: None, .. })
    }

    /// Returns the kind of edit as a word for file names.
    pub(crate) const fn word(&self) -> &'static str {
        match self.change {
            RequestedChange::Inpaint { .. } => "inpaint",
            RequestedChange::Merge { .. } | RequestedChange::Overlap { .. } => "merge",
            RequestedChange::Loop(_) => "loop",
            RequestedChange::Refine { .. } => "refine",
            RequestedChange::Rerun => "rerun",
        }
    }

    /// Returns a message that says why all variants would be equal, if they would.
    pub(crate) const fn single(&self) -> Option<Message> {
        match self.change {
            RequestedChange::Rerun => Some(Message::OneRerun),
            RequestedChange::Overlap { .. } => Some(Message::OneOverlap),
            _ => None,
        }
    }

    /// Returns a message about the unit that was assumed for intervals, if it was ambiguous.
    pub(crate) fn unit_note(&self, clips: &[SourceClip]) -> Option<Message> {
        let RequestedChange::Inpaint { intervals, unit: Unit::Unsaid { seconds_first }, .. } =
            &self.change
        else {
            return None;
        };
        let clip = clips.first()?;
        let is_sound = |in_seconds| counted(intervals, in_seconds, clip).is_ok();
        let read_as = match (is_sound(false), is_sound(true)) {
            (true, true) if !seconds_first => IntervalUnit::Frames,
            (_, true) => IntervalUnit::Seconds,
            _ => return None,
        };
        Some(Message::UnitGuessed { read_as })
    }

    /// Returns the source clips in order.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &RequestedSource> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// Checks the edit against its clips, given in the order of [`Self::sources`].
    pub(crate) fn fit(self, clips: &[SourceClip]) -> Result<Edit, DoesNotFit> {
        let param = self.param;
        let refuse = |message: String| DoesNotFit { param, message };
        let mut sources = self.sources().zip(clips).map(|(requested, clip)| cut(requested, clip));
        let gone = || refuse("the clip to start from is missing; name it with t2m_rid".to_owned());
        let first = sources.next().ok_or_else(gone)??;
        let second = sources.next().transpose()?;
        drop(sources);
        let change = match self.change {
            RequestedChange::Inpaint { prompt, intervals, unit } => {
                let found = marked(&intervals, unit, &clips[0]);
                let found = found.map_err(|error| refuse(error.to_string()))?;
                found.survive(first.trim()).map_err(|error| refuse(error.to_string()))?;
                let intervals = found.ranges().iter().map(|range| [range.start, range.end]);
                Change::Inpaint { prompt, intervals: intervals.collect() }
            }
            RequestedChange::Merge { prompt, bridge_frames } => {
                Change::Merge { prompt, bridge_frames }
            }
            RequestedChange::Overlap { frames } => {
                let parts = [Some(&first), second.as_ref()].into_iter().flatten();
                let most = parts.map(Source::kept).min().unwrap_or(0);
                if frames > most {
                    let least = EditError::LEAST_BRIDGE;
                    return Err(refuse(format!(
                        "mergingRequest.overlapFrames is {frames}, but the shorter part has {most} \
                         frames at 30 fps; request fewer, but at least {least}, or trim less"
                    )));
                }
                Change::Overlap { frames }
            }
            RequestedChange::Loop(round) => Change::Loop(round),
            RequestedChange::Refine { prompt, creativity } => Change::Refine { prompt, creativity },
            RequestedChange::Rerun => Change::Rerun,
        };
        let edit = Edit { first, second, change };
        let seconds = seconds(edit.frames());
        if seconds > f64::from(Request::MAX_DURATION_S) {
            let longest = Request::MAX_DURATION_S;
            return Err(refuse(format!(
                "the result would last {seconds:.1} seconds, at most {longest:.0} are possible; \
                 trim more, or repeat less often"
            )));
        }
        Ok(edit)
    }
}

fn cut(requested: &RequestedSource, clip: &SourceClip) -> Result<Source, DoesNotFit> {
    let rate = FileRate::new(u32::from(clip.file_fps));
    let [left, right] = requested.trim.map(|count| rate.nearest_canonical(count));
    let source = Source {
        rid: requested.rid.clone(),
        variant: requested.variant,
        content: clip.content.clone(),
        frames: clip.facings.frames(),
        left,
        right,
    };
    match source.trim().kept(source.frames) {
        Ok(_) => Ok(source),
        Err(error) => Err(DoesNotFit { param: "editRequest", message: error.to_string() }),
    }
}

/// Converts the intervals to frames of the canonical clip. If the unit is not specified, tries the
/// likelier one first, then the other.
fn marked(
    intervals: &[[f64; 2]],
    unit: Unit,
    clip: &SourceClip,
) -> Result<Intervals, IntervalError> {
    match unit {
        Unit::Frames => counted(intervals, false, clip),
        Unit::Seconds => counted(intervals, true, clip),
        Unit::Unsaid { seconds_first } => counted(intervals, seconds_first, clip)
            .or_else(|why| counted(intervals, !seconds_first, clip).map_err(|_| why)),
    }
}

fn counted(
    intervals: &[[f64; 2]],
    in_seconds: bool,
    clip: &SourceClip,
) -> Result<Intervals, IntervalError> {
    let per_second = if in_seconds { 1.0 } else { f64::from(clip.file_fps.max(1)) };
    let beyond = clip.file_frames as f64;
    let frames = clip.facings.frames();
    let at = |bound: f64| {
        let within = !in_seconds && bound <= beyond;
        let found = bound / per_second;
        // the last frame of the files may round to a time just past the end of the clip
        if within { found.min(seconds(frames)) } else { found }
    };
    let ranges = intervals.iter().map(|[start, end]| at(*start)..at(*end));
    Intervals::from_seconds(ranges, CanonicalClip::FPS, frames)
}

/// Returns the duration, in seconds, of this many frames of a canonical clip.
fn seconds(frames: usize) -> f64 {
    frames as f64 / f64::from(CanonicalClip::FPS.get())
}

impl Source {
    pub(crate) const fn trim(&self) -> Trim {
        Trim { left: self.left, right: self.right }
    }

    /// Number of frames after trimming.
    const fn kept(&self) -> usize {
        self.frames.saturating_sub(self.left).saturating_sub(self.right)
    }

    /// Returns `rid/variant`, as status entries name it.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.rid, self.variant)
    }
}

impl Edit {
    /// Returns the source clips in order.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// Returns the manual corrections carried over to the result, whose files have `fps` frames per
    /// second; `clips` are the sources.
    pub(crate) fn corrections(
        &self,
        clips: &[SourceClip],
        fps: u16,
    ) -> Result<Corrections, CorrectionsError> {
        let mut parts = self.sources().zip(clips).map(|(source, clip)| CarriedPart {
            corrections: &clip.corrections,
            fps: u32::from(clip.file_fps),
            facings: &clip.facings,
            trim: source.trim(),
        });
        let Some(first) = parts.next() else { return Ok(Corrections::default()) };
        let join = match (&self.change, parts.next()) {
            (Change::Loop(round), _) => Join::Rounds(round.repetitions),
            (_, Some(second)) => Join::With(second),
            (_, None) => Join::Alone,
        };
        carried(first, join, self.frames(), u32::from(fps))
    }

    /// Number of frames of the result.
    fn frames(&self) -> usize {
        let kept = self.first.kept();
        match &self.change {
            Change::Merge { bridge_frames, .. } => {
                kept + bridge_frames + self.second.as_ref().map_or(0, Source::kept)
            }
            Change::Overlap { frames } => {
                (kept + self.second.as_ref().map_or(0, Source::kept)).saturating_sub(*frames)
            }
            Change::Loop(round) => {
                (kept + round.blend_frames).saturating_mul(round.repetitions as usize)
            }
            Change::Inpaint { .. } | Change::Refine { .. } | Change::Rerun => kept,
        }
    }

    /// Seconds of new motion per variant, for pricing.
    pub(crate) fn generated_s(&self) -> f64 {
        let frames = match &self.change {
            Change::Inpaint { intervals, .. } => {
                intervals.iter().map(|[start, end]| end - start).sum()
            }
            Change::Merge { bridge_frames, .. } => *bridge_frames,
            Change::Overlap { frames } => *frames,
            Change::Loop(round) => round.blend_frames,
            Change::Refine { .. } => self.first.kept(),
            Change::Rerun => 0,
        };
        seconds(frames)
    }

    /// Duration, in seconds, of the shortest stretch of new motion, if the change can have a
    /// prompt.
    pub(crate) fn shortest_new_s(&self) -> Option<f32> {
        let frames = match &self.change {
            Change::Inpaint { intervals, .. } => {
                intervals.iter().map(|[start, end]| end - start).min()?
            }
            Change::Merge { bridge_frames, .. } => *bridge_frames,
            Change::Loop(round) => round.blend_frames,
            Change::Refine { .. } => self.first.kept(),
            Change::Overlap { .. } | Change::Rerun => return None,
        };
        Some(seconds(frames) as f32)
    }

    /// Returns whether all frames of the clip are regenerated.
    pub(crate) fn covers_all(&self) -> bool {
        matches!(&self.change, Change::Inpaint { intervals, .. }
            if *intervals == [[0, self.first.frames]])
    }
}

#[cfg(test)]
mod tests;
