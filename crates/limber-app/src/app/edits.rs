//! Editing clips. Every edit makes a new clip and leaves the original unchanged.

use limber_client::motion::{
    Change as WireChange, LoopChange, MotionEdit, MotionError, Source, Span as WireSpan,
};
use limber_domain::limits::{MAX_PROMPT_CHARS, MAX_VARIANTS};
use limber_pipeline::CanonicalClip;

use super::{App, prices::agree, reading::script_of};
use crate::{
    AppError, ErrorCode, MessageView, Notice,
    journal::{Entry, OriginalRequest, Outcome},
    library::{Clip, ClipId, ClipName, Origin, Tag},
    views::{
        Change, ChangeKind, ClipDetails, ClipPart, Credits, Draft, EditRequest, JobView, LoopGap,
        Span,
    },
};

/// Longest generated transition; longer ones should be clips of their own.
const LONGEST_BRIDGE_S: f32 = 10.0;
/// Frame rate in which services count overlaps.
const OVERLAP_FPS: f32 = CanonicalClip::FPS.get() as f32;
/// Minimum and maximum length of an overlap, in frames.
const OVERLAP_FRAMES: [u32; 2] = [2, 150];
/// Maximum number of loop repetitions.
const MOST_REPETITIONS: u32 = 60;

impl App {
    /// Submits an edit of a clip if it costs no more than `agreed`.
    ///
    /// # Errors
    /// [`ErrorCode::BadInput`] if the edit does not fit the clip, [`ErrorCode::NotFound`] if the
    /// connected studio did not make the clip, [`ErrorCode::UnknownAction`] with similar known
    /// actions, or [`ErrorCode::DearerThanAgreed`].
    pub async fn edit_clip(
        &self,
        request: EditRequest,
        agreed: Credits,
    ) -> Result<JobView, AppError> {
        let services = self.services_of_signed_in()?;
        let (edit, clip, second) = self.motion_edit(&request)?;
        let asked = edit.to_process_request();
        let told = services.motion.dry_run(&asked).await.map_err(explained)?;
        agree(&told, agreed)?;
        let key = self.idempotency_key(&services.studio, "text2motion", &asked);
        let submitted = services.motion.edit(&edit, Some(key.as_str())).await;
        self.record_response(key, &submitted);
        let submitted = submitted.map_err(explained)?;
        let entry = Entry {
            id: submitted.job,
            studio: services.studio.clone(),
            prompt: words_of(&clip, &request.change, second.as_ref()),
            character_id: clip.character_id.clone(),
            character_name: clip.character_name.clone(),
            variants: request.variants,
            made_at: self.inner.environment.clock.now(),
            name: request.name.as_deref().map(ClipName::parse).transpose()?.flatten(),
            origin: Some(Origin::new(
                [Some(&clip), second.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(|clip| clip.id.clone())
                    .collect(),
                kind_of(&request.change),
            )),
            video: None,
            asked: None,
            warnings: submitted.messages.iter().map(MessageView::from).collect(),
            outcome: Outcome::Open,
        };
        self.add_job(entry.with_request(OriginalRequest::Edit(request)))
    }

    /// Builds the service request of an edit, and returns it with the source clips.
    pub(super) fn motion_edit(
        &self,
        request: &EditRequest,
    ) -> Result<(MotionEdit, Clip, Option<Clip>), AppError> {
        let clip = self.inner.library.find(&ClipId::parse(&request.clip.id)?)?;
        let second = match &request.change {
            Change::Join { second, .. } | Change::Overlap { second, .. } => {
                Some((self.inner.library.find(&ClipId::parse(&second.id)?)?, second))
            }
            _ => None,
        };
        let part = second.as_ref().map(|(clip, part)| (clip, *part));
        let mut edit = MotionEdit::new(source(&clip, &request.clip)?, wire(&clip, request, part)?);
        let sent = |clip: &Clip| self.inner.library.corrections_to_send(&clip.id);
        edit.source.corrections = sent(&clip)?;
        if let WireChange::Merge { second: to, .. } | WireChange::Overlap { second: to, .. } =
            &mut edit.change
        {
            let sent = second.as_ref().map(|(clip, _)| sent(clip)).transpose()?;
            to.corrections = sent.flatten();
        }
        edit.variants = request.variants;
        edit.finish.in_place = request.in_place;
        edit.script = request.script.as_deref().map(script_of).transpose()?;
        Ok((edit, clip, second.map(|(clip, _)| clip)))
    }

    /// Returns the data that the timeline shows for a clip.
    ///
    /// # Errors
    /// If the clip no longer exists.
    pub async fn clip_details(&self, id: &str) -> Result<ClipDetails, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.on_disk(move |app| Ok(app.inner.library.details(&clip))).await
    }

