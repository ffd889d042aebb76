//! Makes the stock characters.
//!
//! Limber ships with characters of its own so that a newcomer sees a motion on a body at once. They
//! are made by this program, not drawn: anatomy is written down as a signed distance field on the
//! canonical skeleton ([`anatomy`]), stretched to a build's proportions ([`fit`]), turned into a
//! closed net of triangles ([`net`], [`skin`], [`thin`]), painted ([`paint`]) and bound to the skeleton
//! ([`weights`]). The result is written to `assets/characters` and committed; nothing here runs on
//! a user's machine.
//!
//! **In:** a [`build::Build`]. **Out:** a [`limber_animation::Character`] or a GLB file, the same
//! bytes on every run: only additions, multiplications, divisions and square roots are used.
//! **Never knows:** clips, services, the screen.
#![warn(missing_docs)]

pub mod anatomy;
pub mod build;
pub mod face;
pub mod field;
pub mod fit;
pub mod garment;
pub mod lattice;
pub mod model;
pub mod net;
pub mod paint;
pub mod planes;
pub mod skin;
pub mod thin;
pub mod trial;
pub mod weights;

use limber_formats::glb::{WriteError, write_character};

/// A stock character's file, ready to be written.
///
/// # Errors
/// When the format cannot hold the character, which would be a fault of the model.
pub fn file_of(build: &build::Build) -> Result<Vec<u8>, WriteError> {
    write_character(&model::model(build))
}
