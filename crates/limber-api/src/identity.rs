//! What the identity service and its clients say to each other.
