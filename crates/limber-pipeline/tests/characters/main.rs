//! Characters that people bring, moved by the real engine over the real road: what is seen on them
//! is what was meant.
//!
//! With `LIMBER_LOOK` set to a folder, sheets of pictures and the files of one walk are written
//! there, to be looked at and to be read by other programs.

mod look;
mod measure;
mod motions;
mod odd;
mod shared;
