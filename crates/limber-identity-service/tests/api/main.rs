//! The identity service over HTTP, with a real PostgreSQL and a real mail server.
//!
//! There is one module per endpoint; `journeys` covers what a user does across several of them.

mod action_link;
mod admin_users;
mod audit;
mod captcha;
mod clients;
mod compatibility;
mod concurrency;
mod configuration;
mod deployment;
mod desktop;
mod external;
mod factors;
#[path = "../../../../tests/flood/flood.rs"]
mod flood;
mod floods;
mod fuzz;
#[path = "../../../../tests/fuzzer/fuzzer.rs"]
mod fuzzer;
mod growth;
mod guessing;
mod health;
mod holes;
mod invite;
mod journeys;
mod kills;
mod limits;
mod logout;
mod lost_rights;
mod magic_link;
mod mail;
mod mailbox;
mod nasty;
mod outages;
mod outbox;
mod own_sessions;
mod phone;
mod program;
mod promises;
#[path = "../../../../tests/house/proofs.rs"]
mod proofs;
mod reauthenticate;
mod recover;
mod redirects_matched;
mod requests;
mod resend;
mod service;
mod settings;
mod signup;
mod stand_in;
#[path = "../../../../tests/stopping/stopping.rs"]
mod stopping;
mod telemetry;
mod texts;
mod token;
mod upkeep;
mod user;
mod verify;
mod waiting;
mod wire;
