//! Why the service could not start, or stopped. What a *request* can fail with is in
//! [`refusal`](crate::refusal).

/// A failure of the program. Texts say what to do; none holds a secret or an address.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The configuration cannot be used; every problem is listed.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// The connection string cannot be read.
    #[error(
        "AUTHSVC_DATABASE_URL is not a PostgreSQL address. It must look like postgres://user:password@host:5432/database"
    )]
    DatabaseAddress,
    /// PostgreSQL did not do what was asked.
    #[error(
        "The database refused or cannot be reached. Check that PostgreSQL runs and that AUTHSVC_DATABASE_URL is right."
    )]
    Database(#[source] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("The database schema could not be brought up to date: {0}")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// A port could not be opened.
    #[error("Cannot listen on {host}:{port}. Choose another AUTHSVC_PORT or stop what uses it.")]
    Listen {
        /// Host that was asked for.
        host: String,
        /// Port that was asked for.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system gives no threads or no standard input.
    #[error("The program cannot work on this computer: it gets no threads or no input.")]
    Server(#[source] std::io::Error),
    /// No connections to others can be made.
    #[error("Connections to other services cannot be set up.")]
    Client(#[source] reqwest::Error),
    /// The mail settings cannot be used.
    #[error("The mail settings cannot be used: {0}")]
    Mail(String),
    /// The command was understood and turned down.
    #[error("{0}")]
    Refused(std::borrow::Cow<'static, str>),
    /// A command met a failure that is not the caller's doing.
    #[error("The command failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Traces or metrics cannot be set up.
    #[error(
        "The log, traces or metrics cannot be set up: {0}. Check AUTHSVC_LOG_FILE and the settings of traces and metrics."
    )]
    Telemetry(#[from] limber_telemetry::TelemetryError),
    /// `doctor` found something.
    #[error("{0} of the checks failed; see the list above.")]
    Unhealthy(usize),
}
