//! Motion libraries: captioned recordings, and an engine that performs the steps of a script with
//! them.
//!
//! ```text
//! folder ─ files, captions ─▶ recordings ─ import ─▶ takes ─ windows, senses ─▶ index file ─▶ Library
//!
//! prompt ─▶ engine ─▶ drawn clip with its steps ─ choice ─▶ take ─ fit ─▶ ─ joins ─▶ ─ gate ─▶ clip
//! ```
//! A **take** is one uninterrupted recording of a person, on the canonical skeleton at 30 fps, with
//! captions. A **window** is a part of it that shows one action. [`Performer`] wraps an engine: the
//! engine's procedural motion is kept, except that steps of the script for which there is a
//! suitable window are performed with that.
//!
//! The input is folders of untrusted files, read with limits and never modified. The output is
//! index files, and clips as every engine makes them. The same seed, library and request give the
//! same bytes. The crate knows nothing about jobs, characters, clocks or networks.
#![warn(missing_docs)]

mod captions;
mod folder;
mod import;
mod index;
mod libraries;
mod library;
mod packing;
mod perform;
mod take;
mod windows;

pub use folder::{
    AddError, AddProgress, AddRequest, Change, Report, SkipReason, Skipped, add, changes,
};
pub use index::{FileRecord, Header, IndexError, Outcome, Stamp};
pub use libraries::{Libraries, LibrariesError, Listed, Terms};
pub use library::{Library, LibraryError};
pub use perform::{Performer, TakesMode};
pub use take::{Quality, Seen, Stance, Take, Window};
