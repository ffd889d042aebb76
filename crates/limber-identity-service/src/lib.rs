//! The identity service: accounts, sessions, tokens and email.
//!
//! It answers one question for all other services: *who is this?* A user signs up with an address
//! and a password, or anonymously; confirms the address by a mailed code; and gets a session: a
//! short-lived access token (a signed JWT that others can verify on their own) and a refresh token
//! that is exchanged for the next pair. The wire types are defined in `limber-api`; ordinary GoTrue
//! clients work unchanged.
//!
//! **Input:** HTTP requests and a [`Config`]. **Output:** JSON, emails, and rows in the service's
//! own PostgreSQL schema. [`serve`] runs the service on a listener, [`migrate`] brings the schema
//! up to date, and [`command`] is the program `limber-identity` as a function, for embedding in
//! another program.
//!
//! A request passes through three layers: `http` parses and authorises it, with one file per
//! endpoint; `domain` holds the rules and owns the transactions; `store` holds SQL and makes no
//! decisions. Beside them are `providers` (external identity providers), `tokens` (all secrets that
//! are handed out), `passwords`, `mail` (the task that delivers the outbox), `texts` and `captcha`
//! (clients of SMS and captcha providers) and `refusal` (all error messages of the specification in
//! one table). Time and randomness are injected through the `environment` of `limber-domain`.
//!
//! Three guarantees hold everywhere. Secrets that are handed out are never stored: the database
//! holds codes and tokens only as hashes. Email is queued in the transaction that decides to send
//! it, so it is neither lost nor sent for something that did not happen. And no answer reveals to a
//! stranger whether an account exists, except the one that the specification demands (sign-up where
//! addresses need no confirmation).
//!
//! **Out of scope:** motion, characters, the desktop.

mod captcha;
pub mod config;
mod domain;
mod error;
mod http;
mod instance;
mod mail;
mod passwords;
mod program;
mod providers;
mod rate_limits;
mod redirects;
mod refusal;
mod serving;
mod store;
mod texts;
mod tokens;
mod upkeep;

pub use config::Config;
pub use error::ServiceError;
pub use program::command;
pub use serving::{migrate, serve, serve_with};

/// Name of the program in traces, metrics and the database's list of connections.
pub(crate) const NAME: &str = "limber-identity";
