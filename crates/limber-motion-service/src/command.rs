//! The command line of `limber-motion`, which `limber` also runs as a hidden command of its own.

mod operator;

use std::{collections::BTreeSet, ffi::OsString, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use limber_serve::{LONGEST_STOP, end_within};
use limber_telemetry::Telemetry;
use tokio::net::TcpListener;

use crate::{Config, doctor, telemetry::ORIGIN};
use operator::{Clients, Credits, Plans};

/// The motion service. Settings come from the environment; `doctor` shows and tries them.
#[derive(Debug, Parser)]
#[command(name = "limber-motion", disable_version_flag = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Brings the tables up to date and answers requests.
    Serve,
    /// Works on jobs; start one per processor, on any machine.
    Work,
    /// Brings the tables up to date.
    Migrate,
    /// Accounts of clients.
    #[command(subcommand)]
    Clients(Clients),
    /// Plans of accounts.
    #[command(subcommand)]
    Plans(Plans),
    /// Credits of accounts.
    #[command(subcommand)]
    Credits(Credits),
    /// Prints the workers of all machines: name, state, version, since when, last heard of.
    Workers,
    /// Tries every part of the installation and says what is wrong.
    Doctor,
    /// Prints the version.
    Version,
    /// Reads one file of a stranger, or draws one film or picture; started by `serve` and `work`.
    #[command(hide = true)]
    Reader,
}

/// Runs `limber-motion` with these arguments, the program's name first.
pub fn command(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(args) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if matches!(arguments.command, Command::Reader) {
        // without threads: it is about to give up everything that they need
        return crate::reader_main();
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&anyhow::Error::from(error)),
    };
    let ended = runtime.block_on(run(arguments.command));
    // a stage that does not stop must not keep the process
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
    if !matches!(command, Command::Serve | Command::Work) {
        // what ends at once has nothing to be measured, and must not take the server's port
        (telemetry.metrics, telemetry.traces) = (None, false);
    }
    // one of the two TLS libraries has to be named; a program around this one may have done so
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

/// Names in the environment that look like settings and are none.
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

/// Ready when the process is asked to stop, which then has `drain` more than is usual for it.
async fn stop_in(drain: Duration) {
    limber_system::stop::asked().await;
    end_within(drain + LONGEST_STOP);
}
