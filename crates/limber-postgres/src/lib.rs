//! A private PostgreSQL cluster, run from installed or downloaded programs.
//!
//! A [`Cluster`] lives in one folder. It is created at the first start, reached through a socket in
//! that folder or through a loopback port ([`ConnectVia`]), protected by its own password, stopped
//! on request, and taken over cleanly if its previous owner was killed. A [`Stopper`] stops its
//! server from another process. [`TestDatabase`] gives each test its own database, on the
//! cluster named by `LIMBER_TEST_POSTGRES` or on its own cluster; a [`TestServer`] can be
//! frozen and killed.
//!
//! **Input:** a folder. **Output:** connection URLs. **Out of scope:** what is stored.
//!
//! Three peculiarities of PostgreSQL are handled here and nowhere else: it refuses to run as root
//! ([`Programs::for_this_user`]), it cannot open a folder of another major version
//! ([`PostgresError::OtherMajorVersion`]), and an orphaned server keeps the folder locked
//! ([`Cluster::start`]).
#![warn(missing_docs)]

mod cluster;
mod fetched;
mod programs;
/// Location of a server's Unix socket, on platforms that have one.
#[cfg_attr(not(unix), path = "sockets/none.rs")]
mod sockets;
mod stopper;
mod testing;

pub use cluster::{Cluster, ConnectVia, PostgresError, Prepared};
pub use fetched::{DownloadProgress, FetchError, OnDownloadProgress};
pub use programs::Programs;
pub use stopper::Stopper;
pub use testing::{Frozen, TestDatabase, TestServer};
