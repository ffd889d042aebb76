//! The local studio: PostgreSQL, both services, a worker and a mailbox on this computer.
//!
//! [`LocalStudio`] starts them in one data folder and keeps them running. PostgreSQL runs from
//! installed binaries. The identity service, the motion service and the worker run as child
//! processes of this executable (`limber service …`, see [`service_main`]), on loopback ports that
//! this process has bound for them and keeps. They reject every request without the secret drawn
//! for this start; the database has no port at all. Settings, including secrets, are passed through
//! standard input and never as arguments. The same pipe ties the lifetime of the children to ours:
//! when this process ends for any reason, the pipe closes and they stop. The database is not a
//! child process; a guard with such a pipe stops it if this process is killed.
//!
//! A child that dies is restarted with growing delays. If the database dies, it is restarted, and
//! so are the services, with its new address. A lock that the operating system releases by itself
//! prevents a second studio in the same folder.
//!
//! Mail from the identity service goes into the [`Mailbox`], through an SMTP server that listens on
//! loopback only and accepts mail from that service alone.
//!
//! **Input:** a data folder. **Output:** two addresses with client credentials, start-up progress,
//! mail. **Out of scope:** windows, sessions, the contents of jobs.
#![warn(missing_docs)]

mod child;
mod client;
mod database;
mod error;
mod folder;
mod health;
mod mail;
mod plan;
mod port;
mod secrets;
mod service;
mod studio;
mod supervisor;

pub use error::LocalError;
pub use limber_postgres::DownloadProgress;
pub use mail::{Mailbox, Message};
pub use service::{Service, service_main};
pub use studio::{Addresses, LocalStudio, Progress, Step, StepState};
