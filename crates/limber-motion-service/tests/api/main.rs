//! The motion service over HTTP, on a real PostgreSQL, with workers as processes of their own.

mod accounts;
mod bucket;
mod cancel;
mod chaos;
mod client;
mod codes;
mod conventions;
mod crashes;
mod credits;
mod download;
mod dry_run;
mod edits;
mod events;
mod fuzz;
#[path = "../../../../tests/fuzzer/fuzzer.rs"]
mod fuzzer;
mod health;
mod list;
mod models;
mod parameters;
mod port;
mod process;
#[path = "../../../../tests/house/proofs.rs"]
mod proofs;
mod purge;
mod python;
mod queue;
mod render;
mod specification;
mod status;
mod strangers;
mod studio;
mod telemetry;
mod upload;
mod uploader;
mod within;
mod worker;
