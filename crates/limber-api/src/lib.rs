//! Everything that crosses a process boundary.
//!
//! Three modules that are independent of each other: [`identity`], the API of the identity service;
//! [`motion`], the API of the motion service; [`viewer`], the JSON lines between the app and a
//! viewer process. All of these formats must stay compatible. In addition, [`proxies`] determines
//! which client a request comes from, and [`local`] is how a service that runs on this computer for
//! one app recognises that app.
//!
//! **Out of scope:** how either side works.
#![warn(missing_docs)]

pub mod identity;
pub mod local;
pub mod motion;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod proxies;
pub mod viewer;
