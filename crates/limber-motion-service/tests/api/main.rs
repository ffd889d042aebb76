//! Tests of the motion service over HTTP, with a real PostgreSQL, and workers as separate
//! processes.

mod accounts;
mod bucket;
mod callers;
mod cancel;
mod chaos;
mod client;
mod codes;
mod conventions;
mod corrections;
mod crashes;
mod credits;
mod download;
mod dry_run;
mod durations;
mod edits;
mod events;
mod fairness;
#[path = "../../../../tests/flood/flood.rs"]
mod flood;
mod floods;
mod fuzz;
#[path = "../../../../tests/fuzzer/fuzzer.rs"]
mod fuzzer;
mod heads;
mod health;
mod list;
mod lost_files;
mod memory;
mod models;
mod outages;
mod parameters;
mod pictures;
mod port;
mod process;
mod processing;
#[path = "../../../../tests/house/proofs.rs"]
mod proofs;
mod purge;
mod python;
mod queue;
mod races;
mod render;
#[cfg(unix)]
mod scratch;
mod scripts;
mod specification;
mod status;
#[path = "../../../../tests/stopping/stopping.rs"]
mod stopping;
mod strangers;
mod studio;
mod telemetry;
mod upload;
mod uploader;
mod within;
mod worker;
