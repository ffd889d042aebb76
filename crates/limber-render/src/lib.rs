//! Character and clip to pictures, on any OpenGL context.
