//! Reads and writes the files characters and clips travel in: GLB, BVH, the canonical clip.
