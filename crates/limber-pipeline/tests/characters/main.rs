//! User-supplied characters, animated by the real engine through the real pipeline: the result on
//! the character must match the canonical clip.
//!
//! If `LIMBER_LOOK` names a folder, contact sheets and the files of one walk are written there, for
//! visual inspection and for other programs.

mod look;
mod measure;
mod motions;
mod odd;
mod shared;
