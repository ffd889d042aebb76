//! What operating systems do each in their own way.
//!
//! Each module is one subject: it promises something, has one implementation per system, and says where a
//! system cannot keep the promise. Code elsewhere asks for the subject and need not know the system.
//!
//! **Goes in and out:** paths, commands, durations. **Never knows:** what Limber does with them.
#![warn(missing_docs)]

pub mod children;
pub mod console;
pub mod disk;
pub mod limits;
pub mod open_files;
pub mod private;
pub mod processor_time;
pub mod stop;
