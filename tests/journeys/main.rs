//! End-to-end tests of user journeys: the real program, its real window under WebDriver and its
//! real services, with a separate home for each journey.
//!
//! Needs WebKitWebDriver, PostgreSQL, and a private desktop with a display, a session bus and an
//! unlocked keyring: `cargo run --package xtask -- in-session -- cargo test -p limber --test
//! journeys`.
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
mod videos;
mod viewport;
mod window;
mod wire;
