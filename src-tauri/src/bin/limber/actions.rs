//! `limber actions`: checks custom actions in a folder.

use std::{path::PathBuf, process::ExitCode};

use clap::Subcommand;
use limber_pipeline::actions::{self, ActionReport};

#[derive(Debug, clap::Args)]
pub(crate) struct ActionsArguments {
    #[command(subcommand)]
    command: ActionsCommand,
}

#[derive(Debug, Subcommand)]
enum ActionsCommand {
    /// Read a folder of actions, perform each of them once, and report all errors.
    Check {
        /// Folder that contains the folders `actions` and `scores`.
        folder: PathBuf,
    },
}

/// Runs the command.
pub(crate) fn run(arguments: ActionsArguments) -> ExitCode {
    let ActionsCommand::Check { folder } = arguments.command;
    let ActionReport { performed, faults } = actions::check(&folder);
    for fault in &faults {
        println!("{fault}");
    }
    for (name, seconds) in &performed {
        match seconds {
            Some(seconds) => println!("{name} takes {seconds:.1} s"),
            None => println!("{name} could not be performed"),
        }
    }
    match faults.len() {
        0 => ExitCode::SUCCESS,
        count => {
            eprintln!("limber: the folder has {count} error(s)");
            ExitCode::FAILURE
        }
    }
}
