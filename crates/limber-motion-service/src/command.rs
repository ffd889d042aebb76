//! The command line of `limber-motion`, which `limber` also runs as a hidden subcommand.

mod operator;

use std::{collections::BTreeSet, ffi::OsString, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use limber_serve::{LONGEST_STOP, end_within};
use limber_telemetry::Telemetry;
use tokio::net::TcpListener;

use crate::{Config, doctor, telemetry::ORIGIN};
use operator::{Clients, Credits, Plans};

/// The motion service. Settings come from the environment; `doctor` shows and tests them.
#[derive(Debug, Parser)]
#[command(name = "limber-motion", disable_version_flag = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Migrates the database and serves requests.
    Serve,
    /// Processes jobs; start one worker per processor, on any machine.
    Work,
    /// Migrates the database.
    Migrate,
    /// Manages client accounts.
    #[command(subcommand)]
    Clients(Clients),
    /// Manages the plans of accounts.
    #[command(subcommand)]
    Plans(Plans),
    /// Manages the credits of accounts.
    #[command(subcommand)]
    Credits(Credits),
    /// Lists the workers of all machines: name, state, version, start time, last heartbeat.
    Workers,
    /// Tests every part of the installation and reports what is wrong.
    Doctor,
    /// Prints the version.
    Version,
    /// Parses one untrusted file or renders one video or preview; started by `serve` and `work`.
    #[command(hide = true)]
    Reader,
}

/// Runs `limber-motion` with these arguments; the first is the program's name.
pub fn command(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(args) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if matches!(arguments.command, Command::Reader) {
        // before a runtime starts: the reader gives up rights that further threads would need
        return crate::reader_main();
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&anyhow::Error::from(error)),
    };
    let ended = runtime.block_on(run(arguments.command));
    // do not wait for a stage that does not stop
    runtime.shutdown_background();
    match ended {
        Ok(code) => code,
        Err(error) => complain(&error),
    }
}

fn complain(error: &anyhow::Error) -> ExitCode {
    eprintln!("limber-motion: {error:#}");
    ExitCode::FAILURE
}

async fn run(command: Command) -> anyhow::Result<ExitCode> {
    if matches!(command, Command::Version) {
        println!("limber-motion {}", crate::VERSION);
        return Ok(ExitCode::SUCCESS);
    }
    let config = Config::from_env(|name| std::env::var(name).ok())?;
    let mut telemetry = config.watch.telemetry();
    telemetry.page_limits = config.connections();
    if !matches!(command, Command::Serve | Command::Work) {
        // short-lived commands have no metrics to report and must not take the server's port
        (telemetry.metrics, telemetry.traces) = (None, false);
    }
    // rustls needs a default provider; the embedding program may already have installed one
    let _ = rustls::crypto::ring::default_provider().install_default();
    let telemetry = Telemetry::start(&ORIGIN, &config.watch.log(), &telemetry).await;
    let telemetry = telemetry.map_err(|error| {
        anyhow::Error::from(error)
            .context("check MOTIONSVC_METRICS_LISTEN and OTEL_EXPORTER_OTLP_ENDPOINT")
    })?;
    for slip in slips() {
        tracing::warn!("{slip}");
    }
    let ended = obey(&config, command).await;
    telemetry.stop().await;
    ended
}

/// Returns a message for each environment variable that looks like one of our settings but is not.
pub(crate) fn slips() -> BTreeSet<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let names: Vec<String> = names.collect();
    Config::unknown_names(names.iter().map(String::as_str))
}

async fn obey(config: &Config, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve => {
            let listener = TcpListener::bind(config.listen).await.map_err(|error| {
                let address = config.listen;
                anyhow::anyhow!(
                    "cannot listen on {address}: {error}; set MOTIONSVC_LISTEN to a free address"
                )
            })?;
            crate::serve(config, listener, stop_in(Duration::ZERO)).await?;
        }
        Command::Work => crate::work(config, stop_in(config.drain)).await?,
        Command::Migrate => crate::migrate(config).await?,
        Command::Clients(order) => operator::clients(config, order).await?,
        Command::Plans(order) => operator::plans(config, order).await?,
        Command::Credits(order) => operator::credits(config, order).await?,
        Command::Workers => operator::workers(config).await?,
        Command::Doctor => return Ok(doctor::examine(config).await),
        Command::Version | Command::Reader => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Resolves when the process is asked to stop, which forces an exit after the usual grace period
/// plus `drain`.
async fn stop_in(drain: Duration) {
    limber_system::stop::asked().await;
    end_within(drain + LONGEST_STOP);
}