    /// Measures on this computer how well a trimmed clip loops. Fast enough to be called while the
    /// user drags the trim handles.
    ///
    /// # Errors
    /// If the clip no longer exists or is damaged, or nothing is left of it after trimming.
    pub async fn loop_gap(&self, part: ClipPart) -> Result<LoopGap, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(&part.id)?)?;
        self.on_disk(move |app| app.inner.library.loop_gap(&clip, &part)).await
    }

    /// Saves the unfinished edits of a clip; `None` discards them.
    ///
    /// # Errors
    /// If the clip no longer exists, the draft contains non-finite numbers, or a disk operation
    /// fails.
    pub async fn keep_draft(&self, id: &str, draft: Option<Draft>) -> Result<(), AppError> {
        let id = ClipId::parse(id)?;
        let prompts = draft.iter().flat_map(|draft| &draft.painted).map(|painted| &painted.prompt);
        if prompts.map(String::len).sum::<usize>() > 64 * MAX_PROMPT_CHARS {
            return Err(bad(Notice::PromptsTooLong));
        }
        self.on_disk(move |app| app.inner.library.keep_draft(&id, draft.as_ref())).await
    }

    /// Moves clips to the trash; [`Self::restore_clips`] restores them.
    ///
    /// # Errors
    /// If a clip has already been deleted or a disk operation fails; the clips before it have been
    /// moved.
    pub async fn delete_clips(&self, ids: Vec<String>) -> Result<(), AppError> {
        self.each_clip(ids, |app, id| app.inner.library.delete(id)).await
    }

    /// Restores clips from the trash.
    ///
    /// # Errors
    /// If a clip was permanently deleted or a disk operation fails.
    pub async fn restore_clips(&self, ids: Vec<String>) -> Result<(), AppError> {
        self.each_clip(ids, |app, id| app.inner.library.restore(id)).await
    }

    /// Adds a tag to clips, or removes it.
    ///
    /// # Errors
    /// If the tag is invalid, a clip no longer exists or has too many tags, or a disk operation
    /// fails; the clips before it have been changed.
    pub async fn tag_clips(
        &self,
        ids: Vec<String>,
        tag: &str,
        wanted: bool,
    ) -> Result<(), AppError> {
        let tag = Tag::parse(tag)?;
        self.each_clip(ids, move |app, id| app.inner.library.tag(id, &tag, wanted)).await
    }

    /// Renames a clip; an empty name makes it use its prompt again.
    ///
    /// # Errors
    /// If the name is too long, the clip no longer exists or a disk operation fails.
    pub async fn rename_clip(&self, id: String, name: &str) -> Result<(), AppError> {
        let name = ClipName::parse(name)?;
        self.each_clip(vec![id], move |app, id| app.inner.library.rename(id, name.clone())).await
    }

    async fn each_clip(
        &self,
        ids: Vec<String>,
        change: impl Fn(&Self, &ClipId) -> Result<(), AppError> + Send + 'static,
    ) -> Result<(), AppError> {
        let clips: Vec<ClipId> =
            ids.iter().map(|id| ClipId::parse(id)).collect::<Result<_, _>>()?;
        let changed =
            self.on_disk(move |app| clips.iter().try_for_each(|id| change(app, id))).await;
        self.inner.environment.events.library(&ids);
        changed
    }
}

fn bad(notice: Notice) -> AppError {
    AppError::new(ErrorCode::BadInput, notice)
}

/// Converts a service error; a studio that did not make a clip cannot edit it.
pub(super) fn explained(error: MotionError) -> AppError {
    match error.kind() {
        Some("job_not_found" | "gone") => {
            AppError::new(ErrorCode::NotFound, Notice::ClipNotInStudio)
        }
        _ => error.into(),
    }
}

/// Converts a trimmed clip into the service's form.
pub(super) fn source(clip: &Clip, part: &ClipPart) -> Result<Source, AppError> {
    if u64::from(part.trim_left) + u64::from(part.trim_right) >= u64::from(clip.frames) {
        return Err(bad(Notice::NothingLeft));
    }
    Ok(Source {
        trim_left: part.trim_left,
        trim_right: part.trim_right,
        ..Source::whole(clip.id.job.clone(), clip.id.variant)
    })
}

