//! What glTF can say and viewers get wrong: each a file of boxes whose pixels tell whether it was
//! understood. A red box stands low, a blue one high; a green one shows what happens between.

mod file;
mod movement;
mod picture;
mod skins;
mod surfaces;
