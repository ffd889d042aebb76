//! The project's own commands. `cargo xtask --help` lists them.
//!
//! Few dependencies, on purpose: this is the first thing a newcomer's machine compiles, before
//! anything else has been installed.

mod bench;
mod cross;
mod dependencies;
mod package;
mod packages;
mod queries;
mod run;
mod session;
mod setup;
mod shell;
mod soak;
mod stages;
mod test;
mod tools;
mod train;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, runs, tests and measures Limber")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Installs what this system lacks, builds, and opens Limber
    Run {
        /// Handed to `limber`, for example `say "a person walks forward" --out out`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Installs what this system lacks and runs every check and test
    Test {
        /// Only these: ui, journeys, house, a crate (identity, formats, …), or the tests whose names
        /// contain this
        part: Option<String>,
        /// Of that part, only the Rust tests whose names contain this
        name: Option<String>,
    },
    /// Measures a budget: target, median of three and verdict; fails on a miss
    Bench {
        /// Which one; all without
        name: Option<String>,
        /// Handed to the benchmark
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Tries for minutes what `test` tries for seconds
    Soak {
        /// Which one: fuzz, flood, uploads, chaos, memory, monkey, readers, package, windows
        name: String,
        /// About how long
        #[arg(long, default_value_t = 600)]
        seconds: u32,
        /// How many jobs, for chaos and memory, which last until they have ended
        #[arg(long, default_value_t = 500)]
        jobs: u32,
        /// The seed of an earlier run, to have it again
        #[arg(long)]
        seed: Option<u32>,
    },
    /// Trains what is learned, in Python. Nothing that is shipped needs it
    Train {
        #[command(subcommand)]
        what: train::Training,
    },
    /// Builds for Windows, or checks for macOS, on Linux
    Cross {
        #[command(subcommand)]
        system: cross::System,
    },
    /// Installs what `run` and `test` need, and nothing else
    Setup,
    /// Writes the description of every SQL query to `.sqlx/`, for builds without a database
    Queries {
        /// Only say whether they are up to date
        #[arg(long)]
        check: bool,
    },
    /// Runs a command on a display and a session bus of its own
    #[command(hide = true)]
    InSession {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        words: Vec<String>,
    },
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Command::InSession { words } = &arguments.command {
        let status = session::run(words)?;
        std::process::exit(status.code().unwrap_or(1));
    }
    std::env::set_current_dir(shell::root())?;
    match arguments.command {
        Command::Run { arguments } => run::run(&arguments),
        Command::Test { part, name } => test::test(part.as_deref(), name.as_deref()),
        Command::Bench { name, arguments } => bench::bench(name.as_deref(), &arguments),
        Command::Soak { name, seconds, jobs, seed } => soak::soak(&name, seconds, jobs, seed),
        Command::Train { what } => train::train(what),
        Command::Cross { system } => cross::cross(&system),
        Command::Setup => setup::for_tests(),
        Command::Queries { check } => queries::queries(check),
        Command::InSession { .. } => Ok(()),
    }
}
