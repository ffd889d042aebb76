//! Edits: what is asked for, held against the clips that it is about, and what of it is stored.
//!
//! Clients count frames of the files they see; what is stored counts frames of the canonical clip,
//! see [`FileRate`].

use limber_api::motion::{JobId, VariantId};
use limber_pipeline::{
    CanonicalClip, ClipEnds, FileRate, Message, Request, Script,
    corrections::{CarriedPart, Corrections, CorrectionsError, Facings, Join, carried},
    edits::{IntervalError, Intervals, Trim},
    message::IntervalUnit,
};
use serde::{Deserialize, Serialize};

use super::JobSpec;

/// A clip that an edit starts from, as the client names it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskedSource {
    /// The parameter that names it.
    pub(crate) param: &'static str,
    pub(crate) rid: JobId,
    pub(crate) variant: VariantId,
    /// Frames of the files to go at the beginning and at the end.
    pub(crate) trim: [u64; 2],
    /// What is changed by hand in it, in frames of the files; `None` leaves it as its own job has it.
    pub(crate) corrections: Option<AskedCorrections>,
}

/// Corrections of a clip that is still to be found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskedCorrections {
    /// The parameter that holds them.
    pub(crate) param: &'static str,
    /// What sentences call the place of it.
    pub(crate) path: &'static str,
    pub(crate) corrections: Corrections,
}

/// An edit as the client asks for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskedEdit {
    /// The parameter that holds the change.
    pub(crate) param: &'static str,
    pub(crate) first: AskedSource,
    /// Of a merge.
    pub(crate) second: Option<AskedSource>,
    pub(crate) change: AskedChange,
    /// Of a change with a prompt, which is then no more than a name for it.
    pub(crate) script: Option<AskedScript>,
}

/// A script that is performed in new frames.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskedScript {
    /// The parameter that holds it.
    pub(crate) param: &'static str,
    pub(crate) script: Script,
}

/// What is to be changed, in the client's units.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AskedChange {
    Inpaint {
        prompt: String,
        intervals: Vec<[f64; 2]>,
        unit: Unit,
    },
    Merge {
        prompt: Option<String>,
        bridge_frames: usize,
    },
    /// Of a merge, too: as many frames of both clips at once.
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

/// What ends of intervals are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Frames,
    Seconds,
    /// Nobody says, and all of them are whole numbers.
    Unsaid {
        /// Whether the same request counts in seconds elsewhere.
        seconds_first: bool,
    },
}

/// How a clip goes round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Loop {
    pub(crate) prompt: Option<String>,
    pub(crate) repetitions: u32,
    pub(crate) blend_frames: usize,
    /// Fixed components are pinned; otherwise the difference is spread.
    pub(crate) locked: bool,
    pub(crate) fix_altitude: bool,
    pub(crate) fix_horizontal: bool,
    pub(crate) fix_orientation: bool,
    pub(crate) across_all: bool,
}

/// A clip that is there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeptClip {
    /// Content id of the canonical clip.
    pub(crate) content: String,
    /// What it says of itself that is done in it.
    pub(crate) prompt: String,
    /// Which way the canonical clip faces in each of its frames.
    pub(crate) facings: Facings,
    /// Frames of the files.
    pub(crate) file_frames: usize,
    /// Frames a second of the files.
    pub(crate) file_fps: u16,
    /// What is changed by hand in it, in frames of the files.
    pub(crate) corrections: Corrections,
}

/// An edit as it is stored: nothing in it can turn out not to fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Edit {
    pub(crate) first: Source,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) second: Option<Source>,
    pub(crate) change: Change,
}

/// A clip that an edit starts from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Source {
    pub(crate) rid: JobId,
    pub(crate) variant: VariantId,
    /// Content id of its canonical clip.
    pub(crate) content: String,
    /// Frames of the canonical clip, uncut.
    pub(crate) frames: usize,
    pub(crate) left: usize,
    pub(crate) right: usize,
}

/// What is changed; frames of the canonical clip.
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

/// Why an edit does not fit its clips: the parameter to blame and a sentence. Code 502.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DoesNotFit {
    pub(crate) param: &'static str,
    pub(crate) message: String,
}

impl AskedEdit {
    /// What the client says happens in the new frames.
    pub(crate) fn prompt(&self) -> Option<&str> {
        match &self.change {
            AskedChange::Inpaint { prompt, .. } => Some(prompt),
            AskedChange::Merge { prompt, .. } | AskedChange::Refine { prompt, .. } => {
                prompt.as_deref()
            }
            AskedChange::Loop(round) => round.prompt.as_deref(),
            AskedChange::Overlap { .. } | AskedChange::Rerun => None,
        }
    }

    /// What is performed, and how that begins and ends: in the new frames, and where nothing is said of them,
    /// in all of the clip, whose first source was made as `source` says.
    pub(crate) fn performed(&self, source: &JobSpec) -> (Option<Script>, ClipEnds) {
        let joins = matches!(self.change, AskedChange::Merge { .. } | AskedChange::Overlap { .. });
        match (&self.script, self.prompt()) {
            (Some(asked), _) => (Some(asked.script.clone()), ClipEnds::default()),
            (None, None) if !joins => (source.script.clone(), source.ends),
            (None, _) => (None, ClipEnds::default()),
        }
    }

    /// Whether the clip is to be made again of what is known about it.
    pub(crate) const fn repeats(&self) -> bool {
        matches!(self.change, AskedChange::Refine { prompt: None, .. })
    }

