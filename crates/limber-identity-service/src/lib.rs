//! The identity service: accounts, sessions, tokens, mail; GoTrue-compatible.
