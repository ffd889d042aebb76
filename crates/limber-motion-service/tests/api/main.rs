//! The motion service over HTTP, on a real PostgreSQL, with workers as processes of their own.

mod accounts;
mod bucket;
mod cancel;
mod chaos;
mod codes;
mod conventions;
mod crashes;
mod credits;
mod download;
mod dry_run;
mod edits;
mod events;
mod list;
mod models;
mod parameters;
mod process;
mod queue;
mod status;
mod studio;
mod upload;
mod uploader;
mod worker;
