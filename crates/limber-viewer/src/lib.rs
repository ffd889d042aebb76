//! The native viewer: window, camera, playback, around limber-render.
