//! Files from clients: signed addresses, sessions that survive every kill, and what arrived.
//!
//! ```text
//! signed address ─▶ start ─▶ session ─▶ put … put ─▶ complete
//!                                └────── ask, cancel
//! ```
//! How much of a file has arrived is the length of what is kept of it, rounded down to a whole
//! [`STEP`], and nothing else: there is no second truth that a kill could leave behind. Bytes are
//! kept before anybody is told that they are. In a folder ([`partial`]) that is one file, whose lock
//! one writer at a time holds, and which the operating system takes back from whoever dies; in a
//! bucket ([`pieces`]) it is a row of objects, which any server goes on with.
//!
//! Source: motion-behaviour §10.1, which is the resumable protocol of a large storage vendor.

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

use crate::{Surroundings, config::UploadLimits, store::Store};

pub(crate) use checksum::{Checksums, Expected};
pub(crate) use links::{Permit, UploadLinkError, UploadLinks, percent_decoded};
pub(crate) use piece::Piece;
pub(crate) use session::{Refusal, Standing};
pub(crate) use spool::{Local, Spool};

/// Every piece but the last is a multiple of so many bytes.
pub(crate) const STEP: u64 = 256 << 10;
/// A session that is not finished by then is over.
const SESSION_LIFE_MS: i64 = 7 * 24 * 3600 * 1000;
/// How long an arrived file waits for somebody to store it, and its last answer is repeated.
const OBJECT_LIFE_MS: i64 = 24 * 3600 * 1000;
/// How long a new writer waits for one whose connection has just ended to let go.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a file is for; decides how large it may be.
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

/// Takes files in.
#[derive(Debug, Clone)]
pub(crate) struct Uploads {
    store: Store,
    spool: Spool,
    surroundings: Surroundings,
    limits: UploadLimits,
    /// Writers stop when the service does; what they have is kept.
    stopping: CancellationToken,
}

impl Uploads {
    pub(crate) const fn new(
        store: Store,
        spool: Spool,
        surroundings: Surroundings,
        limits: UploadLimits,
        stopping: CancellationToken,
    ) -> Self {
        Self { store, spool, surroundings, limits, stopping }
    }

    fn now_ms(&self) -> i64 {
        self.surroundings.clock.now_ms()
    }
}

/// Rounds down to a whole [`STEP`].
pub(crate) const fn whole_steps(bytes: u64) -> u64 {
    bytes - bytes % STEP
}
