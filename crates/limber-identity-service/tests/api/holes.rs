//! Regression tests for vulnerabilities that once existed, each with the attacker's steps.

mod codes;
mod ids;
mod links;
mod passwords;
mod races;
mod second_factor;
mod takeover;
