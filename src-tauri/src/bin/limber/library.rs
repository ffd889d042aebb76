//! `limber library`: manages motion libraries, folders of recordings that `limber say --takes`
//! uses.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Subcommand;
use limber_pipeline::{
    Cancel,
    takes::{Change, Libraries, LibrariesError, Library, Listed, Report, Terms},
};

use crate::{MISUSE, data_folder, say::bar};

/// Maximum size of a licence file, bytes.
const LONGEST_LICENCE: u64 = 1 << 20;
/// Number of skipped files listed for each reason; the rest are counted.
const LISTED: usize = 5;

#[derive(Debug, clap::Args)]
pub(crate) struct LibraryArguments {
    #[command(subcommand)]
    command: LibraryCommand,
}

#[derive(Debug, Subcommand)]
enum LibraryCommand {
    /// Read a folder of BVH, FBX, GLB or ASF/AMC files with their descriptions, and report the
    /// result. Repeat to read new files.
    Add {
        /// Folder with the files, in subfolders or not. Nothing in it is changed.
        folder: PathBuf,
        /// Name of the library; the folder's name by default.
        #[arg(long)]
        name: Option<String>,
        /// File with the terms of use; LICENSE or LICENCE in the folder by default.
        #[arg(long, value_name = "FILE")]
        licence: Option<PathBuf>,
    },
    /// List the libraries, or the actions that one of them contains.
    List {
        /// Name or folder of a library.
        library: Option<String>,
    },
    /// Remove a library from the list. Its folder and clips made with it are kept.
    Remove {
        /// Name or folder of a library.
        library: String,
    },
    /// Report which files of a library's folder are new, changed or missing.
    Check {
        /// Name or folder of a library.
        library: String,
    },
}

/// Returns the motion libraries of the current user.
pub(crate) fn libraries() -> Libraries {
    let folder = data_folder().unwrap_or_else(|| PathBuf::from("."));
    Libraries::new(folder.join("libraries"))
}

/// Runs the command.
pub(crate) fn run(arguments: LibraryArguments) -> ExitCode {
    let libraries = libraries();
    let done = match arguments.command {
        LibraryCommand::Add { folder, name, licence } => {
            let licence = match licence.as_deref().map(read_licence).transpose() {
                Ok(licence) => licence,
                Err(reason) => {
                    eprintln!("limber: {reason}");
                    return ExitCode::from(MISUSE);
                }
            };
            add(&libraries, &folder, &Terms { name, licence })
        }
        LibraryCommand::List { library: None } => list(&libraries),
        LibraryCommand::List { library: Some(library) } => actions(&libraries, &library),
        LibraryCommand::Remove { library } => libraries
            .remove(&library)
            .map(|listed| println!("removed {}; its folder was not changed", listed.header.name)),
        LibraryCommand::Check { library } => check(&libraries, &library),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("limber: {error}");
            let is_misuse = matches!(error, LibrariesError::Unknown { .. } | LibrariesError::Name);
            if is_misuse { ExitCode::from(MISUSE) } else { ExitCode::FAILURE }
        }
    }
}

fn read_licence(file: &Path) -> Result<String, String> {
    let told = |reason: &dyn std::fmt::Display| {
        format!("the terms of use in `{}` cannot be read: {reason}", file.display())
    };
    let length = fs::metadata(file).map_err(|error| told(&error))?.len();
    if length > LONGEST_LICENCE {
        return Err(told(&"the file is larger than 1 MB"));
    }
    fs::read_to_string(file).map_err(|error| told(&error))
}

fn add(libraries: &Libraries, folder: &Path, terms: &Terms) -> Result<(), LibrariesError> {
    let cancel = Cancel::default();
    let stop = cancel.clone();
    if let Err(error) = ctrlc::set_handler(move || stop.cancel()) {
        tracing::warn!(%error, "Ctrl-C ends the program at once; nothing is lost");
    }
    let bar = bar();
    let mut report = |progress: limber_pipeline::takes::AddProgress| {
        bar.set_length(progress.files as u64);
        bar.set_position(progress.done as u64);
    };
    let added = libraries.add(folder, terms, &|| cancel.is_cancelled(), &mut report);
    bar.finish_and_clear();
    let (listed, report) = added?;
    print_report(&listed, &report);
    Ok(())
}

fn print_report(listed: &Listed, report: &Report) {
    let name = &listed.header.name;
    println!(
        "{name}: {} takes, {:.0} s in all, {} usable segments, from {} files ({} newly read)",
        report.takes, report.seconds, report.windows, report.files, report.read_now
    );
    for (action, count) in &report.actions {
        println!("  {action} {count}");
    }
    for note in &report.notes {
        println!("note: {note}");
    }
    let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for skipped in &report.skipped {
        reasons.entry(skipped.why.to_string()).or_default().push(&skipped.file);
    }
    for (reason, files) in reasons {
        let some = files.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
        let more = files.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        println!("not used: {some}{more}: {reason}");
    }
}

fn list(libraries: &Libraries) -> Result<(), LibrariesError> {
    let listed = libraries.list()?;
    if listed.is_empty() {
        println!("no motion library yet; add a folder with `limber library add FOLDER`");
    }
    for Listed { file, header } in listed {
        let there = if Path::new(&header.folder).is_dir() { "" } else { " (folder not found)" };
        let takes = Library::open(&file)?.takes().count();
        println!("{}: {takes} takes from {}{there}", header.name, header.folder);
    }
    Ok(())
}

fn actions(libraries: &Libraries, wanted: &str) -> Result<(), LibrariesError> {
    let listed = libraries.find(wanted)?;
    let library = Library::open(&listed.file)?;
    for (action, count) in library.actions() {
        println!("{action} {count}");
    }
    Ok(())
}

fn check(libraries: &Libraries, wanted: &str) -> Result<(), LibrariesError> {
    let (listed, changes) = libraries.check(wanted)?;
    for change in &changes {
        match change {
            Change::New(file) => println!("new: {file}"),
            Change::Changed(file) => println!("changed: {file}"),
            Change::Gone(file) => println!("missing: {file}; its takes can still be used"),
        }
    }
    match changes.len() {
        0 => println!("{} matches its folder", listed.header.name),
        count => println!(
            "{count} differences; `limber library add {}` reads them",
            listed.header.folder
        ),
    }
    Ok(())
}
