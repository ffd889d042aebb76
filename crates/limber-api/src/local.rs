//! How the services on this computer know the app that started them.

/// The header in which the app, and whoever else may read its data folder, shows the secret that was drawn
/// for this start. Browsers cannot send it to another origin without being allowed to, which they are not.
pub const SECRET_HEADER: &str = "x-limber-app-secret";

/// The file of the data folder in which that secret stands while the studio is up, for its owner alone.
pub const SECRET_FILE: &str = "app-secret";
