//! Written files can be read back and are valid for independent readers.

mod ascii_fbx;
mod avatars;
mod beside;
mod bodies;
mod bvh;
mod corpus;
mod fbx;
mod fbx_read_back;
mod fbx_records;
mod glb;
mod hanging;
mod hostile;
mod humanoid;
mod import;
mod mannequin;
mod models;
mod motion;
mod objects;
mod rich;
mod surgery;
mod travelling;
mod validator;
mod vrma;
