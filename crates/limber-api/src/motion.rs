//! What the motion service and its clients say to each other.
