//! Clients of both services: retries, token refresh, verified downloads.
//!
//! [`motion`] submits prompts, follows jobs and downloads files; [`identity`] signs users in. Both
//! know only the wire format (`limber-api`), keep secrets in wrappers that do not print them, never
//! follow a redirect with a credential, and limit every wait. The same holds for
//! [`language_model`], which talks to a language model of the user's choice. No client is created
//! whose [`ConnectionPolicy`] would let others eavesdrop, unless the user has allowed it, and no
//! client follows such a URL from a response.
//!
//! Programs must install a TLS provider once before creating a client
//! (`rustls::crypto::ring::default_provider().install_default()`).
//!
//! **Out of scope:** Tauri, and how the services work inside.

mod connection_policy;
pub mod identity;
pub mod language_model;
pub mod motion;

pub use connection_policy::{ConnectionPolicy, Unencrypted};
