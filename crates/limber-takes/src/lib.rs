//! Motion libraries: recorded movement with words, and a performer that does events of a script with it.
//!
//! ```text
//! folder ─ files, captions ─▶ recordings ─ import ─▶ takes ─ windows, senses ─▶ index file ─▶ Library
//!
//! prompt ─▶ engine ─▶ drawn clip with its steps ─ choice ─▶ take ─ fit ─▶ ─ joins ─▶ ─ gate ─▶ clip
//! ```
//! A **take** is one uninterrupted recording of a person, on the canonical skeleton at 30 frames a second, with
//! captions. A **window** is a part of it that shows one action. [`Performer`] wraps an engine: what the engine
//! drew stays, except that steps of the script for which there is a window that fits are performed by it.
//!
//! **Goes in:** folders that anybody filled, read with limits; nothing in them is changed. **Comes out:** index files,
//! and clips as every engine makes them. Same seed, same library, same request: same bytes. **Never knows:** jobs,
//! characters, clocks, networks.
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

pub use folder::{AddError, AddProgress, AddRequest, Change, Report, Skipped, Why, add, changes};
pub use index::{FileRecord, Header, IndexError, Outcome, Stamp};
pub use libraries::{Libraries, LibrariesError, Listed, Terms};
pub use library::{Library, LibraryError};
pub use perform::{Performer, TakesMode};
pub use take::{Quality, Seen, Stance, Take, Window};
