//! Errors that prevent the service from starting, or stop it. Errors of a *request* are in
//! [`refusal`](crate::refusal).

/// A failure of the program. The messages say what to do and never contain secrets or addresses.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The configuration is invalid; every problem is listed.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// The database connection string is malformed.
    #[error(
        "AUTHSVC_DATABASE_URL is not a PostgreSQL URL. It must look like \
         postgres://user:password@host:5432/database"
    )]
    DatabaseAddress,
    /// PostgreSQL is unreachable or refused the operation.
    #[error(
        "The database cannot be reached or refused the operation. Check that PostgreSQL is running \
         and that AUTHSVC_DATABASE_URL is right."
    )]
    Database(#[source] sqlx::Error),
    /// A schema migration failed.
    #[error("The database schema could not be brought up to date: {0}")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// The listening port could not be opened.
    #[error(
        "Cannot listen on {host}:{port}. Set AUTHSVC_PORT to another port, or stop the program \
         that uses this one."
    )]
    Listen {
        /// Configured host.
        host: String,
        /// Configured port.
        port: u16,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The operating system provides no threads or no standard input.
    #[error(
        "The operating system provides no threads or no standard input, so the program cannot run."
    )]
    Server(#[source] std::io::Error),
    /// The HTTP client for outgoing requests could not be created.
    #[error("The HTTP client for connections to other services cannot be created.")]
    Client(#[source] reqwest::Error),
    /// The mail settings are invalid.
    #[error("The mail settings are invalid: {0}")]
    Mail(String),
    /// The command was rejected, for the reason given.
    #[error("{0}")]
    Refused(std::borrow::Cow<'static, str>),
    /// The command failed for a reason that is not the caller's fault.
    #[error("The command failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Logging, tracing or metrics could not be set up.
    #[error(
        "The log, traces or metrics cannot be set up: {0}. Check AUTHSVC_LOG_FILE and the settings of traces and metrics."
    )]
    Telemetry(#[from] limber_telemetry::TelemetryError),
    /// `doctor` found this many problems.
    #[error("{0} checks failed; see the list above.")]
    Unhealthy(usize),
}
