//! Talks to both services: retry, refresh, download with checks.
//!
//! [`motion`] submits prompts, follows jobs and fetches files; [`identity`] signs people in. Both
//! know only what crosses the wire (`limber-api`), keep secrets in wrappers that print as dots,
//! never follow a redirect with a credential, and put a limit on every wait. So does [`language_model`],
//! which asks a model of a person's own. None is made for a [`Way`] on which others could read along,
//! unless a person has said so, nor does any go by an address out of an answer that leads there.
//!
//! Whoever builds a client must have installed a TLS provider once
//! (`rustls::crypto::ring::default_provider().install_default()`).
//!
//! **Never knows:** Tauri, the services' inside.

pub mod identity;
pub mod language_model;
pub mod motion;
mod way;

pub use way::{Unencrypted, Way};