fn wire(
    clip: &Clip,
    request: &EditRequest,
    second: Option<(&Clip, &ClipPart)>,
) -> Result<WireChange, AppError> {
    let (most, otherwise) = match request.change {
        Change::Cut => (1, Notice::CutHasOneResult),
        Change::Overlap { .. } => (1, Notice::OverlapHasOneResult),
        _ => (MAX_VARIANTS, Notice::Variants { most: MAX_VARIANTS }),
    };
    if !(1..=most).contains(&request.variants) {
        return Err(bad(otherwise));
    }
    Ok(match &request.change {
        Change::Paint { prompt, spans } => {
            let prompt = words(Some(prompt))?.ok_or_else(|| bad(Notice::NoPaintedPrompt))?;
            WireChange::Inpaint { prompt, spans: inside(clip, request, spans)? }
        }
        Change::Join { prompt, bridge_seconds, .. } => {
            let (second, part) = second.ok_or_else(|| bad(Notice::NoSecondClip))?;
            WireChange::Merge {
                second: source(second, part)?,
                prompt: words(prompt.as_deref())?,
                blend_s: bridge(*bridge_seconds)?,
            }
        }
        Change::Overlap { overlap_seconds, .. } => {
            let (second, part) = second.ok_or_else(|| bad(Notice::NoSecondClip))?;
            let frames = overlap(*overlap_seconds, [(clip, &request.clip), (second, part)])?;
            WireChange::Overlap { second: source(second, part)?, frames }
        }
        Change::Loop { repetitions, prompt, bridge_seconds } => {
            if !(1..=MOST_REPETITIONS).contains(repetitions) {
                return Err(bad(Notice::Rounds { most: MOST_REPETITIONS }));
            }
            WireChange::Loop(LoopChange {
                prompt: words(prompt.as_deref())?,
                repetitions: *repetitions,
                blend_s: bridge_seconds.map(bridge).transpose()?,
                ..LoopChange::default()
            })
        }
        Change::Refine { prompt, creativity } => {
            if !(0.0..=1.0).contains(creativity) {
                return Err(bad(Notice::HowDifferent));
            }
            WireChange::Refine { prompt: words(prompt.as_deref())?, creativity: *creativity }
        }
        Change::Cut => WireChange::Rerun,
    })
}

/// Trims a prompt; `None` if it is empty.
fn words(prompt: Option<&str>) -> Result<Option<String>, AppError> {
    let prompt = prompt.map(str::trim).filter(|prompt| !prompt.is_empty());
    if prompt.is_some_and(|prompt| prompt.chars().count() > MAX_PROMPT_CHARS) {
        return Err(bad(Notice::PromptTooLong { most: MAX_PROMPT_CHARS }));
    }
    Ok(prompt.map(str::to_owned))
}

fn bridge(seconds: f32) -> Result<f32, AppError> {
    // also false for NaN
    if (0.0..=LONGEST_BRIDGE_S).contains(&seconds) {
        Ok(seconds)
    } else {
        Err(bad(Notice::BridgeLength))
    }
}

/// Converts an overlap to frames, if it fits into both parts.
fn overlap(seconds: f32, parts: [(&Clip, &ClipPart); 2]) -> Result<u32, AppError> {
    let frames = (seconds * OVERLAP_FPS).round();
    let [least, most] = OVERLAP_FRAMES;
    // also false for NaN
    if !(least as f32..=most as f32).contains(&frames) {
        return Err(bad(Notice::OverlapLength));
    }
    let fits = |(clip, part): &(&Clip, &ClipPart)| {
        let kept = clip.frames.saturating_sub(part.trim_left).saturating_sub(part.trim_right);
        frames <= (kept as f32 * OVERLAP_FPS / clip.fps.max(1) as f32).round()
    };
    if parts.iter().all(fits) { Ok(frames as u32) } else { Err(bad(Notice::OverlapTooLong)) }
}

fn inside(clip: &Clip, request: &EditRequest, spans: &[Span]) -> Result<Vec<WireSpan>, AppError> {
    let (from, to) = (request.clip.trim_left, clip.frames - request.clip.trim_right);
    if spans.is_empty() {
        return Err(bad(Notice::NothingPainted));
    }
    let fits = |span: &&Span| from <= span.start && span.start < span.end && span.end <= to;
    if !spans.iter().all(|span| fits(&span)) {
        return Err(bad(Notice::PaintedOutside));
    }
    Ok(spans.iter().map(|span| WireSpan { start: span.start, end: span.end }).collect())
}

/// Returns the prompt that the new clip is listed under.
fn words_of(clip: &Clip, change: &Change, second: Option<&Clip>) -> String {
    match (change, second) {
        (Change::Paint { prompt, .. }, _) => prompt.trim().to_owned(),
        (Change::Refine { prompt: Some(prompt), .. }, _) if !prompt.trim().is_empty() => {
            prompt.trim().to_owned()
        }
        (Change::Join { .. } | Change::Overlap { .. }, Some(second)) => {
            format!("{}, then {}", clip.prompt, second.prompt)
        }
        _ => clip.prompt.clone(),
    }
}

