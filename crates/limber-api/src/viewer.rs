//! The JSON lines between the app and a viewer process.
