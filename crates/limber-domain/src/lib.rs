//! Facts that several crates rely on, each in one place.
//!
//! [`limits`] holds the numbers that a request is checked against: by the app while the user types,
//! by the service when it arrives, and by the pipeline that performs it.
//!
//! **Input and output:** plain values. **Out of scope:** how a violation is reported.
#![warn(missing_docs)]

pub mod limits;
