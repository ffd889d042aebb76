//! What is written is read back, and valid for readers we did not write.

mod bvh;
mod glb;
mod hostile;
mod mannequin;
mod validator;
