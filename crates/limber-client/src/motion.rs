//! The motion service, seen from a client.
