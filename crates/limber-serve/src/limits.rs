//! How many connections, and how long each may wait.

use std::time::Duration;

use crate::register::Phase;

/// More are of no use to a service of this kind: each holds some kilobytes at least, and up to
/// [`HEADER_BYTES`] while its header is on its way.
const MOST_CONNECTIONS: usize = 10_000;
/// Nobody needs that many at once; behind a proxy that is not known, everybody together does.
const MOST_OF_ONE: usize = 1000;
/// From the first byte of a header to its last, on the slowest line.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// Longer than proxies keep theirs (60 s is usual): else they would send into a connection that is
/// just being closed.
const IDLE_TIME: Duration = Duration::from_secs(75);
/// A caller that takes in nothing for so long is gone.
const WRITE_TIME: Duration = Duration::from_secs(60);
/// Supervisors and the desktop give a service about five seconds, of which the database and the last
/// traces need some.
const DRAIN: Duration = Duration::from_millis(2500);
/// After the stop a header that has begun may still arrive, and no more is waited for.
const LAST_HEADER: Duration = Duration::from_millis(500);

/// The longest header, addresses and cookies included.
pub(crate) const HEADER_BYTES: usize = 128 * 1024;

/// What connections may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// All connections together. Never more than half of the files the process may open.
    pub connections: usize,
    /// Those of one address; of one customer's network where it is IPv6. Never more than half of all, where
    /// open files allow fewer than was meant.
    pub connections_of_one: usize,
    /// How long a header may take.
    pub header_time: Duration,
    /// How long a connection is kept for a further request.
    pub idle_time: Duration,
    /// How long a caller may take in nothing of an answer.
    pub write_time: Duration,
    /// How long requests may finish after the stop.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: MOST_CONNECTIONS,
            connections_of_one: MOST_OF_ONE,
            header_time: HEADER_TIME,
            idle_time: IDLE_TIME,
            write_time: WRITE_TIME,
            drain: DRAIN,
        }
    }
}

impl Limits {
    /// The same, as far as the open files go. Each connection may have a file of its own behind it.
    pub(crate) fn within(self, open_files: Option<u64>) -> Self {
        let Some(files) = open_files.and_then(|files| usize::try_from(files).ok()) else {
            return self;
        };
        // the rest is for the database, the log, and programs that read files of strangers
        let most = if files > 1024 { (files - 512) / 2 } else { files / 4 };
        if most >= self.connections {
            return self;
        }
        // where there are fewer than was meant, one caller must still not have all of them
        let of_one = self.connections_of_one.min(most / 2).max(1);
        Self { connections: most.max(1), connections_of_one: of_one, ..self }
    }

    /// How long a connection may stay in this phase, if there is a limit.
    pub(crate) fn of(&self, phase: Phase, is_stopping: bool) -> Option<Duration> {
        let limit = match phase {
            Phase::Fresh | Phase::Heading => self.header_time,
            Phase::Idle => self.idle_time,
            // these have their own: of the request, and of the writing
            Phase::Serving | Phase::Flushing => return None,
            Phase::Cut => Duration::ZERO,
        };
        Some(if is_stopping { limit.min(LAST_HEADER) } else { limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_everything_else() {
        let within = |files| Limits::default().within(files).connections;
        assert_eq!(within(None), MOST_CONNECTIONS);
        assert_eq!(within(Some(u64::MAX)), MOST_CONNECTIONS);
        assert_eq!((within(Some(1024)), within(Some(4096))), (256, 1792));
        assert_eq!(within(Some(0)), 1, "none at all would be no service");
    }

    #[test]
    fn one_caller_cannot_have_all_connections_however_few_there_are() {
        let of_one = |files| Limits::default().within(Some(files)).connections_of_one;
        assert_eq!((of_one(0), of_one(1024), of_one(u64::MAX)), (1, 128, MOST_OF_ONE));
    }

    #[test]
    fn who_only_waits_is_not_waited_for_at_the_stop() {
        let limits = Limits::default();
        for phase in [Phase::Fresh, Phase::Heading, Phase::Idle] {
            assert!(limits.of(phase, true) < limits.of(phase, false), "{phase:?}");
        }
        assert_eq!(limits.of(Phase::Serving, true), None);
    }
}
