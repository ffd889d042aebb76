//! Development commands of the project. `cargo xtask --help` lists them.
//!
//! Dependencies are deliberately few: this is the first thing that compiles on a new machine,
//! before anything else has been installed.

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
    /// Install missing system packages, build, and open Limber
    Run {
        /// Passed on to `limber`, for example `say "a person walks forward" --out out`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Install missing system packages and run every check and test
    Test {
        /// Run only this part: ui, journeys, house, a crate (identity, formats, …), or the tests
        /// whose names contain this
        part: Option<String>,
        /// Of that part, run only the Rust tests whose names contain this
        name: Option<String>,
    },
    /// Measure the performance budgets: target, median of three and verdict; fails on a miss
    Bench {
        /// Which group of benchmarks; all by default
        name: Option<String>,
        /// Passed on to the benchmark
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Run a stress test for minutes that `test` runs for seconds
    Soak {
        /// Which one: fuzz, flood, uploads, chaos, durations, memory, monkey, blender, readers, package,
        /// windows
        name: String,
        /// Approximate duration: ten minutes, for memory two hours
        #[arg(long)]
        seconds: Option<u32>,
        /// Number of jobs for chaos and memory, which run until all have ended
        #[arg(long, default_value_t = 500)]
        jobs: u32,
        /// Seed of an earlier run, to reproduce it
        #[arg(long)]
        seed: Option<u32>,
    },
    /// Train the machine learning models in Python; nothing that is shipped needs it
    Train {
        #[command(subcommand)]
        what: train::Training,
    },
    /// Build for Windows, or type-check for macOS, on Linux
    Cross {
        #[command(subcommand)]
        system: cross::System,
    },
    /// Install what `run` and `test` need, and nothing else
    Setup {
        /// Only what `run` needs
        #[arg(long)]
        app: bool,
    },
    /// Write the description of every SQL query to `.sqlx/`, for builds without a database
    Queries {
        /// Only report whether they are up to date
        #[arg(long)]
        check: bool,
    },
    /// Run a command with its own display and session bus
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
        Command::Setup { app: true } => setup::for_window(),
        Command::Setup { app: false } => setup::for_tests(),
        Command::Queries { check } => queries::queries(check),
        Command::InSession { .. } => Ok(()),
    }
}
