//! Talks to both services: retry, refresh, download with checks.
//!
//! **Never knows:** Tauri, the services' inside.

pub mod identity;
pub mod motion;
