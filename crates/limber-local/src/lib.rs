//! The local studio: PostgreSQL, both services, a worker and a mailbox on this computer.
//!
//! [`LocalStudio`] brings them up in one data folder and keeps them up. PostgreSQL runs from
//! installed programs; the identity service, the motion service and the worker run as children of
//! this same program (`limber service …`, see [`service_main`]), on loopback, on ports that this
//! process has bound for them and keeps. They answer nobody who does not show the secret that was drawn for
//! this start; the database has no port at all. Their settings, secrets included, reach them through standard input,
//! never as arguments. The same pipe ties their life to ours: when this process ends in any way, the
//! pipe closes and they end too. The database is nobody's child; a guard with such a pipe stops it
//! when this process was killed.
//!
//! A child that dies is started again, with growing pauses. When the database dies, it is started
//! again and the services are restarted with its new address. A second studio in the same folder
//! is refused by a lock that the operating system gives back on its own.
//!
//! Mail that the identity service sends lands in the [`Mailbox`], through a real SMTP server that
//! listens on loopback only, and takes it from that service alone.
//!
//! **Goes in:** a data folder. **Goes out:** two addresses with a client id and secret, steps of
//! the start-up, mail. **Never knows:** windows, sessions, what jobs are about.
#![warn(missing_docs)]

mod child;
mod client;
mod database;
mod error;
mod folder;
mod health;
mod keeper;
mod mail;
mod plan;
mod port;
mod secrets;
mod service;
mod studio;

pub use error::LocalError;
pub use limber_postgres::Fetching;
pub use mail::{Letter, Mailbox};
pub use service::{Service, service_main};
pub use studio::{Addresses, LocalStudio, Progress, Step, StepState};
