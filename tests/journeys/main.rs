//! What people do, done by a robot: the real program, its real window under WebDriver, its real
//! services, each journey with a home of its own.
//!
//! Needs WebKitWebDriver, PostgreSQL, and a desktop of its own with a display, a session bus and an open key
//! ring: `cargo run --package xtask -- in-session -- cargo test -p limber --test journeys`.
#![cfg(feature = "desktop")]

mod access;
mod account;
mod bad_days;
mod bad_server;
mod blender;
mod browser;
mod characters;
mod display;
mod dragging;
mod driver;
mod edits;
mod films;
mod first_clip;
mod home;
mod keyboard;
mod keychain;
mod monkey;
mod other_services;
mod place;
mod pointer;
mod screens;
mod server;
mod sign_up;
mod steps;
mod terminal;
mod viewport;
mod window;
mod wire;
