//! `cargo xtask train`: trains the prompt reader with Python, in a virtual environment.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Subcommand;

use crate::shell::{has, output_of, program, root, step};

/// The oldest Python supported by the pinned packages.
const OLDEST_PYTHON: (u32, u32) = (3, 11);

#[derive(Subcommand)]
pub(crate) enum Training {
    /// Train the reader from the sentences of assets/reader (an hour on two cores), into
    /// assets/reader/weights
    Reader {
        /// Folder for packages and checkpoints; the user's cache by default
        #[arg(long)]
        work: Option<PathBuf>,
        /// Passed on to the training
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

pub(crate) fn train(what: Training) -> anyhow::Result<()> {
    let Training::Reader { work, arguments } = what;
    let work = match work {
        Some(work) => work,
        None => cache()?.join("limber/training-reader"),
    };
    std::fs::create_dir_all(&work)
        .with_context(|| format!("the folder {} cannot be created", work.display()))?;
    reader(&work, &arguments)
}

/// Passes the script's schema and the sentences to `training/`.
fn reader(work: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let python = environment(work)?;
    let schema = output_of("cargo run --quiet --package limber-script --example schema")
        .context("the schema of the motion script could not be generated")?;
    std::fs::write(work.join("schema.json"), schema)?;
    step(
        "training",
        program(python)
            .args(["-m", "limber_reader"])
            .env("PYTHONPATH", root().join("training"))
            .arg("--root")
            .arg(root())
            .arg("--work")
            .arg(work)
            .args(arguments),
    )
}

fn cache() -> anyhow::Result<PathBuf> {
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(home)
        .context("there is no home folder; use --work to choose where the training writes")
}

/// Returns the Python of a virtual environment with the pinned packages.
fn environment(work: &Path) -> anyhow::Result<PathBuf> {
    let names = ["python3", "python"];
    let Some(python) = names.into_iter().find(|name| has(name)) else {
        bail!("training needs Python {}.{} or newer", OLDEST_PYTHON.0, OLDEST_PYTHON.1);
    };
    let told = output_of(&format!("{python} --version")).unwrap_or_default();
    if !is_new_enough(&told) {
        let (major, minor) = OLDEST_PYTHON;
        bail!("training needs Python {major}.{minor} or newer; `{python}` is {told}");
    }
    let (folder, wanted) = (work.join("venv"), root().join("training/requirements.txt"));
    let bin = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    if !folder.exists() {
        step("creating a Python environment", program(python).args(["-m", "venv"]).arg(&folder))?;
    }
    step(
        "Python packages",
        program(bin.join("pip")).args(["install", "--quiet", "-r"]).arg(wanted),
    )?;
    Ok(bin.join("python"))
}

/// Returns whether a version such as `Python 3.11.7` is recent enough.
fn is_new_enough(told: &str) -> bool {
    let mut numbers = told.trim_start_matches("Python ").split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= OLDEST_PYTHON,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_python_versions_are_detected() {
        assert!(is_new_enough("Python 3.11.7"));
        assert!(is_new_enough("Python 3.13.0rc1"));
        assert!(!is_new_enough("Python 3.9.2"));
        assert!(!is_new_enough("Python 2.7.18"));
        assert!(!is_new_enough(""));
    }
}
