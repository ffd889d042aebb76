//! The identity service over HTTP, against a real PostgreSQL and a real mail server.
//!
//! One module per endpoint, and `journeys` for what a person does across several of them.

mod action_link;
mod admin_users;
mod audit;
mod captcha;
mod clients;
mod concurrency;
mod deployment;
mod external;
mod factors;
mod health;
mod invite;
mod journeys;
mod limits;
mod logout;
mod magic_link;
mod mail;
mod mailbox;
mod outbox;
mod own_sessions;
mod phone;
mod program;
mod reauthenticate;
mod recover;
mod resend;
mod service;
mod signup;
mod stand_in;
mod telemetry;
mod texts;
mod timing;
mod token;
mod upkeep;
mod user;
mod verify;
