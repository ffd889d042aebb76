//! The one road from a prompt to finished files.
