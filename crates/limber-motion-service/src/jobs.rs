//! Jobs: what was asked for, how far it is, what became of it.
//!
//! The row in the table `jobs` is also the row of the queue. Existing queues (`apalis`,
//! `graphile_worker`) were weighed: they keep a table of their own, so taking turns between
//! accounts, a job's place in the queue and "every change of state is one transaction" would each
//! need a second table held in step with theirs. What is left of a queue here is one statement
//! that takes the next job (`SKIP LOCKED`) and `LISTEN/NOTIFY` to wake workers.

mod edits;
mod film;
mod parameters;
mod progress;
mod spec;
mod state;
mod work;

pub(crate) use edits::{AskedEdit, AskedSource, Change, DoesNotFit, Edit, KeptClip, Loop, Source};
pub(crate) use film::FilmSpec;
pub(crate) use parameters::{
    CORRECTIONS, EditReading, MERGE, ParameterError, RawParameters, Rules, Understood,
    correction_fault, text_value,
};
pub(crate) use progress::JobProgress;
pub(crate) use spec::JobSpec;
pub(crate) use state::{Cause, InvalidTransition, JobState, Outcome};
pub(crate) use work::Work;
