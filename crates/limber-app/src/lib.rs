//! Everything the desktop app can do, without a window.
