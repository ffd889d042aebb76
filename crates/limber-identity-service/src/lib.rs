//! The identity service: accounts, sessions, tokens, mail.
//!
//! It answers one question for everybody else: *who is this?* A person signs up with an address
//! and a password, or without saying who they are; proves the address by a mailed code; and gets
//! a session: a short-lived access token (a signed JWT that others can check without asking) and
//! a refresh token that is exchanged for the next pair. What travels is spelled out in
//! `limber-api`; ordinary GoTrue clients work unchanged.
//!
//! **In** go HTTP requests and a [`Config`]; **out** come JSON, mails and rows in the service's
//! own PostgreSQL schema. [`serve`] runs it on a listener, [`migrate`] brings the schema up to
//! date, [`command`] is the program `limber-identity` as a function, so that another program can
//! carry it along.
//!
//! A request passes three layers: `http` reads and authorises it, one file per endpoint;
//! `domain` holds the rules and owns the transactions; `store` holds SQL and decides nothing.
//! Beside them stand `providers` (other services whose accounts sign in here), `tokens`
//! (everything secret that is handed out), `passwords`, `mail` (the task that empties the outbox),
//! `texts` and `captcha` (who is asked over HTTP) and `refusal` (every error text of the
//! specification in one table). Time and chance come in through [`Clock`] and [`Chance`].
//!
//! Three promises hold everywhere. What is handed out is never stored: codes and tokens lie in
//! the database as hashes. Mail is written in the transaction that decided to send it, so it is
//! neither lost nor sent for something that did not happen. And no answer tells a stranger
//! whether an account exists, except the one the specification demands (sign-up where addresses
//! need no confirmation).
//!
//! **Never knows:** motion, characters, the desktop.

mod captcha;
mod clock;
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

pub use clock::{Chance, Clock, SystemChance, SystemClock};
pub use config::Config;
pub use error::ServiceError;
pub use program::command;
pub use serving::{migrate, serve, serve_with};

/// The program, in traces, metrics and the database's list of who is connected.
pub(crate) const NAME: &str = "limber-identity";
