//! Edits: what is asked for, held against the clips that it is about, and what of it is stored.
//!
//! Clients count frames of the files they see; what is stored counts frames of the canonical clip,
//! which has 30 a second.

use limber_animation::Fps;
use limber_api::motion::{JobId, VariantId};
use limber_pipeline::{
    Request,
    edits::{IntervalError, Intervals, Trim},
};
use serde::{Deserialize, Serialize};

/// Frames a second of canonical clips.
const RATE: f64 = 30.0;

/// A clip that an edit starts from, as the client names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskedSource {
    /// The parameter that names it.
    pub(crate) param: &'static str,
    pub(crate) rid: JobId,
    pub(crate) variant: VariantId,
    /// Frames of the files to go at the beginning and at the end.
    pub(crate) trim: [u64; 2],
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeptClip {
    /// Content id of the canonical clip.
    pub(crate) content: String,
    /// Frames of the canonical clip.
    pub(crate) frames: usize,
    /// Frames of the files.
    pub(crate) file_frames: usize,
    /// Frames a second of the files.
    pub(crate) file_fps: u16,
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
    pub(crate) const fn single(&self) -> Option<&'static str> {
        match self.change {
            AskedChange::Rerun => Some("a rerun makes the same motion, so it has one variant"),
            AskedChange::Overlap { .. } => {
                Some("an overlap makes nothing up, so it has one variant")
            }
            _ => None,
        }
    }

    /// What the ends of intervals are taken for, where nobody says it and it could be either.
    pub(crate) fn unit_note(&self, clips: &[KeptClip]) -> Option<String> {
        let AskedChange::Inpaint { intervals, unit: Unit::Unsaid { seconds_first }, .. } =
            &self.change
        else {
            return None;
        };
        let clip = clips.first()?;
        let is_sound = |in_seconds| counted(intervals, in_seconds, clip).is_ok();
        let read_as = match (is_sound(false), is_sound(true)) {
            (true, true) if !seconds_first => "frames; if they are seconds",
            (_, true) => "seconds; if they are frames",
            _ => return None,
        };
        Some(format!(
            "the intervals' ends are whole numbers and were read as {read_as}, say so with `unit`"
        ))
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
        let seconds = edit.frames() as f64 / RATE;
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
    let frames = |count: u64| (count as f64 * RATE / f64::from(clip.file_fps.max(1))).round();
    let [left, right] = asked.trim.map(|count| frames(count).min(1e9) as usize);
    let source = Source {
        rid: asked.rid.clone(),
        variant: asked.variant,
        content: clip.content.clone(),
        frames: clip.frames,
        left,
        right,
    };
    match source.trim().kept(clip.frames) {
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
    let seconds = |bound: f64| {
        let within = !in_seconds && bound <= beyond;
        let seconds = bound / per_second;
        // the last frame of the files may round to one more than there is
        if within { seconds.min(clip.frames as f64 / RATE) } else { seconds }
    };
    let ranges = intervals.iter().map(|[start, end]| seconds(*start)..seconds(*end));
    Intervals::from_seconds(ranges, Fps::DEFAULT, clip.frames)
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
        frames as f64 / RATE
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
        Some((frames as f64 / RATE) as f32)
    }

    /// Whether every frame of the clip is painted over.
    pub(crate) fn covers_all(&self) -> bool {
        matches!(&self.change, Change::Inpaint { intervals, .. }
            if *intervals == [[0, self.first.frames]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(change: AskedChange, trim: [u64; 2]) -> AskedEdit {
        let source = AskedSource {
            param: "t2m_rid",
            rid: JobId::parse("0123456789abcdef").expect("an id"),
            variant: VariantId::FIRST,
            trim,
        };
        let joins = matches!(change, AskedChange::Merge { .. } | AskedChange::Overlap { .. });
        let second = joins.then(|| source.clone());
        AskedEdit { param: "inPaintingRequest", first: source, second, change }
    }

    fn clip(frames: usize, file_frames: usize, file_fps: u16) -> KeptClip {
        KeptClip { content: "0".repeat(64), frames, file_frames, file_fps }
    }

    fn painted(intervals: &[[f64; 2]], unit: Unit, clip: &KeptClip) -> Result<Edit, DoesNotFit> {
        let change = AskedChange::Inpaint {
            prompt: "waves".to_owned(),
            intervals: intervals.to_vec(),
            unit,
        };
        asked(change, [0, 0]).fit(std::slice::from_ref(clip))
    }

    #[test]
    fn frames_are_those_of_the_files_and_seconds_are_seconds() {
        let at_60 = clip(60, 120, 60);
        let by_frames = painted(&[[60.0, 120.0]], Unit::Frames, &at_60).expect("it fits");
        let by_seconds = painted(&[[1.0, 2.0]], Unit::Seconds, &at_60).expect("it fits");
        assert_eq!(by_frames, by_seconds);
        assert!((by_frames.generated_s() - 1.0).abs() < 1e-9);
        assert!(!by_frames.covers_all());
        let all = painted(&[[0.0, 25.0], [25.0, 49.0]], Unit::Frames, &clip(61, 49, 24));
        assert!(all.expect("49 frames at 24 are 61 at 30").covers_all());
    }

    #[test]
    fn whole_numbers_are_what_they_can_be_and_frames_where_they_can_be_both() {
        let clip = clip(180, 180, 30);
        let read = |ends: [f64; 2], seconds_first: bool| {
            let (intervals, unit) = (vec![ends], Unit::Unsaid { seconds_first });
            let prompt = "waves".to_owned();
            let asked = asked(AskedChange::Inpaint { prompt, intervals, unit }, [0, 0]);
            let note = asked.unit_note(std::slice::from_ref(&clip));
            let edit = asked.fit(std::slice::from_ref(&clip)).expect("it fits");
            let Change::Inpaint { intervals, .. } = edit.change else { panic!("it paints") };
            (intervals[0], note.unwrap_or_default())
        };
        let (frames, note) = read([40.0, 80.0], false);
        assert_eq!((frames, note.as_str()), ([40, 80], ""));
        assert_eq!(read([40.0, 80.0], true).0, [40, 80], "there are no 80 seconds");
        let (frames, note) = read([1.0, 2.0], false);
        assert!(frames == [30, 60] && note.contains("read as seconds"), "{frames:?} {note}");
        let (frames, note) = read([0.0, 5.0], false);
        assert!(frames == [0, 5] && note.contains("read as frames"), "{frames:?} {note}");
        let (frames, note) = read([0.0, 5.0], true);
        assert!(frames == [0, 150] && note.contains("read as seconds"), "{frames:?} {note}");
    }

    #[test]
    fn what_does_not_fit_is_told_with_the_parameter_to_blame() {
        let short = painted(&[[1.0, 3.0]], Unit::Frames, &clip(60, 60, 30)).expect_err("2 frames");
        assert!(short.message.contains("did you mean seconds?"), "{short:?}");
        let beyond = painted(&[[40.0, 61.0]], Unit::Frames, &clip(60, 60, 30)).expect_err("beyond");
        assert_eq!(beyond.param, "inPaintingRequest");
        let merge = AskedChange::Merge { prompt: None, bridge_frames: 15 };
        let nothing = asked(merge.clone(), [30, 30]).fit(&[clip(60, 60, 30), clip(60, 60, 30)]);
        assert_eq!(nothing.expect_err("nothing is left").param, "editRequest");
        let long = asked(merge, [0, 0]).fit(&[clip(1700, 1700, 30), clip(90, 90, 30)]);
        assert!(long.expect_err("too long").message.contains("60.2 seconds"));
    }

    #[test]
    fn only_new_frames_are_paid() {
        let clips = [clip(60, 60, 30), clip(90, 90, 30)];
        let merge = AskedChange::Merge { prompt: None, bridge_frames: 15 };
        let edit = asked(merge, [0, 0]).fit(&clips).expect("it fits");
        assert!((edit.generated_s() - 0.5).abs() < 1e-9);
        assert_eq!(edit.frames(), 165);
        let refine = AskedChange::Refine { prompt: None, creativity: 0.5 };
        let edit = asked(refine, [10, 5]).fit(&clips[..1]).expect("it fits");
        assert!((edit.generated_s() - 1.5).abs() < 1e-9);
        assert_eq!(
            asked(AskedChange::Rerun, [0, 0]).fit(&clips[..1]).map(|e| e.generated_s()),
            Ok(0.0)
        );
    }

    #[test]
    fn an_overlap_is_as_long_as_both_without_it_and_costs_what_is_new() {
        let lap = |frames| asked(AskedChange::Overlap { frames }, [10, 0]);
        let edit = lap(20).fit(&[clip(60, 60, 30), clip(90, 90, 30)]).expect("it fits");
        // the second part is cut as the first one
        assert_eq!(edit.frames(), 50 + 80 - 20);
        assert!((edit.generated_s() - 20.0 / 30.0).abs() < 1e-9);
        let stored = serde_json::to_value(&edit).expect("it is stored");
        assert_eq!(serde_json::from_value::<Edit>(stored).expect("it reads"), edit);
        assert!(lap(50).fit(&[clip(60, 60, 30), clip(90, 90, 30)]).is_ok());
        let long = lap(51).fit(&[clip(60, 60, 30), clip(90, 90, 30)]).expect_err("too long");
        assert!(long.message.contains("overlapFrames is 51") && long.message.contains("has 50"));
    }
}
