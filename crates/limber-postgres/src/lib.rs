//! A private PostgreSQL cluster from installed programs.
//!
//! [`Cluster`] keeps one cluster in one folder: made at the first start, reached by a socket in that
//! folder or by loopback ([`Reach`]), with a password of its own, stopped when asked, and taken over cleanly when whoever started it
//! was killed. A [`Stopper`] stops its server from another process. [`TestDatabase`] gives each test
//! a database of its own, on the cluster that `LIMBER_TEST_POSTGRES` names or on one of its own; a
//! [`TestServer`] is there to be frozen and killed.
//!
//! **Goes in:** a folder. **Goes out:** connection addresses. **Never knows:** what is stored.
//!
//! Three things PostgreSQL itself is particular about are settled here and nowhere else: it
//! refuses to run as root ([`Programs::for_this_user`]), it cannot open the folder of another major
//! version ([`PostgresError::OtherMajorVersion`]), and an orphan keeps the folder's lock
//! ([`Cluster::start`]).
#![warn(missing_docs)]

mod cluster;
mod fetched;
mod programs;
/// Where a server's socket lies, on systems on which it has one.
#[cfg_attr(not(unix), path = "sockets/none.rs")]
mod sockets;
mod stopper;
mod testing;

pub use cluster::{Cluster, PostgresError, Prepared, Reach};
pub use fetched::{FetchError, Fetching, HearFetching};
pub use programs::Programs;
pub use stopper::Stopper;
pub use testing::{Frozen, TestDatabase, TestServer};
