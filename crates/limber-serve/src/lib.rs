//! What keeps a service answering, whoever calls and whatever breaks behind it.
//!
//! [`serve`] takes connections and gives none the power to keep others out: a header has to come in
//! time, there are only so many connections, and so many of one caller, and who only waits makes room
//! for who asks. Its stop has an end. [`Pulse`] notices that the database went silent, so that a
//! request which waits for it is answered instead of hanging; [`pool_options`] bounds what is waited
//! for, and [`is_away`] tells a database that cannot be had from one that said no. [`Admitted`] keeps a
//! service that is there for one app from everybody else on its computer.
//!
//! **Goes in:** a bound listener, an axum service, [`Limits`]. **Comes out:** answers, until it is
//! stopped. **Never knows:** what is served, nor whom.
#![warn(missing_docs)]

mod admission;
mod connection;
mod database;
mod ending;
mod limits;
mod line;
mod register;
mod server;

pub use admission::{Admission, Admitted};
pub use database::{Pulse, Waits, is_away, pool_options};
pub use ending::{LONGEST_STOP, end_within};
pub use limits::Limits;
pub use server::{Door, Stopped, serve};
