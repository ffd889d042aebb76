//! How services on this computer recognise the app that started them.

/// Header in which the app, and anyone else who may read its data folder, sends the secret that was
/// generated for this start. Web pages of other origins cannot send it, because CORS does not allow
/// them to.
pub const SECRET_HEADER: &str = "x-limber-app-secret";

/// File in the data folder that contains this secret while the studio runs; readable by its owner
/// only.
pub const SECRET_FILE: &str = "app-secret";
