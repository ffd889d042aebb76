//! The command line of `limber-identity`.

mod accounts;
mod doctor;

use std::ffi::OsString;
use std::future::Future;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use limber_domain::environment::SystemRandom;
use limber_serve::{LONGEST_STOP, end_within};
use limber_telemetry::{LogConfig, Origin, Telemetry};
use tokio::net::TcpListener;

use crate::config::{Config, ConfigError};
use crate::error::ServiceError;
use crate::serving::{migrate, serve};
use crate::tokens::keys::{NewKey, generate, rotate};

/// Accounts, sessions, tokens and email. Settings come from `.env` and the environment (AUTHSVC_…);
/// the environment takes precedence.
#[derive(Debug, Parser)]
#[command(name = "limber-identity", disable_version_flag = true)]
struct Arguments {
    /// Without a command: migrate, then serve.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve HTTP until stopped.
    Serve,
    /// Bring the database schema up to date.
    Migrate,
    /// Keys for signing access tokens.
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Accounts, from the command line.
    Admin {
        #[command(subcommand)]
        command: accounts::AdminCommand,
    },
    /// Check settings, database and mail server, and say what to do.
    Doctor,
    /// Print the version.
    Version,
}

#[derive(Debug, Subcommand)]
enum KeysCommand {
    /// Print a new AUTHSVC_JWT_KEYS. Keep it secret.
    Generate {
        /// RS256 and ES256 can be verified by every client, EdDSA by servers only.
        #[arg(long, value_enum, default_value = "rs256")]
        algorithm: NewKey,
    },
    /// Print AUTHSVC_JWT_KEYS with a new key in front; the existing keys only verify from then on.
    /// Remove them when the tokens signed with them have expired.
    Rotate {
        /// As for `generate`.
        #[arg(long, value_enum, default_value = "rs256")]
        algorithm: NewKey,
    },
}

/// Runs the program with these arguments, the first of which is the program's name.
pub fn command(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // An embedding program may have installed a crypto provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Standard output for `--help`, standard error for mistakes.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match run(arguments.command.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::debug!(?error, "stopped");
            eprintln!("limber-identity: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Option<&Command>) -> Result<(), ServiceError> {
    match command {
        Some(Command::Version) => {
            println!("limber-identity {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        Some(Command::Keys { command: KeysCommand::Generate { algorithm } }) => {
            println!("{}", generate(*algorithm, &SystemRandom));
            Ok(())
        }
        Some(Command::Keys { command: KeysCommand::Rotate { algorithm } }) => {
            let old = read_config()?.jwt.keys.unwrap_or_else(|| "[]".to_owned().into());
            let problem = |text| ServiceError::Config(ConfigError { problems: vec![text] });
            println!("{}", rotate(&old, *algorithm, &SystemRandom).map_err(problem)?);
            Ok(())
        }
        Some(Command::Admin { command }) => block_on(accounts::run(read_config()?, command)),
        Some(Command::Doctor) => block_on(doctor::examine(read_config())),
        Some(Command::Migrate) => run_observed(async |config| migrate(&config).await),
        Some(Command::Serve) => run_observed(listen_and_serve),
        None => run_observed(async |config| {
            migrate(&config).await?;
            listen_and_serve(config).await
        }),
    }
}

fn block_on(work: impl Future<Output = Result<(), ServiceError>>) -> Result<(), ServiceError> {
    let runtime = tokio::runtime::Runtime::new().map_err(ServiceError::Server)?;
    let outcome = runtime.block_on(work);
    // A thread that is still resolving a host name must not delay the exit.
    runtime.shutdown_background();
    outcome
}

/// Identifies the program in traces and metrics.
const ORIGIN: Origin = Origin {
    service: crate::NAME,
    version: env!("CARGO_PKG_VERSION"),
    target: "limber_identity_service",
    attributes: &[("auth.version", env!("CARGO_PKG_VERSION"))],
};

fn log(config: &Config) -> LogConfig {
    let level = &config.log.level;
    LogConfig {
        filter: format!("warn,limber={level},limber_identity_service={level}"),
        file: config.log.file.clone(),
    }
}

/// Runs `work` with logging, traces and metrics, which are flushed in any case.
fn run_observed(
    work: impl AsyncFnOnce(Config) -> Result<(), ServiceError>,
) -> Result<(), ServiceError> {
    let config = read_config()?;
    block_on(async {
        let telemetry = Telemetry::start(&ORIGIN, &log(&config), &config.telemetry).await?;
        for notice in &config.notices {
            tracing::warn!("{notice}");
        }
        let outcome = work(config).await;
        telemetry.stop().await;
        outcome
    })
}

/// Reads the configuration from the process environment and, with lower precedence, from `.env` in
/// the working folder.
fn read_config() -> Result<Config, ConfigError> {
    let process = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let (file, problems) = read_env_file(Path::new(".env"));
    Config::from_env_and_file(process, file, problems)
}

/// Returns the file's pairs and the problems found in it. A missing file counts as empty. Reading
/// continues after an invalid line, so that all problems are reported at once. The problems never
/// quote the file, which contains secrets.
fn read_env_file(path: &Path) -> (Vec<(String, String)>, Vec<String>) {
    const UNREADABLE: &str = "the file .env exists but cannot be read";
    let (mut pairs, mut problems) = (Vec::<(String, String)>::new(), Vec::new());
    let lines = match dotenvy::from_path_iter(path) {
        Ok(lines) => lines,
        Err(error) if error.not_found() => return (pairs, problems),
        Err(_) => return (pairs, vec![UNREADABLE.to_owned()]),
    };
    for line in lines {
        match line {
            Ok(pair) => pairs.push(pair),
            // After an I/O error, the iterator would return the same error for ever.
            Err(dotenvy::Error::Io(_)) => {
                problems.push(UNREADABLE.to_owned());
                break;
            }
            Err(_) => {
                let place = pairs.last().map_or("its beginning", |(name, _)| name.as_str());
                let text =
                    format!("the file .env contains a line after {place} that is not NAME=value");
                problems.push(text);
            }
        }
    }
    (pairs, problems)
}

async fn listen_and_serve(config: Config) -> Result<(), ServiceError> {
    let (host, port) = (config.listen_host.clone(), config.port);
    let listener = TcpListener::bind((host.as_str(), port)).await;
    let listener = listener.map_err(|source| ServiceError::Listen { host, port, source })?;
    tracing::info!(host = config.listen_host, port, "limber-identity is listening");
    let stop = async {
        limber_system::stop::asked().await;
        end_within(LONGEST_STOP);
    };
    serve(config, listener, stop).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(String, String)>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        let path = folder.path().join(".env");
        std::fs::write(&path, text).expect("the folder can be written");
        read_env_file(&path)
    }

    #[test]
    fn a_missing_env_file_counts_as_empty() {
        let nothing = (Vec::new(), Vec::new());
        assert_eq!(read_env_file(Path::new("there is no such folder/.env")), nothing);
    }

    #[test]
    fn invalid_env_lines_are_located_without_being_quoted() {
        let (pairs, problems) = read("A=1\n# a remark\nB=\"two words\"\n");
        assert_eq!(pairs, [("A".into(), "1".into()), ("B".into(), "two words".into())]);
        assert_eq!(problems, Vec::<String>::new());
        let (pairs, problems) = read("A=1\nhush hush\nB=2\nhush again\n");
        assert_eq!(pairs, [("A".into(), "1".into()), ("B".into(), "2".into())]);
        let problems = problems.join("\n");
        assert!(problems.contains("after A") && problems.contains("after B"), "{problems}");
        assert!(!problems.contains("hush"), "{problems}");
    }
}
