//! The `limber` program: the window, the viewer, `say`, `actions`, `library`, and the services of
//! the local studio.
//!
//! The command is dispatched before anything starts: a viewer must not open a Tauri window, and a
//! service must not touch the desktop. Without the feature `desktop` only `say`, `view`, `actions`
//! and `library` are available, and nothing that only the window or the services need is compiled.

mod actions;
mod library;
mod say;
#[cfg(feature = "desktop")]
mod studio;
mod view;

use std::{fs::File, io::IsTerminal, path::PathBuf, process::ExitCode, sync::Mutex};

use clap::{Parser, Subcommand};

use crate::{
    actions::ActionsArguments, library::LibraryArguments, say::SayArguments, view::ViewArguments,
};

/// Exit code for an invalid request.
const MISUSE: u8 = 2;

/// Say a motion, see it on your character, take it anywhere.
#[derive(Debug, Parser)]
#[command(name = "limber", version)]
struct Arguments {
    /// Opens the app if omitted.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play animated characters side by side in a window.
    View(ViewArguments),
    /// Make a motion and write its files, without a window or server.
    Say(SayArguments),
    /// Work with custom actions in a folder.
    Actions(ActionsArguments),
    /// Manage folders of recordings that motions can be performed with.
    Library(LibraryArguments),
    /// Run a part of the local studio; started by the app.
    #[cfg(feature = "desktop")]
    #[command(hide = true)]
    Service {
        /// Name of the service.
        name: String,
    },
}

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let is_link = words.nth(1).is_some_and(|word| word.to_string_lossy().starts_with("limber://"));
    if is_link {
        // the desktop passes links as arguments; the window finds them on its own
        return window();
    }
    let command = Arguments::parse().command;
    if command.is_some() {
        start_log(None);
    }
    match command {
        None => window(),
        Some(Command::View(arguments)) => view::run(arguments),
        Some(Command::Say(arguments)) => say::run(arguments),
        Some(Command::Actions(arguments)) => actions::run(arguments),
        Some(Command::Library(arguments)) => library::run(arguments),
        #[cfg(feature = "desktop")]
        Some(Command::Service { name }) => studio::service(&name),
    }
}

#[cfg(feature = "desktop")]
fn window() -> ExitCode {
    studio::window()
}

#[cfg(not(feature = "desktop"))]
fn window() -> ExitCode {
    eprintln!(
        "limber: this build has no window. Build it with the feature `desktop` to get one, or \
         use `limber say \"a person walks forward\" --out out`."
    );
    ExitCode::from(MISUSE)
}

/// Logs to the terminal, and to a file if there is no terminal.
fn start_log(file: Option<File>) {
    use tracing_subscriber::{EnvFilter, fmt::layer, prelude::*};
    let filter = EnvFilter::try_from_env("LIMBER_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let terminal = std::io::stderr().is_terminal();
    let file = file.map(|file| layer().with_ansi(false).with_writer(Mutex::new(file)));
    tracing_subscriber::registry()
        .with(filter)
        .with(layer().with_ansi(terminal).with_writer(std::io::stderr))
        .with(file)
        .init();
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tracing::error!("{panic}");
        tell(panic);
    }));
}

/// Returns the data folder: `LIMBER_DATA`, or the desktop's folder for program data.
fn data_folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("LIMBER_DATA").filter(|named| !named.is_empty()) {
        return Some(named.into());
    }
    Some(directories::ProjectDirs::from("", "", "limber")?.data_local_dir().to_owned())
}
