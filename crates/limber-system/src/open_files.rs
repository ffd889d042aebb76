//! The limit on open files, including sockets.

/// Raises the limit as far as possible without privileges and returns it; `None` if there is no
/// limit.
#[must_use]
pub fn raise() -> Option<u64> {
    system::raise()
}

#[cfg(unix)]
mod system {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Limit that macOS always grants (`OPEN_MAX`), for systems that reject their own hard limit.
    const ALWAYS_TAKEN: u64 = 10_240;

    pub(super) fn raise() -> Option<u64> {
        let before = getrlimit(Resource::Nofile);
        let current = before.current?;
        let to = |wanted: Option<u64>| {
            setrlimit(Resource::Nofile, Rlimit { current: wanted, maximum: before.maximum })
        };
        if before.maximum != Some(current) && to(before.maximum).is_err() && current < ALWAYS_TAKEN
        {
            // the outcome is checked below
            let _ = to(Some(ALWAYS_TAKEN));
        }
        let after = getrlimit(Resource::Nofile).current;
        if after != Some(current) {
            tracing::debug!(from = current, to = ?after, "the limit of open files was raised");
        }
        after
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_open_file_limit_is_raised_without_privileges() {
            let raised = raise();
            let limit = getrlimit(Resource::Nofile);
            assert_eq!(limit.current, raised);
            if cfg!(target_os = "linux") {
                assert_eq!(limit.current, limit.maximum);
            }
        }
    }
}

#[cfg(windows)]
mod system {
    pub(super) const fn raise() -> Option<u64> {
        None
    }
}
