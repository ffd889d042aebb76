//! What is written is read back, and valid for readers we did not write.

mod bvh;
mod fbx;
mod fbx_read_back;
mod fbx_records;
mod glb;
mod hostile;
mod humanoid;
mod mannequin;
mod rich;
mod validator;
mod vrma;
