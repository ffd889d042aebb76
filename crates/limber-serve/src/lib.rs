//! Keeps a service responsive, whatever its clients do and whatever fails behind it.
//!
//! [`serve`] accepts connections and prevents any client from crowding out others: headers must
//! arrive in time, the number of connections is limited in total and per client, and idle
//! connections make room for active ones. Its shutdown is bounded in time. [`Pulse`] detects an
//! unresponsive database, so that requests waiting for it are answered instead of hanging;
//! [`pool_options`] bounds the waiting times, and [`is_away`] distinguishes a database that is
//! unavailable from one that reported an error. [`Admitted`] restricts a service meant for one app
//! to that app.
//!
//! **Input:** a bound listener, an axum service, [`Limits`]. **Output:** responses, until it is
//! stopped. **Out of scope:** what is served, and to whom.
#![warn(missing_docs)]

mod admission;
mod connection;
mod database;
mod ending;
mod limits;
mod register;
mod server;
mod tracking;

pub use admission::{Admission, Admitted};
pub use database::{Pulse, Waits, is_away, pool_options};
pub use ending::{LONGEST_STOP, end_within};
pub use limits::Limits;
pub use server::{Accept, Stopped, serve};
