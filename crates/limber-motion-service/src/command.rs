//! The command line of `limber-motion`, which `limber` also runs as a hidden command of its own.

use std::{ffi::OsString, process::ExitCode};

use clap::{Parser, Subcommand};
use secrecy::ExposeSecret;
use tokio::net::TcpListener;

use crate::{Config, StoreError, doctor};

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
    /// Tries every part of the installation and says what is wrong.
    Doctor,
    /// Prints the version.
    Version,
    /// Reads one file of a stranger; started by `serve`.
    #[command(hide = true)]
    Reader,
}

#[derive(Debug, Subcommand)]
enum Clients {
    /// Makes an account and prints its id and its secret, which cannot be shown again.
    Create {
        /// Whose account it is, for the operator.
        name: String,
    },
}

#[derive(Debug, Subcommand)]
enum Plans {
    /// Puts an account on a plan from now on: what was left of the last one is replaced.
    Set {
        /// The account's client id.
        client: String,
        /// What the plan is called.
        #[arg(long)]
        name: String,
        /// Credits that it grants each calendar month, with at most one decimal place.
        #[arg(long, value_parser = tenths)]
        credits: i64,
        /// The most variants of a job, 1 to 8; as many as the service allows without it.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=8))]
        variants: Option<u32>,
    },
}

#[derive(Debug, Subcommand)]
enum Credits {
    /// Gives credits to an account for good.
    Grant {
        /// The account's client id.
        client: String,
        /// How many credits, with at most one decimal place; less than 0 takes them away.
        #[arg(allow_negative_numbers = true, value_parser = tenths)]
        amount: i64,
    },
}

/// Credits as people write them, in tenths.
fn tenths(text: &str) -> Result<i64, String> {
    let wrong = || "must be a number of credits with at most one decimal place".to_owned();
    let tenths = text.parse::<f64>().map_err(|_| wrong())? * 10.0;
    let sound = tenths.abs() <= 1e12 && (tenths - tenths.round()).abs() < 1e-6;
    if sound { Ok(tenths.round() as i64) } else { Err(wrong()) }
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
    match command {
        Command::Serve => {
            let listener = TcpListener::bind(config.listen).await.map_err(|error| {
                let address = config.listen;
                anyhow::anyhow!(
                    "cannot listen on {address}: {error}; set MOTIONSVC_LISTEN to a free address"
                )
            })?;
            crate::serve(&config, listener, stop_signal()).await?;
        }
        Command::Work => crate::work(&config, stop_signal()).await?,
        Command::Migrate => crate::migrate(&config).await?,
        Command::Clients(Clients::Create { name }) => create_client(&config, &name).await?,
        Command::Plans(Plans::Set { client, name, credits, variants }) => {
            crate::migrate(&config).await?;
            let tenths = u32::try_from(credits)
                .map_err(|_| anyhow::anyhow!("a plan grants no less than 0 credits"))?;
            let plan = (&name[..], tenths, variants);
            say_balance(&config, &client, crate::set_plan(&config, &client, plan).await?)?;
        }
        Command::Credits(Credits::Grant { client, amount }) => {
            crate::migrate(&config).await?;
            say_balance(&config, &client, crate::grant_credits(&config, &client, amount).await?)?;
        }
        Command::Doctor => return Ok(doctor::examine(&config).await),
        Command::Version | Command::Reader => {}
    }
    Ok(ExitCode::SUCCESS)
}

async fn create_client(config: &Config, name: &str) -> Result<(), StoreError> {
    crate::migrate(config).await?;
    let (id, secret) = crate::create_client(config, name).await?;
    println!("client id      {id}");
    println!("client secret  {}", secret.expose_secret());
    eprintln!("The secret is not kept and cannot be shown again.");
    Ok(())
}

fn say_balance(config: &Config, client: &str, spendable: Option<f64>) -> anyhow::Result<()> {
    let Some(spendable) = spendable else {
        anyhow::bail!("there is no client {client}; `limber-motion clients create` makes one");
    };
    println!("{client} can spend {spendable} credits");
    if config.billing.is_none() {
        eprintln!("Billing is off: nothing is charged until MOTIONSVC_BILLING is on.");
    }
    Ok(())
}

/// Ready when the process is asked to stop.
async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} }
            }
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}
