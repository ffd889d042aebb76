//! glTF features that viewers often get wrong: each test renders a file of boxes whose pixels show
//! whether it was understood. Red boxes are low and blue ones high; a green one between them shows
//! the result.

mod detail;
mod file;
mod movement;
mod picture;
mod skins;
mod surfaces;
