//! Everything that crosses a process boundary.
//!
//! Three modules that do not know each other: [`identity`], what the identity service and its
//! clients say; [`motion`], what the motion service and its clients say; [`viewer`], the JSON
//! lines between the app and a viewer process. What stands here must stay compatible. Beside them
//! stand [`proxies`], how a server learns who calls it, and [`local`], how one that runs on this
//! computer for one app knows that app.
//!
//! **Never knows:** how either side works.
#![warn(missing_docs)]

pub mod identity;
pub mod local;
pub mod motion;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod proxies;
pub mod viewer;
