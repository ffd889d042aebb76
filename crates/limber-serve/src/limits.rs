//! Limits on the number of connections and on their waiting times.

use std::time::Duration;

use crate::register::Phase;

/// Default for all connections. More are of no use to a service of this kind: each takes at least
/// some kilobytes, and up to [`HEADER_BYTES`] while its header arrives.
const MAX_CONNECTIONS: usize = 10_000;
/// Default per client. No client needs more at once, but all clients together do if they are behind
/// a proxy that is not configured as such.
const MAX_CONNECTIONS_PER_CLIENT: usize = 1000;
/// Default time for a complete header, from its first byte to its last; sufficient on the slowest
/// connection.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// Default idle time. Longer than proxies keep their connections (usually 60 s); otherwise a proxy
/// could send a request on a connection that is just being closed.
const IDLE_TIME: Duration = Duration::from_secs(75);
/// Default time after which a client that accepts no data is considered gone.
const WRITE_TIME: Duration = Duration::from_secs(60);
/// Default grace period for requests at shutdown. Supervisors and the desktop app allow a service
/// about five seconds, some of which the database and the last traces need.
const DRAIN: Duration = Duration::from_millis(2500);
/// After a stop request, a header that has begun may still arrive within this time; nothing else is
/// waited for.
const LAST_HEADER: Duration = Duration::from_millis(500);

/// Maximum size of a header in bytes, including the URL and cookies.
pub(crate) const HEADER_BYTES: usize = 128 * 1024;

/// Limits on connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of connections. Capped at about half of the files that the process may open.
    pub connections: usize,
    /// Maximum number of connections per client: an IPv4 address or an IPv6 /64 network. Capped at
    /// half of all connections if the open files limit lowers their number.
    pub connections_of_one: usize,
    /// Time for a complete header.
    pub header_time: Duration,
    /// How long an idle connection is kept for another request.
    pub idle_time: Duration,
    /// How long a client may accept no data of a response.
    pub write_time: Duration,
    /// How long running requests may take to finish after a stop request.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: MAX_CONNECTIONS,
            connections_of_one: MAX_CONNECTIONS_PER_CLIENT,
            header_time: HEADER_TIME,
            idle_time: IDLE_TIME,
            write_time: WRITE_TIME,
            drain: DRAIN,
        }
    }
}

impl Limits {
    /// Lowers the limits to what the limit on open files allows. Each connection may need a second
    /// file.
    pub(crate) fn within(self, open_files: Option<u64>) -> Self {
        let Some(files) = open_files.and_then(|files| usize::try_from(files).ok()) else {
            return self;
        };
        // The rest is for the database, the log, and programs that read untrusted files.
        let most = if files > 1024 { (files - 512) / 2 } else { files / 4 };
        if most >= self.connections {
            return self;
        }
        // If the total is lowered, a single client must still not get all of it.
        let of_one = self.connections_of_one.min(most / 2).max(1);
        Self { connections: most.max(1), connections_of_one: of_one, ..self }
    }

    /// Returns how long a connection may stay in this phase, if that is limited.
    pub(crate) fn of(&self, phase: Phase, is_stopping: bool) -> Option<Duration> {
        let limit = match phase {
            Phase::Fresh | Phase::ReadingHeader => self.header_time,
            Phase::Idle => self.idle_time,
            // These are limited elsewhere, by the request timeout and the write timeout.
            Phase::Serving | Phase::Flushing => return None,
            Phase::Evicted => Duration::ZERO,
        };
        Some(if is_stopping { limit.min(LAST_HEADER) } else { limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_file_descriptors_for_everything_else() {
        let within = |files| Limits::default().within(files).connections;
        assert_eq!(within(None), MAX_CONNECTIONS);
        assert_eq!(within(Some(u64::MAX)), MAX_CONNECTIONS);
        assert_eq!((within(Some(1024)), within(Some(4096))), (256, 1792));
        assert_eq!(within(Some(0)), 1, "at least one connection is allowed");
    }

    #[test]
    fn one_client_never_gets_all_connections() {
        let of_one = |files| Limits::default().within(Some(files)).connections_of_one;
        assert_eq!(
            (of_one(0), of_one(1024), of_one(u64::MAX)),
            (1, 128, MAX_CONNECTIONS_PER_CLIENT)
        );
    }

    #[test]
    fn shutdown_waits_less_for_idle_connections() {
        let limits = Limits::default();
        for phase in [Phase::Fresh, Phase::ReadingHeader, Phase::Idle] {
            assert!(limits.of(phase, true) < limits.of(phase, false), "{phase:?}");
        }
        assert_eq!(limits.of(Phase::Serving, true), None);
    }
}
