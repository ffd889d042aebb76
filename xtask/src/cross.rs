//! `cargo xtask cross`: cross-compilation on Linux. Builds the programs for Windows with their
//! installer; for macOS, which cannot be linked here, only type-checks.

mod compiler;
mod installer;

pub(crate) use installer::setup_name;

use std::{path::PathBuf, process::Command};

use clap::Subcommand;

use crate::{
    packages::{self, Purpose},
    setup,
    shell::{command, root, step, target},
};

#[derive(Subcommand)]
pub(crate) enum System {
    /// Build the programs for Windows and their installer
    Windows {
        /// Only type-check, in a tenth of the time
        #[arg(long)]
        check: bool,
    },
    /// Type-check everything that runs on macOS
    Macos,
}

/// Target triple of 64-bit Windows with MinGW.
pub(crate) const WINDOWS: &str = "x86_64-pc-windows-gnu";
/// Target triple of macOS on Apple silicon.
const MACOS: &str = "aarch64-apple-darwin";

/// Packages with a program that is distributed.
const PROGRAMS: [&str; 3] = ["limber", "limber-identity-service", "limber-motion-service"];

pub(crate) fn cross(system: &System) -> anyhow::Result<()> {
    setup::for_cross()?;
    match system {
        System::Windows { check } => windows(*check),
        System::Macos => macos(),
    }
}

fn windows(check: bool) -> anyhow::Result<()> {
    if !check {
        return windows_programs(Profile::Release);
    }
    packages::install(&[Purpose::Windows])?;
    step("checking for Windows", with_programs(&mut cargo_for_windows("check")?))
}

/// How far the compiler optimises.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// As distributed
    Release,
    /// As in tests, which share their dependencies with the programs and need no link-time
    /// optimisation
    Dev,
}

impl Profile {
    /// Its name in Cargo, and that of the folder for what is built with it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Release => ("release", "release"),
            Self::Dev => ("dev", "debug"),
        }
    }
}

/// Builds the programs for Windows and their installer in [`windows_folder`].
pub(crate) fn windows_programs(profile: Profile) -> anyhow::Result<()> {
    packages::install(&[Purpose::Windows])?;
    let mut build = cargo_for_windows(&format!("build --profile {}", profile.names().0))?;
    step("building for Windows", with_programs(&mut build))?;
    installer::make(profile)
}

/// Returns the folder of the programs for Windows and their installer.
pub(crate) fn windows_folder(profile: Profile) -> PathBuf {
    root().join(target()).join(WINDOWS).join(profile.names().1)
}

/// Returns a Cargo command set up for Windows.
pub(crate) fn cargo_for_windows(verb: &str) -> anyhow::Result<Command> {
    let mut cargo = cargo(verb, WINDOWS)?;
    cargo.envs(MINGW).env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", compiler::mingw_linker()?);
    Ok(cargo)
}

fn with_programs(cargo: &mut Command) -> &mut Command {
    cargo.args(PROGRAMS.into_iter().flat_map(|package| ["--package", package]))
}

/// C and C++ compilers that build scripts use for Windows.
const MINGW: [(&str, &str); 4] = [
    ("CC_x86_64_pc_windows_gnu", "x86_64-w64-mingw32-gcc-posix"),
    ("CXX_x86_64_pc_windows_gnu", "x86_64-w64-mingw32-g++-posix"),
    ("AR_x86_64_pc_windows_gnu", "x86_64-w64-mingw32-ar"),
    // link MinGW's libraries statically, because Windows does not ship them
    ("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS", "-C link-arg=-static"),
];

fn macos() -> anyhow::Result<()> {
    packages::install(&[Purpose::Macos])?;
    let zig = compiler::zig()?;
    let mut check = cargo("check", MACOS)?;
    with_programs(&mut check);
    check.env("CC_aarch64_apple_darwin", &zig.c).env("CXX_aarch64_apple_darwin", &zig.cpp);
    check.env("AR_aarch64_apple_darwin", &zig.archive);
    step("checking for macOS", &mut check)
}

/// Returns a Cargo command with a cross-compiler, building the standard library from source.
fn cargo(verb: &str, system: &str) -> anyhow::Result<Command> {
    let mut cargo = command("cargo -Z build-std=std,panic_unwind");
    cargo.args(verb.split(' ')).args(["--target", system]);
    compiler::rust()?.use_in(&mut cargo);
    Ok(cargo)
}
