//! Everything that crosses a process boundary.
//!
//! Three modules that do not know each other: [`identity`], what the identity service and its
//! clients say; [`motion`], what the motion service and its clients say; [`viewer`], the JSON
//! lines between the app and a viewer process. What stands here must stay compatible.
//!
//! **Never knows:** how either side works.
#![warn(missing_docs)]

pub mod identity;
pub mod motion;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod viewer;