    /// One word for the kind, as part of file names.
    pub(crate) const fn word(&self) -> &'static str {
        match self.change {
            AskedChange::Inpaint { .. } => "inpaint",
            AskedChange::Merge { .. } | AskedChange::Overlap { .. } => "merge",
            AskedChange::Loop(_) => "loop",
            AskedChange::Refine { .. } => "refine",
            AskedChange::Rerun => "rerun",
        }
    }

    /// Why more than one variant would be the same again.
    pub(crate) const fn single(&self) -> Option<Message> {
        match self.change {
            AskedChange::Rerun => Some(Message::OneRerun),
            AskedChange::Overlap { .. } => Some(Message::OneOverlap),
            _ => None,
        }
    }

    /// What the ends of intervals are taken for, where nobody says it and it could be either.
    pub(crate) fn unit_note(&self, clips: &[KeptClip]) -> Option<Message> {
        let AskedChange::Inpaint { intervals, unit: Unit::Unsaid { seconds_first }, .. } =
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

    /// All clips it starts from, in order.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &AskedSource> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// Holds the edit against its clips, given in the order of [`Self::sources`].
    pub(crate) fn fit(self, clips: &[KeptClip]) -> Result<Edit, DoesNotFit> {
        let param = self.param;
        let refuse = |message: String| DoesNotFit { param, message };
        let mut sources = self.sources().zip(clips).map(|(asked, clip)| cut(asked, clip));
        let gone = || refuse("the clip to start from is missing; name it with t2m_rid".to_owned());
        let first = sources.next().ok_or_else(gone)??;
        let second = sources.next().transpose()?;
        drop(sources);
        let change = match self.change {
            AskedChange::Inpaint { prompt, intervals, unit } => {
                let found = marked(&intervals, unit, &clips[0]);
                let found = found.map_err(|error| refuse(error.to_string()))?;
                found.survive(first.trim()).map_err(|error| refuse(error.to_string()))?;
                let intervals = found.ranges().iter().map(|range| [range.start, range.end]);
                Change::Inpaint { prompt, intervals: intervals.collect() }
            }
            AskedChange::Merge { prompt, bridge_frames } => Change::Merge { prompt, bridge_frames },
            AskedChange::Overlap { frames } => {
                let parts = [Some(&first), second.as_ref()].into_iter().flatten();
                let most = parts.map(Source::kept).min().unwrap_or(0);
                if frames > most {
                    return Err(refuse(format!(
                        "mergingRequest.overlapFrames is {frames}, but the shorter part has {most} \
                         frames at 30 a second; ask for fewer, or cut less"
                    )));
                }
                Change::Overlap { frames }
            }
            AskedChange::Loop(round) => Change::Loop(round),
            AskedChange::Refine { prompt, creativity } => Change::Refine { prompt, creativity },
            AskedChange::Rerun => Change::Rerun,
        };
        let edit = Edit { first, second, change };
        let seconds = seconds(edit.frames());
        if seconds > f64::from(Request::MAX_DURATION_S) {
            let longest = Request::MAX_DURATION_S;
            return Err(refuse(format!(
                "the result would last {seconds:.1} seconds, at most {longest:.0} are possible; \
                 cut more, or repeat less often"
            )));
        }
        Ok(edit)
    }
}

fn cut(asked: &AskedSource, clip: &KeptClip) -> Result<Source, DoesNotFit> {
    let rate = FileRate::new(u32::from(clip.file_fps));
    let [left, right] = asked.trim.map(|count| rate.nearest_canonical(count));
    let source = Source {
        rid: asked.rid.clone(),
        variant: asked.variant,
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

/// The intervals of one clip, in frames of the canonical clip. Whole numbers of which nobody says what
/// they count may be either; they are what they can be.
fn marked(intervals: &[[f64; 2]], unit: Unit, clip: &KeptClip) -> Result<Intervals, IntervalError> {
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
    clip: &KeptClip,
) -> Result<Intervals, IntervalError> {
    let per_second = if in_seconds { 1.0 } else { f64::from(clip.file_fps.max(1)) };
    let beyond = clip.file_frames as f64;
    let frames = clip.facings.frames();
    let at = |bound: f64| {
        let within = !in_seconds && bound <= beyond;
        let found = bound / per_second;
        // the last frame of the files may round to one more than there is
        if within { found.min(seconds(frames)) } else { found }
    };
    let ranges = intervals.iter().map(|[start, end]| at(*start)..at(*end));
    Intervals::from_seconds(ranges, CanonicalClip::FPS, frames)
}

/// How long so many frames of a canonical clip last.
fn seconds(frames: usize) -> f64 {
    frames as f64 / f64::from(CanonicalClip::FPS.get())
}

impl Source {
    pub(crate) const fn trim(&self) -> Trim {
        Trim { left: self.left, right: self.right }
    }

    /// Frames that are left.
    const fn kept(&self) -> usize {
        self.frames.saturating_sub(self.left).saturating_sub(self.right)
    }

    /// `rid/variant`, as statuses name it.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.rid, self.variant)
    }
}

impl Edit {
    /// All clips it starts from, in order.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// What is changed by hand in the result, whose files have `fps` frames a second; `clips` are its
    /// sources.
    pub(crate) fn corrections(
        &self,
        clips: &[KeptClip],
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

    /// Frames of the result.
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

    /// Seconds of new movement that every variant costs.
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

    /// The shortest stretch of new movement for which there may be a prompt.
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

    /// Whether every frame of the clip is painted over.
    pub(crate) fn covers_all(&self) -> bool {
        matches!(&self.change, Change::Inpaint { intervals, .. }
            if *intervals == [[0, self.first.frames]])
    }
}

#[cfg(test)]
mod tests;
