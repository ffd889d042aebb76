//! Operating system differences.
//!
//! Each module covers one subject: it makes a promise, has one implementation per system, and says
//! where a system cannot keep the promise. Callers need not know the system.
//!
//! **Input and output:** paths, commands, durations. **Out of scope:** what Limber does with them.
#![warn(missing_docs)]

pub mod children;
pub mod console;
pub mod disk;
pub mod limits;
pub mod open_files;
pub mod private;
pub mod processor_time;
pub mod stop;
