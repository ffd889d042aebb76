//! Edits of earlier jobs.

mod guarantees;
mod refusals;
mod short;

use limber_client::motion::{
    Change, JobId, JobStatus, MotionClient, MotionEdit, Source, Span, TextToMotion, VariantId,
};

use crate::studio::{finished, walk};

/// Makes a job of this prompt, four seconds long.
async fn made(client: &MotionClient, prompt: &str) -> JobId {
    let request = TextToMotion { prompt: prompt.to_owned(), duration_s: Some(4.0), ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let end = finished(client, &job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
    job
}

fn whole(job: &JobId) -> Source {
    Source::whole(job.clone(), VariantId::FIRST)
}

/// Returns an edit with a fixed seed, so that failures can be reproduced.
fn edit(source: Source, change: Change) -> MotionEdit {
    MotionEdit { seed: Some(11), ..MotionEdit::new(source, change) }
}

fn wave(start: u32, end: u32) -> Change {
    let prompt = "a person waves with the right hand".to_owned();
    Change::Inpaint { prompt, spans: vec![Span { start, end }] }
}

async fn edited(client: &MotionClient, edit: &MotionEdit) -> JobId {
    let job = client.edit(edit, None).await.expect("a job").job;
    let end = finished(client, &job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
    job
}
