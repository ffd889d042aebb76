//! Jobs: their parameters, progress and state.
//!
//! A row in the table `jobs` is also the entry in the queue. Existing queues (`apalis`,
//! `graphile_worker`) were considered, but they keep a table of their own. Round-robin between
//! accounts, a job's position in the queue, and state changes in a single transaction would each
//! require keeping a second table in sync. What remains of a queue here is one statement that
//! claims the next job (`SKIP LOCKED`), and `LISTEN/NOTIFY` to wake workers.

mod edits;
mod parameters;
mod progress;
mod render;
mod spec;
mod state;
mod work;

pub(crate) use edits::{
    Change, DoesNotFit, Edit, Loop, RequestedEdit, RequestedSource, Source, SourceClip,
};
pub(crate) use parameters::{
    CORRECTIONS, EditReading, MERGE, ParameterError, RawParameters, Rules, Validated,
    correction_fault, text_value,
};
pub(crate) use progress::JobProgress;
pub(crate) use render::RenderSpec;
pub(crate) use spec::JobSpec;
pub(crate) use state::{Cause, InvalidTransition, JobState, Outcome};
pub(crate) use work::Work;
