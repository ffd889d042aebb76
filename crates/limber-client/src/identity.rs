//! The identity service, seen from a client.
