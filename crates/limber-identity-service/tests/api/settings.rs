//! Effects of the settings, each named as operators write it.

mod accounts;
mod limits;
mod mail;
mod service;
mod texts;
mod tokens;
pub(crate) mod values;