const fn kind_of(change: &Change) -> ChangeKind {
    match change {
        Change::Paint { .. } => ChangeKind::Painted,
        Change::Join { .. } | Change::Overlap { .. } => ChangeKind::Joined,
        Change::Loop { .. } => ChangeKind::Looped,
        Change::Refine { .. } => ChangeKind::Refined,
        Change::Cut => ChangeKind::Cut,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use limber_client::motion::{JobId, VariantId};

    use super::*;

    fn clip() -> Clip {
        Clip {
            id: ClipId {
                job: JobId::parse("job-000000000001").expect("an id"),
                variant: VariantId::FIRST,
            },
            variants: 1,
            prompt: "walks".into(),
            name: None,
            character_id: "ada".into(),
            character_name: "Ada".into(),
            frames: 90,
            fps: 30,
            seed: None,
            script: None,
            made_at: DateTime::from_timestamp(5, 0).expect("a time"),
            origin: None,
            quality: None,
            tags: vec![],
            told: vec![],
            files: BTreeMap::new(),
        }
    }

    fn request(trim: (u32, u32), change: Change) -> EditRequest {
        let part = ClipPart { id: clip().id.to_string(), trim_left: trim.0, trim_right: trim.1 };
        EditRequest { clip: part, change, variants: 1, in_place: None, script: None, name: None }
    }

    fn paint(start: u32, end: u32) -> Change {
        Change::Paint { prompt: " waves ".into(), spans: vec![Span { start, end }] }
    }

    #[test]
    fn a_marked_part_counts_frames_of_the_untrimmed_clip() {
        let request = request((10, 10), paint(20, 80));
        let WireChange::Inpaint { prompt, spans } = wire(&clip(), &request, None).expect("fits")
        else {
            panic!("painting is painting");
        };
        assert_eq!((prompt.as_str(), spans), ("waves", vec![WireSpan { start: 20, end: 80 }]));
    }

    #[test]
    fn an_overlap_is_limited_by_the_shorter_part() {
        let second = ClipPart { id: clip().id.to_string(), trim_left: 50, trim_right: 10 };
        let lap = |overlap_seconds| Change::Overlap { second: second.clone(), overlap_seconds };
        let asked = |change| {
            let request = request((10, 10), change);
            wire(&clip(), &request, Some((&clip(), &second)))
        };
        let made = asked(lap(1.0)).expect("30 of 70 and of 30 frames");
        assert!(matches!(made, WireChange::Overlap { frames: 30, .. }), "{made:?}");
        for (seconds, words) in
            [(1.04, "longer than"), (0.03, "2 frames"), (5.1, "5 seconds"), (f32::NAN, "2 frames")]
        {
            let error = asked(lap(seconds)).expect_err("does not fit");
            assert!(
                error.code == ErrorCode::BadInput && error.message.text.contains(words),
                "{error}"
            );
        }
        let several = EditRequest { variants: 2, ..request((0, 0), lap(1.0)) };
        let error = wire(&clip(), &several, Some((&clip(), &second))).expect_err("one result");
        assert!(error.message.text.contains("one result"), "{error}");
    }

    #[test]
    fn edits_that_do_not_fit_say_what_to_do() {
        let round = |repetitions| Change::Loop { repetitions, prompt: None, bridge_seconds: None };
        let refine = |creativity| Change::Refine { prompt: None, creativity };
        let cases = [
            (request((10, 10), paint(5, 80)), "inside"),
            (request((10, 10), paint(20, 81)), "inside"),
            (request((0, 0), paint(20, 20)), "inside"),
            (
                request((0, 0), Change::Paint { prompt: "waves".into(), spans: vec![] }),
                "Mark the part",
            ),
            (
                request((0, 0), Change::Paint { prompt: " ".into(), spans: vec![] }),
                "Enter a prompt",
            ),
            (request((0, 0), round(0)), "1 to 60"),
            (request((0, 0), refine(f32::NAN)), "0 to 1"),
            (EditRequest { variants: 2, ..request((0, 0), Change::Cut) }, "one result"),
            (EditRequest { variants: 9, ..request((0, 0), refine(0.5)) }, "1 to 8"),
        ];
        for (request, words) in cases {
            let error = wire(&clip(), &request, None).expect_err("does not fit");
            assert!(
                error.code == ErrorCode::BadInput && error.message.text.contains(words),
                "{error}"
            );
        }
        let all = ClipPart { id: String::new(), trim_left: 45, trim_right: 45 };
        assert!(source(&clip(), &all).is_err_and(|error| error.message.text.contains("apart")));
    }
}
