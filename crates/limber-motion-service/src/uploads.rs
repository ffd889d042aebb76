//! Resumable uploads from clients.
//!
//! ```text
//! signed address ─▶ start ─▶ session ─▶ put … put ─▶ complete
//!                                └────── ask, cancel
//! ```
//! How much of a file has arrived is defined as the length of what is stored, rounded down to a
//! multiple of [`STEP`]. There is no separate record that could disagree after a crash. Bytes are
//! stored before they are acknowledged. In a folder ([`partial`]) a session is one file, locked by
//! one writer at a time; the operating system releases the lock if the writer dies. In a bucket
//! ([`pieces`]) it is a series of objects, to which any server can add.
//!
//! The protocol is that of Google Cloud Storage for resumable uploads with signed URLs; see
//! "Uploading a file" in `docs/src/motion-http.md`.

mod checksum;
mod links;
mod partial;
mod piece;
mod pieces;
mod session;
mod spool;
mod upkeep;

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{Environment, config::UploadLimits, store::Store};

pub(crate) use checksum::{Checksums, Expected};
pub(crate) use links::{Permit, UploadLinkError, UploadLinks, percent_decoded};
pub(crate) use piece::Piece;
pub(crate) use session::{Refusal, Standing};
pub(crate) use spool::{Local, Spool};

/// All parts except the last must be a multiple of this many bytes.
pub(crate) const STEP: u64 = 256 << 10;
/// Lifetime of an unfinished session, in milliseconds.
const SESSION_LIFE_MS: i64 = 7 * 24 * 3600 * 1000;
/// How long a complete file is kept if nobody stores it, and its final response is repeated.
const OBJECT_LIFE_MS: i64 = 24 * 3600 * 1000;
/// How long a new writer waits for one whose connection has just ended to release the session.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a file is used for, which determines its maximum size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UploadKind {
    Model,
    Thumb,
}

impl UploadKind {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Thumb => "thumb",
        }
    }
}

/// Receives uploads.
#[derive(Debug, Clone)]
pub(crate) struct Uploads {
    store: Store,
    spool: Spool,
    environment: Environment,
    limits: UploadLimits,
    /// Stops writers when the service shuts down; what they have received is kept.
    stopping: CancellationToken,
}

impl Uploads {
    pub(crate) const fn new(
        store: Store,
        spool: Spool,
        environment: Environment,
        limits: UploadLimits,
        stopping: CancellationToken,
    ) -> Self {
        Self { store, spool, environment, limits, stopping }
    }

    fn now_ms(&self) -> i64 {
        self.environment.clock.now_ms()
    }
}

/// Rounds down to a multiple of [`STEP`].
pub(crate) const fn whole_steps(bytes: u64) -> u64 {
    bytes - bytes % STEP
}
